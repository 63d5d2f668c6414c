import * as z from 'zod'
import { WireInstant } from '../services/instants'
import { nodes } from '../services/requests/graphql-pages'
import { BOARD_ITEMS, WireBoardItem } from './board-item'
import type { HasField } from './repository-client'

/** An issue at the other end of a link, which may be in another repository. */
const WireReference = z.object({ number: z.int(), repository: z.object({ nameWithOwner: z.string() }) })
export type WireReference = z.output<typeof WireReference>

/** The parts of an issue that can change without a new time of update. */
export const WireShape = z.object({
  number: z.int(),
  updatedAt: WireInstant,
  parent: WireReference.nullish(),
  blockedBy: nodes(WireReference).optional(),
  blocking: nodes(WireReference).optional(),
  projectItems: nodes(WireBoardItem.nullable()).optional(),
})
export type WireShape = z.output<typeof WireShape>

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
  assignees: nodes(WireUser),
  labels: nodes(z.object({ name: z.string() })).nullish(),
  milestone: z.object({ title: z.string() }).nullish(),
  issueType: z.object({ name: z.string() }).nullish(),
})
export type WireIssue = z.output<typeof WireIssue>

const REFERENCE = 'number repository { nameWithOwner }'
/** The fields of WireShape. The values of a board are requested only for a board, because a token needs another right for them. */
export function selectShape(has: HasField, hasBoard: boolean): string {
  const newer = [
    ...(has('parent') ? [`parent { ${REFERENCE} }`] : []),
    ...(has('blockedBy') ? [`blockedBy(first: 50) { nodes { ${REFERENCE} } }`] : []),
    ...(has('blocking') ? [`blocking(first: 50) { nodes { ${REFERENCE} } }`] : []),
  ]
  return ['number updatedAt', ...newer, ...(hasBoard ? [BOARD_ITEMS] : [])].join(' ')
}

/** The fields of WireIssue. */
export function selectIssue(has: HasField, hasBoard: boolean): string {
  return (
    `${selectShape(has, hasBoard)} id title body state stateReason createdAt closedAt url ` +
    'assignees(first: 10) { nodes { login name } } labels(first: 100) { nodes { name } } milestone { title }' +
    (has('issueType') ? ' issueType { name }' : '')
  )
}
