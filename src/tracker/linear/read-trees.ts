import * as z from 'zod'
import { chunksOf } from '../../kernel/work/chunks'
import { walkTrees } from '../services/list-tree-links'
import { nodes } from '../services/requests/graphql-pages'
import type { TreeLink } from '../tracker'
import type { LinearClient } from './linear-client'

const WireChild = z.object({ number: z.int(), trashed: z.boolean().nullish() })
const WireGrandchild = WireChild.extend({ children: nodes(z.unknown()) })
const WireRoot = WireChild.extend({ children: nodes(WireChild.extend({ children: nodes(WireGrandchild) })) })
const WireLevel = WireChild.extend({
  parent: z.object({ number: z.int() }).nullish(),
  children: nodes(z.unknown()),
})

/** With it, the first three levels of a tree have 50 × (1.2 + 50 × 2.4) = 6,060 of the 10,000 points that a query may have. */
const NESTED_SIZE = 50
/** Parents whose children are read together. */
const MAX_PARENTS = 500

/**
 * Reads trees level by level; of a single tree, the first levels at once. An issue that has as many children as were read may have more, so
 * these are read again as a list.
 */
export async function readTrees(
  rootIds: readonly number[],
  linear: LinearClient,
  signal: AbortSignal,
): Promise<Map<number, TreeLink[]>> {
  let isFirst = rootIds.length === 1
  return walkTrees(rootIds, async (ids, found) => {
    const [only] = ids
    const isRoot = isFirst
    isFirst = false
    if (isRoot) return readFirstLevels(only!, found, linear, signal)
    return readLevel(ids, found, linear, signal)
  })
}

/** Returns the issues whose children are still to be read. */
async function readFirstLevels(
  rootId: number,
  found: Map<number, number[]>,
  linear: LinearClient,
  signal: AbortSignal,
): Promise<number[]> {
  const below = (fields: string, first: number) =>
    `children(first: ${first}, filter: $team, includeArchived: true) { nodes { number trashed ${fields} } }`
  const args = {
    filter: ['IssueFilter', linear.filterIssues({ number: { eq: rootId } })],
    team: ['IssueFilter', linear.filterIssues()],
  } as const
  const levels = below(below(below('', 1), NESTED_SIZE), NESTED_SIZE)
  const select = `issues(filter: $filter, first: 1, includeArchived: true) { nodes { number ${levels} } }`
  const { issues } = await linear.ask(select, args, z.object({ issues: nodes(WireRoot) }), signal)
  const isComplete = (nodes: readonly unknown[]) => nodes.length < NESTED_SIZE
  const numbersOf = (nodes: readonly z.output<typeof WireChild>[]) =>
    nodes.filter(({ trashed }) => !trashed).map(({ number }) => number)
  const [root] = issues.nodes
  if (root === undefined) {
    found.set(rootId, [])
    return []
  }
  if (!isComplete(root.children.nodes)) return readLevel([rootId], found, linear, signal)
  found.set(rootId, numbersOf(root.children.nodes))
  const open: number[] = []
  for (const child of root.children.nodes) {
    if (!isComplete(child.children.nodes)) {
      open.push(child.number)
      continue
    }
    found.set(child.number, numbersOf(child.children.nodes))
    for (const grandchild of child.children.nodes)
      if (grandchild.children.nodes.length > 0) open.push(grandchild.number)
      else found.set(grandchild.number, [])
  }
  return open
}

async function readLevel(
  ids: readonly number[],
  found: Map<number, number[]>,
  linear: LinearClient,
  signal: AbortSignal,
): Promise<number[]> {
  const next: number[] = []
  for (const chunk of chunksOf(ids, MAX_PARENTS)) {
    for (const id of chunk) found.set(id, [])
    const filter = linear.filterIssues({ parent: linear.filterIssues({ number: { in: chunk } }) })
    const fields = 'number trashed parent { number } children(first: 1) { nodes { number } }'
    const query = {
      name: 'issues',
      args: { filter: ['IssueFilter', filter], includeArchived: ['Boolean', true] },
      fields,
      shape: WireLevel,
    } as const
    for await (const page of linear.readList(query, signal)) {
      for (const { number, trashed, parent, children } of page) {
        if (trashed) continue
        found.get(parent?.number ?? 0)?.push(number)
        if (children.nodes.length > 0) next.push(number)
      }
    }
  }
  return next
}
