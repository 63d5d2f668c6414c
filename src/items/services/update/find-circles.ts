import { type ErrorDetail, type Hint, hint, suggest } from '../../../kernel'
import type { Tracker, TrackerItem } from '../../../tracker'
import { findItemSummaries, listDependentItems } from '../../queries'
import { LINK_NAMES, type LinkGroup, planLinks } from '../../rules/link-updates'
import { nameItems } from '../name-items'
import type { TrackerWorkspaceContext } from '../workspace-context'

/** If more items than this lead to one, circles are left to the tracker, which refuses them too. */
const MAX_ITEMS = 2_000

/** The IDs to which the links of an item lead. */
type Links = ReadonlyMap<number, readonly number[]>

/** A kind of link that must not form circles. */
interface Topology {
  kind: 'parent' | 'predecessor'
  /** Between two items of a circle. */
  verb: string
  select(item: TrackerItem): readonly number[]
  /** The link as an input of the operations that change links. */
  toInput(id: number): Record<string, number>
  /** The same links as they are cached, from some items on. */
  readCached(ctx: TrackerWorkspaceContext, ids: readonly number[]): Promise<Links>
}

const hierarchy: Topology = {
  kind: 'parent',
  verb: 'is already below',
  select: ({ parentId }) => toList(parentId),
  toInput: (parentId) => ({ parentId }),
  readCached: (ctx, ids) =>
    ctx.db.read(async (tx) => {
      const links = new Map<number, number[]>()
      for (let level = ids; level.length > 0; ) {
        const found = await findItemSummaries(tx, level)
        for (const id of level) links.set(id, toList(found.get(id)?.parentId))
        level = level.flatMap((id) => links.get(id)!).filter((id) => !links.has(id))
      }
      return links
    }),
}

const dependencies: Topology = {
  kind: 'predecessor',
  verb: 'already waits for',
  select: ({ predecessorIds }) => predecessorIds,
  toInput: (id) => ({ predecessorIds: id }),
  async readCached(ctx) {
    const items = await ctx.db.read(listDependentItems)
    return new Map(items.map(({ id, predecessors }) => [id, predecessors.map((predecessor) => predecessor.id)]))
  },
}

interface Circle {
  problem: ErrorDetail
  /** How to make the new link possible. */
  advice: Hint
}

/** The circles that the new links would close. `others` are the items at the other ends. */
export async function findCircles(
  ctx: TrackerWorkspaceContext,
  tracker: Tracker,
  { groups, others }: { groups: readonly LinkGroup[]; others: readonly TrackerItem[] },
): Promise<Circle[]> {
  const circles: Circle[] = []
  const read = [...others, ...groups.flatMap(({ items }) => items)]
  for (const topology of [hierarchy, dependencies]) {
    const added = listNewLinks(groups, topology)
    if (added.size === 0) continue
    const cached = await topology.readCached(ctx, [...new Set([...added.values()].flat())])
    const listLinks = createLinkReader(ctx, tracker, { topology, cached, added, read })
    for (const [id, starts] of added) {
      const path = await findPath(starts, id, listLinks)
      if (path === null) continue
      const nameOf = await nameItems(ctx, path)
      const way = path.map(nameOf).join(' → ')
      const message = `${nameOf(path[0]!)} ${topology.verb} ${nameOf(id)} (${way}), and the links must not form a circle`
      const toRemove = suggest('items.unlink', { id: path[0]!, ...topology.toInput(path[1]!) })
      circles.push({
        problem: { path: LINK_NAMES[topology.kind], message },
        advice: hint`Remove one of these links first: ${toRemove}`,
      })
    }
  }
  return circles
}

function listNewLinks(groups: readonly LinkGroup[], { kind }: Topology): Map<number, number[]> {
  const added = new Map<number, number[]>()
  const add = (from: number, to: number) => added.set(from, [...(added.get(from) ?? []), to])
  for (const { items, links } of groups) {
    for (const item of items) {
      for (const link of planLinks(item, links).add) {
        if (link.kind === kind) add(item.id, link.id)
        else if (link.kind === 'successor' && kind === 'predecessor') add(link.id, item.id)
      }
    }
  }
  return added
}

/**
 * Lists links as they would be after the change. Reads items from the tracker, together with those to which the cache says that they lead,
 * so that a long chain takes one request. For items that cannot be read, the cache answers.
 */
function createLinkReader(
  ctx: TrackerWorkspaceContext,
  tracker: Tracker,
  { topology, cached, added, read }: { topology: Topology; cached: Links; added: Links; read: readonly TrackerItem[] },
): (ids: readonly number[]) => Promise<Links> {
  const known = new Map<number, readonly number[]>()
  const setKnown = (id: number, current: readonly number[]) => {
    const more = added.get(id) ?? []
    // A new parent replaces the one before.
    known.set(id, topology.kind === 'parent' && more.length > 0 ? more : [...current, ...more])
  }
  for (const item of read) setKnown(item.id, topology.select(item))
  return async (ids) => {
    if (ids.some((id) => !known.has(id))) {
      const toRead = new Set(ids)
      for (const id of toRead) if (toRead.size < MAX_ITEMS) for (const next of cached.get(id) ?? []) toRead.add(next)
      const unread = [...toRead].filter((id) => !known.has(id))
      const { items } = await tracker.getItems(unread, { signal: ctx.signal })
      const found = new Map(items.map((item) => [item.id, topology.select(item)]))
      for (const id of unread) setKnown(id, found.get(id) ?? cached.get(id) ?? [])
    }
    return known
  }
}

/** The shortest way over links to the target; null if there is none. */
async function findPath(
  starts: readonly number[],
  target: number,
  listLinks: (ids: readonly number[]) => Promise<Links>,
): Promise<number[] | null> {
  const cameFrom = new Map<number, number | null>(starts.map((id) => [id, null]))
  for (let level = [...starts]; level.length > 0 && cameFrom.size < MAX_ITEMS; ) {
    if (cameFrom.has(target)) return tracePath(cameFrom, target)
    const links = await listLinks(level)
    const next: number[] = []
    for (const id of level) {
      for (const other of links.get(id) ?? []) {
        if (cameFrom.has(other)) continue
        cameFrom.set(other, id)
        next.push(other)
      }
    }
    level = next
  }
  return null
}

function tracePath(cameFrom: ReadonlyMap<number, number | null>, target: number): number[] {
  const path: number[] = []
  for (let id: number | null = target; id !== null; id = cameFrom.get(id) ?? null) path.unshift(id)
  return path
}

function toList(id: number | null | undefined): number[] {
  return id == null ? [] : [id]
}
