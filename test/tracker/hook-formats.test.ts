import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { TRACKER_KINDS, type TrackerKind } from '../../src/tracker'
import { getHookFormat, type HookRequest, hasProof, isAuthentic } from '../../src/tracker/hook-formats'

const keysOf = (kind: TrackerKind, event: unknown) => getHookFormat(kind).listKeys(event)

const request = (headers: Record<string, string>, body = '', secretInAddress: string | null = null): HookRequest => ({
  header: (name) => headers[name] ?? null,
  secretInAddress,
  body: Buffer.from(body),
})

describe('an event is authentic', () => {
  // The example in "Validating webhook deliveries" of GitHub's documentation.
  const secret = "It's a Secret to Everybody"
  const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'

  it('if GitHub has signed its body', () => {
    const signed = (body: string, more = {}) => request({ 'x-hub-signature-256': signature, ...more }, body)
    expect(isAuthentic(signed('Hello, World!'), secret)).toBe(true)
    expect(isAuthentic(signed('Hello, World'), secret)).toBe(false)
    expect(isAuthentic(signed('Hello, World!'), 'another')).toBe(false)
  })

  it('if Jira Cloud has signed it, in the header of WebSub', () => {
    const body = '{"webhookEvent":"jira:issue_updated"}'
    const own = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
    expect(isAuthentic(request({ 'x-hub-signature': own }, body), secret)).toBe(true)
    const sha1 = `sha1=${createHmac('sha1', secret).update(body).digest('hex')}`
    expect(isAuthentic(request({ 'x-hub-signature': sha1 }, body), secret)).toBe(false)
  })

  it('if the password or the token of Azure DevOps is the secret, or the parameter of an address is', () => {
    const basic = (pair: string) => request({ authorization: `Basic ${Buffer.from(pair).toString('base64')}` })
    expect(isAuthentic(basic('studio:s3:cret'), 's3:cret')).toBe(true)
    expect(isAuthentic(basic('s3:cret:studio'), 's3:cret')).toBe(false)
    expect(isAuthentic(request({ authorization: 'Bearer s3cret' }), 's3cret')).toBe(true)
    expect(isAuthentic(request({}, '', 's3cret'), 's3cret')).toBe(true)
    expect(isAuthentic(request({}, '', 's3cre'), 's3cret')).toBe(false)
    expect(isAuthentic(request({}), 's3cret')).toBe(false)
  })

  it('if GitLab has sent the secret', () => {
    expect(isAuthentic(request({ 'x-gitlab-token': 's3cret' }), 's3cret')).toBe(true)
    expect(isAuthentic(request({ 'x-gitlab-token': 's3cre' }), 's3cret')).toBe(false)
    expect(hasProof(request({ 'x-gitlab-token': 'x' }))).toBe(true)
  })

  it('if Linear has signed its raw body, in hexadecimal digits without a prefix', () => {
    const body = '{"action":"update","type":"Issue","data":{"identifier":"ENG-7"},"webhookTimestamp":1676056940508}'
    const own = createHmac('sha256', secret).update(body).digest('hex')
    const signed = (text: string, given: string, more = {}) => request({ 'linear-signature': given, ...more }, text)
    expect(isAuthentic(signed(body, own), secret)).toBe(true)
    expect(isAuthentic(signed(JSON.stringify(JSON.parse(body), null, 1), own), secret)).toBe(false)
    expect(isAuthentic(signed(body, own), 'another')).toBe(false)
    const sha1 = createHmac('sha1', secret).update(body).digest('hex')
    for (const wrong of ['', sha1, own.slice(1), secret]) expect(isAuthentic(signed(body, wrong), secret)).toBe(false)
    expect(isAuthentic(signed(body, sha1, { authorization: `Bearer ${secret}` }), secret)).toBe(false)
    expect(hasProof(request({ 'linear-signature': own }))).toBe(true)
  })

  it('not if its signature is wrong, whatever else it has', () => {
    const both = { 'x-hub-signature-256': signature, authorization: 'Bearer s3cret' }
    expect(isAuthentic(request(both, 'Hello, World!'), 's3cret')).toBe(false)
  })

  it('only with a proof', () => {
    expect(hasProof(request({}))).toBe(false)
    expect(hasProof(request({ authorization: 'Bearer x' }))).toBe(true)
  })
})

