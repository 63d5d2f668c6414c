import * as z from 'zod'
import { type ChangeResult, parseResult } from '../services/change-result'
import { type Step, sendSteps } from '../services/requests/graphql-mutations'
import type { BoardItem } from './board/board-item'
import type { BoardValue } from './issue-input'
import type { IssueParts } from './issue-reader'
import { findOnBoard } from './map-issue'
import type { WireIssue } from './wire-issue'

/** What is sent to change an issue. */
export interface Plan {
  wire: WireIssue
  steps: readonly Step[]
  onBoard: readonly BoardValue[]
  /** Whether the issue becomes work that the board shows, so that it does not stay in the archive of the board. */
  isReopened?: boolean
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
  { graphql }: Pick<IssueParts, 'graphql'>,
  signal: AbortSignal,
): Promise<ChangeResult<unknown>[]> {
  const items = plans.map(({ wire }) => findOnBoard(wire))
  const additions = plans.map(({ wire, onBoard }, i) => {
    const [needed] = items[i] === null ? onBoard.filter(({ value }) => value !== null) : []
    const input = { projectId: needed?.projectId, contentId: wire.id }
    return needed ? [{ name: 'addProjectV2ItemById', input, select: () => 'item { id }' }] : []
  })
  const added = await sendSteps(additions, graphql, signal)
  const targets = added.map((one, i) =>
    parseResult(one, (data): BoardTarget | null =>
      additions[i]!.length > 0 ? { id: WireAdded.parse(data)[0].item.id, isArchived: false } : items[i]!,
    ),
  )
  const sent = await sendSteps(
    plans.map((plan, i) => {
      const target = targets[i]!
      return target.kind === 'done' ? [...plan.steps, ...listBoardSteps(plan, target.data)] : []
    }),
    graphql,
    signal,
  )
  return sent.map((result, i) => {
    const { problem } = plans[i]!
    if (problem !== undefined) return { kind: 'rejected', message: problem }
    const target = targets[i]!
    if (target.kind !== 'done') return target
    const isAdded = additions[i]!.length > 0 && result.kind === 'rejected'
    return isAdded ? { ...result, message: `${result.message} The issue was added to the board before.` } : result
  })
}

type BoardTarget = Pick<BoardItem, 'id' | 'isArchived'>

/**
 * An issue that is not on the board has no values there to clear. GitHub changes no values of an archived one, so it leaves the archive
 * meanwhile, and returns there unless it is reopened.
 */
function listBoardSteps({ onBoard, isReopened = false }: Plan, target: BoardTarget | null): Step[] {
  const [first] = onBoard
  if (target === null || first === undefined) return []
  const { id: itemId, isArchived } = target
  const { projectId } = first
  const archiving = (name: string): Step[] => (isArchived ? [{ name, input: { projectId, itemId } }] : [])
  const values = onBoard.map(({ projectId, fieldId, value }): Step => {
    const input = { projectId, itemId, fieldId }
    return value === null
      ? { name: 'clearProjectV2ItemFieldValue', input }
      : { name: 'updateProjectV2ItemFieldValue', input: { ...input, value } }
  })
  return [...archiving('unarchiveProjectV2Item'), ...values, ...(isReopened ? [] : archiving('archiveProjectV2Item'))]
}
