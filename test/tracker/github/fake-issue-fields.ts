import { notFound, unprocessable } from './errors'
import type { FakeField } from './fake-board'
import type { FakeIssue } from './fake-issue'
import { type Page, paginate } from './paginate'

const TYPES = {
  NUMBER: ['IssueFieldNumber', 'value', 'numberValue'],
  TEXT: ['IssueFieldText', 'value', 'textValue'],
  DATE: ['IssueFieldDate', 'value', 'dateValue'],
  SINGLE_SELECT: ['IssueFieldSingleSelect', 'name', 'singleSelectOptionId'],
} as const

/** The fields that the organization defines for its issues. */
export function createFakeIssueFields(fields: readonly FakeField[]) {
  const toField = ({ name, kind, options = [] }: FakeField) => ({
    __typename: TYPES[kind][0],
    id: `IF_${name}`,
    name,
    dataType: kind,
    options: options.map((option) => ({ id: `IFO_${option}`, name: option })),
  })
  const list = (page: Page) => paginate(fields.map(toField), page)
  const listValues = (issue: FakeIssue) => (page: Page) => {
    const values = fields.flatMap((field) => {
      const value = issue.issueFields[field.name]
      const [type, property] = TYPES[field.kind]
      return value === undefined
        ? []
        : [{ __typename: `${type}Value`, id: 'IFV', [property]: value, field: toField(field) }]
    })
    return paginate(values, page)
  }

  function set(issue: FakeIssue, changes: readonly Record<string, any>[]): void {
    for (const change of changes) {
      const field = fields.find(({ name }) => change['fieldId'] === `IF_${name}`)
      if (!field) throw notFound(`Could not resolve to a node with the global id of '${change['fieldId']}'.`)
      const given = change[TYPES[field.kind][2]]
      const value = field.kind === 'SINGLE_SELECT' ? field.options?.find((option) => `IFO_${option}` === given) : given
      if (change['delete'] === true) delete issue.issueFields[field.name]
      else if (value === undefined) throw unprocessable(`The value does not belong to the field ${field.name}`)
      else issue.issueFields[field.name] = value
    }
  }

  return { list, listValues, set }
}
