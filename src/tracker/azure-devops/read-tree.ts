import { chunksOf } from '../../kernel/work/chunks'
import { listTreeLinks } from '../services/list-tree-links'
import { mapConcurrently } from '../services/requests/map-concurrently'
import { TrackerError } from '../services/requests/tracker-error'
import type { TreeLink } from '../tracker'
import type { AdapterParts } from './item-reader'
import { listLinkedIds } from './relations'
import { runQuery } from './run-query'
import { WireLinks } from './wire-schemas'

/**
 * Lists all links below an item, parents before children, each child once. Uses one query, or several if the tree is too large for one. If the
 * tracker refuses the query or exceeds its time limit, reads the tree level by level.
 */
export async function readTree(rootId: number, parts: AdapterParts, signal: AbortSignal): Promise<TreeLink[]> {
  const children: ChildIds = new Map()
  try {
    await queryDescendants([rootId], children, { ...parts, signal })
    if (children.size > 0) return listTreeLinks(rootId, children)
  } catch (error) {
    if (!canWalkAfter(error)) throw error
  }
  // The result is also empty if the root does not exist. Reading the root shows which is the case.
  return walkTree(rootId, parts, signal)
}

/** Like `readTree`, with one query for all of them. An item that cannot be read has no links. */
export async function readTrees(
  rootIds: readonly number[],
  parts: AdapterParts,
  signal: AbortSignal,
): Promise<Map<number, TreeLink[]>> {
  const children: ChildIds = new Map()
  try {
    await queryDescendants(rootIds, children, { ...parts, signal })
    return new Map(rootIds.map((rootId) => [rootId, listTreeLinks(rootId, children)]))
  } catch (error) {
    if (!canWalkAfter(error)) throw error
  }
  const trees = new Map<number, TreeLink[]>()
  for (const rootId of rootIds) {
    const links = await walkTree(rootId, parts, signal).catch((error: unknown) => {
      if (error instanceof TrackerError && error.code === 'not_found') return []
      throw error
    })
    trees.set(rootId, links)
  }
  return trees
}

type ChildIds = Map<number, number[]>
type TreeQuery = AdapterParts & { signal: AbortSignal }

const TOO_MANY_ROWS_CODE = 'VS402337'
/** The number of parts of a tree that is too large for one query. */
const SPLIT_COUNT = 4

/** Queries everything below the roots: in one query, or in several if the result is too large. */
async function queryDescendants(ids: readonly number[], children: ChildIds, request: TreeQuery): Promise<void> {
  // A tree may have cycles, so no item is queried twice.
  const rootIds = ids.filter((id) => !children.has(id))
  if (rootIds.length === 0) return
  try {
    collectLinks(await queryLinks(rootIds, 'Recursive', request), children)
  } catch (error) {
    if (!(error instanceof TrackerError && error.trackerCode === TOO_MANY_ROWS_CODE)) throw error
    const known = rootIds.length > 1 ? rootIds : await queryChildren(rootIds[0]!, children, request)
    for (const part of chunksOf(known, Math.min(Math.ceil(known.length / SPLIT_COUNT), MAX_IDS_PER_QUERY))) {
      await queryDescendants(part, children, request)
    }
  }
}

/** The query's text may have 32,000 characters. */
const MAX_IDS_PER_QUERY = 2_000

async function queryChildren(id: number, children: ChildIds, request: TreeQuery): Promise<readonly number[]> {
  collectLinks(await queryLinks([id], 'MustContain', request), children)
  return children.get(id) ?? []
}

async function queryLinks(rootIds: readonly number[], mode: 'Recursive' | 'MustContain', request: TreeQuery) {
  const source = rootIds.length === 1 ? `= ${rootIds[0]}` : `IN (${rootIds.join(', ')})`
  const query =
    `SELECT [System.Id] FROM workitemLinks WHERE ([Source].[System.Id] ${source}) ` +
    `AND ([System.Links.LinkType] = 'System.LinkTypes.Hierarchy-Forward') MODE (${mode})`
  return (await runQuery(query, WireLinks, request, request.signal)).workItemRelations
}

function collectLinks(rows: Awaited<ReturnType<typeof queryLinks>>, children: ChildIds): void {
  for (const { source, target } of rows) {
    if (!source || !target) continue
    const siblings = children.get(source.id)
    if (siblings === undefined) children.set(source.id, [target.id])
    else siblings.push(target.id)
  }
}

/** A child that cannot be read still has a link, but nothing below it is visible. */
async function walkTree(rootId: number, { client, reader }: AdapterParts, signal: AbortSignal): Promise<TreeLink[]> {
  const links: TreeLink[] = []
  const seen = new Set([rootId])
  const bounds = { limit: client.limits.maxConcurrent, signal }
  for (let level = [rootId]; level.length > 0; ) {
    const pages = await mapConcurrently(chunksOf(level, client.limits.batchSize), bounds, async (ids, signal) => {
      const found = await reader.readWireItems(ids, signal)
      return found.map(({ id, wire }) => ({
        id,
        children: wire === null ? null : listLinkedIds(wire.relations ?? [], 'child'),
      }))
    })
    const parents = pages.flat()
    if (level[0] === rootId && parents[0]?.children == null) {
      throw new TrackerError(
        'not_found',
        `Work item ${rootId} does not exist in the tracker, or your token cannot read it.`,
      )
    }
    const below = parents.flatMap(({ id, children }) => (children ?? []).map((childId) => ({ parentId: id, childId })))
    const unseen = below.filter(({ childId }) => !seen.has(childId) && seen.add(childId))
    links.push(...unseen)
    level = unseen.map((link) => link.childId)
  }
  return links
}

function canWalkAfter(error: unknown): boolean {
  const walkable = ['tracker_answer', 'tracker_forbidden', 'tracker_timeout', 'not_found']
  return error instanceof TrackerError && walkable.includes(error.code)
}
