import { describe, expect, it } from 'vitest'
import { never } from '../azure-devops/fixtures'
import { DEPLOYMENTS, openJira, openJiraTracker } from './fixtures'

const issues = [
  { id: 101, type: 'Epic' },
  { id: 203, summary: 'Wire the lamp' },
  { id: 204, summary: 'Paint the lamp' },
  { id: 202, type: 'Story', summary: 'Hang the lamp', labels: ['gate'], priority: 'High' },
]

describe.each(DEPLOYMENTS)('searching on %s', (deployment) => {
  const open = () => openJira({ deployment, issues })
  const search = async (words: string, itemType: string | null = null) =>
    (await (await open()).tracker.search({ text: words, itemType, limit: 10 }, never)).ids

  it('finds words, and an issue by its key or ID', async () => {
    expect(await search('lamp')).toEqual([202, 204, 203])
    expect(await search('har-202')).toEqual([202])
    expect(await search('202')).toEqual([202])
  })

  it('takes JQL after jql:, with its order, in the project of the settings only', async () => {
    expect(await search('jql: priority = High')).toEqual([202])
    expect(await search('jql: summary ~ lamp ORDER BY key ASC')).toEqual([202, 203, 204])
    expect(await search('jql: project = HAR OR labels = gate', 'Epic')).toEqual([101])
    const { tracker, requestsTo } = await open()
    await tracker.search({ text: 'JQL: labels = gate', itemType: null, limit: 10 }, never)
    expect(requestsTo(/search/)[0]!.body.jql).toBe('project = "HAR" AND (labels = gate) ORDER BY updated DESC')
  })

  it.each([
    'x) OR (project = "Y"',
    'summary ~ lamp)',
    '(summary ~ lamp',
    'summary ~ "lamp',
    "summary ~ 'lamp",
    'summary ~ "lamp\\"',
    'summary ~ "\\") OR (project = "Y"',
  ])('refuses JQL that would leave the project, and sends nothing: %s', async (jql) => {
    const { tracker, requestsTo } = await open()
    const found = tracker.search({ text: `jql: ${jql}`, itemType: null, limit: 10 }, never)
    await expect(found).rejects.toMatchObject({ code: 'invalid', message: expect.stringContaining('does not match') })
    expect(requestsTo(/search/)).toEqual([])
  })

  it('takes parentheses and an order in quotes for text', async () => {
    const { tracker, requestsTo } = await open()
    const jql = 'summary ~ "a) order by (b" ORDER BY key ASC'
    await tracker.search({ text: `jql: ${jql}`, itemType: null, limit: 10 }, never)
    const sent = 'project = "HAR" AND (summary ~ "a) order by (b") ORDER BY key ASC'
    expect(requestsTo(/search/)[0]!.body.jql).toBe(sent)
  })

  it('reports what is wrong with JQL', async () => {
    await expect(search('jql: colour = red')).rejects.toMatchObject({
      code: 'tracker_answer',
      message: expect.stringContaining("Field 'colour' does not exist"),
    })
  })

  it('takes operators in words for words', async () => {
    const { tracker, requestsTo } = await open()
    await tracker.search({ text: 'lamp" OR project = "X', itemType: null, limit: 10 }, never)
    expect(requestsTo(/search/)[0]!.body.jql).toContain('text ~ "lamp OR project X"')
  })
})

describe.each(DEPLOYMENTS)('the issues that a token can read on %s', (deployment) => {
  it('are found although another one was deleted', async () => {
    const { tracker, site } = await openJira({ deployment, issues })
    site.issues.delete(203)
    site.find(204)!.isHidden = true
    expect(await tracker.findReadableItems([101, 202, 203, 204], never)).toEqual(new Set([101, 202]))
  })
})

describe('the credentials', () => {
  const account = 'robin@works.example'

  it('of Cloud are an account and a token', async () => {
    const { tracker, requests } = await openJira({ deployment: 'cloud', issues, account }, { account })
    expect((await tracker.probe(never)).project).toBe('HAR')
    const basic = Buffer.from(`${account}:secret-token`).toString('base64')
    expect(requests.every(({ headers }) => headers.authorization === `Basic ${basic}`)).toBe(true)
  })

  it('of Data Center are a token alone, or an account and a password', async () => {
    const jira = await openJira({ deployment: 'server', issues, account })
    expect((await jira.tracker.probe(never)).project).toBe('HAR')
    expect(jira.requests.every(({ headers }) => headers.authorization === 'Bearer secret-token')).toBe(true)
    const withPassword = openJiraTracker(jira, { account })
    expect((await withPassword.probe(never)).project).toBe('HAR')
    await withPassword.close()
  })

  it('are reported if the account is missing, and never shown', async () => {
    const { tracker } = await openJira({ deployment: 'cloud', issues, account })
    const error = await tracker.getItem(101, never).catch((one) => one)
    expect(error).toMatchObject({ code: 'tracker_token', hint: expect.stringContaining('STUDIO_TRACKER_ACCOUNT') })
    expect(JSON.stringify(error)).not.toContain('secret-token')
  })
})
