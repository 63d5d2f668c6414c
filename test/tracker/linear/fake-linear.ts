import { execute, GraphQLError, parse, validate } from 'graphql'
import type { Reply, StubRequest } from '../azure-devops/stub-server'
import { countPoints } from './count-points'
import { createId, createIssue, type FakeIssue, type FakeRelation, type GivenIssue, isUuid } from './fake-issue'
import { compare, matchesFilter } from './issue-filter'
import { loadVendorSchema } from './vendor-schema'

export interface FakeLinear {
  issues: FakeIssue[]
  relations: FakeRelation[]
  views: { id: string; name: string; filter: Record<string, unknown>; team: string | null }[]
  webhooks: Record<string, unknown>[]
  /** The stored files by their addresses. */
  files: Map<string, string>
  labels: { id: string; name: string; group: string | null }[]
  find(number: number): FakeIssue
  /** Changes an issue as another user does. */
  change(number: number, values: Partial<FakeIssue>): void
  answer(request: StubRequest): Promise<Reply>
  /** Requests that contradict the description of the API. */
  violations: string[]
  /** The points of each query. */
  points: number[]
}

export interface FakeLinearOptions {
  issues: readonly GivenIssue[]
  /** `Area/Gate` is the label Gate of the group Area. */
  labels?: readonly string[]
  projects?: readonly string[]
  cycles?: readonly (string | null)[]
  relations?: readonly { type: string; from: number; to: number }[]
}

const MAX_POINTS = 10_000
const MAX_PAGE = 250

const STATES = [
  ['Backlog', 'backlog'],
  ['Todo', 'unstarted'],
  ['In Progress', 'started'],
  ['Done', 'completed'],
  ['Canceled', 'canceled'],
].map(([name, type], i) => ({ id: createId(2, i + 1), name, type, position: i, color: '#5e6ad2' }))

export const ACCOUNTS = [
  { id: createId(3, 1), name: 'Robin Vale', displayName: 'robin', email: 'robin@works.example' },
  { id: createId(3, 2), name: 'Ines Ortega', displayName: 'ines', email: 'ines@works.example' },
]

const failWith = (message: string, type = 'invalid input', code = 'INPUT_ERROR'): never => {
  throw new GraphQLError(message, { extensions: { type, code, userPresentableMessage: message, userError: true } })
}
const notFound = (what: string): never => failWith(`Entity not found: ${what} - Could not find referenced ${what}.`)

/**
 * A workspace behind Linear's own description of its API: each query is validated against it, and each response is made by executing the query
 * with it. Refuses pages of more than 250, and queries of more than 10,000 points.
 */
