import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createFakeTiming, errorOf, never } from '../azure-devops/fixtures'
import type { Reply } from '../azure-devops/stub-server'
import { isMutation, openGitHub } from './fixtures'

interface Recorded extends Reply {
  name: string
  status: number
}

/** Answers of the REST API that GitHub's own clients are tested with: `@octokit/fixtures` 23.1.2, MIT, © GitHub, without most headers. */
const recorded: Recorded[] = JSON.parse(readFileSync('test/tracker/github/recorded-answers.json', 'utf8'))

const messages: [number[], RegExp][] = [
  [[200, 201, 204, 205], /unexpected shape|answered not JSON/],
  [[301, 302, 307], /redirects to/],
  [[404], /There is no GitHub API at/],
  [[422], /refused the request: Validation Failed/],
]

describe('an answer that GitHub has given to another request', () => {
  it.each(recorded)('is reported and never read as an issue: $name', async (one) => {
    const timing = createFakeTiming()
    const { tracker, requests } = await openGitHub({ issues: [{ number: 1 }] }, { timing, answer: () => one })
    const error = await errorOf(tracker.getItem(1, never))
    const [, expected] = messages.find(([statuses]) => statuses.includes(one.status))!
    expect(error).toMatchObject({ code: 'tracker_answer', message: expect.stringMatching(expected) })
    expect(requests).toHaveLength(1)
    expect(timing.slept.filter((ms) => ms > 0)).toEqual([])
  })

  it.each(recorded)('never counts as an applied change: $name', async (one) => {
    const { tracker, github } = await openGitHub(
      { issues: [{ number: 1, title: 'Gate' }] },
      { answer: (request) => (isMutation(request) ? one : null) },
    )
    const { rev } = await tracker.getItem(1, never)
    const result = await tracker
      .updateItems([{ id: 1, rev, fields: { title: 'Arch' } }], { signal: never })
      .then(([outcome]) => outcome!.status)
      .catch(({ code }) => code)
    expect(['unknown', 'tracker_answer']).toContain(result)
    expect(github.issues.get(1)!.title).toBe('Gate')
  })
})

describe('an error that GitHub documents for GraphQL', () => {
  it.each([
    ['a limit', { type: 'RATE_LIMITED', message: 'Limit exceeded.' }, 'tracker_throttled'],
    ['a right', { type: 'FORBIDDEN', message: 'Not accessible.' }, 'tracker_forbidden'],
    [
      'single sign-on',
      { type: 'FORBIDDEN', message: 'Protected.', extensions: { saml_failure: true } },
      'tracker_forbidden',
    ],
    [
      'a scope',
      { type: 'INSUFFICIENT_SCOPES', message: "requires one of the following scopes: ['repo']" },
      'tracker_forbidden',
    ],
    ['the size', { type: 'MAX_NODE_LIMIT_EXCEEDED', message: 'Too many nodes.' }, 'tracker_answer'],
    ['the resources', { type: 'RESOURCE_LIMITS_EXCEEDED', message: 'Too much.' }, 'tracker_answer'],
    ['the time', { message: 'Something went wrong. This may be the result of a timeout.' }, 'tracker_timeout'],
    ['the service', { type: 'INTERNAL', message: 'Something went wrong.' }, 'tracker_answer'],
  ])('has its code: %s', async (_, error, code) => {
    const limits = { maxWaitMs: 0 }
    const answer = () => ({ json: { data: null, errors: [error] } })
    const { tracker } = await openGitHub({ issues: [] }, { answer, limits, timing: createFakeTiming() })
    expect(await errorOf(tracker.getItem(1, never))).toMatchObject({ code })
  })

  it('is no error for an issue that does not exist', async () => {
    const { tracker } = await openGitHub({ issues: [{ number: 1 }] })
    const { items, missing } = await tracker.getItems([1, 2], { signal: never })
    expect([items.length, missing.length]).toEqual([1, 1])
  })
})
