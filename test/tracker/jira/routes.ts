import type { Reply, StubRequest } from '../azure-devops/stub-server'
import { readTask, startBulkEdit, startBulkTransition } from './bulk-changes'
import { editIssue } from './edit-issue'
import {
  type FakeIssue,
  type JiraSite,
  LINK_TYPES,
  PRIORITIES,
  SPRINTS,
  STATUSES,
  TYPES,
  USERS,
  VIEWER,
} from './jira-site'
import { JqlError } from './jql'
import { searchIssues } from './search-issues'
import {
  describeProject,
  describeServer,
  listCreateFields,
  listFields,
  listTypeStatuses,
  listTypes,
} from './site-description'
import { listTransitions, moveIssue } from './transitions'
import { toComment, toIssue, toStatus, toUser, type Wire } from './wire-issue'

export interface FakeRequest extends StubRequest {
  isAnonymous: boolean
  /** The address of the site. */
  url: string
}

interface Call {
  site: JiraSite
  request: FakeRequest
  /** The variable parts of the path. */
  parts: string[]
}

type Handler = (call: Call) => Reply

const MISSING = 'Issue does not exist or you do not have permission to see it.'

export const fail = (status: number, message: string | null, errors: Record<string, string> = {}): Reply => ({
  status,
  json: { errorMessages: message === null ? [] : [message], errors },
})

const done: Reply = { status: 204, text: '' }

/** A page of a list, with the parameters `startAt` and `maxResults`. */
function paginate<Value>({ request: { query } }: Call, all: readonly Value[], largest = 50, name = 'values'): Wire {
  const startAt = Number(query.get('startAt') ?? 0)
  const maxResults = Math.min(Number(query.get('maxResults') ?? largest), largest)
  const page = all.slice(startAt, startAt + maxResults)
  const isLast = name === 'values' ? { isLast: startAt + page.length >= all.length } : {}
  return { startAt, maxResults, total: all.length, ...isLast, [name]: page }
}

const withIssue =
  (handle: (issue: FakeIssue, call: Call) => Reply): Handler =>
  (call) => {
    const issue = call.request.isAnonymous ? null : call.site.find(call.parts[0]!)
    return issue ? handle(issue, call) : fail(404, MISSING)
  }

const withProject =
  (handle: Handler): Handler =>
  (call) => {
    const { key } = call.site.project
    const isFound = [key, '10000'].includes(call.parts[0]!.toUpperCase()) && !call.request.isAnonymous
    return isFound ? handle(call) : fail(404, `No project could be found with key '${call.parts[0]}'.`)
  }

const selectFields = ({ request: { query } }: Call): string[] => (query.get('fields') ?? '*all').split(',')

const answerIssue = (issue: FakeIssue, call: Call): Reply => ({
  json: toIssue(call.site, issue, selectFields(call)),
})

const findProblem = ({ request: { body } }: Call): Reply | null => {
  const largest = 100
  const { issueIdsOrKeys = [] } = body ?? {}
  if (issueIdsOrKeys.length > largest) return fail(400, `You can only request up to ${largest} issues.`)
  return issueIdsOrKeys.length === 0 ? fail(400, 'The issueIdsOrKeys must not be empty.') : null
}

const fetchIssues: Handler = (call) => {
  const { site, request } = call
  const problem = findProblem(call)
  if (problem) return problem
  const asked: string[] = request.body.issueIdsOrKeys
  const found = new Map<number, FakeIssue>()
  const issueErrors: Wire[] = []
  for (const one of asked) {
    const issue = request.isAnonymous ? null : site.find(one)
    if (issue) found.set(issue.id, issue)
    else issueErrors.push({ id: one, errorMessage: MISSING })
  }
  const fields = request.body.fields ?? ['*navigable']
  // The order is that of the IDs, not that of the request.
  const issues = [...found.values()].sort((a, b) => a.id - b.id).map((issue) => toIssue(site, issue, fields))
  return { json: { issues, issueErrors } }
}

