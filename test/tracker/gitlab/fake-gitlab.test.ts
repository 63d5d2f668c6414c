import { describe, expect, it } from 'vitest'
import type { StubRequest } from '../azure-devops/stub-server'
import { createFakeGitLab } from './fake-gitlab'

/** What the fake finds wrong in a request. */
async function check(rawUrl: string, request: Partial<StubRequest> = {}): Promise<string[]> {
  const gitlab = createFakeGitLab({ items: [{ iid: 7, title: 'Scan the code' }] as never })
  const headers = { authorization: 'Bearer secret-token', 'content-type': 'application/json' }
  const path = rawUrl.split('?')[0]!
  const query = new URLSearchParams(rawUrl.split('?')[1] ?? '')
  await gitlab.answer({ method: 'POST', path, rawUrl, query, headers, body: null, ...request })
  return gitlab.violations
}

const ask = (query: string, variables: object = {}) => check('/api/graphql', { body: { query, variables } })
const HOOKS = '/api/v4/projects/works%2Fharbor/hooks'
const hook = { url: 'https://studio.example.com/hook', issues_events: true }

describe("the check of queries against GitLab's reference", () => {
  it('finds nothing in a query as it describes them', async () => {
    expect(
      await ask('query ($id: WorkItemID!) { workItem(id: $id) { id title } }', { id: 'gid://gitlab/WorkItem/7' }),
    ).toEqual([])
  })

  it.each([
    ['a field', '{ currentUser { nickname } }', {}, 'Cannot query field "nickname"'],
    ['an argument', '{ users(names: ["robin"]) { nodes { id } } }', {}, 'Unknown argument "names"'],
    [
      'the type of a variable',
      'query ($id: ID!) { workItem(id: $id) { id } }',
      { id: '7' },
      'expecting type "WorkItemID!"',
    ],
    ['a missing variable', 'query ($id: WorkItemID!) { workItem(id: $id) { id } }', {}, 'required type "WorkItemID!"'],
    [
      'a field of an input',
      'mutation ($input: UpdateNoteInput!) { updateNote(input: $input) { errors } }',
      { input: { id: 'gid://gitlab/Note/1', text: 'Done' } },
      'Field "text" is not defined by type "UpdateNoteInput"',
    ],
  ])('finds %s that it does not have', async (_, query, variables, message) => {
    expect(await ask(query, variables)).toEqual([expect.stringContaining(message)])
  })
})

describe('the check of calls of its REST API', () => {
  it('finds nothing in a call as it is documented', async () => {
    expect(await check(HOOKS, { body: hook })).toEqual([])
    expect(await check(`${HOOKS}?per_page=100&page=1`, { method: 'GET' })).toEqual([])
  })

  it.each<[string, string, Partial<StubRequest>, string]>([
    ['a wrong path', `${HOOKS}s`, { body: hook }, 'is not described'],
    ['a wrong method', HOOKS, { method: 'DELETE' }, 'is not described'],
    ['an unknown parameter', `${HOOKS}?size=100`, { method: 'GET' }, 'query has an unknown size'],
    ['a wrong field', HOOKS, { body: { ...hook, events: true } }, '{"additionalProperty":"events"}'],
    ['a missing field', HOOKS, { body: { issues_events: true } }, "must have required property 'url'"],
    ['a value of a wrong type', HOOKS, { body: { ...hook, issues_events: 'yes' } }, 'issues_events must be boolean'],
  ])('finds %s', async (_, url, request, message) => {
    expect(await check(url, request)).toEqual([expect.stringContaining(message)])
  })
})
