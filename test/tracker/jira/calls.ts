import type { Reply, StubRequest } from '../azure-devops/stub-server'
import type { FakeIssue, JiraSite } from './jira-site'
import { toIssue, type Wire } from './wire-issue'

export interface FakeRequest extends StubRequest {
  isAnonymous: boolean
  /** The address of the site. */
  url: string
}

export interface Call {
  site: JiraSite
  request: FakeRequest
  /** The variable parts of the path. */
  parts: string[]
}

/** Answers a request. */
export type Handler = (call: Call) => Reply

export const MISSING = 'Issue does not exist or you do not have permission to see it.'

export const fail = (status: number, message: string | null, errors: Record<string, string> = {}): Reply => ({
  status,
  json: { errorMessages: message === null ? [] : [message], errors },
})

export const done: Reply = { status: 204, text: '' }

/** A page of a list, with the parameters `startAt` and `maxResults`. */
export function paginate<Value>(
  { request: { query } }: Call,
  all: readonly Value[],
  largest = 50,
  name = 'values',
): Wire {
  const startAt = Number(query.get('startAt') ?? 0)
  const maxResults = Math.min(Number(query.get('maxResults') ?? largest), largest)
  const page = all.slice(startAt, startAt + maxResults)
  const isLast = name === 'values' ? { isLast: startAt + page.length >= all.length } : {}
  return { startAt, maxResults, total: all.length, ...isLast, [name]: page }
}

export const withIssue =
  (handle: (issue: FakeIssue, call: Call) => Reply): Handler =>
  (call) => {
    const issue = call.request.isAnonymous ? null : call.site.find(call.parts[0]!)
    return issue ? handle(issue, call) : fail(404, MISSING)
  }

export const withProject =
  (handle: Handler): Handler =>
  (call) => {
    const { key } = call.site.project
    const isFound = [key, '10000'].includes(call.parts[0]!.toUpperCase()) && !call.request.isAnonymous
    return isFound ? handle(call) : fail(404, `No project could be found with key '${call.parts[0]}'.`)
  }

const selectFields = ({ request: { query } }: Call): string[] => (query.get('fields') ?? '*all').split(',')

export const answerIssue = (issue: FakeIssue, call: Call): Reply => ({
  json: toIssue(call.site, issue, selectFields(call)),
})
