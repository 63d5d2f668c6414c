import { type DocumentNode, execute, GraphQLError, parse, validate } from 'graphql'
import type { Reply, StubRequest } from '../azure-devops/stub-server'
import { countNodes } from './count-nodes'
import { notFound, toUndefinedName } from './errors'
import { createFakeBoard, type FakeBoardFields, findMissingScope, type ProjectScope } from './fake-board'
import { createIssue, type FakeComment, type FakeIssue, REPOSITORY } from './fake-issue'
import { createFakeIssueFields, type FakeIssueField } from './fake-issue-fields'
import { listFakeLinks } from './fake-links'
import { createFakeMutations } from './fake-mutations'
import { type Page, paginate } from './paginate'
import { matches, matchesFilter } from './search-query'
import { loadVendorSchema, type ServerVersion } from './vendor-schema'

export interface FakeGitHub {
  issues: Map<number, FakeIssue>
  /** Answers a request to the GraphQL API. */
  answer(request: Pick<StubRequest, 'path' | 'body' | 'headers'>): Promise<Reply>
  /** Changes an issue as another user does. */
  change(number: number, values: Partial<FakeIssue>): void
  /** The iterations of the board. */
  iterations: { id: string; title: string; startDate: string; duration: number }[]
  /** Requests and answers that contradict the description of the API. */
  violations: string[]
}

interface FakeGitHubOptions {
  issues: readonly (Partial<FakeIssue> & { number: number })[]
  labels?: readonly string[]
  types?: readonly string[]
  milestones?: readonly { title: string; dueOn: string | null }[]
  version?: ServerVersion
  /** Whether the token may delete issues (default: yes). */
  isAdmin?: boolean
  /** The views of the board. */
  views?: readonly { name: string; filter: string | null }[]
  /** The name of the repository since it was renamed. GitHub still finds it by its old name. */
  renamedTo?: string
  boardFields?: Partial<FakeBoardFields>
  /** The fields that the organization defines for its issues. */
  issueFields?: readonly FakeIssueField[]
  /** What the token may do with project boards. */
  projectScope?: ProjectScope
}

const VIEWER = 'robin'
const ACCOUNTS: Record<string, string> = { robin: 'Robin Vale', ines: 'Ines Ortega' }
const MAX_NODES = 500_000
const OTHER_REPOSITORY = 'works/other'

/**
 * A repository behind GitHub's own description of its GraphQL API: each query is validated against it, and each response is made by
 * executing the query with it. Refuses pages of more than 100 and queries of more than 500,000 nodes, as GitHub does.
 */
