import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { archiveAppointments } from '../../../src/docks/archive/operations/archive-appointments'
import { unarchiveAppointments } from '../../../src/docks/archive/operations/unarchive-appointments'
import { addAttachment } from '../../../src/docks/attachments/operations/add-attachment'
import { getAttachment } from '../../../src/docks/attachments/operations/get-attachment'
import { listAttachments } from '../../../src/docks/attachments/operations/list-attachments'
import { removeAttachment } from '../../../src/docks/attachments/operations/remove-attachment'
import { bookAppointment } from '../../../src/docks/booking/operations/book-appointment'
import { listAppointments } from '../../../src/docks/booking/operations/list-appointments'
import { temporaryFolder } from '../../temporary-folder'
import { load, officeWith } from '../dock-fixtures'
import { files, toBase64 } from './attachment-files'

/** Two appointments of the last week; the first one has two files, the second of which is in several parts. */
async function openArchive() {
  const office = await officeWith()
  const folder = temporaryFolder()
  const [first, second] = [
    (await office.run(bookAppointment, load())).data.id,
    (await office.run(bookAppointment, load())).data.id,
  ]
  const large = Buffer.concat([files.png, Buffer.alloc(200_000, 'Zürich')])
  for (const content of [files.pdf, large])
    await office.run(addAttachment, { id: first, content: toBase64(content), note: 'Größe' })
  office.at('2026-11-23T14:00:00Z')
  const locations = {
    current: join(folder, 'docks.db'),
    protectedFiles: [],
    resolveAddress: (file: string) => join(folder, file),
  }
  const ctx = { ...office.ctx, locations } as any
  const archive = (own = ctx) =>
    office.run(archiveAppointments as any, { file: 'old.gz', before: '2026-11-23' }, own) as Promise<any>
  const unarchive = () => office.run(unarchiveAppointments as any, { file: 'old.gz' }, ctx) as Promise<any>
  const read = async () => {
    const listed = await office.run(listAttachments, { id: first })
    return Promise.all(listed.map(({ id }) => office.run(getAttachment, { id })))
  }
  return { ...office, ctx, archive, unarchive, read, first, second, path: join(folder, 'old.gz') }
}

it('moves the files of an appointment to the archive, and back', async () => {
  const { archive, unarchive, read, refusal } = await openArchive()
  const before = await read()
  expect(await archive()).toMatchObject({ archived: 2, changed: 0, remaining: 0 })
  expect((await refusal(getAttachment, { id: before[0]!.id })).code).toBe('not_found')
  expect(await unarchive()).toMatchObject({ restored: 2, refused: 0 })
  expect(await read()).toEqual(before)
  expect(await archive()).toMatchObject({ archived: 2 })
})

it('leaves an appointment whose file was removed after it was written', async () => {
  const { archive, ctx, run, read, first } = await openArchive()
  const [attachment] = await read()
  let removed: Promise<unknown> | null = null
  const progress = ({ label }: { label: string }) => {
    if (label === 'writing') removed ??= run(removeAttachment, { id: attachment!.id })
  }
  const report = await archive({ ...ctx, progress })
  await removed
  expect(report).toMatchObject({ archived: 1, changed: 1 })
  const listed = await run(listAppointments, { facilityCode: 'DC1', startDate: '2026-11-16', endDate: '2026-11-20' })
  expect(listed.map(({ id }) => id)).toEqual([first])
  expect(await read()).toHaveLength(1)
})

it.each([
  ['another content', (text: string) => text.replace(toBase64(files.pdf), toBase64(Buffer.from('%PDF-1.7\nxyz')))],
  ['another type', (text: string) => text.replace('application/pdf', 'image/jpeg')],
  ['a type that is not accepted', (text: string) => text.replace('application/pdf', 'text/html')],
])('reads no archive with %s of a file', async (_, change) => {
  const { archive, unarchive, path, run } = await openArchive()
  await archive()
  writeFileSync(path, gzipSync(change(gunzipSync(readFileSync(path)).toString())))
  await expect(unarchive()).rejects.toMatchObject({ code: 'invalid' })
  expect(await run(listAppointments, { facilityCode: 'DC1', startDate: '2026-11-16' })).toEqual([])
})

it('reads an archive from before there were attachments', async () => {
  const { archive, unarchive, path, run, first } = await openArchive()
  await archive()
  const old = gunzipSync(readFileSync(path))
    .toString()
    .replace(/,"attachments":\[.*?\]\}$/gm, '}')
  expect(old).not.toContain('attachments')
  writeFileSync(path, gzipSync(old))
  expect(await unarchive()).toMatchObject({ restored: 2 })
  expect(await run(listAttachments, { id: first })).toEqual([])
})
