import { hint, StudioError, suggest } from '../../../kernel'
import { makeNamesUnique, toSafeFileName } from '../../../kernel/files/file-name'
import type { AttachmentReader, RemoteAttachment } from '../../../tracker'
import { findCachedItem, listStoredAttachments, type StoredAttachment } from '../../queries'
import { openTrackerPart } from '../tracker-part'
import { createItemNotFoundError, createNoSnapshotError, type TrackerWorkspaceContext } from '../workspace-context'

/** A file of an item. */
export interface FoundAttachment extends RemoteAttachment {
  /** A name under which it can be saved everywhere, unique among the files of its item. */
  safeName: string
  /** The stored file; null if it is only in the tracker. */
  stored: StoredAttachment | null
}

/** The files of an item, and what reads them; the reader is null for stored files. */
export interface FoundAttachments {
  /** Identifies the tracker and its project. */
  tracker: string
  reader: AttachmentReader | null
  attachments: FoundAttachment[]
}

/** Lists the files that the tracker has, or with `cached` those that an import has stored. */
export async function findAttachments(
  ctx: TrackerWorkspaceContext,
  id: number,
  { cached }: { cached: boolean },
): Promise<FoundAttachments> {
  const stored = await ctx.db.read(async (tx) => {
    if (cached && (await findCachedItem(tx, id)) === null) throw createNoSnapshotError(id)
    return listStoredAttachments(tx, id)
  })
  if (cached) return { tracker: '', reader: null, attachments: withNames(stored.map(toAttachment), stored) }
  const { link, part } = await openTrackerPart(ctx, { ids: [id] }, 'attachments')
  ctx.progress({ label: 'listing the attachments' })
  const found = await part.list(id, ctx.signal).catch((error) => {
    throw error instanceof StudioError && error.code === 'not_found' ? createItemNotFoundError(id) : error
  })
  const tracker = await link.tracker.resolveIdentity(ctx.signal)
  return { tracker, reader: part, attachments: withNames(found, stored) }
}

function withNames(found: readonly RemoteAttachment[], stored: readonly StoredAttachment[]): FoundAttachment[] {
  const names = makeNamesUnique(found.map(({ name }) => toSafeFileName(name)))
  const byId = new Map(stored.map((one) => [one.attachment_id, one]))
  return found.map((one, at) => ({ ...one, safeName: names[at]!, stored: byId.get(one.id) ?? null }))
}

function toAttachment({
  attachment_id,
  name,
  bytes,
  media_type,
  author,
  created_at,
}: StoredAttachment): RemoteAttachment {
  return {
    id: attachment_id,
    name,
    size: bytes,
    mediaType: media_type,
    author: author === null ? null : { displayName: author, uniqueName: null },
    createdAt: created_at,
    url: null,
  }
}

/** Finds a file by its ID or its name, and without one the only file. Throws `not_found` or `invalid`. */
export function chooseAttachment(
  attachments: readonly FoundAttachment[],
  wanted: string | undefined,
  { id, reference }: { id: number; reference: string },
): FoundAttachment {
  const lookUp = hint`List them: ${suggest('items.attachments', { id })}`
  if (attachments.length === 0)
    throw new StudioError('not_found', `Work item ${reference} has no attachments.`, { hint: lookUp })
  if (wanted === undefined) {
    if (attachments.length === 1) return attachments[0]!
    throw new StudioError(
      'invalid',
      `Work item ${reference} has ${attachments.length} attachments. Name one, or use --all.`,
      {
        hint: lookUp,
      },
    )
  }
  const lower = wanted.toLowerCase()
  const byId = attachments.filter((one) => one.id === wanted)
  const matching = byId.length > 0 ? byId : attachments.filter((one) => one.safeName.toLowerCase() === lower)
  const found = matching.length > 0 ? matching : attachments.filter((one) => one.name.toLowerCase() === lower)
  if (found.length === 1) return found[0]!
  if (found.length === 0)
    throw new StudioError('not_found', `Work item ${reference} has no attachment ${wanted}.`, { hint: lookUp })
  throw new StudioError(
    'invalid',
    `Work item ${reference} has ${found.length} attachments named ${wanted}. Use an ID.`,
    {
      hint: lookUp,
      details: found.map((one) => ({ path: 'attachment', message: `${one.id}: ${one.safeName}` })),
    },
  )
}
