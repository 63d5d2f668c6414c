import { listCurrentIterations, type WorkspaceContext } from '../../items'
import { isCurrentIteration } from '../rules/filters'
import type { ParsedQuery } from '../rules/parse-query'

/** Replaces `iteration:@current` by the iterations of today. Without one, the filter stays, and nothing has its value. */
export async function resolveCurrentIteration(
  ctx: Omit<WorkspaceContext, 'sanitizeAlso'>,
  query: ParsedQuery,
): Promise<ParsedQuery> {
  if (!query.filters.some(isCurrentIteration)) return query
  const paths = await ctx.db.read((tx) => listCurrentIterations(tx, ctx))
  if (paths.length === 0) return query
  const filters = query.filters.flatMap((filter) =>
    isCurrentIteration(filter) ? paths.map((value) => ({ ...filter, value })) : filter,
  )
  return { ...query, filters }
}
