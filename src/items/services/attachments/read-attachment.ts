import { readStoredContent } from '../../queries'
import type { TrackerWorkspaceContext } from '../workspace-context'
import type { FoundAttachment, FoundAttachments } from './find-attachments'
import { type ContentTarget, MemoryTarget, receiveContent } from './receive-content'

/** Writes a file to a target, from the tracker or from the database. */
export async function copyAttachment(
  ctx: TrackerWorkspaceContext,
  { reader }: FoundAttachments,
  attachment: FoundAttachment,
  target: ContentTarget,
  maxBytes: number,
): Promise<void> {
  if (reader === null) {
    await target.begin(0, null)
    return target.write(await ctx.db.read((tx) => readStoredContent(tx, attachment.stored!.id)))
  }
  const label = `reading ${attachment.safeName}`
  await receiveContent(reader, attachment, target, {
    name: attachment.safeName,
    maxBytes,
    signal: ctx.signal,
    onProgress: (done, total) => ctx.progress({ label, ...(total !== null && { done, total }) }),
  })
}

/** A file in memory. */
export async function readAttachment(
  ctx: TrackerWorkspaceContext,
  found: FoundAttachments,
  attachment: FoundAttachment,
  maxBytes: number,
): Promise<Buffer> {
  const target = new MemoryTarget()
  await copyAttachment(ctx, found, attachment, target, maxBytes)
  return target.bytes
}
