import * as z from 'zod'
import { hint, StudioError, settlePlan, suggest } from '../../../kernel'
import { formatByteSize } from '../../../kernel/files/byte-size'
import type { RemoteAttachment, UploadContent } from '../../../tracker'
import { createRejectionError } from '../create/create-rejection-error'
import { openTrackerPart } from '../tracker-part'
import type { TrackerWorkspaceContext } from '../workspace-context'

/** A file to attach. */
export interface FileToSend {
  /** A safe name. */
  name: string
  mediaType: string
  /** Of its content, hexadecimal. */
  sha256: string
  content: UploadContent
}

export const SentAttachment = z.object({
  name: z.string(),
  bytes: z.number(),
  mediaType: z.string(),
  sha256: z.string(),
  status: z
    .enum(['planned', 'added', 'rejected', 'unknown', 'notAttempted'])
    .describe('`unknown` if the response of the tracker was lost, so that the file may be attached'),
  attachmentId: z.string().nullable(),
  message: z.string().nullable(),
})
export type SentAttachment = z.output<typeof SentAttachment>

/** Attaches files to an item, one after the other; a dry run checks them. Throws if there is one file and it was not attached. */
export async function sendAttachments(
  ctx: TrackerWorkspaceContext,
  { id, files, dryRun }: { id: number; files: readonly FileToSend[]; dryRun: boolean },
): Promise<SentAttachment[]> {
  const { link, part } = await openTrackerPart(ctx, { ids: [id] }, 'uploads')
  const { maxBytes } = part
  const tooLarge = files.filter(({ content }) => maxBytes !== null && content.size > maxBytes)
  if (tooLarge.length > 0)
    throw new StudioError('invalid', `The tracker takes no file of more than ${formatByteSize(maxBytes!)}.`, {
      hint: 'Make it smaller, or store it elsewhere and link to it.',
      details: tooLarge.map(({ name, content }) => ({
        path: 'files',
        message: `${name}: ${formatByteSize(content.size)}`,
      })),
    })
  const facts = files.map(({ name, mediaType, sha256, content }) => ({ name, mediaType, sha256, bytes: content.size }))
  settlePlan(ctx, { tracker: await link.tracker.resolveIdentity(ctx.signal), id, facts })
  const sent = facts.map((fact): SentAttachment => ({ ...fact, status: 'planned', attachmentId: null, message: null }))
  if (dryRun) {
    // The item must be there, and readable.
    await link.tracker.getShape(id, ctx.signal)
    return sent
  }
  for (const [at, { name, mediaType, content }] of files.entries()) {
    ctx.progress({ label: `sending ${name}`, done: at, total: files.length })
    const outcome = await part.add({ itemId: id, name, mediaType, content }, ctx.signal).catch((error) => {
      if (at === 0 || !(error instanceof StudioError)) throw error
      return { status: 'rejected' as const, message: error.message }
    })
    sent[at] = { ...sent[at]!, ...presentOutcome(outcome) }
    // After an unknown outcome the next one would not be known either.
    if (outcome.status === 'unknown') break
  }
  const results = sent.map((one) => (one.status === 'planned' ? { ...one, status: 'notAttempted' as const } : one))
  if (files.length === 1) requireSent(results[0]!, id)
  return results
}

function presentOutcome(
  outcome:
    | { status: 'added'; attachment: RemoteAttachment }
    | { status: 'rejected' | 'unknown'; message: string | null },
): Pick<SentAttachment, 'status' | 'attachmentId' | 'message'> {
  return outcome.status === 'added'
    ? { status: 'added', attachmentId: outcome.attachment.id, message: null }
    : { status: outcome.status, attachmentId: null, message: outcome.message }
}

function requireSent({ name, status, message }: SentAttachment, id: number): void {
  const lookUp = hint`Before you send it again, look for it: ${suggest('items.attachments', { id })}`
  if (status === 'unknown')
    throw new StudioError('tracker_timeout', `It is not known whether ${name} was attached. ${message}`, {
      hint: lookUp,
    })
  if (status === 'rejected') throw createRejectionError(`The tracker rejected ${name}.`, { message })
}
