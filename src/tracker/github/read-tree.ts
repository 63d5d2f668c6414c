import * as z from 'zod'
import { listTreeLinks } from '../services/list-tree-links'
import { TrackerError } from '../services/tracker-error'
import type { TreeLink } from '../tracker'
import type { GraphqlClient } from './graphql-client'
import { describeMissing } from './issue-reader'
import { type IssueMapping, listNumbers } from './map-issue'

/** GitHub allows 100 sub-issues of an issue, so a page is complete. Two levels of 40 issues stay below the limit of nodes. */
const MAX_CHILDREN = 100
const ROOTS_PER_REQUEST = 40

const WireChild = z.object({
  number: z.int(),
  repository: z.object({ nameWithOwner: z.string() }),
  subIssuesSummary: z.object({ total: z.int() }).optional(),
})
const WireParent = z.object({
  subIssues: z
    .object({ nodes: z.array(WireChild.extend({ subIssues: z.object({ nodes: z.array(WireChild) }).optional() })) })
    .optional(),
})

/** Lists all links below issues, parents before children, each child once. Reads two levels with one request. */
export async function readTrees(
  rootIds: readonly number[],
  { graphql, mapping, signal }: { graphql: GraphqlClient; mapping: IssueMapping; signal: AbortSignal },
): Promise<{ trees: Map<number, TreeLink[]>; missing: ReadonlySet<number> }> {
  const children = new Map<number, number[]>()
  const missing = new Set<number>()
  for (let level = [...new Set(rootIds)]; level.length > 0; ) {
    const found = await graphql.queryEach(
      level,
      { batchSize: ROOTS_PER_REQUEST, fields: selectSubIssues, shape: WireParent },
      signal,
    )
    const next = new Set<number>()
    for (const id of level) {
      const parent = found.get(id)
      if (parent === undefined) missing.add(id)
      const nodes = parent?.subIssues?.nodes ?? []
      children.set(id, listNumbers(nodes, mapping))
      for (const child of nodes) {
        const [number] = listNumbers([child], mapping)
        if (number === undefined) continue
        const below = child.subIssues?.nodes ?? []
        if (!children.has(number)) children.set(number, listNumbers(below, mapping))
        const deeper = below.filter(({ subIssuesSummary }) => (subIssuesSummary?.total ?? 0) > 0)
        for (const one of listNumbers(deeper, mapping)) next.add(one)
      }
    }
    level = [...next].filter((id) => !children.has(id))
  }
  return { trees: new Map(rootIds.map((rootId) => [rootId, listTreeLinks(rootId, children)])), missing }
}

/** Like `readTrees` for one issue. Throws `not_found` if it cannot be read. */
export async function readTree(rootId: number, parts: Parameters<typeof readTrees>[1]): Promise<TreeLink[]> {
  const { trees, missing } = await readTrees([rootId], parts)
  if (missing.has(rootId)) throw new TrackerError('not_found', describeMissing(rootId))
  return trees.get(rootId)!
}

function selectSubIssues(has: GraphqlClient['has']): string {
  if (!has('subIssues')) return 'number'
  const child = `number repository { nameWithOwner }${has('subIssuesSummary') ? ' subIssuesSummary { total }' : ''}`
  const page = `subIssues(first: ${MAX_CHILDREN})`
  return `${page} { nodes { ${child} ${page} { nodes { ${child} } } } }`
}
