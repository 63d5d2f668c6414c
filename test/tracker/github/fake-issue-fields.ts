import { notFound, unprocessable } from './errors'
import type { FakeIssue } from './fake-issue'
import { type Page, paginate } from './paginate'

const TYPES = {
  NUMBER: ['IssueFieldNumber', 'value', 'numberValue'],
  TEXT: ['IssueFieldText', 'value', 'textValue'],
  DATE: ['IssueFieldDate', 'value', 'dateValue'],
  SINGLE_SELECT: ['IssueFieldSingleSelect', 'name', 'singleSelectOptionId'],
  MULTI_SELECT: ['IssueFieldMultiSelect', 'options', 'multiSelectOptionIds'],
} as const

export interface FakeIssueField {
  name: string
  kind: keyof typeof TYPES
  options?: readonly string[]
}

/** The fields that the organization defines for its issues. */
export function createFakeIssueFields(fields: readonly FakeIssueField[]) {
  const toOption = (name: string) => ({ id: `IFO_${name}`, name })
  const toField = ({ name, kind, options = [] }: FakeIssueField) => ({
    __typename: TYPES[kind][0],
    id: `IF_${name}`,
    name,
    dataType: kind,
    options: options.map(toOption),
  })
  const list = (page: Page) => paginate(fields.map(toField), page)
  const listValues = (issue: FakeIssue) => (page: Page) => {
    const values = fields.flatMap((field) => {
      const value = issue.issueFields[field.name]
      const [type, property] = TYPES[field.kind]
      return value === undefined
        ? []
        : [
            {
              __typename: `${type}Value`,
              id: 'IFV',
              [property]: Array.isArray(value) ? value.map(toOption) : value,
              field: toField(field),
            },
          ]
    })
    return paginate(values, page)
  }

  function set(issue: FakeIssue, changes: readonly Record<string, any>[]): void {
    for (const change of changes) {
      const field = fields.find(({ name }) => change['fieldId'] === `IF_${name}`)
      if (!field) throw notFound(`Could not resolve to a node with the global id of '${change['fieldId']}'.`)
      const given = change[TYPES[field.kind][2]]
      const find = (id: unknown) => field.options?.find((option) => `IFO_${option}` === id)
      const several = (ids: unknown[]) =>
        ids.every(find) ? field.options?.filter((one) => ids.includes(`IFO_${one}`)) : undefined
      const value =
        field.kind === 'MULTI_SELECT' ? given && several(given) : field.kind === 'SINGLE_SELECT' ? find(given) : given
      if (change['delete'] === true) delete issue.issueFields[field.name]
      else if (value === undefined) throw unprocessable(`The value does not belong to the field ${field.name}`)
      else issue.issueFields[field.name] = value
    }
  }

  return { list, listValues, set }
}
