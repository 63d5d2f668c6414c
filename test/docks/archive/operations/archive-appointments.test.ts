import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { createTenant } from '../../../../src/access/operations/create-tenant'
import { archiveAppointments } from '../../../../src/docks/archive/operations/archive-appointments'
import { unarchiveAppointments } from '../../../../src/docks/archive/operations/unarchive-appointments'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { cancelAppointment } from '../../../../src/docks/booking/operations/cancel-appointment'
import { importAppointments } from '../../../../src/docks/booking/operations/import-appointments'
import { listAppointments } from '../../../../src/docks/booking/operations/list-appointments'
import { showHistory } from '../../../../src/docks/booking/operations/show-history'
import { createFacility } from '../../../../src/docks/facilities/operations/create-facility'
import { removeDoor } from '../../../../src/docks/facilities/operations/remove-door'
import { completeAppointment } from '../../../../src/docks/visits/operations/complete-appointment'
import type { StorageLocationsContext } from '../../../../src/storage'
import { temporaryFolder } from '../../../temporary-folder'
import { DC1, type DockOffice, load, officeWith, openDockOffice } from '../../dock-fixtures'

type Ctx = DockOffice['ctx'] & StorageLocationsContext

const withFiles = ({ ctx }: DockOffice, folder: string, more: Partial<Ctx> = {}) =>
  ({
    ...ctx,
    locations: {
      current: join(folder, 'docks.db'),
      protectedFiles: [],
      resolveAddress: (file: string) => join(folder, file),
    },
    ...more,
  }) as unknown as Ctx

/** Two appointments of the last week, one completed and one of an import, and one of this week. */
async function openArchiveOffice() {
  const office = await officeWith()
  const folder = temporaryFolder()
  const done = (await office.run(bookAppointment, load({ carrierName: 'Żółw & Sons', requirements: null }))).data
  const text = `type,carrierName,referenceNumber,targetDate,facilityCode,durationMinutes\npickup,Acme,IMP-1,2026-11-17,DC1,60\n`
  await office.run(importAppointments, { text })
  office.at('2026-11-18T20:00:00Z')
  await office.run(completeAppointment, { id: done.id })
  const open = (await office.run(bookAppointment, load({ targetDate: '2026-11-24' }))).data
  office.at('2026-11-23T14:00:00Z')
  const ctx = withFiles(office, folder)
  const archive = (input: Record<string, unknown> = {}, own = ctx) =>
    office.run(archiveAppointments as any, { file: 'old.gz', before: '2026-11-23', ...input }, own) as Promise<any>
  const unarchive = (file = 'old.gz', own = ctx) =>
    office.run(unarchiveAppointments as any, { file }, own) as Promise<any>
  const refusal = (op: unknown, input: unknown) => office.refusal(op as any, input, ctx)
  const list = () =>
    office.run(listAppointments, { facilityCode: 'DC1', startDate: '2026-11-01', endDate: '2026-11-30' })
  return { office, folder, ctx, done, open, archive, unarchive, refusal, list, path: join(folder, 'old.gz') }
}

it('moves what ended before the date to a file, and back with its history', async () => {
  const { office, archive, unarchive, list, done, open, path } = await openArchiveOffice()
  const before = await list()
  const history = await office.run(showHistory, { id: done.id })
  expect(await archive({ dryRun: true })).toMatchObject({ archived: 2, dryRun: true, file: null })
  expect(existsSync(path)).toBe(false)
  expect(await archive()).toEqual({
    file: path,
    archived: 2,
    changed: 0,
    elsewhere: 0,
    remaining: 0,
    before: '2026-11-23',
    dryRun: false,
  })
  expect((await list()).map(({ id }) => id)).toEqual([open.id])
  expect(await archive({ file: 'again.gz' })).toMatchObject({ archived: 0, file: null })
  expect(await unarchive()).toEqual({ restored: 2, present: 0, refused: 0, results: [] })
  expect(await list()).toEqual(before)
  expect(await office.run(showHistory, { id: done.id })).toEqual(history)
  expect(await unarchive()).toMatchObject({ restored: 0, present: 2 })
})

