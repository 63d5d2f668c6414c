import { describe, expect, it } from 'vitest'
import type { Reply } from '../../azure-devops/stub-server'
import type { Deployment } from '../jira-site'
import { findMismatches } from './check-calls'

const headers = { 'content-type': 'application/json' }
type Request = Parameters<typeof findMismatches>[1]

function check(deployment: Deployment, request: Partial<Request>, reply: Reply | null = null): string {
  return findMismatches(deployment, { method: 'GET', rawUrl: '/', headers, body: null, ...request }, reply).join('; ')
}

const comment = { method: 'POST', rawUrl: '/rest/api/3/issue/HAR-7/comment', body: { body: { type: 'doc' } } }

describe("the check against Atlassian's description of Cloud", () => {
  it.each<Partial<Request>>([
    comment,
    { rawUrl: '/rest/api/3/issue/HAR-7?fields=summary,status' },
    { rawUrl: '/rest/api/3/issue/createmeta/HAR/issuetypes/10001?startAt=0&maxResults=50' },
    { method: 'DELETE', rawUrl: '/rest/api/3/issue/7?deleteSubtasks=true' },
    { rawUrl: '/rest/api/2/serverInfo' },
    { rawUrl: '/rest/agile/1.0/board/7/sprint?startAt=0&maxResults=50' },
  ])('finds nothing in %j', (request) => {
    expect(check('cloud', request)).toBe('')
  })

  it.each<[string, Partial<Request>, string]>([
    ['a wrong path', { ...comment, rawUrl: '/rest/api/3/issue/HAR-7/comments' }, 'is not described'],
    ['a wrong version', { rawUrl: '/rest/api/2/field' }, 'is not described'],
    ['a wrong method', { method: 'DELETE', rawUrl: '/rest/api/3/field' }, 'is not described'],
    [
      'an unknown parameter',
      { method: 'DELETE', rawUrl: '/rest/api/3/issue/7?withSubtasks=true' },
      'unknown withSubtasks',
    ],
    [
      'a wrong value',
      { method: 'DELETE', rawUrl: '/rest/api/3/issue/7?deleteSubtasks=yes' },
      'query deleteSubtasks must be',
    ],
    ['a parameter of a wrong type', { rawUrl: '/rest/agile/1.0/board/x/sprint' }, 'path boardId must be integer'],
    ['a wrong field', { ...comment, body: { text: 'Done' } }, '{"additionalProperty":"text"}'],
    [
      'a field of a wrong type',
      { method: 'POST', rawUrl: '/rest/api/3/search/jql', body: { jql: 7 } },
      'request/jql must be string',
    ],
    ['no body', { ...comment, body: null }, 'lacks its body'],
    ['a wrong type of content', { ...comment, headers: { 'content-type': 'text/plain' } }, 'has the type text/plain'],
  ])('finds %s', (_, request, message) => {
    expect(check('cloud', request)).toContain(message)
  })

  it('finds answers that Jira does not give', () => {
    const answer = { json: { issues: [{ id: 1, title: 'A title' }], total: 1 } }
    const found = check('cloud', { method: 'POST', rawUrl: '/rest/api/3/search/jql', body: { jql: 'id = 1' } }, answer)
    expect(found).toContain('answer/issues/0/id must be string')
    expect(found).toContain('{"additionalProperty":"title"}')
    expect(found).toContain('{"additionalProperty":"total"}')
    expect(check('cloud', { method: 'DELETE', rawUrl: '/rest/api/3/issue/7' }, { status: 200, json: {} })).toContain(
      'answer has the status 200 instead of 204',
    )
  })
})

describe("the check against Atlassian's description of Data Center", () => {
  const edit = (update: unknown) => check('server', { method: 'PUT', rawUrl: '/rest/api/2/issue/7', body: { update } })

  it.each<Partial<Request>>([
    { rawUrl: '/rest/api/2/search?jql=id%3D7&startAt=0&maxResults=50' },
    { rawUrl: '/rest/api/2/issue/7/transitions?expand=transitions.fields' },
    { method: 'DELETE', rawUrl: '/rest/api/2/issueLink/7' },
    { rawUrl: '/secure/attachment/7/shot.png' },
  ])('finds nothing in %j', (request) => {
    expect(check('server', request)).toBe('')
  })

  it('finds calls and parameters that only Cloud has', () => {
    expect(check('server', { method: 'POST', rawUrl: '/rest/api/2/issue/bulkfetch', body: {} })).toContain(
      'is not described',
    )
    expect(check('server', { rawUrl: '/rest/api/2/issue/7/worklog?startAt=0' })).toContain('unknown startAt')
  })

  it('finds operations that there are not, and fields of answers', () => {
    expect(edit({ labels: [{ add: 'gate' }, { remove: 'door' }] })).toBe('')
    expect(edit({ labels: [{ append: 'gate' }] })).toContain('{"additionalProperty":"append"}')
    expect(check('server', { rawUrl: '/rest/api/2/field' }, { json: [{ id: 7 }] })).toContain(
      'answer/0/id must be string',
    )
    expect(check('server', { rawUrl: '/rest/api/2/issue/7/transitions' }, { json: { values: [] } })).toContain(
      '"values"',
    )
  })
})
