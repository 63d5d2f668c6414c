import { Version2Client, Version3Client } from 'jira.js'
import { describe, expect, it } from 'vitest'
import { startFakeJira } from './fake-jira'
import { type Deployment, JiraSite } from './jira-site'
import { searchIssues } from './search-issues'

const account = 'robin@works.example'
const token = 'secret-token'
const issues = [
  { id: 101, type: 'Epic', summary: 'Gate check-in' },
  { id: 201, type: 'Story', parent: 'HAR-101', summary: 'Scan the code', labels: ['gate'] },
  { id: 202, type: 'Story', parent: 'HAR-101', summary: 'Print the pass', status: 'Done' },
  { id: 311, type: 'Sub-task', parent: 'HAR-201', summary: 'Choose a scanner' },
]
const doc = (text: string) => ({
  type: 'doc',
  version: 1,
  content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
})

describe('the stock client of Jira Cloud', () => {
  const open = async () => {
    const jira = await startFakeJira({ deployment: 'cloud', issues, account, token })
    const client = new Version3Client({
      host: jira.url,
      authentication: { basic: { email: account, apiToken: token } },
    })
    return { jira, client }
  }

  it('creates, edits, moves, links and comments an issue', async () => {
    const { jira, client } = await open()
    const made = await client.issues.createIssue({
      fields: {
        project: { key: 'HAR' },
        issuetype: { name: 'Task' },
        summary: 'Order a lamp',
        description: doc('Red.'),
      },
    })
    await client.issues.editIssue({ issueIdOrKey: made.key, fields: { summary: 'Order two lamps' } })
    const { transitions } = await client.issues.getTransitions({ issueIdOrKey: made.key })
    const { id } = transitions!.find(({ to }) => to?.name === 'Done')!
    await client.issues.doTransition({ issueIdOrKey: made.key, transition: { id: id! } })
    await client.issueLinks.linkIssues({
      type: { name: 'Blocks' },
      inwardIssue: { key: 'HAR-201' },
      outwardIssue: { key: made.key },
    })
    await client.issueComments.addComment({ issueIdOrKey: made.key, comment: doc('Done.') as never })
    const read = await client.issues.getIssue({ issueIdOrKey: made.key })
    expect(read.fields).toMatchObject({
      summary: 'Order two lamps',
      status: { statusCategory: { key: 'done' } },
      issuelinks: [{ type: { inward: 'is blocked by' }, inwardIssue: { key: 'HAR-201' } }],
    })
    expect(jira.site.find(made.key)!.comments).toHaveLength(1)
  })

  it('searches page by page, and fetches many issues', async () => {
    const { client } = await open()
    const search = (nextPageToken?: string) =>
      client.issueSearch.searchForIssuesUsingJqlEnhancedSearchPost({
        jql: 'project = HAR ORDER BY id ASC',
        fields: ['summary'],
        maxResults: 3,
        ...(nextPageToken ? { nextPageToken } : {}),
      })
    const first = await search()
    const last = await search(first.nextPageToken!)
    expect([...first.issues!, ...last.issues!].map(({ id }) => id)).toEqual(['101', '201', '202', '311'])
    expect(last.nextPageToken).toBeUndefined()
    const fetched = await client.issues.bulkFetchIssues({
      issueIdsOrKeys: ['311', '999', 'HAR-101'],
      fields: ['summary'],
    })
    expect(fetched.issues!.map(({ id }) => id)).toEqual(['101', '311'])
    expect(fetched.issueErrors).toMatchObject([{ id: '999' }])
  })

  it('changes many issues with one task', async () => {
    const { jira, client } = await open()
    const { taskId } = await client.issueBulkOperations.submitBulkEdit({
      selectedActions: ['summary'],
      selectedIssueIdsOrKeys: ['201', '202'],
      editedFieldsInput: { singleLineTextFields: [{ fieldId: 'summary', text: 'Renamed' }] },
    })
    const read = () => client.issueBulkOperations.getBulkOperationProgress({ taskId: taskId! })
    expect(await read()).toMatchObject({ status: 'RUNNING' })
    expect(await read()).toMatchObject({ status: 'COMPLETE', processedAccessibleIssues: [201, 202] })
    expect(jira.site.find(202)!.summary).toBe('Renamed')
  })
})

