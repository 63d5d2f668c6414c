import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { archiveAppointments } from '../../../src/docks/operations/archive-appointments'
import { bookAppointment } from '../../../src/docks/operations/book-appointment'
import { cancelAppointment } from '../../../src/docks/operations/cancel-appointment'
import { completeAppointment } from '../../../src/docks/operations/complete-appointment'
import { importAppointments } from '../../../src/docks/operations/import-appointments'
import { listAppointments } from '../../../src/docks/operations/list-appointments'
import { removeDoor } from '../../../src/docks/operations/remove-door'
import { showHistory } from '../../../src/docks/operations/show-history'
import { unarchiveAppointments } from '../../../src/docks/operations/unarchive-appointments'
import type { StorageLocationsContext } from '../../../src/storage'
import { temporaryFolder } from '../../temporary-folder'
import { type DockOffice, load, officeWith } from '../dock-fixtures'

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
  expect(await archive()).toEqual({ file: path, archived: 2, kept: 0, before: '2026-11-23', dryRun: false })
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

it('loses nothing when it is interrupted before or while it removes', async () => {
  const { archive, unarchive, list, ctx } = await openArchiveOffice()
  const before = await list()
  const stop = new AbortController()
  const progress = ({ label }: { label: string }) => {
    if (label === 'writing') stop.abort()
  }
  await expect(archive({}, { ...ctx, signal: stop.signal, progress } as Ctx)).rejects.toThrow()
  expect(await list()).toEqual(before)
  expect(await archive({ file: 'second.gz' })).toMatchObject({ archived: 2 })
  expect(await unarchive('second.gz')).toMatchObject({ restored: 2 })
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

it('leaves an appointment that changed after it was written', async () => {
  const { office, archive, list, ctx, open } = await openArchiveOffice()
  const [first] = (await list()).filter(({ id, status }) => id !== open.id && status === 'scheduled')
  let changed: Promise<unknown> | null = null
  const progress = ({ label }: { label: string }) => {
    if (label === 'writing') changed ??= office.run(cancelAppointment, { id: first!.id })
  }
  const report = await archive({}, { ...ctx, progress } as Ctx)
  await changed
  expect(report.archived + report.kept).toBe(2)
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
  write('hostile.gz', [lines[0]!, lines[1]!.replace('"changes"', '"admin":true,"changes"')])
  writeFileSync(join(folder, 'text.gz'), 'no archive')
  writeFileSync(join(folder, 'cut.gz'), whole)
  truncateSync(join(folder, 'cut.gz'), whole.length - 30)
  for (const [file, reason] of [
    ['other.gz', 'it is not an archive of appointments'],
    ['newer.gz', 'a newer version of studio wrote it'],
    ['hostile.gz', 'line 2 is not an appointment'],
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
