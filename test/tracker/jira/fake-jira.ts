import { expect, onTestFinished } from 'vitest'
import type { Reply, StubRequest } from '../azure-devops/stub-server'
import { type Behaviour, type Stub, startStub } from '../azure-devops/stub-server'
import { type FakeRequest, fail } from './calls'
import { type FakeIssue, JiraSite, type SiteOptions, VIEWER } from './jira-site'
import { findMismatches } from './published-api/check-calls'
import { answerRequest } from './routes'

export interface FakeJira extends Stub {
  site: JiraSite
  /** Changes an issue as another user does. */
  change(idOrKey: string | number, values: Partial<FakeIssue>): void
  /** Executes a request, and returns its response without sending it. */
  execute(request: StubRequest): Reply
}

export interface FakeJiraOptions extends SiteOptions {
  token: string
  /** The account of Basic authentication. Without one, only `Bearer` is accepted. */
  account?: string
  /** Replaces the response to a request. Null for requests that it does not handle. */
  answer?(request: StubRequest, jira: FakeJira): Behaviour | null | Promise<Behaviour | null>
}

/**
 * A Jira site on this machine. The test fails if a request or a response differs from the vendor's API description of the deployment. A
 * server has a context path, as many have.
 */
export async function startFakeJira(options: FakeJiraOptions): Promise<FakeJira> {
  const { answer = () => null, deployment } = options
  const site = new JiraSite(options)
  const mismatches: string[] = []
  onTestFinished(() => expect(mismatches).toEqual([]))
  const check = (request: StubRequest, reply: Reply | null) => {
    // What the vendor has removed is not described.
    if (reply?.status !== 410) mismatches.push(...findMismatches(deployment, request, reply))
  }
  const execute = (request: StubRequest): Reply => {
    const answered = answerSigned(site, options, request, fake.url)
    check(request, answered)
    // The clock of the site decides when issues were created.
    const reply = { ...answered, headers: { date: new Date(site.now).toUTCString(), ...answered.headers } }
    return reply.status === 204 || reply.json === undefined ? { ...reply, text: reply.text ?? '' } : reply
  }
  const stub = await startStub(async (request) => {
    const other = await answer(request, fake)
    if (other) check(request, null)
    return other ?? execute(request)
  })
  const url = deployment === 'cloud' ? new URL(stub.url).origin : stub.url
  const fake: FakeJira = {
    ...stub,
    url,
    site,
    execute,
    change: (idOrKey, values) => site.change(idOrKey, values),
  }
  return fake
}

function answerSigned(site: JiraSite, options: FakeJiraOptions, request: StubRequest, url: string): Reply {
  const { authorization } = request.headers
  const viewer = authorization === undefined ? null : VIEWER
  if (viewer !== null && !isAccepted(authorization!, options))
    return {
      ...fail(401, 'Client must be authenticated to access this resource.'),
      headers: { 'x-seraph-loginreason': 'AUTHENTICATED_FAILED' },
    }
  const asked: FakeRequest = { ...request, isAnonymous: viewer === null, url }
  return answerOrFail(site, asked)
}

function isAccepted(authorization: string, { token, account, deployment }: FakeJiraOptions): boolean {
  const basic = `Basic ${Buffer.from(`${account}:${token}`).toString('base64')}`
  if (authorization === basic) return account !== undefined
  return (deployment === 'server' || account === undefined) && authorization === `Bearer ${token}`
}

/** An error of this code is an answer, too: without one, the caller would wait for its timeout. */
function answerOrFail(site: JiraSite, request: FakeRequest): Reply {
  try {
    return answerRequest(site, request)
  } catch (error) {
    return fail(500, `The fake site failed: ${error}`)
  }
}
