import type { Reply } from '../azure-devops/stub-server'
import { type Call, fail, type Handler, MISSING } from './calls'
import type { FakeIssue } from './jira-site'
import { searchIssues } from './search-issues'
import { toIssue, type Wire } from './wire-issue'

const findProblem = ({ request: { body } }: Call): Reply | null => {
  const largest = 100
  const { issueIdsOrKeys = [] } = body ?? {}
  if (issueIdsOrKeys.length > largest) return fail(400, `You can only request up to ${largest} issues.`)
  return issueIdsOrKeys.length === 0 ? fail(400, 'The issueIdsOrKeys must not be empty.') : null
}

export const fetchIssues: Handler = (call) => {
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

export const searchPages: Handler = ({ site, request }) => {
  const { query } = request
  const body = request.body ?? {
    ...Object.fromEntries(query),
    fields: query.get('fields')?.split(','),
    reconcileIssues: query.getAll('reconcileIssues').map(Number),
  }
  const { jql = '', fields = ['id'], properties = [], reconcileIssues = [], nextPageToken } = body
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
    const { id, key, self, fields: values, ...more } = toIssue(site, issue, fields, properties) as any
    if (fields.length === 1 && fields[0] === 'id') return { id }
    return isOnlyIds ? { id, key, self } : { id, key, self, fields: values, ...more }
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

export const searchByPosition: Handler = ({ site, request }) => {
  const body = request.body ?? { ...Object.fromEntries(request.query), fields: request.query.get('fields')?.split(',') }
  const unknown = Object.keys(body).find(
    (name) => !['jql', 'startAt', 'maxResults', 'fields', 'validateQuery', 'expand'].includes(name),
  )
  if (unknown !== undefined) return fail(400, `Unrecognized field "${unknown}"`)
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
