import * as z from 'zod'
import { WireInstant } from '../services/instants'
import { selectBoardItems, WireBoardItems } from './board/board-item'
import { selectIssueFieldValues, WireIssueFieldValues } from './board/issue-fields'
import type { Board } from './board/project-board'
import { presentNodes } from './present-nodes'
import type { HasField } from './repository-client'

/** A repository may be renamed, so its ID identifies it. */
const WireRepository = z.object({ id: z.string() })

/** An issue at the other end of a link, which may be in another repository. */
export const WireReference = z.object({ number: z.int(), repository: WireRepository })
export type WireReference = z.output<typeof WireReference>

/** The parts of an issue that can change without a new time of update. */
export const WireShape = z.object({
  number: z.int(),
  repository: WireRepository,
  updatedAt: WireInstant,
  parent: WireReference.nullish(),
  blockedBy: presentNodes(WireReference).nullish(),
  blocking: presentNodes(WireReference).nullish(),
  projectItems: WireBoardItems.nullish(),
  issueFieldValues: WireIssueFieldValues.nullish(),
})
/** With the board on which its values are, as it was at the same time; absent without one. */
export type WireShape = z.output<typeof WireShape> & { board?: Board }

export const WireUser = z.object({ login: z.string(), name: z.string().nullish() })
export type WireUser = z.output<typeof WireUser>

export const WireIssue = WireShape.extend({
  id: z.string(),
  title: z.string(),
  body: z.string(),
  state: z.enum(['OPEN', 'CLOSED']),
  stateReason: z.string().nullish(),
  createdAt: WireInstant,
  closedAt: WireInstant.nullish(),
  url: z.string(),
  assignees: presentNodes(WireUser),
  labels: presentNodes(z.object({ id: z.string(), name: z.string() })).nullish(),
  milestone: z.object({ title: z.string() }).nullish(),
  issueType: z.object({ name: z.string() }).nullish(),
})
export type WireIssue = z.output<typeof WireIssue> & { board?: Board }

/** The boards that are read with each issue. For the few issues on more boards, a further request finds the one. */
const FIRST_BOARDS = 5

export const REFERENCE = 'number repository { id }'
/** The fields of WireShape. The values of a board are requested only for a board, because a token needs another right for them. */
export function selectShape(has: HasField, hasBoard: boolean): string {
  const newer = [
    ...(has('parent') ? [`parent { ${REFERENCE} }`] : []),
    ...(has('blockedBy') ? [`blockedBy(first: 50) { nodes { ${REFERENCE} } }`] : []),
    ...(has('blocking') ? [`blocking(first: 50) { nodes { ${REFERENCE} } }`] : []),
    ...(has('issueFieldValues') ? [selectIssueFieldValues(has)] : []),
  ]
  return [`${REFERENCE} updatedAt`, ...newer, ...(hasBoard ? [selectBoardItems(FIRST_BOARDS)] : [])].join(' ')
}

/** The fields of WireIssue. */
export function selectIssue(has: HasField, hasBoard: boolean): string {
  return (
    `${selectShape(has, hasBoard)} id title body state stateReason createdAt closedAt url ` +
    'assignees(first: 10) { nodes { login name } } labels(first: 100) { nodes { id name } } milestone { title }' +
    (has('issueType') ? ' issueType { name }' : '')
  )
}
