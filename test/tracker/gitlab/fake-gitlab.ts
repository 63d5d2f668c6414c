import { type DocumentNode, execute, GraphQLError, parse, validate } from 'graphql'
import type { Reply, StubRequest } from '../azure-devops/stub-server'
import { computeComplexity, computeDepth } from './complexity'
import {
  createItem,
  type FakeCustomField,
  type FakeGitLabOptions,
  type FakeItem,
  type FakeStatus,
  GROUP,
  gidOf,
  numberOf,
  PROJECT,
  VIEWER,
} from './fake-item'
import { createFakeRest, type FakeRest } from './fake-rest'
import { createMutations } from './mutations'
import { loadVendorSchema, toGitLabError } from './vendor-schema'

export interface FakeGitLab extends Pick<FakeRest, 'files' | 'hooks'> {
  items: Map<number, FakeItem>
  /** Answers a request to the GraphQL API or the REST API. */
  answer(request: StubRequest): Promise<Reply>
  /** Changes an item as another user does. */
  change(id: number, values: Partial<FakeItem>): void
  /** Requests and answers that contradict the description of the API. */
  violations: string[]
  /** The complexity of each query. */
  complexities: number[]
}

const ACCOUNTS: Record<string, string> = { robin: 'Robin Vale', ines: 'Ines Ortega' }
const MAX_QUERY_SIZE = 10_000
const MAX_DEPTH = 20

interface Page {
  first?: number
  last?: number
  after?: string | null
  before?: string | null
}

/** A page of a connection, of at most 100 nodes. */
function paginate<Node>(nodes: readonly Node[], { first, last, after, before }: Page = {}) {
  const end = before ? Number(before) : nodes.length
  const size = Math.min(first ?? last ?? 100, 100)
  const from = last === undefined ? (after ? Number(after) + 1 : 0) : Math.max(0, end - size)
  const page = nodes.slice(from, Math.min(from + size, end))
  return {
    count: nodes.length,
    nodes: page,
    pageInfo: {
      hasNextPage: from + page.length < nodes.length,
      hasPreviousPage: from > 0,
      startCursor: page.length > 0 ? String(from) : null,
      endCursor: page.length > 0 ? String(from + page.length - 1) : null,
    },
  }
}

/**
 * A project of a group behind GitLab's own description of its API: each query is validated against it, and each response is made by executing
 * the query with it. Refuses what is over GitLab's limits of complexity, depth and size.
 */