const searchPages: Handler = ({ site, request }) => {
  const { query } = request
  const body = request.body ?? {
    ...Object.fromEntries(query),
    fields: query.get('fields')?.split(','),
    reconcileIssues: query.getAll('reconcileIssues').map(Number),
  }
  const { jql = '', fields = ['id'], reconcileIssues = [], nextPageToken } = body
  if (reconcileIssues.length > 50) return fail(400, 'You can reconcile at most 50 issues.')
  const { issues, isUnbounded } = searchIssues(site, jql, { reconciled: reconcileIssues, isStrict: true })
  if (isUnbounded)
    return fail(400, 'Unbounded JQL queries are not allowed here. Please add a search restriction to your query.')
  const isOnlyIds = fields.every((field: string) => field === 'id' || field === 'key')
  const size = Math.min(Number(body.maxResults ?? 50), isOnlyIds ? 5000 : 100)
  const start = nextPageToken === undefined ? 0 : readPageToken(nextPageToken, jql)
  if (start === null) return fail(400, 'The provided next page token is invalid or expired.')
  const visible = request.isAnonymous ? [] : issues
  const page = visible.slice(start, start + size)
  const end = start + page.length
  const isLast = end >= visible.length
  const toResult = (issue: FakeIssue): Wire => {
    const { id, key, self, fields: values } = toIssue(site, issue, fields) as any
    if (fields.length === 1 && fields[0] === 'id') return { id }
    return isOnlyIds ? { id, key, self } : { id, key, self, fields: values }
  }
  return { json: { issues: page.map(toResult), ...(isLast ? {} : { nextPageToken: makePageToken(end, jql) }), isLast } }
}

/** A token is valid only for its query. */
const makePageToken = (end: number, jql: string): string => Buffer.from(JSON.stringify([end, jql])).toString('base64')

function readPageToken(token: string, jql: string): number | null {
  try {
    const [end, text] = JSON.parse(Buffer.from(token, 'base64').toString())
    return text === jql ? end : null
  } catch {
    return null
  }
}

const searchByPosition: Handler = ({ site, request }) => {
  const body = request.body ?? { ...Object.fromEntries(request.query), fields: request.query.get('fields')?.split(',') }
  const isStrict = String(body.validateQuery ?? true) === 'true'
  const { issues, warnings } = searchIssues(site, body.jql ?? '', { isStrict })
  const visible = request.isAnonymous ? [] : issues
  const startAt = Number(body.startAt ?? 0)
  const maxResults = Math.min(Number(body.maxResults ?? 50), 1000)
  const page = visible
    .slice(startAt, startAt + maxResults)
    .map((one) => toIssue(site, one, body.fields ?? ['*navigable']))
  const notes = warnings.length > 0 ? { warningMessages: warnings } : {}
  return { json: { expand: 'names,schema', startAt, maxResults, total: visible.length, issues: page, ...notes } }
}

const create: Handler = ({ site, request }) => {
  const { fields = {} } = request.body
  const type = TYPES.find(({ id, name }) => id === fields.issuetype?.id || name === fields.issuetype?.name)
  const missing: Record<string, string> = {}
  if (fields.project?.key !== site.project.key && fields.project?.id !== '10000')
    missing['project'] = 'Specify a valid project ID or key'
  if (!type) missing['issuetype'] = 'Specify a valid issue type'
  if (fields.summary === undefined) missing['summary'] = 'You must specify a summary of the issue.'
  if (type?.level === -1 && !fields.parent)
    missing['parent'] = 'Issue type is a sub-task but parent issue key or id not specified.'
  if (Object.keys(missing).length > 0) return fail(400, null, missing)
  const issue = site.add({ type: type!.name })
  const errors = editIssue(site, issue, request.body)
  if (Object.keys(errors).length > 0) {
    site.issues.delete(issue.id)
    return fail(400, null, errors)
  }
  const self = `${request.url}/rest/api/3/issue/${issue.id}`
  return { status: 201, json: { id: String(issue.id), key: issue.key, self } }
}

