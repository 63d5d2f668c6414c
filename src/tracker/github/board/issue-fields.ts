import * as z from 'zod'
import { presentNodes } from '../present-nodes'
import type { HasField } from '../repository-client'
import type { BoardField } from './project-board'

/** The kinds of fields that an organization defines for all of its issues. */
const KINDS = {
  NUMBER: 'number',
  TEXT: 'text',
  DATE: 'date',
  SINGLE_SELECT: 'option',
  MULTI_SELECT: 'options',
} as const

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
    return [{ id, name, kind, options: kind === 'option' || kind === 'options' ? options : null }]
  }),
)

export function selectIssueFields(has: HasField): string {
  const types = ['IssueFieldSingleSelect', ...(has('IssueFieldMultiSelect') ? ['IssueFieldMultiSelect'] : [])]
  const options = types.map((type) => `... on ${type} { options { id name } }`).join(' ')
  return `issueFields(first: 100) { nodes { ... on Node { id } ... on IssueFieldCommon { name dataType } ${options} } }`
}

/** The values of an issue by the IDs of the fields; several options as `iOS; Web`. */
export const WireIssueFieldValues = presentNodes(
  z.object({
    number: z.number().nullish(),
    text: z.string().nullish(),
    option: z.string().nullish(),
    options: z.array(z.object({ name: z.string() })).nullish(),
    field: z.object({ id: z.string().default('') }).nullish(),
  }),
).transform(
  ({ nodes }): ReadonlyMap<string, string | number> =>
    new Map(
      nodes.flatMap(({ number, text, option, options, field }) => {
        const several = options?.map(({ name }) => name).join('; ') || null
        const value = number ?? text ?? option ?? several
        return value === null || !field?.id ? [] : [[field.id, value] as const]
      }),
    ),
)

const FIELD = 'field { ... on Node { id } }'
/** Their values have different types, so they need different names in the answer. */
export function selectIssueFieldValues(has: HasField): string {
  const values = {
    IssueFieldNumberValue: 'number: value',
    IssueFieldTextValue: 'text: value',
    IssueFieldDateValue: 'text: value',
    IssueFieldSingleSelectValue: 'option: name',
    ...(has('IssueFieldMultiSelectValue') && { IssueFieldMultiSelectValue: 'options { name }' }),
  }
  const parts = Object.entries(values).map(([type, value]) => `... on ${type} { ${value} ${FIELD} }`)
  return `issueFieldValues(first: 25) { nodes { ${parts.join(' ')} } }`
}
