import { onTestFinished } from 'vitest'
import { openTracker, type Tracker } from '../../../src/tracker'
import * as presets from '../../sandbox/fault-presets'
import { createFakeTiming, quick } from '../azure-devops/fixtures'
import { startCheckedSandbox } from '../azure-devops/published-api/check-calls'
import type { Behaviour } from '../azure-devops/stub-server'
import { isMutation, openGitHub } from '../github/fixtures'
import { isChange as isGitLabChange, openGitLab } from '../gitlab/fixtures'
import { startFakeJira } from '../jira/fake-jira'
import type { Deployment } from '../jira/jira-site'
import { authenticationError } from '../linear/fake-linear'
import { isMutation as isLinearMutation, openLinear } from '../linear/fixtures'

/**
 * What goes wrong with a request. `lost`: it is executed, and its response is lost. `reset`: it is not executed.
 */
export type FaultKind = 'throttled' | 'signInPage' | 'badToken' | 'forbidden' | 'unavailable' | 'cut' | 'reset' | 'lost'

export interface PlannedFault {
  kind: FaultKind
  /** Whether it happens to requests that read, or to those that change something. */
  to: 'reads' | 'changes'
  /** How often it happens (default: once). */
  times?: number
  /** How many such requests are answered before it happens (default: none). */
  after?: number
}

export interface OpenedAdapter {
  tracker: Tracker
  /** The pauses of the client in milliseconds, of a clock that advances only by sleeping. */
  slept: number[]
  /** The time of that clock. */
  now(): number
  /** The number of requests since the start. */
  countRequests(): number
  /** The number of requests that change something, since the start. */
  countChanges(): number
  /** Changes the title as another user does. */
  renameRemotely(id: number, title: string): Promise<void>
}

/** An adapter on a server with a feature 101, its stories 201 and 202, and the task 311 of 201. */
export interface TestedAdapter {
  name: string
  /** Whether the marker of a new item is its ID in the tracker, so that it stays. */
  marksById?: true
  open(fault?: PlannedFault): Promise<OpenedAdapter>
}

const TOKEN = 'secret-token'
const SIGN_IN_PAGE = '<!DOCTYPE html><html><body>Sign in to your account</body></html>'

/** True as long as the fault happens. */
function countDown({ times = 1, after = 0 }: PlannedFault): () => boolean {
  let [toPass, left] = [after, times]
  return () => (toPass > 0 ? toPass-- < 0 : left-- > 0)
}

const sandboxFaults: Record<FaultKind, presets.Fault> = {
  throttled: presets.throttle(7),
  signInPage: presets.respondSignInPage(),
  badToken: presets.respondUnauthorized(),
  forbidden: presets.refuseWith(403, 'AccessDeniedException', 'You may not do this.'),
  unavailable: presets.respondUnavailable(),
  cut: presets.cutAfter(20),
  reset: presets.resetBefore(),
  lost: presets.resetAfter(),
}

const azureDevOps: TestedAdapter = {
  name: 'Azure DevOps',
  async open(fault) {
    const happens = fault && countDown(fault)
    const isChange = ({ method, path }: { method: string; path: string }) =>
      ['PATCH', 'DELETE'].includes(method) ||
      (method === 'POST' && /workitems\/\$|\/comments|\/attachments/i.test(path))
    const sandbox = await startCheckedSandbox({
      token: TOKEN,
      faults: (request) =>
        fault && isChange(request) === (fault.to === 'changes') && happens!() ? sandboxFaults[fault.kind] : null,
    })
    const timing = createFakeTiming()
    const tracker = openTracker({ url: sandbox.url, project: sandbox.project, token: TOKEN, limits: quick, timing })
    onTestFinished(() => tracker.close())
    return {
      tracker,
      slept: timing.slept,
      now: timing.now,
      countRequests: () => sandbox.requests.length,
      countChanges: () => sandbox.requests.filter(isChange).length,
      async renameRemotely(id, title) {
        const response = await fetch(`${sandbox.url}/_apis/wit/workitems/${id}?api-version=7.1`, {
          method: 'PATCH',
          headers: {
            'content-type': 'application/json-patch+json',
            authorization: `Basic ${Buffer.from(`:${TOKEN}`).toString('base64')}`,
          },
          body: JSON.stringify([{ op: 'add', path: '/fields/System.Title', value: title }]),
        })
        if (!response.ok) throw new Error(await response.text())
      },
    }
  },
}