export function createFakeGitLab(options: FakeGitLabOptions): FakeGitLab {
  const { version = 'current', statuses = [], customFields = [], maxComplexity = 250 } = options
  const { types = ['Issue', 'Incident', 'Task'], labels = [], milestones = [], iterations = [] } = options
  const schema = loadVendorSchema(version)
  const violations: string[] = []
  const complexities: number[] = []
  const rest = createFakeRest(violations)
  let now = Date.UTC(2026, 10, 2, 9)
  const tick = () => {
    now += 5_000
    return new Date(now).toISOString().replace(/\.\d+Z$/, 'Z')
  }
  const items = new Map<number, FakeItem>()
  for (const item of options.items) items.set(item.id, createItem(item, tick()))

  function change(id: number, values: Partial<FakeItem>): void {
    const item = items.get(id)!
    Object.assign(item, values, { updatedAt: tick(), lockVersion: item.lockVersion + 1 })
  }

  const toUser = (username: string) => {
    return { __typename: 'UserCore', id: gidOf('User', username), username, name: ACCOUNTS[username] ?? username }
  }
  const toNote = ({ id, author, body, createdAt }: FakeItem['notes'][number]) => {
    return {
      id: `gid://gitlab/Note/${id}`,
      author: toUser(author),
      body,
      createdAt,
      updatedAt: createdAt,
      system: false,
    }
  }
  const toStatus = ({ name, category }: FakeStatus) => {
    return { id: gidOf('WorkItems::Statuses::Status', name), name, category, color: '#1f75cb' }
  }
  const toCustomField = ({ id, name, fieldType, options: all }: FakeCustomField) => {
    const selectOptions = all?.map((value) => ({ id: gidOf('Issuables::CustomFieldSelectOption', value), value }))
    return { id: `gid://gitlab/Issuables::CustomField/${id}`, name, active: true, fieldType, selectOptions }
  }
  const toType = (name: string) => {
    const isStaged = statuses.length > 0 && name !== 'Epic'
    return {
      id: gidOf('WorkItems::Type', name),
      name,
      widgetDefinitions: [
        { __typename: 'WorkItemWidgetDefinitionGeneric', type: 'DESCRIPTION' },
        ...(isStaged && version === 'current'
          ? [{ __typename: 'WorkItemWidgetDefinitionStatus', type: 'STATUS', allowedStatuses: statuses.map(toStatus) }]
          : []),
        ...(customFields.length > 0
          ? [
              {
                __typename: 'WorkItemWidgetDefinitionCustomFields',
                type: 'CUSTOM_FIELDS',
                customFieldValues: customFields.map((field) => {
                  return { __typename: 'WorkItemTextFieldValue', customField: toCustomField(field) }
                }),
              },
            ]
          : []),
      ],
    }
  }
  const toLabel = (title: string) => ({ id: gidOf('GroupLabel', title), title, color: '#dc143c' })
  const toMilestone = (one: { title: string; startDate?: string | null; dueDate?: string | null }) => {
    return { id: gidOf('Milestone', one.title), startDate: null, dueDate: null, ...one }
  }
  const toIteration = ({
    title,
    startDate,
    dueDate,
    cadence,
  }: NonNullable<FakeGitLabOptions['iterations']>[number]) => {
    const iterationCadence = { id: gidOf('Iterations::Cadence', cadence), title: cadence }
    return { id: gidOf('Iteration', startDate), title, startDate, dueDate, iterationCadence }
  }
  const toCustomValue = (field: FakeCustomField, value: FakeItem['custom'][string]) => {
    const customField = toCustomField(field)
    if (field.fieldType === 'NUMBER') return { __typename: 'WorkItemNumberFieldValue', customField, value }
    if (field.fieldType === 'DATE') return { __typename: 'WorkItemDateFieldValue', customField, value }
    if (field.fieldType === 'TEXT') return { __typename: 'WorkItemTextFieldValue', customField, value }
    const chosen = (value as string[] | null)?.map((one) => ({
      id: gidOf('Issuables::CustomFieldSelectOption', one),
      value: one,
    }))
    return { __typename: 'WorkItemSelectFieldValue', customField, selectedOptions: chosen ?? [] }
  }

  function toLinks(item: FakeItem): { linkType: string; workItem: Record<string, unknown> }[] {
    const own = item.links.map(({ type, to }) => ({ linkType: type, workItem: toItem(items.get(to)!) }))
    const others = [...items.values()].flatMap((other) =>
      other.links
        .filter(({ to }) => to === item.id)
        .map(({ type }) => ({ linkType: type === 'blocks' ? 'is_blocked_by' : type, workItem: toItem(other) })),
    )
    return [...own, ...others]
  }

  function toItem(item: FakeItem): Record<string, unknown> {
    const children = () => [...items.values()].filter(({ parent }) => parent === item.id)
    const known = statuses.find(({ name }) => name === item.status)
    const iteration = iterations.find(({ startDate }) => startDate === item.iteration)
    const page = item.namespace === GROUP ? `groups/${GROUP}/-/epics` : `${item.namespace}/-/issues`
    const widget = (name: string, fields: Record<string, unknown>) => ({
      __typename: `WorkItemWidget${name}`,
      ...fields,
    })
    return {
      __typename: 'WorkItem',
      ...item,
      id: `gid://gitlab/WorkItem/${item.id}`,
      iid: String(item.iid),
      namespace: { id: gidOf('Namespace', item.namespace), fullPath: item.namespace },
      webUrl: `https://gitlab.example/${page}/${item.iid}`,
      workItemType: toType(item.type),
      widgets: () => [
        widget('Assignees', { assignees: (args: Page) => paginate(item.assignees.map(toUser), args) }),
        widget('Description', { description: item.description }),
        widget('Hierarchy', {
          parent: () => (item.parent === null ? null : toItem(items.get(item.parent)!)),
          children: (args: Page) => paginate(children().map(toItem), args),
          hasChildren: () => children().length > 0,
          hasParent: item.parent !== null,
        }),
        widget('Labels', { labels: (args: Page) => paginate(item.labels.map(toLabel), args) }),
        widget('LinkedItems', { linkedItems: (args: Page) => paginate(toLinks(item), args) }),
        widget('Milestone', { milestone: item.milestone && toMilestone({ title: item.milestone }) }),
        widget('Notes', { notes: (args: Page) => paginate(item.notes.map(toNote), args) }),
        widget('StartAndDueDate', { startDate: item.startDate, dueDate: item.dueDate, isFixed: true }),
        widget('TimeTracking', {
          timelogs: (args: Page) =>
            paginate(
              item.timelogs.map((one) => ({ ...one, id: `gid://gitlab/Timelog/${one.id}`, user: toUser(one.user) })),
              args,
            ),
        }),
        widget('Development', {
          closingMergeRequests: (args: Page) =>
            paginate(
              item.mergeRequests.map((one) => ({
                id: gidOf('Closing', String(one.id)),
                mergeRequest: { ...one, iid: one.id },
              })),
              args,
            ),
          relatedMergeRequests: (args: Page) =>
            paginate(
              item.mergeRequests.map((one) => ({ ...one, iid: one.id })),
              args,
            ),
          relatedBranches: (args: Page) =>
            paginate(
              item.branches.map((name) => ({ name, comparePath: `/${PROJECT}/-/compare/main...${name}` })),
              args,
            ),
        }),
        ...(version === 'older'
          ? []
          : [
              widget('Weight', { weight: item.weight }),
              widget('HealthStatus', { healthStatus: item.healthStatus }),
              widget('Iteration', { iteration: iteration && toIteration(iteration) }),
              widget('Status', { status: known && toStatus(known) }),
              widget('CustomFields', {
                customFieldValues: customFields.map((field) => toCustomValue(field, item.custom[field.name] ?? null)),
              }),
            ]),
      ],
    }
  }

  const find = (gid: string): FakeItem => {
    const found = items.get(numberOf(gid))
    if (found) return found
    throw new GraphQLError(
      "The resource that you are attempting to access does not exist or you don't have permission to perform this action",
      { extensions: { isExpected: true } },
    )
  }

  interface Filter extends Page {
    ids?: string[]
    iids?: string[]
    types?: string[]
    search?: string
    sort?: string
    state?: string
    labelName?: string[]
  }
  const list = (namespace: string) => (filter: Filter) => {
    const { ids, iids, types: wanted, search, sort = 'CREATED_DESC', state, labelName } = filter
    if ((ids?.length ?? 0) > 100)
      throw new GraphQLError('"ids" is too long (maximum is 100)', { extensions: { isExpected: true } })
    const toEnum = (type: string) => type.toUpperCase().replaceAll(' ', '_')
    const found = [...items.values()]
      .filter((item) => item.namespace === namespace)
      .filter((item) => !ids || ids.some((id) => numberOf(id) === item.id))
      .filter((item) => !iids || iids.includes(String(item.iid)))
      .filter((item) => !wanted || wanted.includes(toEnum(item.type)))
      .filter((item) => !state || state === 'all' || item.state === (state === 'opened' ? 'OPEN' : 'CLOSED'))
      .filter((item) => !labelName || labelName.every((label) => item.labels.includes(label)))
      .filter((item) => !search || `${item.title} ${item.description}`.toLowerCase().includes(search.toLowerCase()))
    const key = sort.startsWith('UPDATED') ? 'updatedAt' : sort.startsWith('TITLE') ? 'title' : 'createdAt'
    found.sort((a, b) => (a[key] < b[key] ? -1 : 1))
    if (sort.endsWith('DESC')) found.reverse()
    return paginate(found.map(toItem), filter)
  }

  const group = {
    id: gidOf('Group', '1'),
    fullPath: GROUP,
    workItems: list(GROUP),
    workItemTypes: (args: Page) => paginate(['Epic', ...types].map(toType), args),
  }
  const project = {
    id: gidOf('Project', '7'),
    fullPath: PROJECT,
    group,
    workItems: list(PROJECT),
    workItemTypes: (args: Page) => paginate(types.map(toType), args),
    labels: (args: Page) => paginate(labels.map(toLabel), args),
    milestones: (args: Page) => paginate(milestones.map(toMilestone), args),
    iterations: (args: Page) => paginate(iterations.map(toIteration), args),
  }
  const root = {
    ...createMutations({ items, options, tick, find, toItem, toNote }),
    currentUser: toUser(VIEWER),
    project: ({ fullPath }: { fullPath: string }) => (fullPath.toLowerCase() === PROJECT ? project : null),
    namespace: ({ fullPath }: { fullPath: string }) => {
      const own = [...items.values()].filter(({ namespace }) => namespace === fullPath.toLowerCase())
      const workItem = ({ iid }: { iid: string }) => {
        const item = own.find((one) => String(one.iid) === iid)
        return item ? toItem(item) : null
      }
      return own.length === 0 ? null : { id: gidOf('Namespace', fullPath), fullPath, workItem }
    },
    users: ({ usernames, ...page }: Page & { usernames: string[] }) =>
      paginate(
        usernames.filter((name) => name.toLowerCase() in ACCOUNTS).map((name) => toUser(name.toLowerCase())),
        page,
      ),
    workItem: ({ id }: { id: string }) => {
      const item = items.get(numberOf(id))
      return item ? toItem(item) : null
    },
  }

  async function answer(request: StubRequest): Promise<Reply> {
    const { rawUrl, body, headers } = request
    if (headers.authorization !== 'Bearer secret-token')
      return rawUrl.startsWith('/api/graphql')
        ? { status: 401, json: { errors: [{ message: 'Invalid token' }] } }
        : { status: 401, json: { error: 'invalid_token', error_description: 'Token was revoked.' } }
    if (!rawUrl.startsWith('/api/graphql')) return rest.answer(request)
    if (body.query.length > MAX_QUERY_SIZE) violations.push('The query is too large.')
    const document = parseQuery(body.query)
    if (document instanceof GraphQLError) {
      violations.push(document.message)
      return { json: { errors: [{ message: document.message }] } }
    }
    const problems = validate(schema, document)
    if (problems.length > 0) {
      violations.push(...validate(loadVendorSchema('current'), document).map(({ message }) => message))
      return { json: { errors: problems.slice(0, 5).map(toGitLabError) } }
    }
    const complexity = computeComplexity(document, body.variables)
    if (computeDepth(document) > MAX_DEPTH) violations.push('The query is too deep.')
    if (complexity > maxComplexity) {
      const message = `Query has complexity of ${complexity}, which exceeds max complexity of ${maxComplexity}`
      return { json: { errors: [{ message }] } }
    }
    complexities.push(complexity)
    const result = await execute({ schema, document, rootValue: root, variableValues: body.variables })
    // All errors but those of the fake itself come from values that are not of the type that the API describes.
    const unexpected = result.errors?.filter(({ extensions }) => extensions['isExpected'] === undefined) ?? []
    violations.push(...unexpected.map(({ message }) => message))
    const errors = result.errors?.map(({ message, path }) => ({ message, path }))
    return { json: { data: result.data, ...(errors ? { errors } : {}) } }
  }

  return { items, answer, change, violations, complexities, files: rest.files, hooks: rest.hooks }
}

function parseQuery(query: string): DocumentNode | GraphQLError {
  try {
    return parse(query)
  } catch (error) {
    if (error instanceof GraphQLError) return error
    throw error
  }
}
