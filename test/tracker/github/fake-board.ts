import { type DocumentNode, visit } from 'graphql'
import { notFound, unprocessable } from './errors'
import type { FakeIssue } from './fake-issue'
import { type Page, paginate } from './paginate'

/** The names of the fields; null if the board does not have the field. */
export interface FakeBoardFields {
  points: string | null
  iteration: string | null
}

export type ProjectScope = 'project' | 'read:project' | null

const ITERATIONS = [
  { id: 'it24', title: 'Sprint 24', startDate: '2026-11-16', duration: 14 },
  { id: 'it25', title: 'Sprint 25', startDate: '2026-11-30', duration: 14 },
]

/** The project board 7 of the owner, with a number field and an iteration field. Values on it are no updates of the issues. */
export function createFakeBoard(fields: FakeBoardFields, nodeOf: (id: string) => FakeIssue) {
  const kindOf = (fieldId: string): 'points' | 'iteration' => {
    if (fieldId === 'PVTF_points' && fields.points !== null) return 'points'
    if (fieldId === 'PVTIF_iteration' && fields.iteration !== null) return 'iteration'
    throw notFound(`Could not resolve to a node with the global id of '${fieldId}'.`)
  }
  const typeOf = { points: 'ProjectV2Field', iteration: 'ProjectV2IterationField' }
  const field = (kind: 'points' | 'iteration') => ({
    __typename: typeOf[kind],
    id: kind === 'points' ? 'PVTF_points' : 'PVTIF_iteration',
    name: fields[kind],
    dataType: kind === 'points' ? 'NUMBER' : 'ITERATION',
    configuration: { iterations: ITERATIONS.slice(1), completedIterations: ITERATIONS.slice(0, 1) },
  })

  const board = {
    __typename: 'ProjectV2',
    id: 'PVT_7',
    number: 7,
    owner: { __typename: 'Organization', login: 'Works' },
    fields: (page: Page) =>
      paginate(
        [
          { __typename: 'ProjectV2Field', id: 'PVTF_title', name: 'Title', dataType: 'TITLE' },
          { __typename: 'ProjectV2SingleSelectField', id: 'PVTSSF_status', name: 'Status' },
          ...(fields.points === null ? [] : [field('points')]),
          ...(fields.iteration === null ? [] : [field('iteration')]),
        ],
        page,
      ),
  }

  function toBoardItem(issue: FakeIssue) {
    const { points, iteration } = issue.board!
    const values: object[] = [{ __typename: 'ProjectV2ItemFieldTextValue', text: 'A title' }]
    if (fields.points !== null && points !== null)
      values.push({ __typename: 'ProjectV2ItemFieldNumberValue', number: points, field: field('points') })
    if (fields.iteration !== null && iteration !== null)
      values.push({ __typename: 'ProjectV2ItemFieldIterationValue', title: iteration, field: field('iteration') })
    return {
      id: `PVTI_${issue.number}`,
      project: board,
      fieldValues: (page: Page) => paginate(values, page),
    }
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
  const mutations = {
    addProjectV2ItemById({ input }: { input: Input }) {
      if (input['projectId'] !== board.id)
        throw notFound(`Could not resolve to a node with the global id of '${input['projectId']}'.`)
      const issue = nodeOf(input['contentId'])
      issue.board ??= { points: null, iteration: null }
      return { item: toBoardItem(issue) }
    },
    updateProjectV2ItemFieldValue({ input }: { input: Input }) {
      const { issue, values } = valuesOf(input)
      const { number, iterationId } = input['value'] as { number?: number; iterationId?: string }
      const kind = kindOf(input['fieldId'])
      const iteration = ITERATIONS.find(({ id }) => id === iterationId)
      if (kind === 'points' ? number === undefined : iteration === undefined)
        throw unprocessable(`The ${kind === 'points' ? 'number' : 'iteration Id'} does not belong to the field`)
      if (kind === 'points') values.points = number!
      else values.iteration = iteration!.title
      return { projectV2Item: toBoardItem(issue) }
    },
    clearProjectV2ItemFieldValue({ input }: { input: Input }) {
      const { issue, values } = valuesOf(input)
      values[kindOf(input['fieldId'])] = null
      return { projectV2Item: toBoardItem(issue) }
    },
  }

  return { board, toBoardItem, mutations }
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
