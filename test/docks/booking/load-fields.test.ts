import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { colorsFor } from '../../../commands/terminal/colors'
import { renderAppointmentAnswer, renderHoldAnswer } from '../../../commands/views/docks/appointment'
import { renderAppointment } from '../../../commands/views/docks/appointment-history'
import { renderAppointmentsCsv } from '../../../commands/views/docks/appointments-csv'
import { renderSeries } from '../../../commands/views/docks/series'
import { renderWaitlistAnswer } from '../../../commands/views/docks/waitlist'
import { loadAllOperations, loadOperation } from '../../../src/catalog'
import { describeValue, toCell } from '../../../src/docks/booking/rules/load'
import {
  type Field,
  type LoadKey,
  loadFields,
  loadKeys,
  placingKeys,
} from '../../../src/docks/booking/rules/load-fields'
import type { CustomValues } from '../../../src/docks/booking/rules/load-kinds'
import { composeMail } from '../../../src/docks/events/rules/appointment-mail'
import { formatAppointmentsCalendar } from '../../../src/docks/events/rules/calendar-file'
import { docksTables } from '../../../src/docks/queries/docks-tables'
import { execute, flagsOf, isDockAccess, type OperationId } from '../../../src/kernel'
import { jsonSchemaOf } from '../../../src/kernel/input/json-schema'
import { parseCsv } from '../../../src/kernel/text/csv'
import { openFacility, servedConsole } from '../../console/console-fixtures'
import { temporaryFolder } from '../../temporary-folder'
import { type DockOffice, officeWith } from '../dock-fixtures'

type Sample = Record<LoadKey, number | string | string[] | CustomValues>

/** A load with a value for each field, which no other field has. */
function makeLoad(base: number): Sample {
  const values = loadKeys.map((key, index) => {
    const count = base % 2 === 0 ? 1 : 2
    const words =
      key === 'contactEmails'
        ? Array.from({ length: count }, (_, n) => `office${n}@carrier${base}.example`)
        : ['hazmat', 'reefer', 'tail-lift'].slice(0, count)
    const values: CustomValues = { [`${key}A`]: base, [`${key}B`]: `text ${base}` }
    const value = { number: base + index, text: `${key} ${base}`, words, values }[loadFields[key].kind]
    return [key, value]
  })
  return Object.fromEntries(values)
}
const [FIRST, SECOND] = [makeLoad(11), makeLoad(52)]
/** The facility has the fields whose values the loads have. */
const DOORS = {
  doors: [{ name: 'Door 1', features: ['hazmat', 'reefer', 'tail-lift'] }],
  customFields: (['customFields', 'siteFields'] as const).flatMap((key) => {
    const seenBy = key === 'siteFields' ? 'site' : 'everyone'
    return [
      { name: `${key}A`, kind: 'number', seenBy },
      { name: `${key}B`, seenBy },
    ]
  }),
}

const pick = (keys: readonly LoadKey[], from: object) =>
  Object.fromEntries(keys.map((key) => [key, (from as Sample)[key]]))
const loadOf = (from: object) => pick(loadKeys, from)
/** The same with those of the second load in place of the first, one field at a time. */
const variants = () => loadKeys.map((key) => [key, { ...FIRST, [key]: SECOND[key] }] as const)

const BOOKING = { type: 'delivery', carrierName: 'Blue Freight', referenceNumber: 'PO-1', targetDate: '2026-11-17' }
const REQUEST = { facilityCode: 'DC1', ...BOOKING, durationMinutes: 60 }

async function openOffice(facility: object = DOORS) {
  const office = await officeWith({ ...facility })
  const locations = { current: 'docks.db', protectedFiles: [], resolveAddress: (file: string) => file }
  const ctx = { ...office.ctx, locations }
  const run = async (id: OperationId, input: object): Promise<any> =>
    execute(await loadOperation(id), input, ctx as never)
  const book = async (load: object = FIRST) =>
    (await run('appointments.book', { ...REQUEST, ...load })).data.id as string
  const get = (id: string) => run('appointments.get', { id })
  const list = (more: object = {}): Promise<any[]> =>
    run('appointments.list', { facilityCode: 'DC1', startDate: '2026-11-01', endDate: '2026-12-31', ...more })
  return { office: office as DockOffice, run, book, get, list }
}

