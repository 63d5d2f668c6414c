import * as z from 'zod'
import type { Page } from '../services/pages'
import type { HasField } from './graphql-client'

export const nodes = <Shape extends z.ZodType>(shape: Shape) => z.object({ nodes: z.array(shape) })

/** A page of a connection, which `PAGE_INFO` selects the cursor of. */
export const createPageShape = <Shape extends z.ZodType>(shape: Shape) =>
  nodes(shape)
    .extend({ pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }) })
    .transform(({ nodes, pageInfo }): Page<z.output<Shape>> => {
      return { entries: nodes as z.output<Shape>[], next: pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null }
    })
export const PAGE_INFO = 'pageInfo { hasNextPage endCursor }'

/** An issue at the other end of a link, which may be in another repository. */
const WireReference = z.object({ number: z.int(), repository: z.object({ nameWithOwner: z.string() }) })
export type WireReference = z.output<typeof WireReference>

const WireBoardItem = z.object({
  project: z.object({ number: z.int() }),
  fieldValues: nodes(
    z.object({
      number: z.number().nullish(),
      title: z.string().nullish(),
      field: z.object({ name: z.string().optional() }).optional(),
    }),
  ),
})

/** The parts of an issue that can change without a new time of update. */
export const WireShape = z.object({
  number: z.int(),
  updatedAt: z.string(),
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
  createdAt: z.string(),
  url: z.string(),
  assignees: nodes(WireUser),
  labels: nodes(z.object({ name: z.string() })).nullish(),
  milestone: z.object({ title: z.string() }).nullish(),
  issueType: z.object({ name: z.string() }).nullish(),
})
export type WireIssue = z.output<typeof WireIssue>

const REFERENCE = 'number repository { nameWithOwner }'
const BOARD_ITEMS =
  'projectItems(first: 5, includeArchived: false) { nodes { project { number } fieldValues(first: 30) { nodes { ' +
  '... on ProjectV2ItemFieldNumberValue { number field { ... on ProjectV2FieldCommon { name } } } ' +
  '... on ProjectV2ItemFieldIterationValue { title field { ... on ProjectV2FieldCommon { name } } } } } } }'

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
    `${selectShape(has, hasBoard)} id title body state stateReason createdAt url ` +
    'assignees(first: 10) { nodes { login name } } labels(first: 100) { nodes { name } } milestone { title }' +
    (has('issueType') ? ' issueType { name }' : '')
  )
}
