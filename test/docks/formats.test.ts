import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { colorsFor } from '../../commands/terminal/colors'
import { formatDetails } from '../../commands/terminal/error-text'
import { renderBoardSvg } from '../../commands/views/board/drawing'
import { renderBoardPage } from '../../commands/views/board/page'
import { renderTimeline } from '../../commands/views/board/timeline'
import { renderAppointmentsCsv } from '../../commands/views/docks/appointments-csv'
import { renderFacilityChange } from '../../commands/views/docks/facility-change'
import { bookAppointment } from '../../src/docks/booking/operations/book-appointment'
import { cancelAppointment } from '../../src/docks/booking/operations/cancel-appointment'
import { listAppointments } from '../../src/docks/booking/operations/list-appointments'
import { rescheduleAppointment } from '../../src/docks/booking/operations/reschedule-appointment'
import { formatAppointmentsCalendar } from '../../src/docks/events/rules/calendar-file'
import { closeFacility } from '../../src/docks/facilities/operations/close-facility'
import { showBoard } from '../../src/docks/facilities/operations/show-board'
import { checkInAppointment } from '../../src/docks/visits/operations/check-in-appointment'
import { recordStep } from '../../src/docks/visits/operations/record-step'
import { parseCsv } from '../../src/kernel/text/csv'
import { load, officeWith } from './dock-fixtures'

const HOSTILE = '=cmd|"x", <b>&;\\ – 📦 ünïcödé'
const colors = colorsFor('out', { isTty: false, env: {}, noColor: true })

async function listed() {
  const office = await officeWith()
  const { data } = await office.run(
    bookAppointment,
    load({ referenceNumber: 'PO-1', carrierName: HOSTILE, weight: 900 }),
  )
  const list = () =>
    office.run(listAppointments, { facilityCode: 'DC1', startDate: '2026-11-01', endDate: '2026-12-01' })
  return { office, id: data.id, list }
}

/** The properties of the first event, unfolded. */
function event(calendar: string): Record<string, string> {
  const lines = calendar.replaceAll('\r\n ', '').split('\r\n')
  const own = lines.slice(lines.indexOf('BEGIN:VEVENT'), lines.indexOf('END:VEVENT'))
  return Object.fromEntries(own.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]))
}