const githubFaults: Record<Exclude<FaultKind, 'lost'>, Behaviour> = {
  throttled: {
    status: 403,
    headers: { 'retry-after': '7' },
    json: { message: 'You have exceeded a secondary rate limit.' },
  },
  signInPage: { text: SIGN_IN_PAGE },
  badToken: { status: 401, json: { message: 'Bad credentials' } },
  forbidden: { json: { errors: [{ type: 'FORBIDDEN', message: 'Resource not accessible by personal access token' }] } },
  unavailable: { status: 503, text: '<html><body>Unicorn!</body></html>' },
  cut: { json: { data: 'x'.repeat(1000) }, cutAfter: 20 },
  reset: 'reset',
}

/** With a board, its status is the state of an issue, and its fields are fields. */
const createGitHub = (name: string, board: number | null): TestedAdapter => ({
  name,
  async open(fault) {
    const happens = fault && countDown(fault)
    const timing = createFakeTiming()
    const { tracker, github, requests } = await openGitHub(
      {
        issues: [
          { number: 101, type: 'Feature', title: 'Gate check-in' },
          { number: 201, type: 'Story', parent: 101, title: 'Scan the code' },
          { number: 202, type: 'Story', parent: 101, title: 'Print the pass' },
          { number: 311, type: 'Task', parent: 201, title: 'Choose a scanner' },
        ].map((issue) => ({ ...issue, board: { points: null, iteration: null, status: 'Todo' } })),
        views: [{ name: 'To do', filter: 'status:Todo' }],
        types: ['Feature', 'Story', 'Task'],
        labels: ['gate', 'lamp'],
      },
      {
        timing,
        board,
        async answer(request) {
          if (!fault || isMutation(request) !== (fault.to === 'changes') || !happens!()) return null
          if (fault.kind !== 'lost') return githubFaults[fault.kind]
          await github.answer(request)
          return 'reset'
        },
      },
    )
    return {
      tracker,
      slept: timing.slept,
      now: timing.now,
      countRequests: () => requests.length,
      countChanges: () => requests.filter(isMutation).length,
      renameRemotely: async (id, title) => github.change(id, { title }),
    }
  },
})

const gitlabFaults: Record<Exclude<FaultKind, 'lost'>, Behaviour> = {
  throttled: { status: 429, headers: { 'retry-after': '7', 'content-type': 'text/plain' }, text: 'Retry later\n' },
  signInPage: { status: 302, headers: { location: 'https://gitlab.example/users/sign_in' }, text: '' },
  badToken: { status: 401, json: { errors: [{ message: 'Invalid token' }] } },
  forbidden: { status: 403, json: { error: 'insufficient_scope', error_description: 'More privileges are needed.' } },
  unavailable: { status: 503, text: '<html><body>GitLab is being deployed</body></html>' },
  cut: { json: { data: 'x'.repeat(1000) }, cutAfter: 20 },
  reset: 'reset',
}

const gitLab: TestedAdapter = {
  name: 'GitLab',
  async open(fault) {
    const happens = fault && countDown(fault)
    const timing = createFakeTiming()
    const { tracker, gitlab, requests } = await openGitLab(
      {
        items: [
          { id: 101, type: 'Epic', title: 'Gate check-in' },
          { id: 201, type: 'Issue', parent: 101, title: 'Scan the code' },
          { id: 202, type: 'Issue', parent: 101, title: 'Print the pass' },
          { id: 311, type: 'Task', parent: 201, title: 'Choose a scanner' },
        ],
        labels: ['gate', 'lamp'],
      },
      {
        timing,
        async answer(request) {
          if (!fault || isGitLabChange(request) !== (fault.to === 'changes') || !happens!()) return null
          if (fault.kind !== 'lost') return gitlabFaults[fault.kind]
          await gitlab.answer(request)
          return 'reset'
        },
      },
    )
    return {
      tracker,
      slept: timing.slept,
      now: timing.now,
      countRequests: () => requests.length,
      countChanges: () => requests.filter(isGitLabChange).length,
      renameRemotely: async (id, title) => gitlab.change(id, { title }),
    }
  },
}

const jiraFaults: Record<Exclude<FaultKind, 'lost'>, Behaviour> = {
  throttled: { status: 429, headers: { 'retry-after': '7' }, json: { errorMessages: ['Rate limit exceeded.'] } },
  signInPage: { text: SIGN_IN_PAGE },
  badToken: {
    status: 401,
    headers: { 'x-seraph-loginreason': 'AUTHENTICATED_FAILED' },
    json: { errorMessages: ['Client must be authenticated to access this resource.'] },
  },
  forbidden: { status: 403, json: { errorMessages: ['You may not do this.'] } },
  unavailable: { status: 503, text: '<html><body>Jira is starting up</body></html>' },
  cut: { json: { issues: ['x'.repeat(1000)] }, cutAfter: 20 },
  reset: 'reset',
}