const edit = withIssue((issue, call) => {
  const errors = editIssue(call.site, issue, call.request.body)
  if (Object.keys(errors).length > 0) return fail(400, null, errors)
  issue.updated = call.site.tick()
  const returns = call.site.deployment === 'cloud' && call.request.query.get('returnIssue') === 'true'
  return returns ? answerIssue(issue, call) : done
})

const createLink: Handler = ({ site, request: { body } }) => {
  const type = LINK_TYPES.find(({ id, name }) => name === body.type?.name || id === body.type?.id)
  if (!type) return fail(404, `No issue link type with name '${body.type?.name}' found.`)
  const read = ({ id, key }: Wire) => site.find(id ?? key)
  const [from, to] = [read(body.inwardIssue), read(body.outwardIssue)]
  if (!from || !to) return fail(404, MISSING)
  const isThere = site.links.some((one) => one.type === type.name && one.from === from.key && one.to === to.key)
  if (!isThere) {
    site.links.push({ id: site.takeId(), type: type.name, from: from.key, to: to.key })
    from.updated = to.updated = site.tick()
  }
  return { status: 201, text: '' }
}

const deleteLink: Handler = ({ site, parts }) => {
  const at = site.links.findIndex(({ id }) => String(id) === parts[0])
  if (at < 0) return fail(404, `No issue link with id '${parts[0]}' exists.`)
  const [{ from, to }] = site.links.splice(at, 1) as [JiraSite['links'][number]]
  for (const key of [from, to]) site.find(key)!.updated = site.tick()
  return done
}

const addComment = withIssue((issue, { site, request: { body } }) => {
  const isValid = site.deployment === 'cloud' ? body.body?.type === 'doc' : typeof body.body === 'string'
  if (!isValid || body.body === '') return fail(400, null, { comment: 'Comment body is not valid!' })
  const at = site.tick()
  const comment = { id: site.takeId(), author: VIEWER, body: body.body, created: at }
  issue.comments.push(comment)
  issue.updated = at
  return { status: 201, json: toComment(site, comment) }
})

const listComments = withIssue((issue, call) => {
  const { site, request } = call
  const comments = issue.comments.map((one) => toComment(site, one))
  if (request.query.get('orderBy')?.startsWith('-')) comments.reverse()
  return { json: paginate(call, comments, 100, 'comments') }
})

const findAssignable: Handler = (call) => {
  const text = (call.request.query.get('query') ?? call.request.query.get('username') ?? '').toLowerCase()
  const found = Object.entries(USERS).filter(([account, { name, email }]) =>
    [account, name, email].some((value) => value.toLowerCase().startsWith(text)),
  )
  return {
    json: paginate(
      call,
      found.map(([account]) => toUser(call.site, account)),
    )['values'],
  }
}

const listSprints: Handler = (call) => {
  const states = call.request.query.get('state')?.split(',')
  const sprints = SPRINTS.filter(({ state }) => !states || states.includes(state)).map(
    ({ id, name, state, startDate, endDate }) => ({
      id,
      name,
      state,
      originBoardId: 1,
      ...(startDate ? { startDate, endDate } : {}),
    }),
  )
  return { json: paginate(call, sprints) }
}

const boards = [{ id: 1, name: 'Board', type: 'scrum' }]