it('remembers the imported rows, so that the file is not booked again', async () => {
  const { office, archive, unarchive } = await openArchiveOffice()
  await archive()
  await unarchive()
  const text = `type,carrierName,referenceNumber,targetDate,facilityCode,durationMinutes\npickup,Acme,IMP-1,2026-11-17,DC1,60\n`
  expect(await office.run(importAppointments, { text })).toMatchObject({ importedBefore: 1, imported: 0 })
})

/** Interrupts the command when it reports progress of this kind. */
function stoppingAt(ctx: Ctx, label: string): Ctx {
  const stop = new AbortController()
  const progress = (state: { label: string }) => {
    if (state.label === label) stop.abort()
  }
  return { ...ctx, signal: stop.signal, progress } as Ctx
}

it('writes no file when it is interrupted before the file is complete', async () => {
  const { archive, list, ctx, folder } = await openArchiveOffice()
  const before = await list()
  await expect(archive({}, stoppingAt(ctx, 'writing'))).rejects.toThrow()
  expect(await list()).toEqual(before)
  expect(readdirSync(folder)).toEqual([])
})

it('continues with the same file when it was interrupted while it removed', async () => {
  const { archive, unarchive, list, path } = await openArchiveOffice()
  const before = await list()
  await archive()
  const whole = readFileSync(path)
  await unarchive()
  expect(await archive()).toMatchObject({ archived: 2, changed: 0, remaining: 0 })
  expect(readFileSync(path)).toEqual(whole)
  await unarchive()
  expect(await list()).toEqual(before)
})

it('does not continue with a file of another date or facility', async () => {
  const { archive, unarchive, refusal, list } = await openArchiveOffice()
  await archive({ before: '2026-11-18' })
  await unarchive()
  const all = await list()
  for (const change of [{}, { before: '2026-11-18', facilityCode: 'DC1' }])
    expect(await refusal(archiveAppointments, { file: 'old.gz', before: '2026-11-23', ...change })).toMatchObject({
      code: 'conflict',
    })
  expect(await list()).toEqual(all)
})

it('removes nothing that differs from the file, whatever the file says', async () => {
  const { archive, unarchive, refusal, list, path } = await openArchiveOffice()
  await archive()
  await unarchive()
  const before = await list()
  const changed = gunzipSync(readFileSync(path)).toString().replaceAll('"carrier_name":"', '"carrier_name":"Not ')
  writeFileSync(path, gzipSync(changed))
  expect(await refusal(archiveAppointments, { file: 'old.gz', before: '2026-11-23' })).toMatchObject({
    code: 'conflict',
  })
  expect(await list()).toEqual(before)
})

it('changes nothing when the file cannot be written, exists, or is a part of the database', async () => {
  const { archive, refusal, list, folder } = await openArchiveOffice()
  const before = await list()
  writeFileSync(join(folder, 'taken.gz'), 'mine')
  expect(await refusal(archiveAppointments, { file: 'taken.gz', before: '2026-11-23' })).toMatchObject({
    code: 'conflict',
  })
  expect(await refusal(archiveAppointments, { file: 'taken.gz/x', before: '2026-11-23' })).toMatchObject({
    code: 'invalid',
  })
  expect(await refusal(archiveAppointments, { file: 'docks.db', before: '2026-11-23' })).toMatchObject({
    code: 'invalid',
  })
  expect(await refusal(archiveAppointments, { file: 'x.gz', before: '2026-11-24' })).toMatchObject({ code: 'invalid' })
  expect(readFileSync(join(folder, 'taken.gz'), 'utf8')).toBe('mine')
  expect(await list()).toEqual(before)
  await archive({ facilityCode: 'DC1' })
})

