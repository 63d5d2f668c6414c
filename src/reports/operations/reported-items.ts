import { StudioError } from '../../kernel'
import type { StorageContext } from '../../storage'
import { type CachedItem, listCachedItems } from '../../workspace'

/**
 * All cached items, once it is sure that those of `ids` are among them. Throws `not_found` naming the others.
 * `field` is what the caller knows the ids by.
 */
export async function itemsWith(ctx: StorageContext, ids: readonly number[], field: string): Promise<CachedItem[]> {
  const items = await ctx.db.read((tx) => listCachedItems(tx))
  const cached = new Set(items.map((item) => item.id))
  const unknown = [...new Set(ids)].filter((id) => !cached.has(id))
  if (unknown.length === 0) return items
  throw new StudioError('not_found', `Not in the workspace: ${unknown.map((id) => `#${id}`).join(', ')}.`, {
    hint: `Import ${unknown.length === 1 ? 'it' : 'each'} with its tree: studio import ${unknown[0]}`,
    details: unknown.map((id) => ({ path: field, message: `#${id} is not in the workspace` })),
  })
}
