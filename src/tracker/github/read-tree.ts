import * as z from 'zod'
import { walkTrees } from '../services/list-tree-links'
import { TrackerError } from '../services/requests/tracker-error'
import type { TreeLink } from '../tracker'
import { describeMissing, type IssueParts } from './issue-reader'
import { listNumbers } from './map-issue'
import type { HasField } from './repository-client'

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
  { graphql, mapping, signal }: IssueParts & { signal: AbortSignal },
): Promise<{ trees: Map<number, TreeLink[]>; missing: ReadonlySet<number> }> {
  const missing = new Set<number>()
  const options = { batchSize: ROOTS_PER_REQUEST, fields: selectSubIssues, shape: WireParent }
  const trees = await walkTrees(rootIds, async (level, children) => {
    const found = await graphql.queryIssues(level, options, signal)
    const next: number[] = []
    for (const id of level) {
      if (!found.has(id)) missing.add(id)
      const nodes = found.get(id)?.subIssues?.nodes ?? []
      children.set(id, listNumbers(nodes, mapping))
      for (const child of nodes) {
        const [number] = listNumbers([child], mapping)
        if (number === undefined) continue
        const below = child.subIssues?.nodes ?? []
        if (!children.has(number)) children.set(number, listNumbers(below, mapping))
        const deeper = below.filter(({ subIssuesSummary }) => (subIssuesSummary?.total ?? 0) > 0)
        next.push(...listNumbers(deeper, mapping))
      }
    }
    return next
  })
  return { trees, missing }
}

/** Like `readTrees` for one issue. Throws `not_found` if it cannot be read. */
export async function readTree(rootId: number, parts: Parameters<typeof readTrees>[1]): Promise<TreeLink[]> {
  const { trees, missing } = await readTrees([rootId], parts)
  if (missing.has(rootId)) throw new TrackerError('not_found', describeMissing(rootId))
  return trees.get(rootId)!
}

function selectSubIssues(has: HasField): string {
  if (!has('subIssues')) return 'number'
  const child = 'number repository { nameWithOwner } subIssuesSummary { total }'
  const page = `subIssues(first: ${MAX_CHILDREN})`
  return `${page} { nodes { ${child} ${page} { nodes { ${child} } } } }`
}
