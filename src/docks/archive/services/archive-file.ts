import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import * as z from 'zod'
import { isRecord, parseJson } from '../../../kernel/json'
import { detectFileType, fileTypeNames } from '../../attachments/rules/file-type'
import { MAX_ATTACHMENTS } from '../../attachments/rules/limits'
import { AttachmentContent } from '../../attachments/schemas'
import { type LoadColumns, loadFields, loadKeys } from '../../booking/rules/load-fields'
import { AppointmentStatus, ShownReference } from '../../booking/schemas'
import { MAX_APPOINTMENT_MS } from '../../facilities/rules/facility'
import type { ArchivedAppointment } from '../../queries'
import { AppointmentType } from '../../schemas'
import { appointmentSteps, changeKinds } from '../../visits/rules/appointment-steps'

/**
 * The file of archived appointments: JSON lines, compressed with gzip. The first line describes the file, the last one counts the
 * appointments, so that an incomplete file is noticed.
 */
export const ARCHIVE_VERSION = 1

export const ArchiveHeader = z.object({
  studioArchive: z.int(),
  before: z.string(),
  /** The tenant and the code of the facility, which tell whether a command continues an interrupted one; null for all facilities. */
  tenantId: z.string().nullish(),
  facilityCode: z.string().nullish(),
  createdAt: z.string(),
})
export type ArchiveHeader = z.output<typeof ArchiveHeader>

export const ArchiveTrailer = z.strictObject({ appointments: z.int() })

const Id = z.string().min(1).max(100)
const Label = z.string().max(2_000)
const Time = z.int()
/** A number that fits into a column of four bytes. */
const Small = z
  .int()
  .min(0)
  .max(2 ** 31 - 1)

const Stored = z.string().max(100_000)
/** Texts that every list of appointments parses. */
const StoredRecord = Stored.refine((text) => isRecord(parseJson(text)))
const StoredReferences = Stored.refine((text) => z.array(ShownReference).safeParse(parseJson(text)).success)

/** The columns of a load. An archive may be older than one of them. */
const archivedLoad = Object.fromEntries(
  loadKeys.map((key) => {
    const { kind, column, schema } = loadFields[key]
    const stored: z.ZodType<number | string> = kind === 'number' ? schema : kind === 'values' ? StoredRecord : Stored
    return [column, stored.nullable().default(null)]
  }),
) as unknown as { [Column in keyof LoadColumns]: z.ZodDefault<z.ZodType<LoadColumns[Column]>> }

const Appointment = z
  .strictObject({
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
    /** An archive may be older than this column. */
    reference_list: StoredReferences.nullable().default(null),
    ...archivedLoad,
    created_at: Time,
    updated_at: Time,
    sequence: Small,
    step: z.enum(appointmentSteps).nullable(),
    /** An archive may be older than these columns. */
    pinned: Small.max(1).default(0),
    door_announced_at: Time.nullable().default(null),
  })
  .refine(({ start_at, end_at }) => end_at > start_at && end_at - start_at <= MAX_APPOINTMENT_MS)

const Attachment = z
  .strictObject({
    id: Id,
    name: Label,
    type: z.enum(fileTypeNames),
    bytes: Small,
    sha256: z.string().length(64),
    note: Label.nullable(),
    added_at: Time,
    caller: Label,
    caller_name: Label.nullable(),
    content: AttachmentContent,
  })
  .refine(({ content, bytes, sha256, type }) => {
    const file = Buffer.from(content, 'base64')
    const isWhole = file.length === bytes && createHash('sha256').update(file).digest('hex') === sha256
    return isWhole && detectFileType(file) === type
  })

export const ArchiveEntry = z.strictObject({
  appointment: Appointment,
  changes: z.array(
    z.strictObject({
      id: Small.min(1),
      kind: z.enum(changeKinds),
      at: Time,
      caller: Label,
      caller_name: Label.nullable().default(null),
      note: Label.nullable(),
      details: StoredRecord.nullable(),
    }),
  ),
  imports: z.array(z.strictObject({ row_hash: Label, import_id: Id, imported_at: Time })),
  occurrences: z.array(z.strictObject({ series_id: Id, date: z.string().max(10) })),
  /** An archive may be older than the attachments. */
  attachments: z.array(Attachment).max(MAX_ATTACHMENTS).default([]),
})

/** The bytes of a file, in pieces: one per batch. */
export async function* formatArchive(
  header: Omit<ArchiveHeader, 'studioArchive'>,
  batches: AsyncIterable<readonly ArchivedAppointment[]>,
): AsyncGenerator<Uint8Array> {
  let count = 0
  yield compress([{ studioArchive: ARCHIVE_VERSION, ...header }])
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