describe('the stock client of version 2 with a server', () => {
  const open = async () => {
    const jira = await startFakeJira({ deployment: 'server', issues, account, token })
    const client = new Version2Client({
      host: jira.url,
      authentication: { basic: { email: account, apiToken: token } },
    })
    return { jira, client }
  }

  it('creates, moves, links, comments and reads', async () => {
    const { client } = await open()
    const { key } = await client.issues.createIssue({
      fields: { project: { key: 'HAR' }, issuetype: { name: 'Task' }, summary: 'Lamp', description: '*Red.*' },
    })
    await client.issues.doTransition({ issueIdOrKey: key, transition: { id: '21' } })
    await client.issueLinks.linkIssues({
      type: { name: 'Blocks' },
      inwardIssue: { key },
      outwardIssue: { key: 'HAR-201' },
    })
    await client.issueComments.addComment({ issueIdOrKey: key, comment: 'h2. Done' })
    const read = await client.issues.getIssue({ issueIdOrKey: key })
    expect(read.fields).toMatchObject({
      description: '*Red.*',
      status: { name: 'In Progress' },
      comment: { comments: [{ body: 'h2. Done' }] },
      issuelinks: [{ outwardIssue: { key: 'HAR-201' } }],
    })
  })

  it('edits fields and labels, reads its fields and transitions, and removes a link', async () => {
    const { client, jira } = await open()
    await client.issues.editIssue({
      issueIdOrKey: 'HAR-201',
      fields: { summary: 'Scan both codes', priority: { name: 'High' }, customfield_10014: null },
      update: { labels: [{ add: 'night' }, { remove: 'gate' }] },
    })
    await client.issues.assignIssue({ issueIdOrKey: 'HAR-201', name: 'ines' } as never)
    expect(jira.site.find(201)).toMatchObject({
      summary: 'Scan both codes',
      priority: 'High',
      labels: ['night'],
      parent: null,
      assignee: 'ines',
    })
    expect((await client.issueFields.getFields()).map(({ id }) => id)).toContain('customfield_10028')
    const { transitions } = await client.issues.getTransitions({
      issueIdOrKey: 'HAR-201',
      expand: 'transitions.fields',
    })
    expect(transitions!.map(({ to }) => to!.name)).toEqual(['To Do', 'In Progress', 'Done'])
    await client.issueLinks.linkIssues({
      type: { name: 'Blocks' },
      inwardIssue: { key: 'HAR-202' },
      outwardIssue: { key: 'HAR-201' },
    })
    const read = await client.issues.getIssue({ issueIdOrKey: 'HAR-201' })
    await client.issueLinks.deleteIssueLink({ linkId: read.fields.issuelinks[0]!.id! })
    expect(jira.site.links).toEqual([])
    const { comments } = await client.issueComments.getComments({ issueIdOrKey: 'HAR-201' })
    expect(comments).toEqual([])
  })

  it('is refused what the server refuses', async () => {
    const { client } = await open()
    const refused = async (change: Promise<unknown>) => {
      const error = await change.then(
        () => null,
        (one) => one,
      )
      return [error.status ?? error.response?.status, JSON.stringify(error.response?.data ?? error.response ?? '')]
    }
    const [status, text] = await refused(
      client.issues.editIssue({ issueIdOrKey: 'HAR-201', fields: { labels: ['a b'] } }),
    )
    expect(status).toBe(400)
    expect(text).toContain('contains spaces')
    const [missing] = await refused(client.issues.editIssue({ issueIdOrKey: 'HAR-999', fields: { summary: 'x' } }))
    expect(missing).toBe(404)
  })

  it('searches with positions', async () => {
    const { client } = await open()
    const found = await client.issueSearch.searchForIssuesUsingJqlPost({
      jql: '"Epic Link" = HAR-101 ORDER BY key ASC',
      startAt: 1,
      maxResults: 5,
    })
    expect(found).toMatchObject({ total: 2, startAt: 1, issues: [{ id: '202' }] })
  })
})

