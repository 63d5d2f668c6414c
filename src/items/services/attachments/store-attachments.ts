import { createHash } from 'node:crypto'
import * as z from 'zod'
import { checkpoint, familyOf, StudioError, withinTransaction } from '../../../kernel'
import { formatByteSize } from '../../../kernel/files/byte-size'
import { toSafeFileName } from '../../../kernel/files/file-name'
import { detectMediaType } from '../../../kernel/files/file-type'
import { formatInstant } from '../../../kernel/time'
import type { AttachmentReader, RemoteAttachment } from '../../../tracker'
import { getAdapter } from '../../../tracker/adapters'
import { listStoredAttachments, removeStoredAttachments, saveStoredAttachment } from '../../queries'
import { ItemNote } from '../../schemas'
import { addReferences } from '../name-items'
import { groupByTracker, openTrackerLink } from '../tracker-link'
import type { TrackerWorkspaceContext } from '../workspace-context'
import { MemoryTarget, receiveContent } from './receive-content'

/** The largest file that is stored, and the most of one item. */
export const MAX_STORED_BYTES = 5_000_000
export const MAX_STORED_BYTES_OF_ITEM = 25_000_000

export const StoredAttachments = z.object({
  stored: z.int().describe('Files that were not stored before'),
  unchanged: z.int(),
  removed: z.int().describe('Stored files that the tracker does not have any more'),
  notes: z.array(ItemNote).describe('Files that were not stored, with the reason'),
})

export const storesAttachments = z
  .boolean()
  .default(false)
  .describe(
    `Also store the attachments of the items, of at most ${formatByteSize(MAX_STORED_BYTES)} each and ${formatByteSize(MAX_STORED_BYTES_OF_ITEM)} of an item`,
  )

type Result = Omit<z.output<typeof StoredAttachments>, 'notes'> & { notes: { id: number; reason: string }[] }

/** Stores the files of imported items. A file that is stored already is not read again. One that cannot be read is named, and stops no other. */
export async function storeAttachments(
  ctx: TrackerWorkspaceContext,
  ids: readonly number[],
): Promise<z.output<typeof StoredAttachments>> {
  const result: Result = { stored: 0, unchanged: 0, removed: 0, notes: [] }
  let done = 0
  for (const group of await groupByTracker(ctx, ids)) {
    const { tracker } = await openTrackerLink(ctx, { name: group.name ?? undefined })
    const reader = tracker.parts.attachments
    if (reader === undefined) {
      const reason = `${getAdapter(tracker.kind).product} shows no attachments.`
      result.notes.push({ id: group.ids[0]!, reason })
      continue
    }
    for (const id of group.ids) {
      ctx.progress({ label: 'storing attachments', done, total: ids.length })
      done += 1
      await storeOfItem(ctx, reader, id, result)
    }
  }
  return { ...result, notes: await addReferences(ctx, result.notes) }
}

async function storeOfItem(
  ctx: TrackerWorkspaceContext,
  reader: AttachmentReader,
  id: number,
  result: Result,
): Promise<void> {
  const listed = await reader.list(id, ctx.signal).catch((error) => requireOfItem(error))
  if (listed instanceof StudioError) {
    result.notes.push({ id, reason: `Its attachments: ${listed.message}` })
    return
  }
  const former = await ctx.db.read((tx) => listStoredAttachments(tx, id))
  const gone = former.filter(({ attachment_id }) => !listed.some((one) => one.id === attachment_id))
  const known = new Set(former.map(({ attachment_id }) => attachment_id))
  let rest = MAX_STORED_BYTES_OF_ITEM
  for (const one of former) if (!gone.includes(one)) rest -= one.bytes
  if (gone.length > 0)
    await ctx.db.write((tx) =>
      removeStoredAttachments(
        tx,
        gone.map((one) => one.id),
      ),
    )
  result.removed += gone.length
  result.unchanged += former.length - gone.length
  for (const attachment of listed.filter((one) => !known.has(one.id))) {
    const stored = await storeOne(ctx, reader, { id, attachment, rest }).catch((error) => requireOfItem(error))
    if (stored instanceof StudioError)
      result.notes.push({ id, reason: `${toSafeFileName(attachment.name)} was not stored: ${stored.message}` })
    else {
      rest -= stored
      result.stored += 1
    }
  }
}

/** The size of the file. */
async function storeOne(
  ctx: TrackerWorkspaceContext,
  reader: AttachmentReader,
  { id, attachment, rest }: { id: number; attachment: RemoteAttachment; rest: number },
): Promise<number> {
  const maxBytes = Math.min(MAX_STORED_BYTES, rest)
  if (maxBytes <= 0)
    throw new StudioError('invalid', `The files of an item have at most ${formatByteSize(MAX_STORED_BYTES_OF_ITEM)}.`)
  const target = new MemoryTarget()
  const name = toSafeFileName(attachment.name)
  await receiveContent(reader, attachment, target, { name, maxBytes, signal: ctx.signal })
  const { bytes } = target
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await checkpoint(ctx)
  const row = {
    item_id: id,
    attachment_id: attachment.id,
    name: attachment.name,
    media_type: detectMediaType(bytes),
    bytes: bytes.length,
    sha256,
    author: attachment.author?.displayName ?? null,
    created_at: attachment.createdAt,
    fetched_at: formatInstant(ctx.clock.now()),
  }
  const call = withinTransaction(ctx)
  await ctx.db.write((tx) => saveStoredAttachment(tx, row, bytes, () => checkpoint(call)))
  return bytes.length
}

/** What concerns one file or item does not stop the others; anything else is thrown. */
function requireOfItem(error: unknown): StudioError {
  const isOfItem =
    error instanceof StudioError &&
    !['unauthenticated', 'interrupted', 'internal', 'limited'].includes(familyOf(error.code)) &&
    !['disk_full', 'read_only', 'database_busy'].includes(error.code)
  if (isOfItem) return error
  throw error
}
