import * as z from 'zod'
import { type ChangeResult, parseResult } from '../services/change-result'
import { type Step, sendSteps } from '../services/requests/graphql-mutations'
import { findBoardItem } from './board-item'
import type { IssueParts } from './issue-reader'
import type { BoardValue } from './project-board'
import type { WireIssue } from './wire-issue'

/** What is sent to change an issue. */
export interface Plan {
  wire: WireIssue
  steps: readonly Step[]
  onBoard: readonly BoardValue[]
  /** Why nothing is sent. */
  problem?: string
}

const WireAdded = z.tuple([z.object({ item: z.object({ id: z.string() }) })])

/**
 * Changes issues with one request. Issues that are to get values on the board and are not on it are added to it before, with one more: GitHub
 * cannot add an issue and set its values in the same request.
 */
export async function sendPlans(
  plans: readonly Plan[],
  { graphql, mapping }: IssueParts,
  signal: AbortSignal,
): Promise<ChangeResult<unknown>[]> {
  const known = plans.map(({ wire }) => findBoardItem(wire.projectItems?.nodes, mapping)?.id ?? null)
  const additions = plans.map(({ wire, onBoard }, i) => {
    const [needed] = known[i] === null ? onBoard.filter(({ value }) => value !== null) : []
    const input = { projectId: needed?.projectId, contentId: wire.id }
    return needed ? [{ name: 'addProjectV2ItemById', input, select: () => 'item { id }' }] : []
  })
  const added = await sendSteps(additions, graphql, signal)
  const items = added.map((one, i) =>
    parseResult(one, (data) => (additions[i]!.length > 0 ? WireAdded.parse(data)[0].item.id : known[i]!)),
  )
  const sent = await sendSteps(
    plans.map(({ steps, onBoard }, i) => {
      const item = items[i]!
      return item.kind === 'done' ? [...steps, ...listBoardSteps(onBoard, item.data)] : []
    }),
    graphql,
    signal,
  )
  return sent.map((result, i) => {
    const { problem } = plans[i]!
    if (problem !== undefined) return { kind: 'rejected', message: problem }
    if (items[i]!.kind !== 'done') return items[i]!
    const isAdded = additions[i]!.length > 0 && result.kind === 'rejected'
    return isAdded ? { ...result, message: `${result.message} The issue was added to the board before.` } : result
  })
}

/** An issue that is not on the board has no values there to clear. */
function listBoardSteps(values: readonly BoardValue[], itemId: string | null): Step[] {
  if (itemId === null) return []
  return values.map(({ projectId, fieldId, value }) => {
    const input = { projectId, itemId, fieldId }
    return value === null
      ? { name: 'clearProjectV2ItemFieldValue', input }
      : { name: 'updateProjectV2ItemFieldValue', input: { ...input, value } }
  })
}