it('does not replace a file that another command creates at the same time', async () => {
  const { archive, unarchive, list, ctx, folder } = await openArchiveOffice()
  const before = await list()
  let first: Promise<any> | null = null
  const progress = ({ label }: { label: string }) => {
    if (label === 'writing') first ??= archive().catch((error) => error)
  }
  const second = archive({}, { ...ctx, progress } as Ctx).catch((error) => error)
  const outcomes = [await second, await first]
  expect(outcomes.filter(({ code }) => code === 'conflict')).toHaveLength(1)
  expect(outcomes.filter(({ archived }) => archived === 2)).toHaveLength(1)
  expect(readdirSync(folder)).toEqual(['old.gz'])
  await unarchive()
  expect(await list()).toEqual(before)
})

it('reports what another command has moved to another file at the same time', async () => {
  const { archive, unarchive, list, ctx } = await openArchiveOffice()
  const before = await list()
  let first: Promise<any> | null = null
  const progress = async ({ label }: { label: string }) => {
    if (label === 'writing') first ??= archive({ file: 'first.gz' })
  }
  const outcomes = [await archive({ file: 'second.gz' }, { ...ctx, progress } as Ctx), await first]
  expect(outcomes.reduce((sum, { archived }) => sum + archived, 0)).toBe(2)
  for (const { archived, changed, elsewhere } of outcomes) expect([archived + elsewhere, changed]).toEqual([2, 0])
  expect(await unarchive('first.gz')).toMatchObject({ restored: 2 })
  expect(await unarchive('second.gz')).toMatchObject({ restored: 0, present: 2 })
  expect(await list()).toEqual(before)
})

it('leaves an appointment that changed after it was written', async () => {
  const { office, archive, list, ctx, open } = await openArchiveOffice()
  const [first] = (await list()).filter(({ id, status }) => id !== open.id && status === 'scheduled')
  let changed: Promise<unknown> | null = null
  const progress = ({ label }: { label: string }) => {
    if (label === 'writing') changed ??= office.run(cancelAppointment, { id: first!.id })
  }
  const report = await archive({}, { ...ctx, progress } as Ctx)
  await changed
  expect(report.archived + report.changed).toBe(2)
  expect((await list()).map(({ id }) => id).sort()).toEqual([first!.id, open.id].sort())
})

it('refuses a file that is incomplete, damaged, or of another kind, with the reason', async () => {
  const { archive, refusal, folder, path } = await openArchiveOffice()
  await archive()
  const whole = readFileSync(path)
  const lines = gunzipSync(whole).toString().trimEnd().split('\n')
  const write = (name: string, content: string[]) =>
    writeFileSync(join(folder, name), gzipSync(`${content.join('\n')}\n`))
  write('short.gz', lines.slice(0, -1))
  write('other.gz', ['{"a":1}'])
  write('newer.gz', [lines[0]!.replace('"studioArchive":1', '"studioArchive":2')])
  write('long.gz', [lines[0]!, 'x'.repeat(90 * 1024 * 1024)])
  write('longer.gz', [...lines, lines[1]!])
  write('backwards.gz', [lines[0]!, lines[1]!.replace(/"end_at":\d+/, '"end_at":1')])
  for (const column of ['reference_list', 'custom_fields', 'site_fields'])
    write(`${column}.gz`, [lines[0]!, lines[1]!.replace(`"${column}":null`, `"${column}":"PO-1"`)])
  writeFileSync(join(folder, 'empty.gz'), gzipSync(''))
  write('hostile.gz', [lines[0]!, lines[1]!.replace('"changes"', '"admin":true,"changes"')])
  writeFileSync(join(folder, 'text.gz'), 'no archive')
  writeFileSync(join(folder, 'cut.gz'), whole)
  truncateSync(join(folder, 'cut.gz'), whole.length - 30)
  for (const [file, reason] of [
    ['other.gz', 'it is not an archive of appointments'],
    ['newer.gz', 'a newer version of studio wrote it'],
    ['hostile.gz', 'line 2 is not an appointment'],
    ['long.gz', 'it has a line that is too long'],
    ['longer.gz', `line ${lines.length + 1} is after its end`],
    ['backwards.gz', 'line 2 is not an appointment'],
    ['reference_list.gz', 'line 2 is not an appointment'],
    ['custom_fields.gz', 'line 2 is not an appointment'],
    ['site_fields.gz', 'line 2 is not an appointment'],
    ['empty.gz', 'it is empty'],
    ['text.gz', 'it is damaged or not an archive'],
    ['short.gz', 'its end is missing'],
    ['cut.gz', 'damaged'],
  ])
    expect((await refusal(unarchiveAppointments, { file })).message).toContain(reason)
  expect(await refusal(unarchiveAppointments, { file: 'none.gz' })).toMatchObject({ code: 'not_found' })
})