describe('the items of an event', () => {
  it('of Azure DevOps: an update names its item in one of three places, of which the example of the vendor has two', () => {
    const url = 'https://dev.azure.com/fabrikam/_apis/wit/workItems/5/updates/2'
    const updated = { eventType: 'workitem.updated', resource: { id: 2, workItemId: 0, rev: 2, url } }
    expect(keysOf('azure-devops', updated)).toEqual(['5'])
    const withRevision = { ...updated, resource: { id: 2, workItemId: 0, revision: { id: 7, rev: 2 } } }
    expect(keysOf('azure-devops', withRevision)).toEqual(['7'])
    expect(keysOf('azure-devops', { ...updated, resource: { id: 2, workItemId: 9 } })).toEqual(['9'])
    expect(keysOf('azure-devops', { ...updated, resource: { id: 2 } })).toEqual([])
    for (const kind of ['created', 'deleted', 'restored', 'commented'])
      expect(keysOf('azure-devops', { eventType: `workitem.${kind}`, resource: { id: 5, rev: 1 } })).toEqual(['5'])
    expect(keysOf('azure-devops', { eventType: 'git.push', resource: { id: 5 } })).toEqual([])
  })

  it('of GitHub: the issue, and those that were linked, each with its repository', () => {
    const repository = { id: 1, full_name: 'Octo-Org/app.js' }
    expect(keysOf('github', { action: 'edited', issue: { id: 444500041, number: 1 }, repository })).toEqual([
      'Octo-Org/app.js#1',
    ])
    const linked = {
      action: 'sub_issue_added',
      sub_issue: { number: 3 },
      sub_issue_repo: { full_name: 'octo-org/other' },
      parent_issue: { number: 2 },
      repository,
    }
    expect(keysOf('github', linked)).toEqual(['octo-org/other#3', 'Octo-Org/app.js#2'])
    const comment = { action: 'created', issue: { number: 9, pull_request: { url: 'https://…' } }, repository }
    expect(keysOf('github', comment)).toEqual([])
    expect(keysOf('github', { zen: 'Design for failure.', hook_id: 1, repository })).toEqual([])
  })

  it('of GitLab: the work item by its ID, also that of a comment', () => {
    const project = { id: 1, path_with_namespace: 'gitlab-org/gitlab-test' }
    const item = { id: 301, iid: 23, title: 'New API', state: 'opened', action: 'open' }
    expect(keysOf('gitlab', { object_kind: 'issue', event_type: 'issue', project, object_attributes: item })).toEqual([
      '301',
    ])
    expect(keysOf('gitlab', { object_kind: 'work_item', project, object_attributes: item })).toEqual(['301'])
    const note = { object_kind: 'note', project, object_attributes: { id: 1241, note: 'Hello' } }
    expect(keysOf('gitlab', { ...note, issue: { id: 92, iid: 17 } })).toEqual(['92'])
    expect(keysOf('gitlab', { ...note, merge_request: { id: 7 } })).toEqual([])
    expect(keysOf('gitlab', { object_kind: 'push', project, object_attributes: item })).toEqual([])
  })

  it('of Jira: the issue by its ID, and both ends of a link', () => {
    const issue = { id: '99291', self: 'https://jira.example/rest/api/2/issue/99291', key: 'JRA-20002' }
    expect(keysOf('jira', { webhookEvent: 'jira:issue_updated', timestamp: 1, issue })).toEqual(['99291'])
    expect(keysOf('jira', { webhookEvent: 'jira:issue_updated', issue: { key: 'JRA-20002' } })).toEqual(['JRA-20002'])
    const issueLink = { id: 1, sourceIssueId: 10009, destinationIssueId: 10010 }
    expect(keysOf('jira', { webhookEvent: 'issuelink_created', issueLink })).toEqual(['10009', '10010'])
    expect(keysOf('jira', { webhookEvent: 'sprint_started', sprint: { id: 4 } })).toEqual([])
  })

  it('of Linear: the issue by its identifiers, also that of a comment', () => {
    const common = { createdAt: '2020-01-23T12:53:18.084Z', webhookTimestamp: 1676056940508, organizationId: 'o-1' }
    const issue = { id: '2174add1', identifier: 'ENG-79', number: 79, title: 'Gate', teamId: 't-1', labelIds: [] }
    const url = 'https://linear.app/harbor/issue/ENG-79/gate'
    for (const action of ['create', 'update', 'remove'])
      expect(keysOf('linear', { action, type: 'Issue', data: issue, url, ...common })).toEqual(['ENG-79'])
    const moved = { ...issue, previousIdentifiers: ['OPS-3', 'ENG-79'] }
    expect(keysOf('linear', { action: 'update', type: 'Issue', data: moved, ...common })).toEqual(['ENG-79', 'OPS-3'])
    const comment = { id: 'c-1', body: 'Hello', issueId: '2174add1', issue: { id: '2174add1', identifier: 'ENG-79' } }
    expect(keysOf('linear', { action: 'create', type: 'Comment', data: comment, ...common })).toEqual(['ENG-79'])
    const project = { id: 'p-1', name: 'Gates' }
    expect(keysOf('linear', { action: 'update', type: 'Project', data: project, ...common })).toEqual([])
  })

  it('are none where an event has another shape', () => {
    const strange = [null, 1, [], 'text', {}, { issue: 5 }, { resource: [] }, { eventType: 'workitem.created' }]
    const hostile = [
      { issue: { number: '1; drop', id: '1 or 1=1', key: '../../x' }, repository: { full_name: 'a/b/../c' } },
      { issue: { number: 2 ** 40 }, repository: { full_name: 'a/b' } },
      { eventType: 'workitem.created', resource: { id: 2 ** 40 } },
      { object_kind: 'issue', object_attributes: { id: 2 ** 40 } },
      { object_kind: 'note', issue: { id: '1 or 1=1' } },
      { eventType: 'workitem.created', resource: { id: -1, url: 'x'.repeat(100_000) } },
      { type: 'Issue', data: { identifier: '../ENG-1', previousIdentifiers: ['ENG-1'.repeat(9)], issue: 'ENG-1' } },
      { type: 'Comment', data: { issue: { identifier: 'ENG-1 or 1=1' } } },
      { eventType: 'workitem.updated', resource: { workItemId: 2 ** 60, url: '/workItems/99999999999999/' } },
    ]
    for (const event of [...strange, ...hostile])
      for (const kind of TRACKER_KINDS) expect(keysOf(kind, event)).toEqual([])
  })
})