export function createFakeLinear(options: FakeLinearOptions): FakeLinear {
  const schema = loadVendorSchema()
  let now = Date.UTC(2026, 10, 2, 9)
  const tick = () => {
    now += 5_000
    return new Date(now).toISOString()
  }
  const labels = (options.labels ?? []).map((label, i) => {
    const [name, group = null] = label.split('/').reverse()
    return { id: createId(4, i + 1), name: name!, group }
  })
  const projects = (options.projects ?? []).map((name, i) => ({ id: createId(5, i + 1), name }))
  const cycles = (options.cycles ?? []).map((name, i) => ({
    id: createId(6, i + 1),
    name,
    number: i + 1,
    startsAt: new Date(Date.UTC(2026, 10, 2 + 14 * i)).toISOString(),
    endsAt: new Date(Date.UTC(2026, 10, 16 + 14 * i)).toISOString(),
  }))
  const toLabelId = (name: string) => labels.find((one) => one.name === name)!.id
  const fake: FakeLinear = {
    issues: options.issues.map((given) =>
      Object.assign(createIssue(given, tick()), given.labels && { labelIds: given.labels.map(toLabelId) }),
    ),
    relations: (options.relations ?? []).map(({ type, from, to }, i) => {
      return { id: createId(7, i + 1), type, from: createId(1, from), to: createId(1, to) }
    }),
    views: [],
    webhooks: [],
    files: new Map(),
    labels,
    find: (number) => fake.issues.find((one) => one.number === number && one.team === 'ENG')!,
    change: (number, values) => void Object.assign(fake.find(number), values, { updatedAt: tick() }),
    answer,
    violations: [],
    points: [],
  }
  let created = 0
  const newId = (given: unknown): string => {
    if (given == null) return createId(9, ++created)
    return isUuid(String(given)) ? String(given) : failWith('Argument Validation Error: id must be a UUID.')
  }
  const findById = (id: string | null) => fake.issues.find((one) => one.id === id) ?? null
  const identify = ({ team, number }: FakeIssue) => `${team}-${number}`
  const findIssue = (id: string): FakeIssue =>
    findById(id) ??
    fake.issues.find((one) => identify(one) === id || one.previousIdentifiers.includes(id)) ??
    notFound('Issue')
  const around = {
    findById,
    get relations() {
      return fake.relations
    },
  }

  type Args = Record<string, any>
  function paginate<Entry>(all: readonly Entry[], { first = 50, after }: Args, toNode: (entry: Entry) => unknown) {
    if (first > MAX_PAGE) failWith('Argument Validation Error: first must not be greater than 250.')
    const start = after == null ? 0 : Number(after)
    const end = start + first
    return {
      nodes: all.slice(start, end).map(toNode),
      pageInfo: {
        hasNextPage: end < all.length,
        hasPreviousPage: start > 0,
        endCursor: all.length === 0 ? null : String(Math.min(end, all.length)),
        startCursor: String(start),
      },
      totalCount: all.length,
    }
  }

  function listIssues(args: Args, of: readonly FakeIssue[] = fake.issues) {
    const { filter = {}, includeArchived = false, orderBy = 'createdAt' } = args
    const found = of.filter((one) => (includeArchived || !one.archivedAt) && matchesFilter(one, filter ?? {}, around))
    const key = orderBy === 'updatedAt' ? 'updatedAt' : 'createdAt'
    return paginate(
      [...found].sort((a, b) => (a[key] < b[key] ? 1 : -1)),
      args,
      toWire,
    )
  }

  const toUser = (id: string | null) => ACCOUNTS.find((one) => one.id === id) ?? null
  const toComment = ({ user, ...comment }: FakeIssue['comments'][number]) => ({ ...comment, user: toUser(user) })
  const toAttachment = (attachment: FakeIssue['attachments'][number]) => ({ ...attachment, creator: ACCOUNTS[0] })

  function toWire(issue: FakeIssue): unknown {
    const relationsOf = (end: 'from' | 'to', args: Args) =>
      paginate(
        fake.relations.filter((one) => one[end] === issue.id),
        args,
        ({ id, type, from, to }) => {
          return { id, type, issue: () => toWire(findById(from)!), relatedIssue: () => toWire(findById(to)!) }
        },
      )
    return {
      ...issue,
      identifier: identify(issue),
      url: `https://linear.app/works/issue/${identify(issue)}/${issue.title.toLowerCase().replace(/\W+/g, '-')}`,
      completedAt: null,
      state: STATES.find(({ id }) => id === issue.stateId),
      team: { id: `team-${issue.team}`, key: issue.team },
      creator: ACCOUNTS[0],
      assignee: toUser(issue.assigneeId),
      project: projects.find(({ id }) => id === issue.projectId) ?? null,
      cycle: cycles.find(({ id }) => id === issue.cycleId) ?? null,
      parent: () => (issue.parentId === null ? null : toWire(findById(issue.parentId)!)),
      children: (args: Args) =>
        listIssues(
          args,
          fake.issues.filter(({ parentId }) => parentId === issue.id),
        ),
      relations: (args: Args) => relationsOf('from', args),
      inverseRelations: (args: Args) => relationsOf('to', args),
      comments: (args: Args) => paginate([...issue.comments].reverse(), args, toComment),
      attachments: (args: Args) => paginate(issue.attachments, args, toAttachment),
    }
  }

  const done = (values: Record<string, unknown> = {}) => ({ success: true, lastSyncId: 1, ...values })

  function applyInput(issue: FakeIssue, input: Args): void {
    const { addedLabelIds = [], removedLabelIds = [], teamId: _, id: __, ...values } = input
    for (const id of [...addedLabelIds, ...(input['labelIds'] ?? [])])
      if (!labels.some((one) => one.id === id)) notFound('IssueLabel')
    if (values['parentId'] && !findById(values['parentId'])) notFound('Issue')
    const kept = (values['labelIds'] ?? issue.labelIds).filter((id: string) => !removedLabelIds.includes(id))
    Object.assign(issue, values, { labelIds: [...new Set([...kept, ...addedLabelIds])], updatedAt: tick() })
  }

  const findCommented = (id: string) =>
    fake.issues.find(({ comments }) => comments.some((one) => one.id === id)) ?? notFound('Comment')

  function addAttachment({ id: given, issueId, title, url }: Args) {
    const issue = findIssue(issueId)
    const known = issue.attachments.find((one) => one.url === url)
    const attachment = known ?? { id: newId(given), title: title ?? url, url, createdAt: tick() }
    if (known) known.title = title ?? known.title
    else issue.attachments.push(attachment)
    return done({ attachment: toAttachment(attachment) })
  }

  const createRoot = (origin: string) => ({
    viewer: ACCOUNTS[0],
    teams: (args: Args) =>
      paginate(compare('ENG', args['filter'].key) ? [{}] : [], args, () => ({
        id: 'team-ENG',
        key: 'ENG',
        name: 'Engineering',
        states: (own: Args) => paginate(STATES, own, (one) => one),
      })),
    issueLabels: (args: Args) =>
      paginate(fake.labels, args, ({ id, name, group }) => ({
        id,
        name,
        isGroup: false,
        parent: group && { name: group },
      })),
    cycles: (args: Args) => paginate(cycles, args, (one) => one),
    projects: (args: Args) => paginate(projects, args, (one) => one),
    issues: (args: Args) => listIssues(args),
    issue: ({ id }: Args) => toWire(findIssue(id)),
    searchIssues: ({ term, ...args }: Args) =>
      listIssues(
        args,
        fake.issues.filter(({ title }) => title.toLowerCase().includes(term.toLowerCase())),
      ),
    users: (args: Args) => {
      const matches = (user: (typeof ACCOUNTS)[number]) =>
        args['filter'].or.some((one: Args) =>
          Object.entries(one).every(([name, part]) => compare(user[name as 'name'], part as Args)),
        )
      return paginate(ACCOUNTS.filter(matches), args, (one) => one)
    },
    customViews: (args: Args) => paginate(fake.views, args, toView),
    customView: ({ id }: Args) => toView(fake.views.find((one) => one.id === id) ?? notFound('CustomView')),
    webhooks: (args: Args) => paginate(fake.webhooks, args, (one) => one),
    issueCreate({ input }: Args) {
      const id = newId(input.id)
      if (findById(id)) failWith('Argument Validation Error: an issue with this id exists.')
      const number = Math.max(0, ...fake.issues.map((one) => one.number)) + 1
      const issue = createIssue({ number, id, title: input.title }, tick())
      applyInput(issue, input)
      fake.issues.push(issue)
      return done({ issue: toWire(issue) })
    },
    issueUpdate({ id, input }: Args) {
      const issue = findIssue(id)
      applyInput(issue, input)
      return done({ issue: toWire(issue) })
    },
    issueDelete({ id }: Args) {
      Object.assign(findIssue(id), { trashed: true, archivedAt: tick(), updatedAt: tick() })
      return done()
    },
    issueUnarchive({ id }: Args) {
      Object.assign(findIssue(id), { trashed: false, archivedAt: null, updatedAt: tick() })
      return done()
    },
    issueRelationCreate({ input }: Args) {
      const { issueId: from, relatedIssueId: to, type } = input
      for (const id of [from, to]) if (!findById(id)) notFound('Issue')
      fake.relations.push({ id: newId(input.id), type, from, to })
      return done({ issueRelation: {} })
    },
    issueRelationDelete({ id }: Args) {
      if (!fake.relations.some((one) => one.id === id)) notFound('IssueRelation')
      fake.relations = fake.relations.filter((one) => one.id !== id)
      return done({ entityId: id })
    },
    commentCreate({ input }: Args) {
      const at = tick()
      const comment = { id: newId(input.id), body: input.body, createdAt: at, updatedAt: at, user: ACCOUNTS[0]!.id }
      findIssue(input.issueId).comments.push(comment)
      return done({ comment: toComment(comment) })
    },
    commentUpdate({ id, input }: Args) {
      const comment = findCommented(id).comments.find((one) => one.id === id)!
      Object.assign(comment, { body: input.body, updatedAt: tick() })
      return done({ comment: toComment(comment) })
    },
    commentDelete({ id }: Args) {
      const issue = findCommented(id)
      issue.comments = issue.comments.filter((one) => one.id !== id)
      return done({ entityId: id })
    },
    fileUpload({ filename, contentType, size }: Args) {
      const path = `${createId(8, fake.files.size + 1)}/${encodeURIComponent(filename)}`
      const headers = [
        { key: 'x-goog-content-length-range', value: `${size},${size}` },
        { key: 'Content-Disposition', value: 'attachment' },
      ]
      const uploadUrl = `${origin}/storage/${path}?X-Goog-Signature=abc`
      return done({
        uploadFile: { uploadUrl, assetUrl: `${origin}/uploads/${path}`, headers, contentType, filename, size },
      })
    },
    attachmentCreate: ({ input }: Args) => addAttachment(input),
    attachmentLinkURL: (args: Args) => addAttachment(args),
    attachmentDelete({ id }: Args) {
      const issue = fake.issues.find((one) => one.attachments.some((each) => each.id === id)) ?? notFound('Attachment')
      issue.attachments = issue.attachments.filter((one) => one.id !== id)
      return done({ entityId: id })
    },
    webhookCreate({ input }: Args) {
      fake.webhooks.push({ id: createId(10, fake.webhooks.length + 1), ...input })
      return done({ webhook: {} })
    },
    webhookUpdate({ id, input }: Args) {
      Object.assign(fake.webhooks.find((one) => one['id'] === id) ?? notFound('Webhook'), input)
      return done({ webhook: {} })
    },
  })

  function toView({ id, name, filter, team }: FakeLinear['views'][number]) {
    const issues = ({ filter: other, ...args }: Args) => listIssues({ ...args, filter: { and: [filter, other ?? {}] } })
    return {
      id,
      name,
      modelName: 'Issue',
      slugId: `slug-${name}`,
      filterData: filter,
      team: team && { key: team },
      issues,
    }
  }

  async function answer({ method, path, rawUrl, body, headers }: StubRequest): Promise<Reply> {
    const origin = `http://${headers.host}`
    const [, place, rest] = /^\/(uploads|storage)\/([^?]+)/.exec(rawUrl) ?? []
    if (place === 'storage') {
      if (headers.authorization !== undefined) fake.violations.push('The token was sent to the storage.')
      fake.files.set(`${origin}/uploads/${rest}`, String(body))
      return { status: 200, text: '' }
    }
    if (headers.authorization === undefined) return { status: 401, json: authenticationError() }
    if (place === 'uploads') {
      const content = fake.files.get(`${origin}/uploads/${rest}`)
      return content === undefined ? { status: 404, text: 'Not found' } : { text: content }
    }
    if (path !== '/graphql' || method !== 'POST') return { status: 404, text: 'Not found' }
    const document = parse(body.query)
    const errors = validate(schema, document)
    fake.violations.push(...errors.map(({ message }) => message))
    if (errors.length > 0) return { status: 400, json: { errors } }
    const points = countPoints(document, body.variables)
    fake.points.push(points)
    if (points > MAX_POINTS) {
      const message = `Query too complex: ${points} of ${MAX_POINTS} points.`
      return {
        status: 400,
        json: { errors: [{ message, extensions: { type: 'invalid input', code: 'INPUT_ERROR' } }] },
      }
    }
    const result = await execute({ schema, document, rootValue: createRoot(origin), variableValues: body.variables })
    for (const { originalError, message } of result.errors ?? [])
      if (!(originalError instanceof GraphQLError) && !/^Entity not found|^Argument Validation/.test(message))
        fake.violations.push(message)
    return { json: JSON.parse(JSON.stringify(result)) }
  }

  return fake
}

export function authenticationError() {
  const message = 'Authentication required, not authenticated'
  const extensions = { type: 'authentication error', code: 'AUTHENTICATION_ERROR', userPresentableMessage: message }
  return { errors: [{ message, extensions }] }
}