const canvas = { colors: colorsFor('out', { isTty: false, env: {}, noColor: true }), width: null }
/** A value as people read it. */
const read = (key: LoadKey, load: Sample) => {
  const { unit }: Field = loadFields[key]
  return `${describeValue(key, load[key])}${unit === undefined ? '' : ` ${unit}`}`
}
/** The same as a cell of a table. */
const cellOf = (key: LoadKey, load: Sample) => String(toCell(key, load[key] as never))
/** Each field must be on a line of the text, by its label. */
function expectLines(text: string, load: Sample, keys: readonly LoadKey[] = loadKeys) {
  for (const key of keys) expect(text).toMatch(new RegExp(`^${loadFields[key].label}:? +${read(key, load)}$`, 'm'))
}
const describeEvents = (calendar: string) =>
  calendar
    .replaceAll('\r\n ', '')
    .replaceAll('\\n', '\n')
    .replaceAll('\\,', ',')
    .replaceAll('\\;', ';')
    .replace('DESCRIPTION:', '\n')

describe('every field of a load', () => {
  it('is booked, and in the appointment, the lists and the events', async () => {
    const { run, book, get, list } = await openOffice()
    const id = await book()
    expect(loadOf(await get(id))).toEqual(FIRST)
    expect(loadOf((await list())[0])).toEqual(FIRST)
    expect(loadOf((await run('appointments.find', { referenceNumber: 'PO-1' }))[0])).toEqual(FIRST)
    const { events } = await run('appointments.events', { since: 0 })
    expect(loadOf(events[0].data.appointment)).toEqual(FIRST)
  })

  it('is changed, removed and undone, and the history and the events say what it was', async () => {
    for (const [key, changed] of variants()) {
      const { run, book, get } = await openOffice()
      const id = await book()
      await run('appointments.update', { id, [key]: SECOND[key] })
      expect(loadOf(await get(id))).toEqual(changed)
      const { changes } = (await run('appointments.history', { id })).at(-1)
      expect(changes).toEqual([{ field: key, before: FIRST[key], after: SECOND[key] }])
      const { events } = await run('appointments.events', { since: 0 })
      expect(loadOf(events[0].data.appointment)).toEqual(FIRST)
      expect(loadOf(events[1].data.appointment)).toEqual(changed)
      await run('appointments.update', { id, [key]: null })
      const empty = { number: null, text: null, words: [], values: {} }[loadFields[key].kind]
      expect(loadOf(await get(id))).toEqual({ ...FIRST, [key]: empty })
    }
  })

  it('has no value if its text or its list is empty', async () => {
    const { run, book, get } = await openOffice()
    const empty = { loadDescription: ' ', requirements: [] }
    const missing = { loadDescription: null, requirements: [] }
    const id = await book({ ...FIRST, ...empty })
    expect(await get(id)).toMatchObject(missing)
    expect((await run('appointments.update', { id, ...empty })).message).toContain('Nothing was changed')
    await run('appointments.update', { id, ...FIRST })
    await run('appointments.update', { id, ...empty })
    expect(await get(id)).toMatchObject(missing)
  })

  it('is in a series, in its appointments, and in those that a change of it reaches', async () => {
    const { run, list } = await openOffice()
    const terms = { days: ['tue'], startTime: '09:00', durationMinutes: 60, firstDate: '2026-11-17', aheadDays: 9 }
    const { data } = await run('series.create', {
      ...{ facilityCode: 'DC1', type: 'delivery', carrierName: 'Blue Freight', referencePrefix: 'BLUE' },
      ...terms,
      ...FIRST,
    })
    expect(loadOf(data)).toEqual(FIRST)
    expectLines(renderSeries(data, canvas), FIRST)
    expect((await list()).map(loadOf)).toEqual([FIRST, FIRST])
    let expected: Sample = FIRST
    for (const key of loadKeys) {
      await run('series.update', { id: data.id, [key]: SECOND[key] })
      expected = { ...expected, [key]: SECOND[key] }
      expect(loadOf(await run('series.get', { id: data.id }))).toEqual(expected)
      expect((await list()).map(loadOf)).toEqual([expected, expected])
    }
    await run('series.update', { id: data.id, startTime: '10:00', ...FIRST })
    expect((await list()).map(loadOf)).toEqual([FIRST, FIRST])
  })

  it('waits in the waitlist, and is booked when the offer is accepted or its hold is confirmed', async () => {
    for (const answer of ['accept', 'confirm'] as const) {
      const { run, list } = await openOffice()
      const added = await run('waitlist.add', { ...REQUEST, ...FIRST })
      expect(loadOf(added.data)).toEqual(FIRST)
      expectLines(renderWaitlistAnswer(added, canvas), FIRST)
      const [entry] = await run('waitlist.list', { facilityCode: 'DC1' })
      expect(loadOf(entry)).toEqual(FIRST)
      if (answer === 'accept') await run('waitlist.accept', { id: entry.id })
      else await run('holds.confirm', { id: entry.offer.holdId, referenceNumber: 'PO-1' })
      expect((await list()).map(loadOf)).toEqual([FIRST])
    }
  })

  it('is in a hold if it decides about the place, and in the confirmation, which may say something else', async () => {
    const { run, list } = await openOffice()
    const { carrierName, type, targetDate } = BOOKING
    const request = { facilityCode: 'DC1', carrierName, type, targetDate, durationMinutes: 60 }
    const held = await run('holds.create', { ...request, ...pick(placingKeys, FIRST) })
    expect(pick(placingKeys, held.data)).toEqual(pick(placingKeys, FIRST))
    expectLines(renderHoldAnswer(held, canvas), FIRST, placingKeys)
    const [listed] = await run('holds.list', { facilityCode: 'DC1' })
    expect(pick(placingKeys, listed)).toEqual(pick(placingKeys, FIRST))
    await run('holds.confirm', { id: listed.id, referenceNumber: 'PO-1' })
    const [booked] = await list()
    expect(pick(placingKeys, booked)).toEqual(pick(placingKeys, FIRST))
    for (const [index, [key, load]] of variants().entries()) {
      const other = await run('holds.create', { ...request, durationMinutes: 15, ...pick(placingKeys, FIRST) })
      const referenceNumber = `PO-2-${index}`
      await run('holds.confirm', { id: other.data.id, referenceNumber, [key]: SECOND[key] })
      const [confirmed] = await list({ referenceNumber })
      expect(pick([...placingKeys, key], confirmed)).toEqual(pick([...placingKeys, key], load))
    }
  })

  it('is imported by each title of its column and from JSON, and a row with another value is another row', async () => {
    const titles = loadKeys.map((key) => [key, ...loadFields[key].importTitles])
    for (let column = 0; column < Math.max(...titles.map(({ length }) => length)); column++) {
      const { run, list } = await openOffice()
      const head = [...Object.keys(REQUEST), ...titles.map((each) => each[column] ?? each[0])]
      const rowOf = (load: object) => [...Object.values(REQUEST), ...loadKeys.map((key) => cellOf(key, load as Sample))]
      const text = (load: object) => `${head.join(',')}\n${rowOf(load).join(',')}\n`
      expect(await run('appointments.import', { text: text(FIRST) })).toMatchObject({ imported: 1, refused: [] })
      expect((await list()).map(loadOf)).toEqual([FIRST])
      expect(await run('appointments.import', { text: text(FIRST) })).toMatchObject({ importedBefore: 1, refused: [] })
      for (const [, changed] of variants())
        expect(await run('appointments.import', { text: text(changed) })).toMatchObject({ importedBefore: 0 })
    }
    const { run, list } = await openOffice()
    const rows = (load: object) => ({ text: JSON.stringify([{ ...REQUEST, ...load }]) })
    await run('appointments.import', rows(FIRST))
    expect((await list()).map(loadOf)).toEqual([FIRST])
    expect(await run('appointments.import', rows(FIRST))).toMatchObject({ importedBefore: 1 })
    for (const [, changed] of variants())
      expect(await run('appointments.import', rows(changed))).toMatchObject({ importedBefore: 0 })
  })

  it('is archived and restored', async () => {
    const { office, run, book, get } = await openOffice()
    const id = await book()
    await run('appointments.complete', { id })
    office.at('2026-11-23T14:00:00Z')
    const file = join(temporaryFolder(), 'old.gz')
    expect(await run('appointments.archive', { file, before: '2026-11-20' })).toMatchObject({ archived: 1 })
    expect(await run('appointments.unarchive', { file })).toMatchObject({ restored: 1 })
    expect(loadOf(await get(id))).toEqual(FIRST)
  })

  it('is in calendars, CSV files and what the terminal shows', async () => {
    const { run, book, get, list } = await openOffice()
    const id = await book()
    expectLines(describeEvents(formatAppointmentsCalendar(await list(), null)), FIRST)
    const [head, row] = parseCsv(renderAppointmentsCsv(await list()))
    const cells = Object.fromEntries(head!.cells.map((name, index) => [name, row!.cells[index]]))
    expect(loadOf(cells)).toEqual(Object.fromEntries(loadKeys.map((key) => [key, cellOf(key, FIRST)])))
    expectLines(renderAppointment(await get(id), canvas), FIRST)
    expectLines(renderAppointmentAnswer(await run('appointments.update', { id, ...SECOND }), canvas), SECOND)
  })

  it('is in mails, and a carrier that loses the appointment reads what it was', async () => {
    const { run, book } = await openOffice()
    const id = await book()
    await run('appointments.update', { id, carrierName: 'Red Lines', ...SECOND })
    const { events } = await run('appointments.events', { since: 0 })
    const people = { from: 'docks@example.com', to: 'carrier@example.com' }
    const mail = (index: number, carrier: string) =>
      composeMail(
        { kind: events[index].event.slice('appointment.'.length), ...events[index].data },
        { ...people, isOutsider: true, isLost: events[index].data.appointment.carrierName !== carrier },
        new Map(),
      )!
    for (const [{ text, html, invitation }, load] of [
      [mail(0, 'Blue Freight'), FIRST],
      [mail(1, 'Blue Freight'), FIRST],
      [mail(1, 'Red Lines'), SECOND],
    ] as const) {
      expectLines(text, load)
      expectLines(describeEvents(invitation!.content), load)
      for (const key of loadKeys) expect(html).toContain(`>${loadFields[key].label}</th><td>${read(key, load)}</td>`)
    }
  })

  it('is taken and given over HTTP, and its documented answers have what is documented', async () => {
    const service = await servedConsole()
    const { date } = await openFacility(service, DOORS)
    const headers = { 'x-api-key': await service.key() }
    const body = { ...REQUEST, targetDate: date, ...FIRST }
    const booked = await service.call('POST', '/api/appointments/auto-schedule', { body, headers })
    const documented = (answer: 'booking' | 'move') =>
      loadKeys.filter((key) => (loadFields[key] as Field).documentedIn?.includes(answer))
    const answered = (data: object) => loadKeys.filter((key) => key in data)
    expect(answered(booked.body.data)).toEqual(documented('booking'))
    const path = `/api/appointments/${booked.body.data.id}`
    expect(loadOf((await service.call('GET', path, { headers })).body)).toEqual(FIRST)
    const listed = await service.call('GET', `/api/appointments?facility_code=DC1&end_date=${date}`, { headers })
    expect(loadOf(listed.body[0])).toEqual(FIRST)
    const changed = await service.call('PATCH', path, { body: SECOND, headers })
    expect(loadOf(changed.body.data)).toEqual(SECOND)
    const moved = await service.call('PUT', `${path}/reschedule`, { body: { targetDate: date }, headers })
    expect(answered(moved.body.data)).toEqual(documented('move'))
  })

  it('is in the forms of the console, which book, change and remove it, and on its page', async () => {
    const service = await servedConsole()
    const cookie = await service.signIn(await service.key())
    const { date } = await openFacility(service, DOORS)
    // A custom field has an input of its own.
    const entriesOf = (key: LoadKey, load: Sample): [string, string][] =>
      loadFields[key].kind === 'values'
        ? Object.entries(load[key]).map(([name, value]) => [`${key}.${name}[value]`, String(value)])
        : [[key, [load[key]].flat().join(' ')]]
    const asForm = (load: Sample) => Object.fromEntries(loadKeys.flatMap((key) => entriesOf(key, load)))
    const names = Object.keys(asForm(FIRST))
    const book = (await service.open('/console/docks/DC1/book', cookie)).text
    expect(names.filter((name) => book.includes(`<input name="${name}"`))).toEqual(names)
    const { facilityCode: _, ...booking } = REQUEST
    const facilityId = (await service.run('facilities.get', { id: 'DC1' })).id
    const fields = { ...booking, facilityId, targetDate: date, ...asForm(FIRST) }
    await service.send('/console/run/appointments.book', fields, cookie)
    const find = async () => (await service.run('appointments.find', { referenceNumber: 'PO-1' }))[0]
    const { id } = await find()
    expect(loadOf(await find())).toEqual(FIRST)
    const page = (await service.open(`/console/appointments/${id}`, cookie)).text
    for (const key of loadKeys) expect(page).toContain(`<dt>${loadFields[key].label}</dt><dd>${read(key, FIRST)}</dd>`)
    for (const [name, value] of Object.entries(asForm(FIRST))) {
      const input = page.split('<input ').find((each) => each.startsWith(`name="${name}"`))
      expect(input).toContain(` value="${value}">`)
    }
    await service.send('/console/run/appointments.update', { id, ...asForm(SECOND) }, cookie)
    expect(loadOf(await find())).toEqual(SECOND)
    // Another form, most of which was drawn before that, changes one field alone.
    const drawn = [...page.matchAll(/<input type="hidden" name="(drawn\.[^"]+)" value="([^"]*)">/g)]
    expect(drawn.map(([, name]) => name)).toEqual(expect.arrayContaining(names.map((name) => `drawn.${name}`)))
    const older = { ...Object.fromEntries(drawn.map(([, name, value]) => [name, value])), ...asForm(FIRST) }
    const changed = { 'drawn.palletCount': String(SECOND.palletCount), palletCount: '3' }
    await service.send('/console/run/appointments.update', { id, ...older, ...changed }, cookie)
    expect(loadOf(await find())).toEqual({ ...SECOND, palletCount: 3 })
    const emptied = Object.fromEntries(names.map((name) => [name, '']))
    await service.send('/console/run/appointments.update', { id, ...emptied }, cookie)
    for (const value of Object.values(loadOf(await find()))) expect([null, [], {}]).toContainEqual(value)
  })

  it('is in all operations that take or give loads, and has one flag', async () => {
    const shapes: { place: string; fields: LoadKey[] }[] = []
    const collect = (schema: any, place: string): void => {
      const named = Object.keys(schema?.properties ?? {})
      const fields = loadKeys.filter((key) => named.includes(key))
      // A rule for lengths has requirements, and a facility declares custom fields.
      const isOther = named.includes('minutesPerPallet') || named.includes('queues')
      if (fields.length > 0 && !isOther) shapes.push({ place, fields })
      const nested = [...Object.values(schema?.properties ?? {}), schema?.items, ...(schema?.anyOf ?? [])]
      for (const each of nested) if (each) collect(each, place)
    }
    for (const op of (await loadAllOperations()).filter(({ access }) => isDockAccess(access))) {
      collect(jsonSchemaOf(op.input, 'input'), `${op.id} takes`)
      collect(jsonSchemaOf(op.output, 'output'), `${op.id} gives`)
      if (op.cli)
        for (const { name, field } of flagsOf(op))
          if (field && field.name in loadFields) expect(name).toBe(loadFields[field.name as LoadKey].flag)
    }
    const partial = shapes.filter(({ fields }) => fields.length < loadKeys.length)
    const placing = partial.filter(({ fields }) => fields.join() === placingKeys.join()).map(({ place }) => place)
    const others = partial.filter(({ place }) => !placing.includes(place)).map(({ place, fields }) => [place, fields])
    expect(placing.filter((place) => place.endsWith('takes')).sort()).toEqual([
      'facilities.availability takes',
      'holds.create takes',
    ])
    const booked = ['palletCount', 'equipmentId']
    expect(Object.fromEntries(others)).toEqual({
      'appointments.book gives': booked,
      'holds.confirm gives': booked,
      'waitlist.accept gives': booked,
      'appointments.reschedule gives': ['palletCount'],
      // Lists are filtered by the equipment number.
      'appointments.find takes': ['equipmentId'],
      'appointments.list takes': ['equipmentId'],
    })
    expect(shapes.length).toBeGreaterThan(20)
  })
})