const both: [string, string, Handler][] = [
  ['GET', 'serverInfo', ({ site, request }) => ({ json: describeServer(site, request.url) })],
  [
    'GET',
    'myself',
    ({ site, request }) =>
      request.isAnonymous ? fail(401, 'You are not authenticated.') : { json: toUser(site, VIEWER) },
  ],
  ['GET', 'field', ({ site }) => ({ json: listFields(site) })],
  ['GET', 'priority', () => ({ json: PRIORITIES })],
  ['GET', 'status', () => ({ json: STATUSES.map(({ name }) => toStatus(name)) })],
  ['GET', 'issuetype', ({ site }) => ({ json: listTypes(site) })],
  ['GET', 'issueLinkType', () => ({ json: { issueLinkTypes: LINK_TYPES } })],
  ['GET', 'project/([^/]+)', withProject(({ site }) => ({ json: describeProject(site) }))],
  ['GET', 'project/([^/]+)/statuses', withProject(() => ({ json: listTypeStatuses() }))],
  [
    'GET',
    'issue/createmeta/([^/]+)/issuetypes',
    withProject((call) => ({
      json: paginate(call, listTypes(call.site), 50, call.site.deployment === 'cloud' ? 'issueTypes' : 'values'),
    })),
  ],
  [
    'GET',
    'issue/createmeta/([^/]+)/issuetypes/(\\d+)',
    withProject((call) => {
      const type = TYPES.find(({ id }) => id === call.parts[1])
      if (!type) return fail(404, 'Issue type does not exist.')
      return {
        json: paginate(
          call,
          listCreateFields(call.site, type.name),
          50,
          call.site.deployment === 'cloud' ? 'fields' : 'values',
        ),
      }
    }),
  ],
  ['POST', 'issue', create],
  ['GET', 'issue/([^/]+)', withIssue(answerIssue)],
  ['PUT', 'issue/([^/]+)', edit],
  [
    'GET',
    'issue/([^/]+)/transitions',
    withIssue(() => ({ json: { expand: 'transitions', transitions: listTransitions() } })),
  ],
  [
    'POST',
    'issue/([^/]+)/transitions',
    withIssue((issue, { site, request }) => {
      const problem = moveIssue(site, issue, request.body.transition?.id)
      return problem ? fail(400, problem) : done
    }),
  ],
  ['GET', 'issue/([^/]+)/comment', listComments],
  ['POST', 'issue/([^/]+)/comment', addComment],
  ['POST', 'issueLink', createLink],
  ['DELETE', 'issueLink/(\\d+)', deleteLink],
  ['GET', 'user/assignable/search', findAssignable],
]

const GONE = 'The requested API has been removed. Please migrate to the /rest/api/3/search/jql API.'

const cloudOnly: [string, string, Handler][] = [
  ['POST', 'issue/bulkfetch', fetchIssues],
  ['GET', 'search/jql', searchPages],
  ['POST', 'search/jql', searchPages],
  ['GET', 'search', () => fail(410, GONE)],
  ['POST', 'search', () => fail(410, GONE)],
  ['POST', 'bulk/issues/fields', ({ site, request }) => startBulkEdit(site, request.body)],
  ['POST', 'bulk/issues/transition', ({ site, request }) => startBulkTransition(site, request.body)],
  ['GET', 'bulk/queue/([^/]+)', ({ site, parts }) => readTask(site, parts[0]!)],
]

const serverOnly: [string, string, Handler][] = [
  ['GET', 'search', searchByPosition],
  ['POST', 'search', searchByPosition],
]

const agile: [string, string, Handler][] = [
  ['GET', 'board', (call) => ({ json: paginate(call, boards) })],
  ['GET', 'board/1/sprint', listSprints],
]

export function answerRequest(site: JiraSite, request: FakeRequest): Reply {
  const isCloud = site.deployment === 'cloud'
  const [, api, version, rest] = /^\/rest\/(api|agile)\/([^/]+)\/(.*)$/.exec(request.path) ?? []
  const isKnown = api === 'agile' ? version === '1.0' : version === (isCloud ? '3' : '2')
  const platform = [...(isCloud ? cloudOnly : serverOnly), ...both]
  const routes = !isKnown ? [] : api === 'agile' ? agile : platform
  for (const [method, path, handle] of routes) {
    const parts = method === request.method ? new RegExp(`^${path}$`).exec(rest!) : null
    if (!parts) continue
    if (method !== 'GET' && request.isAnonymous && !/search|bulkfetch/.test(path))
      return fail(401, 'You are not authenticated.')
    try {
      return handle({ site, request, parts: parts.slice(1) })
    } catch (error) {
      if (error instanceof JqlError) return fail(400, error.message)
      throw error
    }
  }
  return { status: 404, json: { errorMessages: ['null for uri'], errors: {} } }
}