describe('JQL', () => {
  const find = (jql: string, deployment: Deployment = 'cloud') =>
    searchIssues(new JiraSite({ deployment, issues }), jql, { isStrict: true })
      .issues.map(({ id }) => id)
      .sort()

  it.each([
    ['project = HAR AND issuetype in (Story, "Sub-task")', [201, 202, 311]],
    ['parent in (HAR-101)', [201, 202]],
    ['parent in (101, 201)', [201, 202, 311]],
    ['NOT (type = Epic OR statusCategory = Done)', [201, 311]],
    ['labels = gate', [201]],
    ['labels != gate', []],
    ['labels is empty', [101, 202, 311]],
    ['text ~ "scan*"', [201, 311]],
    ['summary ~ "scan"', [201]],
    ['updated >= -1w AND id in (202, HAR-101)', [101, 202]],
    [`updated >= ${Date.UTC(2026, 10, 2, 9, 0, 15)}`, [202, 311]],
  ])('finds the issues of %s', (jql, ids) => {
    expect(find(jql)).toEqual(ids)
  })

  it.each([
    ['colour = red', "Field 'colour' does not exist"],
    ['id in (201, 999)', "A value with ID '999' does not exist"],
    ['key = HAR-9', "An issue with key 'HAR-9' does not exist"],
    ['project = HAR AND', 'ended before'],
    ['project = HAR type = Bug', "Expecting either 'OR' or 'AND'"],
    ['updated > yesterday', 'Date value'],
  ])('refuses %s', (jql, message) => {
    expect(() => find(jql)).toThrow(message)
  })
})

describe('a site', () => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const post = (url: string, path: string, body: unknown) =>
    fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })

  it('refuses a wrong token, and shows nothing to anonymous callers', async () => {
    const { url } = await startFakeJira({ deployment: 'cloud', issues, token })
    const wrong = await fetch(`${url}/rest/api/3/myself`, { headers: { authorization: 'Bearer wrong' } })
    expect([wrong.status, wrong.headers.get('x-seraph-loginreason')]).toEqual([401, 'AUTHENTICATED_FAILED'])
    const found = await fetch(`${url}/rest/api/3/search/jql?jql=project=HAR`)
    expect(await found.json()).toEqual({ issues: [], isLast: true })
    expect((await fetch(`${url}/rest/api/3/issue/HAR-101`)).status).toBe(404)
  })

  it('finds new issues only after they are indexed or reconciled', async () => {
    const { url, site } = await startFakeJira({ deployment: 'cloud', issues, token, hasStaleSearch: true })
    const { id } = site.add({ summary: 'New' })
    const search = async (reconcileIssues: number[]) =>
      (await (await post(url, '/rest/api/3/search/jql', { jql: 'summary ~ New', reconcileIssues })).json()) as any
    expect((await search([])).issues).toEqual([])
    expect((await search([id])).issues).toEqual([{ id: String(id) }])
    site.reindex()
    expect((await search([])).issues).toEqual([{ id: String(id) }])
  })

  it('has removed the old search of Cloud, and accepts only bounded queries and known page tokens', async () => {
    const { url } = await startFakeJira({ deployment: 'cloud', issues, token })
    expect((await post(url, '/rest/api/3/search', { jql: 'project = HAR' })).status).toBe(410)
    expect((await post(url, '/rest/api/3/search/jql', { jql: 'ORDER BY id' })).status).toBe(400)
    expect((await post(url, '/rest/api/3/search/jql', { jql: 'id = 101', nextPageToken: 'x' })).status).toBe(400)
  })
})
