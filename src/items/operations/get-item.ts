import * as z from 'zod'
import { familyOf, hint, operation, StudioError, suggest } from '../../kernel'
import { findCachedItem, findGoneSince, findLatestFields, markFetched, markGone } from '../queries'
import { toWorkItem } from '../rules/cached-item'
import { ItemId, WorkItem } from '../schemas'
import { fetchItems, saveFetched } from '../services/fetch-items'
import { TRACKER_ERRORS, type TrackerWorkspaceContext } from '../services/workspace-context'

export const getItem = operation({
  id: 'items.get',
  summary: 'Fetch a work item, and keep a snapshot of it',
  effect: 'mirror',
  access: 'workspace',
  input: z.strictObject({
    id: ItemId,
    cached: z.boolean().default(false).describe('Answer from the snapshot, without asking the tracker'),
    raw: z.boolean().default(false).describe('Add the fields as the tracker gave them'),
  }),
  output: WorkItem.extend({
    stale: z.boolean().describe('True where the answer comes from the snapshot'),
    goneSince: z
      .string()
      .nullable()
      .describe('Since when the tracker does not show it, ISO 8601; null where it does, as far as is known'),
    fields: z.record(z.string(), z.unknown()).optional().describe('With raw: by reference name'),
  }),
  errors: ['not_found', 'conflict', ...TRACKER_ERRORS],
  http: { method: 'get', path: '/api/devops/items/{id}', volatile: ['fetchedAt'] },
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
    if (!cached) await fetchItem(ctx, id)
    return ctx.db.read(async (tx) => {
      const item = await findCachedItem(tx, id)
      if (!item) throw createNotFoundError(id)
      const fields = raw ? { fields: (await findLatestFields(tx, id)) ?? {} } : {}
      return { ...toWorkItem(item), stale: cached, goneSince: await findGoneSince(tx, id), ...fields }
    })
  },
})

async function fetchItem(ctx: TrackerWorkspaceContext, id: number): Promise<void> {
  const at = new Date(ctx.clock.now()).toISOString()
  const { fetched, missing } = await fetchItems(ctx, [id], 'reading the work item').catch(async (error) => {
    throw await addCacheHint(ctx, id, error)
  })
  const faulty = missing.find((one) => one.isMalformed)
  if (faulty) throw await addCacheHint(ctx, id, new StudioError('tracker_answer', faulty.reason))
  if (fetched.length === 0) throw await markItemGone(ctx, id, at)
  await ctx.db.write(async (tx) => {
    await saveFetched(tx, fetched, at)
    await markFetched(tx, [id], at)
  })
}

/** What was kept of an item that the tracker does not show any more stays. */
async function markItemGone(ctx: TrackerWorkspaceContext, id: number, at: string): Promise<StudioError> {
  const cached = await ctx.db.read((tx) => findCachedItem(tx, id))
  if (cached !== null) await ctx.db.write((tx) => markGone(tx, [id], at))
  return new StudioError('not_found', `The tracker has no work item ${id}, or it may not be read with this token.`, {
    hint:
      cached === null
        ? hint`Search what is here: ${suggest('search.fast', { q: id })}`
        : hint`A snapshot of ${cached.fetchedAt} is here: ${suggest('items.get', { id, cached: true })}`,
  })
}

function createNotFoundError(id: number): StudioError {
  return new StudioError('not_found', `There is no snapshot of work item ${id}.`, {
    hint: hint`Fetch it: ${suggest('items.get', { id })}`,
  })
}

/** When the tracker is out of reach, an older answer may do: say how to get it. */
async function addCacheHint(ctx: TrackerWorkspaceContext, id: number, error: unknown): Promise<unknown> {
  if (!(error instanceof StudioError)) return error
  const family = familyOf(error.code)
  if (family !== 'unavailable' && family !== 'timeout') return error
  const cached = await ctx.db.read((tx) => findCachedItem(tx, id))
  if (!cached) return error
  return new StudioError(error.code, error.message, {
    hint: hint`A snapshot of ${cached.fetchedAt} is here: ${suggest('items.get', { id, cached: true })}`,
    retryAfterSeconds: error.retryAfterSeconds ?? undefined,
    cause: error,
  })
}
