import { type DocumentNode, visit } from 'graphql'
import { notFound, unprocessable } from './errors'
import type { FakeBoardValues, FakeIssue } from './fake-issue'
import { type Page, paginate } from './paginate'

/** The names of the fields; null if the board does not have the field. */
export interface FakeBoardFields {
  points: string | null
  iteration: string | null
  /** The options of the field Status. */
  statuses: readonly string[] | null
  others: readonly FakeField[]
}

/** A field with values of its own. */
export interface FakeField {
  name: string
  kind: 'NUMBER' | 'TEXT' | 'DATE' | 'SINGLE_SELECT'
  options?: readonly string[]
}

export type ProjectScope = 'project' | 'read:project' | null

/** The iterations, of which tests may add some. */
const createIterations = () => [
  { id: 'it24', title: 'Sprint 24', startDate: '2026-11-16', duration: 14 },
  { id: 'it25', title: 'Sprint 25', startDate: '2026-11-30', duration: 14 },
]

const COLORS = ['GREEN', 'YELLOW', 'PURPLE', 'GRAY']
const optionId = (name: string) => `opt_${name}`

/** The type and the property of the values, and what a new value is called, by the kind of the field. */
const VALUES = {
  NUMBER: ['ProjectV2ItemFieldNumberValue', 'number', 'number'],
  TEXT: ['ProjectV2ItemFieldTextValue', 'text', 'text'],
  DATE: ['ProjectV2ItemFieldDateValue', 'date', 'date'],
  SINGLE_SELECT: ['ProjectV2ItemFieldSingleSelectValue', 'name', 'singleSelectOptionId'],
  ITERATION: ['ProjectV2ItemFieldIterationValue', 'title', 'iterationId'],
} as const
type Kind = keyof typeof VALUES

interface Field {
  id: string
  name: string
  kind: Kind
  options: readonly string[]
  read(values: FakeBoardValues): string | number | null
  write(values: FakeBoardValues, value: any): void
}

