import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip, gzipSync } from 'node:zlib'
import * as z from 'zod'
import { StudioError } from '../../kernel'
import { parseJson } from '../../kernel/json'
import { toFileError } from '../../storage'
import type { ArchivedAppointment } from '../queries'
import { appointmentSteps, changeKinds } from '../rules/appointment-steps'
import { AppointmentStatus, AppointmentType } from '../schemas'

/**
 * The file of archived appointments: JSON lines, compressed with gzip. The first line describes the file, the last one counts the
 * appointments, so that an incomplete file is noticed.
 */
const VERSION = 1

const Header = z.object({ studioArchive: z.int(), before: z.string(), createdAt: z.string() })
const Trailer = z.strictObject({ appointments: z.int() })

const Id = z.string().min(1).max(100)
const Label = z.string().max(2_000)
const Time = z.int()

const Entry = z.strictObject({
  appointment: z.strictObject({
    id: Id,
    tenant_id: Id,
    facility_id: Id,
    door_id: Id,
    type: AppointmentType,
    status: AppointmentStatus,
    start_at: Time,
    end_at: Time,
    carrier_name: Label,
    reference_number: Label,
    pallet_count: z.int().nullable(),
    weight: z.int().nullable(),
    piece_count: z.int().nullable(),
    load_description: z.string().max(100_000).nullable(),
    equipment_id: Label.nullable(),
    requirements: Label.nullable(),
    equipment_height: z.int().nullable(),
    created_at: Time,
    updated_at: Time,
    sequence: z.int(),
    step: z.enum(appointmentSteps).nullable(),
  }),
  changes: z.array(
    z.strictObject({
      id: z.int().min(1),
      kind: z.enum(changeKinds),
      at: Time,
      caller: Label,
      note: Label.nullable(),
      details: z.string().max(100_000).nullable(),
    }),
  ),
  imports: z.array(z.strictObject({ row_hash: Label, import_id: Id, imported_at: Time })),
  occurrences: z.array(z.strictObject({ series_id: Id, date: z.string().max(10) })),
})

/** The bytes of a file, in pieces: one per batch. */
export async function* formatArchive(
  { before, createdAt }: { before: string; createdAt: string },
  batches: AsyncIterable<readonly ArchivedAppointment[]>,
): AsyncGenerator<Uint8Array> {
  let count = 0
  yield compress([{ studioArchive: VERSION, before, createdAt }])
  for await (const batch of batches) {
    count += batch.length
    yield compress(batch)
  }
  yield compress([{ appointments: count }])
}

/** Readers take several compressed parts, one after the other, for one. */
function compress(lines: readonly object[]): Uint8Array {
  return gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

/** Reads a file in batches. Throws `invalid` for any other file, with the line. Only the last batch shows whether the file is complete. */
export async function* readArchive(path: string, batchSize: number): AsyncGenerator<ArchivedAppointment[]> {
  const source = createReadStream(path)
  const unzipped = source.pipe(createGunzip())
  source.on('error', (error) => unzipped.destroy(error))
  let batch: ArchivedAppointment[] = []
  let line = 0
  let count = 0
  let isComplete = false
  try {
    for await (const text of createInterface({ input: unzipped, crlfDelay: Number.POSITIVE_INFINITY })) {
      line++
      const value = parseJson(text)
      if (line === 1) {
        const header = Header.safeParse(value)
        if (!header.success) throw invalidFile(path, 'it is not an archive of appointments')
        if (header.data.studioArchive > VERSION) throw invalidFile(path, 'a newer version of studio wrote it')
        continue
      }
      const trailer = Trailer.safeParse(value)
      isComplete = trailer.success && trailer.data.appointments === count
      if (trailer.success) continue
      const entry = Entry.safeParse(value)
      if (!entry.success) throw invalidFile(path, `line ${line} is not an appointment`)
      count++
      batch.push(entry.data)
      if (batch.length < batchSize) continue
      yield batch
      batch = []
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    if (code === 'ENOENT') throw new StudioError('not_found', `There is no file ${path}.`, { hint: 'Check the path.' })
    if (code.startsWith('Z_')) throw invalidFile(path, 'it is damaged or not an archive of appointments')
    throw toFileError(error, path)
  } finally {
    source.destroy()
  }
  if (batch.length > 0) yield batch
  if (!isComplete) throw invalidFile(path, 'its end is missing')
}

function invalidFile(path: string, reason: string): StudioError {
  return new StudioError('invalid', `${path} cannot be read: ${reason}.`, {
    hint: 'Name a file that studio appointment archive has written, or a copy of it.',
  })
}
