import { describe, expect, it } from 'vitest'
import { cancelAppointment } from '../../../../src/docks/booking/operations/cancel-appointment'
import { importAppointments } from '../../../../src/docks/booking/operations/import-appointments'
import { listAppointments } from '../../../../src/docks/booking/operations/list-appointments'
import { getFacility } from '../../../../src/docks/facilities/operations/get-facility'
import { completeAppointment } from '../../../../src/docks/visits/operations/complete-appointment'
import { StudioError } from '../../../../src/kernel'
import type { Database } from '../../../../src/storage'
import { type DockOffice, officeWith } from '../../dock-fixtures'

const load = (office: DockOffice, text: string, more: Record<string, unknown> = {}) =>
  office.run(importAppointments, { text, facilityCode: 'DC1', ...more })
const booked = async (office: DockOffice) =>
  (await office.run(listAppointments, { facilityCode: 'DC1', startDate: '2026-11-01', endDate: '2027-02-28' })).map(
    ({ referenceNumber, startTime, doorName }) => `${referenceNumber} ${startTime.slice(5, 16)} ${doorName}`,
  )

const csv = (...lines: string[]) => ['type,carrier,reference,date,pallets', ...lines].join('\r\n')
const ROWS = csv(
  'pickup,Acme,R1,2026-11-17,4',
  'delivery,"Ac,me ""Co""",R2,2026-11-17,',
  '',
  'pickup,Acme,R3,2026-11-18,',
)