it('the hash of an imported row is that of earlier versions', async () => {
  const { office, run } = await openOffice()
  const base = { ...BOOKING, facilityCode: 'DC1', durationMinutes: 60, palletCount: 1, weight: 2 }
  const rows = [
    { ...base, referenceNumber: 'A' },
    { ...base, referenceNumber: 'B', loadDescription: 'Tiles', trailerId: 'T-1', requirements: ['reefer'] },
    { ...base, referenceNumber: 'C', pieceCount: 3 },
    { ...base, referenceNumber: 'D', equipmentHeight: 100, pieceCount: 3 },
  ]
  await run('appointments.import', { text: JSON.stringify(rows) })
  const known = (reference: string, ...rest: unknown[]) => {
    const content = ['delivery', 'Blue Freight', reference, '2026-11-17', null, null, 1, 60, 2, ...rest]
    return createHash('sha256').update(JSON.stringify(content)).digest('base64url')
  }
  const hashes = await office.db.read((tx) => docksTables(tx).selectFrom('imported_row').select('row_hash').execute())
  expect(hashes.map(({ row_hash }) => row_hash).sort()).toEqual(
    [
      known('A', null, null),
      known('B', 'Tiles', 'T-1', 'reefer', null),
      known('C', null, null, null, null, 3),
      known('D', null, null, null, 100, 3),
    ].sort(),
  )
})
