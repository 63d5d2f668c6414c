import type * as z from 'zod'
import { formatInstant } from '../../../kernel/time'
import { findCachedIds, findCachedItems, findItemNames, markGone } from '../../queries'
import { toWorkItem } from '../../rules/cached-item'
import type { ItemNote, WorkItem } from '../../schemas'
import { refreshFieldNamesOf } from '../custom-fields'
import type { TrackerWorkspaceContext } from '../workspace-context'
import { fetchItems, saveFetched } from './fetch-items'

/** Reads items without those below them, and saves them. Cached items that the tracker does not return count as gone. */
export async function importItems(
  ctx: TrackerWorkspaceContext,
  ids: readonly number[],
): Promise<{ imported: WorkItem[]; failed: z.output<typeof ItemNote>[] }> {
  const at = formatInstant(ctx.clock.now())
  const { fetched, missing } = await fetchItems(ctx, ids, 'importing work items')
  const answer = await ctx.db.write(async (tx) => {
    await saveFetched(tx, fetched, at)
    const notFound = missing.filter(({ isMalformed }) => !isMalformed)
    const cached = await findCachedIds(
      tx,
      notFound.map(({ id }) => id),
    )
    await markGone(
      tx,
      notFound.filter(({ id }) => cached.has(id)),
      at,
    )
    const items = await findCachedItems(
      tx,
      fetched.map(({ item }) => item.id),
    )
    const nameOf = await findItemNames(
      tx,
      missing.map(({ id }) => id),
      ctx.givenReferences,
    )
    return {
      imported: items.map(toWorkItem),
      failed: missing.map(({ id, reason }) => ({ id, reference: nameOf(id), reason })),
    }
  })
  await refreshFieldNamesOf(ctx, answer.imported)
  return answer
}