describe('importing appointments', () => {
  it.each([
    ['CSV', ROWS],
    ['CSV with semicolons and a byte order mark', `\ufeff${ROWS.replace('Ac,me', 'Ac me').replaceAll(',', ';')}`],
    [
      'a JSON array',
      JSON.stringify(
        ['R1', 'R2', 'R3'].map((referenceNumber, i) => ({
          type: i === 1 ? 'delivery' : 'pickup',
          carrierName: 'Acme',
          referenceNumber,
          targetDate: i === 2 ? '2026-11-18' : '2026-11-17',
          palletCount: i === 0 ? 4 : undefined,
        })),
      ),
    ],
    [
      'one JSON object per line',
      [
        '{"type":"pickup","carrierName":"Acme","referenceNumber":"R1","targetDate":"2026-11-17","palletCount":4}',
        '{"type":"delivery","carrierName":"Acme","referenceNumber":"R2","targetDate":"2026-11-17"}',
        '',
        '{"type":"pickup","carrierName":"Acme","referenceNumber":"R3","targetDate":"2026-11-18"}',
      ].join('\n'),
    ],
  ])('reads %s', async (_, text) => {
    const office = await officeWith()
    expect(await load(office, text)).toMatchObject({ imported: 3, moved: 0, refused: [] })
    expect(await booked(office)).toEqual(['R1 11-17T12:00 Door 1', 'R2 11-17T12:00 Door 2', 'R3 11-18T12:00 Door 1'])
  })

  it('reports each row by its line, and continues after a refused one', async () => {
    const office = await officeWith()
    const text = csv(
      'pickup,Acme,R1,2026-11-17,4',
      'return,Acme,R2,2026-02-30,x',
      'pickup,Acme,R1,2026-11-17,4',
      'pickup,Acme,R4,2026-11-15,',
      'pickup,Acme,R5,2026-11-22,',
      'pickup,Acme,R6,2026-11-17,1,too many',
    )
    const report = await load(office, text)
    expect(report.refused.map(({ line, code }) => [line, code])).toEqual([
      [3, 'invalid'],
      [4, 'duplicate_reference'],
      [5, 'date_in_past'],
      [7, 'invalid'],
    ])
    expect(report.refused[0]!.message).toMatch(/type.*date.*pallets/)
    expect(report.rows.map(({ line, outcome }) => [line, outcome])).toEqual([
      [2, 'booked'],
      [3, 'refused'],
      [4, 'refused'],
      [5, 'refused'],
      [6, 'moved'],
      [7, 'refused'],
    ])
    expect(report).toMatchObject({ imported: 2, moved: 1 })
    expect(await booked(office)).toHaveLength(2)
  })

  it('names the columns of a CSV file in its errors', async () => {
    const report = await load(await officeWith(), 'Direction,Carrier,Ref,Date\nfly,Acme,R1,2026-02-30\n')
    expect(report.rows[0]).toMatchObject({ line: 2, referenceNumber: 'R1', outcome: 'refused' })
    expect(report.rows[0]!.message).toMatch(/Direction: .*Date: /)
    expect(report.rows[0]!.message).not.toMatch(/targetDate|type:/)
  })

  it('books the given time and door if they are free, and the next free slot otherwise', async () => {
    const office = await officeWith()
    const head = 'type,carrier,reference,start,door,minutes'
    const row = (reference: string) => `pickup,Acme,${reference},2026-11-17T09:30:00-06:00,Door 2,60`
    const report = await load(office, [head, row('R1'), row('R2')].join('\n'))
    expect(report.rows.map(({ outcome, startTime, doorName }) => [outcome, startTime, doorName])).toEqual([
      ['booked', '2026-11-17T15:30:00.000Z', 'Door 2'],
      ['moved', '2026-11-17T16:30:00.000Z', 'Door 2'],
    ])
    const wrong = [head.replace('start', 'date,start'), 'pickup,Acme,R3,2026-11-18,2026-11-17T09:30:00-06:00,Door 7,60']
    expect((await load(office, wrong.join('\n'))).refused[0]!.message).toMatch(/2026-11-17/)
  })

  it('books all rows or none with --atomic', async () => {
    const office = await officeWith()
    const text = csv('pickup,Acme,R1,2026-11-17,4', 'pickup,Acme,,2026-11-17,4')
    const report = await load(office, text, { atomic: true })
    expect(report).toMatchObject({ imported: 0, refused: [{ line: 3 }] })
    expect(report.rows[0]).toMatchObject({ outcome: 'taken_back', id: null })
    expect(await booked(office)).toEqual([])
    expect(await load(office, ROWS, { atomic: true })).toMatchObject({ imported: 3, refused: [] })
  })

  it('shows the outcome of a dry run, and books nothing', async () => {
    const office = await officeWith()
    const preview = await load(office, ROWS, { dryRun: true })
    expect(preview).toMatchObject({ imported: 3, dryRun: true })
    expect(await booked(office)).toEqual([])
    const done = await load(office, ROWS)
    const places = (report: typeof done) => report.rows.map(({ startTime, doorName }) => [startTime, doorName])
    expect(places(done)).toEqual(places(preview))
  })

  it('recognizes a facility by its ID and by its code', async () => {
    const office = await officeWith()
    const { id } = await office.run(getFacility, { id: 'DC1' })
    const row = (referenceNumber: string, facility: Record<string, string>) =>
      JSON.stringify({ ...facility, type: 'pickup', carrierName: 'Acme', referenceNumber, targetDate: '2026-11-17' })
    const rows = [
      row('R1', { facilityCode: 'DC1' }),
      row('R2', { facilityId: id }),
      row('R3', { facility: id.toUpperCase() }),
      row('R4', { facilityCode: 'DC1', facilityId: id }),
      row('R5', { facility: 'DC1' }),
    ]
    const report = await office.run(importAppointments, { text: rows.join('\n') })
    expect(report).toMatchObject({ imported: 5, refused: [] })
    expect(await booked(office)).toEqual([
      'R1 11-17T12:00 Door 1',
      'R2 11-17T12:00 Door 2',
      'R3 11-17T13:00 Door 1',
      'R4 11-17T13:00 Door 2',
      'R5 11-17T14:00 Door 1',
    ])
  })

  it('continues where it was interrupted when it is run again', async () => {
    const office = await officeWith()
    const rows = Array.from({ length: 450 }, (_, i) => `pickup,Acme,R${i},2026-12-01,1`)
    const stop = new AbortController()
    const ctx = {
      ...office.ctx,
      signal: stop.signal,
      progress: ({ done }: { done?: number }) => (done! >= 200 ? stop.abort() : undefined),
    }
    const interrupted = await office.refusal(importAppointments, { text: csv(...rows), facilityCode: 'DC1' }, ctx)
    expect(interrupted.code).toBe('interrupted')
    expect(await booked(office)).toHaveLength(200)
    const report = await load(office, csv(...rows))
    expect(report).toMatchObject({ imported: 250, importedBefore: 200, refused: [] })
    expect(new Set(await booked(office)).size).toBe(450)
  })

  it('books only missing rows when it is run again, even if booked ones were completed or cancelled since', async () => {
    const office = await officeWith()
    const row = (reference: string, date: string) => `pickup,Acme,${reference},${date},`
    const first = await load(office, csv(row('R1', '2026-11-17'), row('R2', '2026-11-17'), row('R3', '2026-11-31')))
    const [one, two] = first.rows
    await office.run(cancelAppointment, { id: one!.id })
    await office.run(completeAppointment, { id: two!.id })
    const corrected = csv(row('R3', '2026-11-30'), row('R1', '2026-11-17'), row('R2', '2026-11-17'))
    const again = await load(office, corrected)
    expect(again).toMatchObject({ imported: 1, importedBefore: 2, refused: [] })
    expect(again.rows).toMatchObject([
      { line: 2, outcome: 'booked', referenceNumber: 'R3', status: 'scheduled' },
      { line: 3, outcome: 'imported_before', id: one!.id, status: 'cancelled', startTime: one!.startTime },
      { line: 4, outcome: 'imported_before', id: two!.id, status: 'completed' },
    ])
    office.at('2026-11-20T14:00:00Z')
    const asJson = { type: 'pickup', carrierName: 'Acme', referenceNumber: 'R1', targetDate: '2026-11-17' }
    expect(await load(office, JSON.stringify([asJson]), { atomic: true })).toMatchObject({ importedBefore: 1 })
    expect(await load(office, corrected, { dryRun: true })).toMatchObject({ imported: 0, importedBefore: 3 })
  })

  it('books completed or cancelled rows again with --again, and remembers that', async () => {
    const office = await officeWith()
    const text = csv('pickup,Acme,R1,2026-11-17,', 'pickup,Acme,R2,2026-11-17,')
    const [one, two] = (await load(office, text)).rows
    await office.run(cancelAppointment, { id: one!.id })
    const again = await load(office, text, { again: true })
    expect(again.rows).toMatchObject([{ outcome: 'booked' }, { outcome: 'imported_before', id: two!.id }])
    expect((await load(office, text)).rows[0]).toMatchObject({ outcome: 'imported_before', id: again.rows[0]!.id })
  })

  it('remembers nothing of an import that was rolled back', async () => {
    const office = await officeWith()
    await load(office, csv('pickup,Acme,R1,2026-11-17,', 'pickup,Acme,R1,2026-11-17,'), { atomic: true })
    expect(await load(office, csv('pickup,Acme,R1,2026-11-17,'))).toMatchObject({ imported: 1, importedBefore: 0 })
  })

  it('reports that a date is full if the documented message says closed', async () => {
    const office = await officeWith({
      advanceToNextOpenDay: false,
      doors: [{ name: 'Door 1' }],
      maxMinutes: 720,
      breaks: [],
    })
    const text = [
      'type,carrier,reference,date,minutes',
      'pickup,Acme,R1,2026-11-17,720',
      'pickup,Acme,R2,2026-11-17,60',
      'pickup,Acme,R3,2026-11-22,60',
    ].join('\n')
    expect((await load(office, text)).rows.slice(1)).toMatchObject([
      { message: 'Facility is closed on 2026-11-17 (Tuesday).', reason: 'Full on 2026-11-17 (Tuesday).' },
      { message: 'Facility is closed on 2026-11-22 (Sunday).', reason: null },
    ])
  })

  it('reports how many rows are booked if an error stops it', async () => {
    const office = await officeWith()
    const rows = Array.from({ length: 450 }, (_, i) => `pickup,Acme,R${i},2026-12-01,1`)
    let writes = 0
    const write: Database['write'] = (work, options) => {
      if (++writes < 3) return office.db.write(work, options)
      return Promise.reject(
        new StudioError('database_busy', 'It is busy; nothing was changed.', { hint: 'Try again.' }),
      )
    }
    const db = { ...office.db, read: office.db.read, write }
    const ctx = { ...office.ctx, db }
    const stopped = await office.refusal(importAppointments, { text: csv(...rows), facilityCode: 'DC1' }, ctx)
    expect(stopped).toMatchObject({ code: 'database_busy', hint: expect.stringContaining('not booked again') })
    expect(stopped.message).toBe('It is busy. The first 400 of 450 rows are done.')
    expect(await booked(office)).toHaveLength(400)
  })

  it('books the same as row by row', async () => {
    const [one, many] = [await officeWith({ capacity: 1 }), await officeWith({ capacity: 1 })]
    const rows = Array.from(
      { length: 60 },
      (_, i) => `${i % 3 ? 'pickup' : 'delivery'},Acme,R${i},2026-11-${17 + (i % 4)},${(i * 7) % 40}`,
    )
    for (const row of rows) await load(one, csv(row))
    await load(many, csv(...rows))
    expect(await booked(many)).toEqual(await booked(one))
  })

  it.each([
    ['nothing', '', /file is empty/],
    ['an empty cell alone', '""', /file is empty/],
    ['a column that no booking has', 'type,colour\npickup,red', /"colour"/],
    ['a column twice', 'type,Type\npickup,pickup', /Two columns/],
    ['a quote that is never closed', 'type,carrier\npickup,"Acme', /never closed/],
    ['broken JSON', '[{"type":', /not valid JSON/],
  ])('refuses a file with %s', async (_, text, message) => {
    const office = await officeWith()
    expect(await office.refusal(importAppointments, { text, facilityCode: 'DC1' })).toMatchObject({
      code: 'invalid',
      message: expect.stringMatching(message),
    })
  })

  it('reports a facility that is unknown or missing', async () => {
    const office = await officeWith()
    const row = 'pickup,Acme,R1,2026-11-17'
    const report = await office.run(importAppointments, {
      text: `facility,type,carrier,reference,date\nDC9,${row}\n,${row}`,
    })
    expect(report.refused).toMatchObject([{ code: 'not_found' }, { code: 'invalid' }])
  })

  it('takes the time at the facility, as spreadsheets write it, and knows the row again by its instant', async () => {
    const office = await officeWith()
    const rows = [
      'type,carrier,reference,date,start,end,door',
      'pickup,Acme,R1,2026-11-17,6:00,7:30,Door 1',
      'pickup,Acme,R2,,2026-11-17 08:00:00,,Door 1',
      'pickup,Acme,R3,2026-11-17,2026-11-17T14:00:00Z,,Door 2',
    ]
    const report = await load(office, rows.join('\n'))
    expect(report.rows.map(({ outcome, startTime, timeZone }) => [outcome, startTime, timeZone])).toEqual([
      ['booked', '2026-11-17T12:00:00.000Z', 'America/Chicago'],
      ['booked', '2026-11-17T14:00:00.000Z', 'America/Chicago'],
      ['booked', '2026-11-17T14:00:00.000Z', 'America/Chicago'],
    ])
    const asInstants = rows.join('\n').replace('6:00,7:30', '2026-11-17T06:00:00-06:00,2026-11-17T13:30:00Z')
    expect((await load(office, asInstants)).importedBefore).toBe(3)
  })

  it('refuses a time that is no instant at the facility', async () => {
    const office = await officeWith()
    const rows = ['R1,,6:00', 'R2,2026-11-01,01:30', 'R3,2027-03-14,02:30', 'R4,2026-11-17,at noon']
    const text = ['reference,date,start,type,carrier', ...rows.map((row) => `${row},pickup,Acme`)].join('\n')
    const { rows: outcomes } = await load(office, text)
    expect(outcomes.map(({ message }) => message)).toEqual([
      expect.stringContaining('needs a date'),
      expect.stringContaining('occurs twice on 2026-11-01'),
      expect.stringContaining('is a time that the clock skips on 2027-03-14'),
      expect.stringContaining('must be a time such as 06:00'),
    ])
  })
})