/** The project board 7 of the owner. Values on it are no updates of the issues. */
export function createFakeBoard(
  given: FakeBoardFields,
  nodeOf: (id: string) => FakeIssue,
  {
    views,
    listItems,
  }: {
    views: readonly { name: string; filter: string | null }[]
    /** The issues on the board that a filter finds. */
    listItems(filter: string): object[]
  },
) {
  const iterations = createIterations()
  const own = (
    id: string,
    name: string,
    kind: Kind,
    options: readonly string[] = [],
  ): Omit<Field, 'read' | 'write'> => ({
    id,
    name,
    kind,
    options,
  })
  const fields: Field[] = []
  if (given.points !== null)
    fields.push({
      ...own('PVTF_points', given.points, 'NUMBER'),
      read: ({ points }) => points,
      write: (values, value) => Object.assign(values, { points: value }),
    })
  if (given.iteration !== null)
    fields.push({
      ...own('PVTIF_iteration', given.iteration, 'ITERATION'),
      read: ({ iteration }) => iteration,
      write: (values, value) => Object.assign(values, { iteration: value }),
    })
  if (given.statuses !== null)
    fields.push({
      ...own('PVTSSF_status', 'Status', 'SINGLE_SELECT', given.statuses),
      read: ({ status = null }) => status,
      write: (values, value) => Object.assign(values, { status: value }),
    })
  for (const { name, kind, options = [] } of given.others)
    fields.push({
      ...own(`PVTF_${name}`, name, kind, options),
      read: ({ others = {} }) => others[name] ?? null,
      write: (values, value) => {
        const { [name]: _, ...rest } = values.others ?? {}
        values.others = value === null ? rest : { ...rest, [name]: value }
      },
    })

  const toField = ({ id, name, kind, options }: Pick<Field, 'id' | 'name' | 'kind' | 'options'>) => ({
    __typename:
      kind === 'ITERATION'
        ? 'ProjectV2IterationField'
        : kind === 'SINGLE_SELECT'
          ? 'ProjectV2SingleSelectField'
          : 'ProjectV2Field',
    id,
    name,
    dataType: kind,
    options: options.map((option, i) => ({ id: optionId(option), name: option, color: COLORS[i % COLORS.length] })),
    configuration: { iterations: iterations.slice(1), completedIterations: iterations.slice(0, 1) },
  })
  const title = { __typename: 'ProjectV2Field', id: 'PVTF_title', name: 'Title', dataType: 'TITLE' }

  const board = {
    __typename: 'ProjectV2',
    id: 'PVT_7',
    number: 7,
    owner: { __typename: 'Organization', login: 'Works' },
    fields: (page: Page) => paginate([title, ...fields.map(toField)], page),
    url: 'https://github.example/orgs/works/projects/7',
    views: (page: Page) =>
      paginate(
        views.map((view, i) => ({ id: `PVTV_${i + 1}`, number: i + 1, ...view })),
        page,
      ),
    items: ({ query = '', ...page }: Page & { query?: string }) =>
      paginate(
        [{ __typename: 'PullRequest' }, ...listItems(query)].map((content) => ({ content })),
        page,
      ),
  }

  function toBoardItem(issue: FakeIssue) {
    const values = fields.flatMap((field) => {
      const value = field.read(issue.board!)
      const [__typename, property] = VALUES[field.kind]
      return value === null ? [] : [{ __typename, [property]: value, field: toField(field) }]
    })
    const all = [{ __typename: 'ProjectV2ItemFieldTextValue', text: 'A title', field: title }, ...values]
    return {
      id: `PVTI_${issue.number}`,
      isArchived: issue.board!.isArchived ?? false,
      project: board,
      fieldValues: (page: Page) => paginate(all, page),
    }
  }

  /** The issue on all of its boards. */
  function listBoardItems(issue: FakeIssue) {
    const others = Array.from({ length: issue.otherBoards }, (_, i) => ({
      id: `PVTI_${issue.number}_${i}`,
      isArchived: false,
      project: { ...board, id: `PVT_other_${i}` },
      fieldValues: (page: Page) => paginate([], page),
    }))
    return [...others, ...(issue.board === null ? [] : [toBoardItem(issue)])]
  }

  interface Input {
    [name: string]: any
  }
  /** The values of an item of the board. */
  const valuesOf = ({ projectId, itemId }: Input) => {
    const issue = nodeOf(String(itemId).replace('PVTI_', 'I_'))
    if (projectId !== board.id || issue.board === null)
      throw notFound(`Could not resolve to a node with the global id of '${itemId}'.`)
    return { issue, values: issue.board }
  }
  const editableValuesOf = (input: Input) => {
    const { issue, values } = valuesOf(input)
    if (values.isArchived) throw unprocessable('The item is archived and cannot be updated')
    const field = fields.find(({ id }) => id === input['fieldId'])
    if (field) return { issue, values, field }
    throw notFound(`Could not resolve to a node with the global id of '${input['fieldId']}'.`)
  }
  const archive = (isArchived: boolean) => (input: { input: Input }) => {
    const { issue, values } = valuesOf(input.input)
    values.isArchived = isArchived
    return { item: toBoardItem(issue) }
  }
  const mutations = {
    addProjectV2ItemById({ input }: { input: Input }) {
      if (input['projectId'] !== board.id)
        throw notFound(`Could not resolve to a node with the global id of '${input['projectId']}'.`)
      const issue = nodeOf(input['contentId'])
      issue.board ??= { points: null, iteration: null }
      return { item: toBoardItem(issue) }
    },
    updateProjectV2ItemFieldValue({ input }: { input: Input }) {
      const { issue, values, field } = editableValuesOf(input)
      const given = input['value'][VALUES[field.kind][2]]
      const value =
        field.kind === 'ITERATION'
          ? iterations.find(({ id }) => id === given)?.title
          : field.kind === 'SINGLE_SELECT'
            ? field.options.find((option) => optionId(option) === given)
            : given
      if (value === undefined) throw unprocessable(`The value does not belong to the field ${field.name}`)
      field.write(values, value)
      return { projectV2Item: toBoardItem(issue) }
    },
    clearProjectV2ItemFieldValue({ input }: { input: Input }) {
      const { issue, values, field } = editableValuesOf(input)
      field.write(values, null)
      return { projectV2Item: toBoardItem(issue) }
    },
    archiveProjectV2Item: archive(true),
    unarchiveProjectV2Item: archive(false),
  }

  return { board, listBoardItems, mutations, iterations }
}

/** What GitHub says about a request for which the token has no scope; null if it has all. */
export function findMissingScope(document: DocumentNode, scope: ProjectScope): string | null {
  let problem: string | null = null
  visit(document, {
    Field({ name: { value: name } }) {
      const needed = /ProjectV2(?:Item|$)/.test(name)
        ? 'project'
        : /^project(?:Items|V2)$/.test(name)
          ? 'read:project'
          : null
      if (needed === null || scope === 'project' || scope === needed) return
      problem ??=
        `Your token has not been granted the required scopes to execute this query. The '${name}' field requires one of ` +
        `the following scopes: ['${needed}'], but your token has only been granted the: ['repo'] scopes.`
    },
  })
  return problem
}
