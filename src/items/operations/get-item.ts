import * as z from 'zod'
import { familyOf, type Hint, hint, operation, StudioError, suggest } from '../../kernel'
import { formatInstant } from '../../kernel/time'
import type { TrackerItem } from '../../tracker'
import {
  findCachedItem,
  findDependencies,
  findGoneSince,
  findItemNames,
  findLatestFields,
  listChildren,
  markFetched,
  markGone,
} from '../queries'
import { toWorkItem } from '../rules/cached-item'
import { parsePastState, readCommentCount } from '../rules/snapshot-fields'
import { GoneReason, ItemId, Reference, StateCategory, WorkItem } from '../schemas'
import { readCustomValues, refreshFieldNamesOf } from '../services/custom-fields'
import { fetchItems, saveFetched } from '../services/import/fetch-items'
import {
  createItemNotFoundError,
  createNoSnapshotError,
  TRACKER_ERRORS,
  type TrackerWorkspaceContext,
} from '../services/workspace-context'

const LinkedItem = z.object({
  id: z.int(),
  reference: Reference,
  title: z.string(),
  stateCategory: StateCategory.nullable(),
})

export const getItem = operation({
  id: 'items.get',
  summary: 'Fetch a work item and save a snapshot of it',
  effect: 'mirror',
  recorded: 'none',
  access: 'workspace',
  input: z.strictObject({
    id: ItemId,
    cached: z.boolean().default(false).describe('Return the snapshot without calling the tracker'),
    raw: z.boolean().default(false).describe('Add the fields as the tracker returned them'),
  }),
  output: WorkItem.extend({
    stale: z.boolean().describe('True if the answer is the snapshot'),
    goneSince: z
      .string()
      .nullable()
      .describe('Since when the tracker has not returned the item, ISO 8601; null if it was not found missing'),
    goneReason: GoneReason,
    createdAt: z.string().nullable().describe('ISO 8601 UTC; null if the snapshot does not have it'),
    commentCount: z.int().nullable().describe('Null if the snapshot does not have it'),
    parentReference: Reference.nullable().describe('The reference of its parent; null if it has none'),
    children: z
      .array(
        z.object({
          id: z.int(),
          reference: Reference,
          title: z.string(),
          state: z.string(),
          stateCategory: StateCategory.nullable(),
        }),
      )
      .describe('The cached items directly below it'),
    predecessors: z.array(LinkedItem).describe('What must be completed first, as far as it was known when it was read'),
    successors: z.array(LinkedItem).describe('The cached items that wait for it'),
    attachments: z
      .array(z.object({ name: z.string(), size: z.number().nullable().describe('In bytes') }))
      .nullable()
      .describe('Null for a snapshot, which does not have them'),
    fields: z.record(z.string(), z.unknown()).optional().describe('With raw: by reference name'),
  }),
  errors: ['not_found', 'conflict', ...TRACKER_ERRORS],
  http: {
    method: 'get',
    path: '/api/devops/items/{id}',
    volatile: ['fetchedAt'],
    cacheable: ({ cached }) => cached === true,
  },
  cli: {
    command: 'item get',
    args: ['id'],
    examples: [
      'studio item get 204',
      'studio item get 204 --cached',
      'studio item get 204 --json --fields id,title,state',
    ],
    seeAlso: ['item list', 'item history', 'item freshness', 'copy-sanitize', 'import'],
  },
  async run(ctx: TrackerWorkspaceContext, { id, cached, raw }) {
    const attachments = cached ? null : await fetchAttachments(ctx, id)
    return ctx.db.read(async (tx) => {
      const item = await findCachedItem(tx, id)
      if (!item) throw createNoSnapshotError(id)
      const fields = (await findLatestFields(tx, [id])).get(id) ?? {}
      const { parentId } = item
      return {
        ...toWorkItem(item),
        stale: cached,
        ...(await findGoneSince(tx, id)),
        createdAt: parsePastState(fields).createdAt,
        commentCount: readCommentCount(fields),
        parentReference: parentId === null ? null : (await findItemNames(tx, [parentId]))(parentId),
        children: await listChildren(tx, id),
        ...(await findDependencies(tx, item)),
        attachments,
        customFields: (await readCustomValues(tx, [id], null)).get(id) ?? {},
        ...(raw ? { fields } : {}),
      }
    })
  },
})

async function fetchAttachments(ctx: TrackerWorkspaceContext, id: number) {
  try {
    return (await fetchItem(ctx, id)).attachments
  } catch (error) {
    throw await addSnapshotHint(ctx, id, error)
  }
}

async function fetchItem(ctx: TrackerWorkspaceContext, id: number): Promise<TrackerItem> {
  const at = formatInstant(ctx.clock.now())
  const { fetched, missing } = await fetchItems(ctx, [id], 'reading the work item')
  const malformed = missing.find(({ isMalformed }) => isMalformed)
  if (malformed) throw new StudioError('tracker_answer', malformed.reason)
  if (fetched.length === 0) {
    const snapshotHint = await findSnapshotHint(ctx, id)
    if (snapshotHint !== undefined) await ctx.db.write((tx) => markGone(tx, missing, at))
    throw createItemNotFoundError(id, snapshotHint, missing[0]?.end)
  }
  const counts = await ctx.db.write(async (tx) => {
    const saved = await saveFetched(tx, fetched, at)
    await markFetched(tx, [id], at)
    return saved
  })
  if (counts.imported > 0) await refreshFieldNamesOf(ctx, [{ id }])
  return fetched[0]!.item
}

/** Adds how to get the snapshot if the tracker cannot be reached, or the answer cannot be stored. */
async function addSnapshotHint(ctx: TrackerWorkspaceContext, id: number, error: unknown): Promise<unknown> {
  if (!(error instanceof StudioError) || !['unavailable', 'timeout'].includes(familyOf(error.code))) return error
  const snapshotHint = await findSnapshotHint(ctx, id)
  if (snapshotHint === undefined) return error
  const isOfStorage = error.code === 'read_only' || error.code === 'disk_full'
  return error.copyWith({ hint: isOfStorage && error.hint ? hint`${error.hint} ${snapshotHint}` : snapshotHint })
}

async function findSnapshotHint(ctx: TrackerWorkspaceContext, id: number): Promise<Hint | undefined> {
  const cached = await ctx.db.read((tx) => findCachedItem(tx, id))
  return cached
    ? hint`Show its snapshot of ${cached.fetchedAt}: ${suggest('items.get', { id, cached: true })}`
    : undefined
}
