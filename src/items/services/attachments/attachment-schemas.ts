import * as z from 'zod'
import type { RemoteAttachment } from '../../../tracker'
import { Instant, Person } from '../../schemas'
import type { FoundAttachment } from './find-attachments'

/** The largest file in an answer of the API. Commands write files of any size. */
export const MAX_READ_BYTES = 10_000_000

/** The largest file in a request. Commands send files of any size. */
export const MAX_SENT_BYTES = 5_000_000
/** Base64 has four characters for three bytes. */
export const MAX_SENT_LENGTH = Math.ceil(MAX_SENT_BYTES / 3) * 4
/** The content, and as much as other fields may take. */
export const MAX_SENT_BODY_BYTES = MAX_SENT_LENGTH + 64 * 1024

export const AttachmentName = z.string().min(1).max(1_000).describe('Name or ID of the attachment')

export const ItemAttachment = z.object({
  id: z.string().describe("The tracker's own ID"),
  name: z.string().describe('A safe name for the file, unique among the files of the item'),
  size: z.number().nullable().describe('In bytes; null if the tracker does not say'),
  mediaType: z.string().nullable().describe('What the tracker says; the content can be something else'),
  author: Person.nullable(),
  createdAt: Instant.nullable(),
  stored: z.boolean().describe('Whether an import has stored it, so that it can be read without the tracker'),
})

export function presentAttachment(found: FoundAttachment): z.output<typeof ItemAttachment> {
  const { id, safeName, stored } = found
  return { ...presentFacts(found), id, name: safeName, stored: stored !== null }
}

function presentFacts({ size, mediaType, author, createdAt }: RemoteAttachment) {
  return { size, mediaType, author, createdAt }
}
