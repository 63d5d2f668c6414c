import type { TreeLink } from '../tracker'
import { projectPath } from './address'
import type { Client } from './client'
import { TrackerFault } from './fault'
import { chunksOf, inParallel } from './in-parallel'
import type { ItemReader } from './item-reader'
import type { ProjectName } from './project-name'
import { childrenOf } from './relations'
import { WireLinks } from './wire'

export interface TreeSources {
  client: Client
  project: ProjectName
  reader: ItemReader
}

/**
 * All links below an item, parents before children, each child once. One query answers it; where the tracker cannot
 * (over 20,000 rows, past its time limit) or will not, the tree is walked level by level.
 */
export async function readTree(rootId: number, sources: TreeSources, signal: AbortSignal): Promise<TreeLink[]> {
  const children = await queryChildren(rootId, sources, signal).catch((error: unknown) => {
    if (isWalkable(error)) return null
    throw error
  })
  // An empty answer is also what a root that does not exist gives; only reading it tells.
  return children === null || children.size === 0 ? walk(rootId, sources, signal) : linksBelow(rootId, children)
}

async function queryChildren(rootId: number, { client, project }: TreeSources, signal: AbortSignal) {
  const query =
    `SELECT [System.Id] FROM workitemLinks WHERE ([Source].[System.Id] = ${rootId}) ` +
    `AND ([System.Links.LinkType] = 'System.LinkTypes.Hierarchy-Forward') MODE (Recursive)`
  const path = projectPath(await project.get(signal), '_apis/wit/wiql')
  const { workItemRelations } = await client.read({ method: 'POST', path, body: { query } }, WireLinks, signal)
  const children = new Map<number, number[]>()
  for (const { source, target } of workItemRelations) {
    if (!source || !target) continue
    const siblings = children.get(source.id)
    if (siblings === undefined) children.set(source.id, [target.id])
    else siblings.push(target.id)
  }
  return children
}

function linksBelow(rootId: number, children: ReadonlyMap<number, readonly number[]>): TreeLink[] {
  const links: TreeLink[] = []
  const seen = new Set([rootId])
  const queue = [rootId]
  for (const parentId of queue) {
    for (const childId of children.get(parentId) ?? []) {
      if (seen.has(childId)) continue
      seen.add(childId)
      queue.push(childId)
      links.push({ parentId, childId })
    }
  }
  return links
}

/** A child that cannot be read has a link all the same: it is there, and nothing below it can be seen. */
async function walk(rootId: number, { client, reader }: TreeSources, signal: AbortSignal): Promise<TreeLink[]> {
  const links: TreeLink[] = []
  const seen = new Set([rootId])
  const bounds = { limit: client.limits.inFlight, signal }
  for (let level = [rootId]; level.length > 0; ) {
    const pages = await inParallel(chunksOf(level, client.limits.batchSize), bounds, async (ids, signal) => {
      const found = await reader.wires(ids, signal)
      return found.map(({ id, wire }) => ({ id, children: wire === null ? null : childrenOf(wire.relations ?? []) }))
    })
    const parents = pages.flat()
    if (level[0] === rootId && parents[0]?.children == null) {
      throw new TrackerFault('not_found', `Work item ${rootId} does not exist in the tracker, or may not be read.`)
    }
    const below = parents.flatMap(({ id, children }) => (children ?? []).map((childId) => ({ parentId: id, childId })))
    const fresh = below.filter(({ childId }) => !seen.has(childId) && seen.add(childId))
    links.push(...fresh)
    level = fresh.map((link) => link.childId)
  }
  return links
}

function isWalkable(error: unknown): boolean {
  const walkable = ['tracker_answer', 'tracker_forbidden', 'tracker_timeout', 'not_found']
  return error instanceof TrackerFault && walkable.includes(error.code)
}
