import { type Context, silentLog } from '../../src/kernel'
import type { ReportItem } from '../../src/reports/rules/item'
import { openMemoryDatabase, type StorageContext } from '../../src/storage'
import type { TrackerItem } from '../../src/tracker'
import { workspaceMigration } from '../../src/workspace'
import { saveFetchedItem } from '../../src/workspace/queries'

export const NOW = '2026-11-20T12:00:00.000Z'

/** A context over a workspace that has fetched `items`, in that order. */
export async function contextOver(items: readonly ReportItem[]): Promise<Context & StorageContext> {
  const db = await openMemoryDatabase([workspaceMigration])
  await db.write(async (tx) => {
    for (const item of items)
      await saveFetchedItem(tx, fetched(item), { predecessors: waitedFor(item), at: item.fetchedAt })
  })
  return {
    db,
    actor: { kind: 'terminal', tenant: 'default' },
    clock: { now: () => Date.parse(NOW) },
    ids: { uuid: () => '00000000-0000-4000-8000-000000000000', secret: () => '' },
    log: silentLog,
    signal: new AbortController().signal,
    progress: () => {},
  }
}

function fetched(item: ReportItem): TrackerItem {
  const { blocked, fetchedAt: _, ...known } = item
  return {
    ...known,
    rev: 1,
    areaPath: 'Shop',
    tags: blocked.some(({ by }) => by === 'tag') ? ['Blocked'] : [],
    priority: null,
    predecessorIds: waitedFor(item).map(({ id }) => id),
    blockedField: blocked.some(({ by }) => by === 'field'),
    description: null,
    acceptanceCriteria: null,
    createdAt: null,
    url: `https://tracker.example/${item.id}`,
    relationsFingerprint: '',
    fields: {},
  }
}

function waitedFor({ blocked }: ReportItem) {
  return blocked.flatMap(({ itemId }) =>
    itemId === null ? [] : [{ id: itemId, title: 'As it was called', stateCategory: 'InProgress' as const }],
  )
}
