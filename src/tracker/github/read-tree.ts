import * as z from 'zod'
import { walkTrees } from '../services/list-tree-links'
import { TrackerError } from '../services/requests/tracker-error'
import type { TreeLink } from '../tracker'
import { describeMissing, type IssueParts } from './issue-reader'
import { listNumbers } from './map-issue'
import { presentNodes } from './present-nodes'
import type { HasField } from './repository-client'
import { REFERENCE, WireReference } from './wire-issue'

/** GitHub allows 100 sub-issues of an issue, so a page is complete. Two levels of 40 issues stay below the limit of nodes. */
const MAX_CHILDREN = 100
const ROOTS_PER_REQUEST = 40

const WireChild = WireReference.extend({ subIssuesSummary: z.object({ total: z.int() }).nullish() })
const WireParent = WireReference.extend({
  subIssues: presentNodes(WireChild.extend({ subIssues: presentNodes(WireChild).nullish() })).nullish(),
})

/** Lists all links below issues, parents before children, each child once. Reads two levels with one request. */
export async function readTrees(
  rootIds: readonly number[],
  { graphql, signal }: Pick<IssueParts, 'graphql'> & { signal: AbortSignal },
): Promise<{ trees: Map<number, TreeLink[]>; missing: ReadonlyMap<number, TrackerError> }> {
  const missing = new Map<number, TrackerError>()
  const onRefusal = (id: number, error: TrackerError) => missing.set(id, error)
  const options = { batchSize: ROOTS_PER_REQUEST, fields: selectSubIssues, shape: WireParent, onRefusal }
  const trees = await walkTrees(rootIds, async (level, children) => {
    const found = await graphql.queryIssues(level, options, signal)
    const next: number[] = []
    for (const id of level) {
      const parent = found.get(id)
      if (parent === undefined) {
        if (!missing.has(id)) missing.set(id, new TrackerError('not_found', describeMissing(id)))
        children.set(id, [])
        continue
      }
      const nodes = parent.subIssues?.nodes ?? []
      children.set(id, listNumbers(nodes, parent))
      for (const child of nodes) {
        const [number] = listNumbers([child], parent)
        if (number === undefined) continue
        const below = child.subIssues?.nodes ?? []
        if (!children.has(number)) children.set(number, listNumbers(below, parent))
        const deeper = below.filter(({ subIssuesSummary }) => (subIssuesSummary?.total ?? 0) > 0)
        next.push(...listNumbers(deeper, parent))
      }
    }
    return next
  })
  return { trees, missing }
}

function selectSubIssues(has: HasField): string {
  if (!has('subIssues')) return REFERENCE
  const child = `${REFERENCE} subIssuesSummary { total }`
  const page = `subIssues(first: ${MAX_CHILDREN})`
  return `${REFERENCE} ${page} { nodes { ${child} ${page} { nodes { ${child} } } } }`
}
