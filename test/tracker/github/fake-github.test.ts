import { describe, expect, it } from 'vitest'
import { createFakeGitHub } from './fake-github'
import type { FakeIssue } from './fake-issue'

const headers = { authorization: 'Bearer secret-token' }

async function ask(query: string, variables = {}, issue: Partial<FakeIssue> = {}, version?: 'older') {
  const github = createFakeGitHub({ issues: [{ number: 1, ...issue }], version })
  const { json } = await github.answer({ path: '/api/graphql', body: { query, variables }, headers })
  return { json: json as { data?: unknown; errors?: { message: string }[] }, violations: github.violations }
}

const selectIssue = (fields: string) =>
  `query { repository(owner: "works", name: "harbor") { issue(number: 1) { ${fields} } } }`

describe('the description of the API that GitHub publishes', () => {
  it('allows the requests and answers of the fake', async () => {
    const { json, violations } = await ask(selectIssue('number title state'))
    expect(json.data).toEqual({ repository: { issue: { number: 1, title: 'Issue 1', state: 'OPEN' } } })
    expect(violations).toEqual([])
  })

  it.each([
    ['a field that it does not have', selectIssue('colour'), {}, 'Cannot query field "colour" on type "Issue".'],
    ['an argument of another type', selectIssue('labels(first: "9") { totalCount }'), {}, 'Int cannot represent'],
    [
      'a mutation with an unknown input field',
      'mutation($input: UpdateIssueInput!) { updateIssue(input: $input) { clientMutationId } }',
      { input: { id: 'I_1', colour: 'red' } },
      'Field "colour" is not defined by type "UpdateIssueInput"',
    ],
    ['a missing variable', 'query($login: String!) { user(login: $login) { id } }', {}, '"$login" of required type'],
  ])('shows a wrong request: %s', async (_, query, variables, message) => {
    const { json, violations } = await ask(query, variables)
    expect(json.errors).not.toHaveLength(0)
    expect(violations).toEqual([expect.stringContaining(message)])
  })

  it.each([
    ['a missing value', { title: null as never }, 'Cannot return null for non-nullable field Issue.title.'],
    ['a value of another type', { title: {} as never }, 'String cannot represent value'],
    ['a state that it does not have', { state: 'DONE' as never }, 'Enum "IssueState" cannot represent value: "DONE"'],
  ])('shows a wrong answer: %s', async (_, issue, message) => {
    const { violations } = await ask(selectIssue('title state'), {}, issue)
    expect(violations).toEqual([expect.stringContaining(message)])
  })

  it('allows a request for newer fields, which an older server refuses', async () => {
    const { json, violations } = await ask(selectIssue('issueType { name }'), {}, {}, 'older')
    expect(json.errors).toMatchObject([{ extensions: { code: 'undefinedField', fieldName: 'issueType' } }])
    expect(violations).toEqual([])
  })
})

describe('a request that GitHub cannot read', () => {
  it('is answered with the syntax error', async () => {
    const { json, violations } = await ask('query { repository(')
    expect(json.errors).toMatchObject([{ message: expect.stringContaining('Syntax Error') }])
    expect(violations).toHaveLength(1)
  })
})