describe('appointments as a calendar', () => {
  it('have UTC times, and a UID and a sequence by which a calendar follows their changes', async () => {
    const { office, id, list } = await listed()
    const booked = event(formatAppointmentsCalendar(await list(), null))
    expect(booked).toMatchObject({
      UID: `${id}@studio`,
      SEQUENCE: '0',
      DTSTAMP: '20261116T140000Z',
      DTSTART: '20261117T120000Z',
      DTEND: '20261117T130000Z',
      STATUS: 'CONFIRMED',
      LOCATION: 'North (DC1)\\, Door 1',
    })
    office.at('2026-11-16T15:00:00Z')
    await office.run(rescheduleAppointment, { id, targetDate: '2026-11-18' })
    expect(event(formatAppointmentsCalendar(await list(), null))).toMatchObject({
      UID: booked['UID'],
      SEQUENCE: '1',
      DTSTAMP: '20261116T150000Z',
      DTSTART: '20261118T120000Z',
    })
    await office.run(cancelAppointment, { id })
    await office.run(cancelAppointment, { id })
    expect(event(formatAppointmentsCalendar(await list(), null))).toMatchObject({ SEQUENCE: '2', STATUS: 'CANCELLED' })
  })

  it('have the organizer that each published event must have, and no attendees', async () => {
    const { list } = await listed()
    const [entry] = await list()
    const hostile = { ...entry!, facilityName: 'North "A"; B:C,\r\nATTENDEE:mailto:x@y.example' }
    const organizers = (organizer: string | null) => {
      const lines = formatAppointmentsCalendar([entry!, hostile], organizer).replaceAll('\r\n ', '').split('\r\n')
      expect(lines.filter((line) => line.startsWith('ATTENDEE'))).toEqual([])
      return lines.filter((line) => line.startsWith('ORGANIZER'))
    }
    const names = [`"North (DC1)"`, `"North 'A'; B:C,  ATTENDEE:mailto:x@y.example (DC1)"`]
    expect(organizers('docks@north.example')).toEqual(
      names.map((name) => `ORGANIZER;CN=${name}:mailto:docks@north.example`),
    )
    expect(organizers(null)).toEqual(names.map((name) => `ORGANIZER;CN=${name}:invalid:nomail`))
  })

  it('escape special characters, and fold lines without cutting a character', async () => {
    const { list } = await listed()
    const calendar = formatAppointmentsCalendar(
      (await list()).map((entry) => ({ ...entry, loadDescription: `${'📦'.repeat(60)}\r\nBEGIN:VEVENT\r\u0007` })),
      null,
    )
    const { SUMMARY, DESCRIPTION } = event(calendar)
    expect(SUMMARY).toBe('Delivery PO-1\\, =cmd|"x"\\, <b>&\\;\\\\ – 📦 ünïcödé')
    expect(DESCRIPTION).toContain(`${'📦'.repeat(60)}\\nBEGIN:VEVENT`)
    for (const line of calendar.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
    expect(calendar.split('\r\n').filter((line) => line === 'BEGIN:VEVENT')).toHaveLength(1)
    expect(calendar).not.toMatch(/[^\r]\n|\ufffd|\u0007/)
    expect(calendar.startsWith('BEGIN:VCALENDAR\r\nVERSION:2.0\r\n')).toBe(true)
    expect(calendar.endsWith('END:VCALENDAR\r\n')).toBe(true)
  })
})

describe('appointments as CSV', () => {
  it('have UTC and local times, and no formula', async () => {
    const { list } = await listed()
    const [head, row] = parseCsv(renderAppointmentsCsv(await list()))
    const cells = Object.fromEntries(head!.cells.map((name, index) => [name, row!.cells[index]]))
    expect(cells).toMatchObject({
      startTime: '2026-11-17T12:00:00.000Z',
      localStart: '2026-11-17 06:00',
      carrierName: `'${HOSTILE}`,
      palletCount: '',
      weight: '900',
    })
  })

  it('are parsed to the original values', async () => {
    const { list } = await listed()
    const [entry] = await list()
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'",;\t\r\n\0=+-@ a\ufeff\ud800📦') }), (text) => {
        const description = `x${text}`
        const [head, row] = parseCsv(renderAppointmentsCsv([{ ...entry!, loadDescription: description }]))
        expect(row!.cells[head!.cells.indexOf('loadDescription')]).toBe(description)
      }),
    )
  })
})

