import * as z from 'zod'
import { presentNodes } from '../present-nodes'
import type { BoardField } from './project-board'

/** The kinds of fields that an organization defines for all of its issues. */
const KINDS = { NUMBER: 'number', TEXT: 'text', DATE: 'date', SINGLE_SELECT: 'option' } as const

const WireIssueField = z.object({
  id: z.string(),
  name: z.string(),
  dataType: z.string(),
  options: z.array(z.object({ id: z.string(), name: z.string() })).optional(),
})

/** Fields of kinds that are not known are left out. */
export const WireIssueFields = presentNodes(WireIssueField.partial()).transform(({ nodes }): BoardField[] =>
  nodes.flatMap((node) => {
    const { id, name, dataType, options = [] } = WireIssueField.safeParse(node).data ?? { id: null }
    const kind = dataType !== undefined && Object.hasOwn(KINDS, dataType) ? KINDS[dataType as keyof typeof KINDS] : null
    if (id === null || name === undefined || kind === null) return []
    return [{ id, name, kind, options: kind === 'option' ? options : null }]
  }),
)

export const ISSUE_FIELDS =
  'issueFields(first: 100) { nodes { ... on Node { id } ... on IssueFieldCommon { name dataType } ' +
  '... on IssueFieldSingleSelect { options { id name } } } }'

/** The values of an issue by the IDs of the fields. */
export const WireIssueFieldValues = presentNodes(
  z.object({
    number: z.number().nullish(),
    text: z.string().nullish(),
    option: z.string().nullish(),
    field: z.object({ id: z.string().default('') }).nullish(),
  }),
).transform(
  ({ nodes }): ReadonlyMap<string, string | number> =>
    new Map(
      nodes.flatMap(({ number, text, option, field }) => {
        const value = number ?? text ?? option ?? null
        return value === null || !field?.id ? [] : [[field.id, value] as const]
      }),
    ),
)

const FIELD = 'field { ... on Node { id } }'
/** Their values have different types, so they need different names in the answer. */
export const ISSUE_FIELD_VALUES =
  'issueFieldValues(first: 25) { nodes { ' +
  `... on IssueFieldNumberValue { number: value ${FIELD} } ... on IssueFieldTextValue { text: value ${FIELD} } ` +
  `... on IssueFieldDateValue { text: value ${FIELD} } ... on IssueFieldSingleSelectValue { option: name ${FIELD} } } }`