/** Jira reads with POST too. */
const isJiraChange = ({ method, path }: { method: string; path: string }) =>
  ['PUT', 'DELETE'].includes(method) || (method === 'POST' && !/\/search(?:\/jql)?$|\/bulkfetch$/.test(path))

const createJira = (name: string, deployment: Deployment): TestedAdapter => ({
  name,
  async open(fault) {
    const happens = fault && countDown(fault)
    const timing = createFakeTiming()
    const jira = await startFakeJira({
      deployment,
      token: TOKEN,
      project: { key: 'HAR', name: 'Harbor' },
      issues: [
        { id: 101, type: 'Epic', summary: 'Gate check-in' },
        { id: 201, type: 'Story', parent: 'HAR-101', summary: 'Scan the code' },
        { id: 202, type: 'Story', parent: 'HAR-101', summary: 'Print the pass' },
        { id: 311, type: 'Sub-task', parent: 'HAR-201', summary: 'Choose a scanner' },
      ],
      answer(request, { execute }) {
        if (!fault || isJiraChange(request) !== (fault.to === 'changes') || !happens!()) return null
        if (fault.kind !== 'lost') return jiraFaults[fault.kind]
        execute(request)
        return 'reset'
      },
    })
    const tracker = openTracker({
      kind: 'jira',
      url: jira.url,
      project: 'HAR',
      token: TOKEN,
      limits: quick,
      timing,
    })
    onTestFinished(() => tracker.close())
    return {
      tracker,
      slept: timing.slept,
      now: timing.now,
      countRequests: () => jira.requests.length,
      countChanges: () => jira.requests.filter(isJiraChange).length,
      renameRemotely: async (id, title) => jira.change(id, { summary: title }),
    }
  },
})

const createLinearFaults = (now: number): Record<Exclude<FaultKind, 'lost'>, Behaviour> => {
  const fail = (message: string, type: string, code: string) => ({ errors: [{ message, extensions: { type, code } }] })
  return {
    throttled: {
      status: 400,
      headers: { 'x-ratelimit-requests-remaining': '0', 'x-ratelimit-requests-reset': String(now + 7_000) },
      json: fail('Rate limit exceeded.', 'ratelimited', 'RATELIMITED'),
    },
    signInPage: { text: SIGN_IN_PAGE },
    badToken: { status: 401, json: authenticationError() },
    forbidden: { json: fail('You may not do this.', 'forbidden', 'FORBIDDEN') },
    unavailable: { status: 503, text: '<html><body>Unavailable</body></html>' },
    cut: { json: { data: 'x'.repeat(1000) }, cutAfter: 20 },
    reset: 'reset',
  }
}

const linear: TestedAdapter = {
  name: 'Linear',
  marksById: true,
  async open(fault) {
    const happens = fault && countDown(fault)
    const timing = createFakeTiming()
    const { tracker, linear, requests } = await openLinear(
      {
        issues: [
          { number: 101, labels: ['Feature'], title: 'Gate check-in' },
          { number: 201, labels: ['Story'], parent: 101, title: 'Scan the code' },
          { number: 202, labels: ['Story'], parent: 101, title: 'Print the pass' },
          { number: 311, labels: ['Task'], parent: 201, title: 'Choose a scanner' },
        ],
        labels: ['Feature', 'Story', 'Task', 'gate', 'lamp'],
      },
      {
        timing,
        async answer(request) {
          if (!fault || isLinearMutation(request) !== (fault.to === 'changes') || !happens!()) return null
          if (fault.kind !== 'lost') return createLinearFaults(timing.now())[fault.kind]
          await linear.answer(request)
          return 'reset'
        },
      },
    )
    return {
      tracker,
      slept: timing.slept,
      now: timing.now,
      countRequests: () => requests.length,
      countChanges: () => requests.filter(isLinearMutation).length,
      renameRemotely: async (id, title) => linear.change(id, { title }),
    }
  },
}

export const adapters: readonly TestedAdapter[] = [
  azureDevOps,
  createGitHub('GitHub', null),
  createGitHub('GitHub with a project board', 7),
  gitLab,
  createJira('Jira Cloud', 'cloud'),
  createJira('Jira Data Center', 'server'),
  linear,
]
