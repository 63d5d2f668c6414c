import * as z from 'zod'
import { isRecord } from '../../kernel/json'

/** The parts of the tracker's responses that are read. */

export const WireRelation = z.looseObject({
  rel: z.string(),
  url: z.string(),
  attributes: z.record(z.string(), z.unknown()).nullish(),
})
export type WireRelation = z.output<typeof WireRelation>

export const WireItem = z.looseObject({
  id: z.int(),
  rev: z.int(),
  fields: z.record(z.string(), z.unknown()),
  relations: z.array(WireRelation).nullish(),
  multilineFieldsFormat: z.record(z.string(), z.unknown()).nullish(),
})
export type WireItem = z.output<typeof WireItem>

/** Checks the same as `WireItem` without copying, because there may be thousands of items. */
export function isWireItem(entry: unknown): entry is WireItem {
  if (!isRecord(entry)) return false
  const { id, rev, fields, relations, multilineFieldsFormat: formats } = entry
  return (
    Number.isSafeInteger(id) &&
    Number.isSafeInteger(rev) &&
    isRecord(fields) &&
    (relations == null || (Array.isArray(relations) && relations.every(isRelation))) &&
    (formats == null || isRecord(formats))
  )
}

function isRelation(entry: unknown): boolean {
  return isRecord(entry) && typeof entry['rel'] === 'string' && typeof entry['url'] === 'string'
}

/** `{count, value}`: the tracker's format of a list. */
const listOf = <Entry extends z.ZodType>(entry: Entry) => z.looseObject({ value: z.array(entry) })

/** Entries are parsed separately, so that an invalid one does not affect the others. */
export const WireList = listOf(z.unknown())

export const WireComment = z.looseObject({
  id: z.int().nullish(),
  /** The name of `id` in some versions. */
  commentId: z.int().nullish(),
  text: z.string().nullish(),
  format: z.string().nullish(),
  createdBy: z.unknown().optional(),
  createdDate: z.string().nullish(),
  modifiedDate: z.string().nullish(),
  isDeleted: z.boolean().nullish(),
})
export type WireComment = z.output<typeof WireComment>

export const WireComments = z.looseObject({
  totalCount: z.int().nullish(),
  comments: z.array(WireComment),
  continuationToken: z.string().nullish(),
})
export type WireComments = z.output<typeof WireComments>

const WireLinkEnd = z.looseObject({ id: z.int() }).nullish()
export const WireLinks = z.looseObject({
  workItemRelations: z.array(z.looseObject({ source: WireLinkEnd, target: WireLinkEnd })),
})

export const WireQueryResult = z.looseObject({ workItems: z.array(z.looseObject({ id: z.int() })) })

export const WireSearchResult = z.looseObject({
  count: z.number().nullish(),
  results: z.array(z.looseObject({ fields: z.record(z.string(), z.unknown()) })),
  infoCode: z.number().nullish(),
})

/** A page of a feed of changes. */
const feedOf = <Entry extends z.ZodType>(entry: Entry) =>
  z.looseObject({
    values: z.array(entry),
    continuationToken: z.string().nullish(),
    isLastBatch: z.boolean().nullish(),
  })

export const WireRevisions = feedOf(
  z.looseObject({
    id: z.int(),
    rev: z.int(),
    fields: z.record(z.string(), z.unknown()).nullish(),
  }),
)
export const WireLinkChanges = feedOf(z.looseObject({ sourceId: z.int().nullish(), targetId: z.int().nullish() }))

const Named = z.looseObject({ name: z.string() })

export const WireCategories = listOf(Named.extend({ workItemTypes: z.array(Named).nullish() }))
export type WireCategories = z.output<typeof WireCategories>

const WireState = z.looseObject({ name: z.string(), category: z.string().nullish(), color: z.string().nullish() })
export const WireStates = listOf(WireState)

export const WireType = z.looseObject({
  name: z.string(),
  referenceName: z.string().nullish(),
  color: z.string().nullish(),
  isDisabled: z.boolean().nullish(),
  states: z.array(WireState).nullish(),
  fields: z
    .array(
      z.looseObject({
        referenceName: z.string(),
        name: z.string().nullish(),
        alwaysRequired: z.boolean().nullish(),
        defaultValue: z.unknown().optional(),
      }),
    )
    .nullish(),
})
export const WireTypes = listOf(WireType)
/** A type as the tracker describes it alone: by each state, those that may follow. An item that is new has the empty state. */
export const WireTypeDetails = z.looseObject({
  transitions: z.record(z.string(), z.array(z.looseObject({ to: z.string() }).nullable()).nullable()).nullish(),
})
export type WireType = z.output<typeof WireType>

const WireBacklogLevel = z.looseObject({ rank: z.number().nullish(), workItemTypes: z.array(Named).nullish() })
export const WireBacklog = z.looseObject({
  taskBacklog: WireBacklogLevel.nullish(),
  requirementBacklog: WireBacklogLevel.nullish(),
  portfolioBacklogs: z.array(WireBacklogLevel).nullish(),
  workItemTypeMappedStates: z
    .array(z.looseObject({ workItemTypeName: z.string(), states: z.record(z.string(), z.string()).nullish() }))
    .nullish(),
  backlogFields: z.looseObject({ typeFields: z.record(z.string(), z.string()).nullish() }).nullish(),
  bugsBehavior: z.string().nullish(),
})
export type WireBacklog = z.output<typeof WireBacklog>

export const WireField = z.looseObject({
  referenceName: z.string(),
  name: z.string().nullish(),
  type: z.string().nullish(),
  usage: z.string().nullish(),
  readOnly: z.boolean().nullish(),
  isIdentity: z.boolean().nullish(),
})
export type WireField = z.output<typeof WireField>
export const WireFields = listOf(WireField)
export const WireAllowedValues = z.looseObject({ allowedValues: z.array(z.union([z.string(), z.number()])).nullish() })

export interface WireNode {
  name: string
  hasChildren?: boolean | null
  attributes?: { startDate?: string | null; finishDate?: string | null } | null
  children?: WireNode[] | null
}
export const WireNode: z.ZodType<WireNode> = z.looseObject({
  name: z.string(),
  hasChildren: z.boolean().nullish(),
  attributes: z.looseObject({ startDate: z.string().nullish(), finishDate: z.string().nullish() }).nullish(),
  get children() {
    return z.array(WireNode).nullish()
  },
})

export const WireProjects = listOf(Named)

/** IDs and revisions of the tracker are 32-bit integers. A larger ID makes it refuse a whole batch. */
export const MAX_ID = 2 ** 31 - 1

/** The tracker rejects a query with more rows. */
export const MAX_QUERY_ROWS = 20_000