it('restores to a removed door, and says which references are taken', async () => {
  const { office, archive, unarchive, list } = await openArchiveOffice()
  const imported = (await list()).find(({ referenceNumber }) => referenceNumber === 'IMP-1')!
  await archive()
  await office.run(removeDoor, { facilityCode: 'DC1', name: 'Door 2' })
  await office.run(bookAppointment, load({ targetDate: '2026-11-25', referenceNumber: 'IMP-1', doorId: 'Door 1' }))
  expect(await unarchive()).toEqual({
    restored: 1,
    present: 0,
    refused: 1,
    results: [
      { id: imported.id, referenceNumber: 'IMP-1', message: 'Its reference is scheduled again at the facility.' },
    ],
  })
})

it('restores nothing for another tenant, and nothing of a database that has other facilities', async () => {
  const { office, archive, unarchive, ctx, folder } = await openArchiveOffice()
  await archive()
  await office.run(createTenant, { name: 'beta' })
  const beta = { ...ctx, actor: { kind: 'terminal', tenant: 'beta' } } as Ctx
  const foreign = { restored: 0, present: 0, refused: 2 }
  expect(await unarchive('old.gz', beta)).toMatchObject(foreign)
  await unarchive()
  expect(await unarchive('old.gz', beta)).toMatchObject(foreign)
  const other = await openDockOffice()
  for (let i = 0; i < 20; i++) other.ctx.ids.uuid()
  await other.run(createFacility, DC1)
  const elsewhere = withFiles(other, folder)
  expect(await other.run(unarchiveAppointments as any, { file: 'old.gz' }, elsewhere)).toMatchObject(foreign)
})

it('assigns new IDs to changes whose IDs this database has not assigned yet, so that later bookings work', async () => {
  const { office, archive, unarchive, path, done } = await openArchiveOffice()
  await archive()
  const text = gunzipSync(readFileSync(path)).toString()
  const later = text.replace(/"id":(\d+),"kind"/g, (_, id) => `"id":${Number(id) + 1000},"kind"`)
  writeFileSync(path, gzipSync(later))
  expect(await unarchive()).toMatchObject({ restored: 2 })
  const { id } = (await office.run(bookAppointment, load({ targetDate: '2026-11-25' }))).data
  const [booked] = await office.run(showHistory, { id })
  const history = await office.run(showHistory, { id: done.id })
  expect(history.map(({ kind }) => kind)).toEqual(['booked', 'completed'])
  for (const change of history) expect(change.id).toBeLessThan(booked!.id)
})

it('refuses those whose door is taken, and restores the others', async () => {
  const { archive, unarchive, path } = await openArchiveOffice()
  await archive()
  const [header, first, ...rest] = gunzipSync(readFileSync(path)).toString().trimEnd().split('\n')
  const copy = first!.replace(/"id":"[^"]+"/, '"id":"copy"').replace(/"status":"\w+"/, '"status":"completed"')
  const end = rest.pop()!.replace('2', '3')
  writeFileSync(path, gzipSync(`${[header, first, copy, ...rest, end].join('\n')}\n`))
  expect(await unarchive()).toMatchObject({
    restored: 2,
    refused: 1,
    results: [{ id: 'copy', message: 'Another appointment is at its door, or the facility is full, at that time.' }],
  })
})

it('restores once when two commands read the same file at the same time', async () => {
  const { archive, unarchive, list } = await openArchiveOffice()
  const before = await list()
  await archive()
  const [one, other] = await Promise.all([unarchive(), unarchive()])
  expect([one.restored + other.restored, one.present + other.present]).toEqual([2, 2])
  expect(await list()).toEqual(before)
})
