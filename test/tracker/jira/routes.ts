import type { Reply } from '../azure-devops/stub-server'
import { readTask, startBulkEdit, startBulkTransition } from './bulk-changes'
import { answerIssue, done, type FakeRequest, fail, type Handler, paginate, withIssue, withProject } from './calls'
import { addComment, assign, create, createLink, deleteLink, edit, listComments } from './issue-routes'
import { type JiraSite, LINK_TYPES, STATUSES, TYPES, USERS, VIEWER } from './jira-site'
import { JqlError } from './jql'
import { cloudPartRoutes, openMedia, partRoutes } from './part-routes'
import { fetchIssues, searchByPosition, searchPages } from './search-routes'
import {
  describeProject,
  describeServer,
  listCreateFields,
  listFields,
  listTypeStatuses,
  listTypes,
} from './site-description'
import { listTransitions, moveIssue } from './transitions'
import { toStatus, toUser } from './wire-issue'

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
  const sprints = call.site.sprints
    .filter(({ state }) => !states || states.includes(state))
    .map(({ id, name, state, startDate, endDate }) => ({
      id,
      name,
      state,
      originBoardId: 1,
      ...(startDate ? { startDate, endDate } : {}),
    }))
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
  ['GET', 'priority', ({ site }) => ({ json: site.priorities })],
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
  ['PUT', 'issue/([^/]+)/assignee', assign],
  [
    'GET',
    'issue/([^/]+)/transitions',
    withIssue((issue, { site, request }) => {
      const withFields = /transitions\.fields/.test(request.query.get('expand') ?? '')
      const transitions = listTransitions(site, issue, { withFields })
      return { json: site.deployment === 'cloud' ? { expand: 'transitions', transitions } : { transitions } }
    }),
  ],
  [
    'POST',
    'issue/([^/]+)/transitions',
    withIssue((issue, { site, request }) => {
      const problem = moveIssue(site, issue, request.body.transition?.id, request.body.fields)
      return problem ? fail(400, problem) : done
    }),
  ],
  ['GET', 'issue/([^/]+)/comment', listComments],
  ['POST', 'issue/([^/]+)/comment', addComment],
  ['POST', 'issueLink', createLink],
  ['DELETE', 'issueLink/(\\d+)', deleteLink],
  ['GET', 'user/assignable/search', findAssignable],
  ...partRoutes,
]

const GONE = 'The requested API has been removed. Please migrate to the /rest/api/3/search/jql API.'

const cloudOnly: [string, string, Handler][] = [
  ...cloudPartRoutes,
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
  const media = openMedia(site, request)
  if (media) return media
  // Cloud has both versions. What differs between them is not asked of version 2.
  const isShared = rest === 'serverInfo' && version === '2'
  const isKnown = api === 'agile' ? version === '1.0' : isShared || version === (isCloud ? '3' : '2')
  const { unknownVersion } = site.options
  if (!isKnown && unknownVersion)
    return { status: 404, text: unknownVersion.text, headers: { 'content-type': unknownVersion.contentType } }
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
