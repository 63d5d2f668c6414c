import * as z from 'zod'
import { formatInstant } from '../../kernel/time'
import { Text } from '../rules/text'
import { Instant } from '../schemas'
import type { AttachmentRecord } from './queries/attachments'
import { ACCEPTED_TYPES, fileTypeNames } from './rules/file-type'
import { MAX_CONTENT_LENGTH } from './rules/limits'

export const AttachmentId = z.guid().toLowerCase().describe('ID of the attachment')

export const AttachmentContent = z
  .string()
  .max(MAX_CONTENT_LENGTH, 'must be at most 5 MiB')
  // Node ignores what is not in Base64. A regular expression would take several times as long.
  .refine((text) => Buffer.from(text, 'base64').toString('base64') === text, 'must be in Base64')
  .describe(`The file in Base64: ${ACCEPTED_TYPES}, at most 5 MiB`)

export const AttachmentNote = Text.min(1).max(500)

export const Attachment = z.object({
  id: z.string(),
  appointmentId: z.string(),
  name: z.string().describe('A safe name for the file, with the extension of its type'),
  type: z.enum(fileTypeNames).describe('Media type, by the first bytes of the file'),
  bytes: z.int(),
  sha256: z.string(),
  note: z.string().nullable(),
  addedAt: Instant,
  addedBy: z.string().describe('Name of the member of the staff or the dock key; terminal for a command'),
})

export function presentAttachment(record: AttachmentRecord): z.output<typeof Attachment> {
  const { id, appointment_id, name, type, bytes, sha256, note, added_at, caller, caller_name } = record
  const addedBy = caller_name ?? caller
  return {
    id,
    appointmentId: appointment_id,
    name,
    type,
    bytes,
    sha256,
    note,
    addedAt: formatInstant(added_at),
    addedBy,
  }
}