export function createFakeGitHub(options: FakeGitHubOptions): FakeGitHub {
  const { labels = [], types = [], milestones = [], version = 'current', projectScope = 'project' } = options
  const boardFields = {
    points: 'Story points',
    iteration: 'Sprint',
    statuses: ['Todo', 'In Progress', 'Done'],
    others: [],
    ...options.boardFields,
  }
  const schema = loadVendorSchema(version)
  const violations: string[] = []
  let now = Date.UTC(2026, 10, 2, 9)
  const tick = () => {
    now += 5_000
    return new Date(now).toISOString().replace(/\.\d+Z$/, 'Z')
  }
  const issues = new Map<number, FakeIssue>()
  const deleted = new Set<number>()
  for (const issue of options.issues) issues.set(issue.number, createIssue(issue, tick()))

  function change(number: number, values: Partial<FakeIssue>): void {
    const at = tick()
    const closed = values.state === undefined ? {} : { closedAt: values.state === 'CLOSED' ? at : null }
    Object.assign(issues.get(number)!, closed, values, { updatedAt: at })
  }

  const nodeOf = (id: string): FakeIssue => {
    const found = issues.get(Number(id.replace('I_', '')))
    if (!found) throw notFound(`Could not resolve to a node with the global id of '${id}'.`)
    return found
  }

  const listItems = (query: string) =>
    [...issues.values()].filter(({ board: values }) => values !== null && matchesFilter(values, query)).map(toIssue)
  const board = createFakeBoard(boardFields, nodeOf, { views: options.views ?? [], listItems })
  const issueFields = createFakeIssueFields(options.issueFields ?? [])
  const findBoard = ({ number }: { number: number }) => {
    if (number === 7) return board.board
    throw notFound(`Could not resolve to a ProjectV2 with the number ${number}.`)
  }
  const toUser = (login: string) => ({ __typename: 'User', id: `U_${login}`, login, name: ACCOUNTS[login] ?? null })
  const toLabel = (name: string) => ({ __typename: 'Label', id: `L_${name}`, name })

  function toIssue(issue: FakeIssue): Record<string, unknown> {
    const children = () => [...issues.values()].filter(({ parent }) => parent === issue.number)
    const { comments } = issue
    return {
      __typename: 'Issue',
      ...issue,
      id: `I_${issue.number}`,
      url: `https://github.example/${REPOSITORY}/issues/${issue.number}`,
      author: toUser('ines'),
      ...listFakeLinks(issue),
      repository: () => repository,
      assignees: (page: Page) => paginate(issue.assignees.map(toUser), page),
      labels: (page: Page) => paginate(issue.labels.map(toLabel), page),
      milestone: issue.milestone && { title: issue.milestone },
      issueType: issue.type && { id: `T_${issue.type}`, name: issue.type, isEnabled: true },
      parent: () => (issue.parent === null ? null : toIssue(issues.get(issue.parent)!)),
      subIssues: (page: Page) => paginate(children().map(toIssue), page),
      subIssuesSummary: () => ({ total: children().length, completed: 0, percentCompleted: 0 }),
      blockedBy: (page: Page) =>
        paginate(
          issue.blockedBy.map((one) => toIssue(issues.get(one)!)),
          page,
        ),
      blocking: (page: Page) =>
        paginate([...issues.values()].filter((one) => one.blockedBy.includes(issue.number)).map(toIssue), page),
      issueFieldValues: issueFields.listValues(issue),
      projectItems: (page: Page) => paginate(board.listBoardItems(issue), page),
      comments: (page: Page) =>
        paginate(
          comments.map((comment) => toComment(comment)),
          page,
        ),
    }
  }

  const toComment = ({ id, author, body, bodyHTML = '', createdAt }: FakeComment) => ({
    id: `IC_${id}`,
    bodyHTML,
    fullDatabaseId: String(id),
    author: toUser(author),
    body,
    createdAt,
    updatedAt: createdAt,
    viewerDidAuthor: author === VIEWER,
  })

  const other = { id: 'R_2', nameWithOwner: OTHER_REPOSITORY }
  const repository = {
    id: 'R_1',
    nameWithOwner: options.renamedTo ?? REPOSITORY,
    owner: { __typename: 'Organization', projectV2: findBoard, issueFields: issueFields.list },
    labels: (page: Page) => paginate(labels.map(toLabel), page),
    milestones: (page: Page) =>
      paginate(
        milestones.map((one) => ({ id: `M_${one.title}`, ...one })),
        page,
      ),
    issueTypes: (page: Page) =>
      paginate(
        types.map((name) => ({ id: `T_${name}`, name, isEnabled: true })),
        page,
      ),
    issue({ number }: { number: number }) {
      const found = issues.get(number)
      if (found) return toIssue(found)
      throw notFound(`Could not resolve to an Issue with the number of ${number}.`)
    },
    issues: (page: Page) => paginate([...issues.values()].sort((a, b) => b.number - a.number).map(toIssue), page),
  }

  const root = {
    ...board.mutations,
    ...createFakeMutations({
      ...{ issues, deleted, issueFields, change, tick, nodeOf, toIssue, toComment },
      viewer: VIEWER,
      isAdmin: options.isAdmin ?? true,
      repository: () => repository,
    }),
    viewer: toUser(VIEWER),
    repository: ({ owner, name }: { owner: string; name: string }) => {
      const fullName = `${owner}/${name}`.toLowerCase()
      if (fullName === REPOSITORY || fullName === options.renamedTo) return repository
      if (fullName === OTHER_REPOSITORY) return other
      throw notFound(`Could not resolve to a Repository with the name '${owner}/${name}'.`)
    },
    user: ({ login }: { login: string }) => {
      if (login.toLowerCase() in ACCOUNTS) return toUser(login.toLowerCase())
      throw notFound(`Could not resolve to a User with the login of '${login}'.`)
    },
    search: ({ query, ...page }: { query: string } & Page) => {
      const found = [...issues.values()].filter((issue) => matches(issue, query, repository.nameWithOwner))
      const others = query.includes('repo:works/other') ? [{ __typename: 'Issue', number: 1, repository: other }] : []
      const { nodes, pageInfo } = paginate([...others, ...found.map(toIssue)], page)
      return { issueCount: found.length + others.length, nodes, pageInfo }
    },
  }

  async function answer({ path, body, headers }: Pick<StubRequest, 'path' | 'body' | 'headers'>): Promise<Reply> {
    // The stub server leaves out the owner.
    const [, number] = /^\/api\/v3\/repos\/harbor\/issues\/(\d+)$/.exec(path) ?? []
    if (deleted.has(Number(number))) return { status: 410, json: { message: 'This issue was deleted' } }
    if (path !== '/api/graphql') return { status: 404, json: { message: 'Not Found' } }
    if (!/^(?:bearer|token) secret-token$/i.test(headers.authorization ?? ''))
      return { status: 401, json: { message: 'Bad credentials', documentation_url: 'https://docs.github.com/rest' } }
    const document = parseQuery(body.query)
    if (document instanceof GraphQLError) {
      violations.push(document.message)
      return { json: { errors: [{ message: document.message }] } }
    }
    const problems = validate(schema, document)
    if (problems.length > 0) {
      violations.push(...validate(loadVendorSchema('current'), document).map(({ message }) => message))
      return { json: { errors: problems.map(toUndefinedName) } }
    }
    const missingScope = findMissingScope(document, projectScope)
    if (missingScope !== null) return { json: { errors: [{ type: 'INSUFFICIENT_SCOPES', message: missingScope }] } }
    if (countNodes(document, body.variables) > MAX_NODES)
      return { json: { errors: [{ type: 'MAX_NODE_LIMIT_EXCEEDED', message: 'This query requests too many nodes.' }] } }
    const result = await execute({ schema, document, rootValue: root, variableValues: body.variables })
    // The fake itself throws errors with a type only. All others come from values that are not of the type that the API describes.
    const untyped = result.errors?.filter(({ extensions }) => extensions['type'] === undefined) ?? []
    violations.push(...untyped.map(({ message }) => message))
    const errors = result.errors?.map((error) => ({
      type: error.extensions['type'],
      message: error.message,
      path: error.path,
    }))
    return { json: { data: result.data, ...(errors ? { errors } : {}) } }
  }

  return { issues, answer, change, iterations: board.iterations, violations }
}

function parseQuery(query: string): DocumentNode | GraphQLError {
  try {
    return parse(query)
  } catch (error) {
    if (error instanceof GraphQLError) return error
    throw error
  }
}
