import * as z from 'zod'
import { WireInstant } from '../services/instants'
import { nodes } from '../services/requests/graphql-pages'

/** An issue at the other end of a link, which may be of another team. */
export const WireReference = z.object({ identifier: z.string() })

/** The values of an issue that decide whether it must be read again, besides its relations. */
export const WireShape = z.object({
  number: z.int(),
  updatedAt: WireInstant,
  trashed: z.boolean().nullish(),
  parent: WireReference.nullish(),
})
export const SHAPE = 'number updatedAt trashed parent { identifier }'

export const WireUser = z.object({ id: z.string(), name: z.string(), displayName: z.string(), email: z.string() })
export type WireUser = z.output<typeof WireUser>
export const USER = 'id name displayName email'

/** What is read of an issue with one of its lists. */
export const WireTexts = z.object({
  id: z.string(),
  description: z.string().nullish(),
  createdAt: WireInstant,
  creator: WireUser.nullish(),
  trashed: z.boolean().nullish(),
})

export const WireIssueFields = WireShape.extend({
  id: z.string(),
  title: z.string(),
  description: z.string().nullish(),
  priority: z.number(),
  estimate: z.number().nullish(),
  dueDate: z.string().nullish(),
  url: z.string(),
  createdAt: WireInstant,
  completedAt: WireInstant.nullish(),
  labelIds: z.array(z.string()),
  state: z.object({ name: z.string(), type: z.string() }),
  assignee: WireUser.nullish(),
  project: z.object({ name: z.string() }).nullish(),
  cycle: z.object({ name: z.string().nullish(), number: z.number() }).nullish(),
})
export const ISSUE =
  `${SHAPE} id title description priority estimate dueDate url createdAt completedAt labelIds ` +
  `state { name type } assignee { ${USER} } project { name } cycle { name number }`

const WireRelation = { id: z.string(), type: z.string() }
const withMore = <Shape extends z.ZodType>(shape: Shape) =>
  nodes(shape).extend({ pageInfo: z.object({ hasNextPage: z.boolean() }) })
export const WireRelations = z.object({
  number: z.int(),
  relations: withMore(z.object({ ...WireRelation, relatedIssue: WireReference })),
  inverseRelations: withMore(z.object({ ...WireRelation, issue: WireReference })),
})
export type WireRelations = z.output<typeof WireRelations>

/** The relations of an issue in both directions, so many of each. */
export const selectRelations = (first: number) =>
  `number relations(first: ${first}) { nodes { id type relatedIssue { identifier } } pageInfo { hasNextPage } } ` +
  `inverseRelations(first: ${first}) { nodes { id type issue { identifier } } pageInfo { hasNextPage } }`

/** A relation to an issue of the same team. */
export interface Relation {
  id: string
  kind: 'predecessor' | 'successor' | 'related'
  number: number
}

export type WireShape = z.output<typeof WireShape> & { links: readonly Relation[] }
/** With the names of its labels, which are read once for all issues. */
export type WireIssue = z.output<typeof WireIssueFields> & { links: readonly Relation[]; labels: readonly string[] }