describe('the board', () => {
  async function board() {
    const office = await officeWith({ name: '<North> & "Sons"' })
    await office.run(bookAppointment, load({ referenceNumber: 'PO-1', carrierName: HOSTILE }))
    await office.run(bookAppointment, load({ referenceNumber: 'PO-2', durationMinutes: 240 }))
    return office.run(showBoard, { id: 'DC1', date: '2026-11-17' })
  }

  it('has one line per door in the time of the facility', async () => {
    const lines = renderTimeline(await board(), { colors, width: null }).split('\n')
    expect(lines.slice(2, 5)).toEqual([
      '        06:00 07:00 08:00 09:00 10:00 11:00 12:00 13:00 14:00 15:00 16:00 17:00',
      'Door 1  [PO-1]                              ···',
      'Door 2  [PO-2                  ]            ···',
    ])
  })

  it('says the state of each appointment without color, and shows the end of a long reference', async () => {
    const office = await officeWith()
    const [here, done] = [
      await office.run(bookAppointment, load({ referenceNumber: 'PO-450001', durationMinutes: 30 })),
      await office.run(bookAppointment, load({ referenceNumber: 'PO-450002', durationMinutes: 30 })),
    ]
    await office.run(bookAppointment, load({ referenceNumber: 'PO-450003', durationMinutes: 30 }))
    office.at('2026-11-17T12:00:00Z')
    await office.run(checkInAppointment, { id: here.data.id })
    await office.run(recordStep, { id: done.data.id, step: 'completed' })
    const shown = renderTimeline(await office.run(showBoard, { id: 'DC1', date: '2026-11-17' }), { colors, width: 80 })
    expect(shown).toContain('<…001>')
    expect(shown).toContain('{…002}')
    expect(shown).toContain('[…] booked  <…> truck is here  {…} completed  · closed')
  })

  it('names the reason of a closed date', async () => {
    const office = await officeWith()
    await office.run(closeFacility, { id: 'DC1', from: '2026-11-26', to: '2026-11-26', reason: 'Thanksgiving' })
    const closed = await office.run(showBoard, { id: 'DC1', date: '2026-11-26' })
    expect(closed.closure).toBe('closed for Thanksgiving')
    expect(renderTimeline(closed, { colors, width: 120 })).toContain('America/Chicago, closed for Thanksgiving')
    expect(renderBoardSvg(closed)).toContain('closed for Thanksgiving')
  })

  it.each([40, 60, 80, 120, 200])('fits a window of %d columns', async (width) => {
    const text = renderTimeline(await board(), { colors, width })
    const drawn = text.slice(0, text.indexOf('TIME'))
    for (const line of drawn.split('\n').slice(1)) expect(line.length).toBeLessThanOrEqual(width)
    expect(drawn).toContain('06:00')
    expect(drawn).toMatch(/1[567]:00/)
  })

  it.each([
    ['SVG', renderBoardSvg],
    ['HTML', renderBoardPage],
  ])('loads nothing from elsewhere as %s, and escapes every text', async (_, write) => {
    const text = write(await board())
    expect(text).not.toMatch(/<script|<b>|<North>|javascript:|\b(href|src)=|url\((?!#)/i)
    expect(text.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:/)
    expect(text).toContain('&#60;North&#62; &#38; &#34;Sons&#34;')
    expect(text).toMatch(/role="img" aria-labelledby="board-title board-about"/)
    expect(isBalanced(text)).toBe(true)
  })

  it('uses the singular for one door and one appointment', async () => {
    const office = await officeWith({ doors: [{ name: 'Door 1' }] })
    await office.run(bookAppointment, load())
    expect(renderBoardSvg(await office.run(showBoard, { id: 'DC1', date: '2026-11-17' }))).toContain(
      '1 door, 1 appointment.',
    )
  })

  it('lists in the page all that the drawing shows', async () => {
    const page = renderBoardPage(await board())
    expect(page).toContain('<th scope="col">Reference</th>')
    expect(page).toContain('<td>06:00-10:00</td><td>Door 2</td>')
    expect(page).toContain('<html lang="en">')
  })

  /** Every element that is opened is closed, in order. */
  function isBalanced(text: string): boolean {
    const open: string[] = []
    for (const [, slash, name, , closed] of text.matchAll(/<(\/?)([a-z][\w]*)((?:"[^"]*"|[^">])*?)(\/?)>/gi)) {
      if (closed || ['meta', 'br'].includes(name!)) continue
      if (!slash) open.push(name!)
      else if (open.pop() !== name) return false
    }
    return open.length === 0
  }
})

describe('the result of a facility change', () => {
  it.each([
    [1, true, '1 scheduled appointment would conflict with this change. Reschedule or cancel it:'],
    [1, false, '1 scheduled appointment conflicts with this change. Reschedule or cancel it:'],
    [2, false, '2 scheduled appointments conflict with this change. Reschedule or cancel them:'],
  ])('with %i in conflict, dry run: %s', async (count, dryRun, line) => {
    const office = await officeWith()
    for (let booked = 0; booked < count; booked++) await office.run(bookAppointment, load())
    const change = await office.run(closeFacility, { id: 'DC1', from: '2026-11-17', dryRun })
    expect(renderFacilityChange(change, { colors, width: null }).split('\n')).toContain(line)
  })
})

describe('the reasons per day', () => {
  it('are merged for days with the same reasons', async () => {
    const office = await officeWith({ queues: [{ days: ['tue'], start: '06:00', end: '06:30' }], breaks: [] })
    const { details } = await office.refusal(bookAppointment, load())
    expect(details).toHaveLength(31)
    expect(formatDetails(details)).toEqual([
      'Door 1, Door 2: no window is long enough: 2026-11-17, 2026-11-24, 2026-12-01, 2026-12-08, 2026-12-15',
      'Door 1, Door 2: no operating hours on this date: 2026-11-18 to 2026-11-23, 2026-11-25 to 2026-11-30, 2026-12-02 to 2026-12-07, 2026-12-09 to 2026-12-14, 2026-12-16 to 2026-12-17',
    ])
  })

  it('are unchanged for a single day and for other fields', () => {
    expect(formatDetails([{ path: 'weight', message: 'must be a whole number' }])).toEqual([
      'weight must be a whole number',
    ])
  })
})
