import { GraphqlResponseError, graphql } from '@octokit/graphql'
import { describe, expect, it } from 'vitest'
import { createFakeTiming, errorOf, never } from '../azure-devops/fixtures'
import type { Reply } from '../azure-devops/stub-server'
import { openGitHub } from './fixtures'

const options = {
  issues: [
    { number: 1, title: 'Gate', type: 'Feature' },
    { number: 2, title: 'Lamp', labels: ['gate'], assignees: ['ines'] },
  ],
  labels: ['gate'],
}

/** GitHub's own client and the adapter, both on the same fake repository. */
async function openBoth({
  answer,
  token = 'secret-token',
  board = null,
}: {
  answer?: () => Reply
  token?: string
  board?: number | null
} = {}) {
  const timing = createFakeTiming()
  const opened = await openGitHub(options, { token, timing, board, ...(answer ? { answer } : {}) })
  const octokit = graphql.defaults({
    baseUrl: `${new URL(opened.url).origin}/api/v3`,
    headers: { authorization: `token ${token}` },
  })
  return { ...opened, octokit, timing }
}

const ISSUE = `query($number: Int!) { repository(owner: "works", name: "harbor") { issue(number: $number) {
  id number title state stateReason url parent { number } assignees(first: 9) { nodes { login } }
  labels(first: 9) { nodes { name } } subIssues(first: 9) { nodes { number } }
  comments(last: 9) { nodes { fullDatabaseId body } } } } }`

type Octokit = Awaited<ReturnType<typeof openBoth>>['octokit']

async function readIssue(octokit: Octokit, number: number) {
  const { repository } = await octokit<{ repository: { issue: any } }>(ISSUE, { number })
  return repository.issue
}

describe('GitHub’s own client', () => {
  it('reads the same issue as the adapter', async () => {
    const { tracker, octokit } = await openBoth()
    const [item, issue] = [await tracker.getItem(2, never), await readIssue(octokit, 2)]
    expect(item).toMatchObject({ title: issue.title, url: issue.url, state: 'Open', tags: ['gate'] })
    expect(issue).toMatchObject({ state: 'OPEN', labels: { nodes: [{ name: 'gate' }] } })
    expect(issue.assignees.nodes).toEqual([{ login: item.assignedTo!.uniqueName }])
  })

  it('makes changes that the adapter reads', async () => {
    const { tracker, octokit } = await openBoth()
    const { repository } = await octokit<any>('{ repository(owner: "works", name: "harbor") { id } }')
    const create = 'mutation($input: CreateIssueInput!) { createIssue(input: $input) { issue { id number } } }'
    const { createIssue } = await octokit<any>(create, { input: { repositoryId: repository.id, title: 'Bell' } })
    const { id, number } = createIssue.issue
    const change = `mutation($id: ID!, $parent: ID!) {
      updateIssue(input: { id: $id, title: "Big bell", body: "Rings." }) { clientMutationId }
      addSubIssue(input: { issueId: $parent, subIssueId: $id }) { clientMutationId }
      closeIssue(input: { issueId: $id, stateReason: NOT_PLANNED }) { clientMutationId }
      addComment(input: { subjectId: $id, body: "Too loud." }) { clientMutationId } }`
    await octokit(change, { id, parent: (await readIssue(octokit, 1)).id })
    expect(await tracker.getItem(number, never)).toMatchObject({
      title: 'Big bell',
      description: { text: 'Rings.' },
      parentId: 1,
      state: 'Closed as not planned',
    })
    expect(await tracker.listComments(number, { limit: 5, signal: never })).toMatchObject({
      comments: [{ text: { text: 'Too loud.' } }],
    })
  })

  it('reads the changes of the adapter', async () => {
    const { tracker, octokit } = await openBoth()
    const fields = { title: 'Bell', body: 'Rings.' }
    const marker = '5f0f3fb0-0000-4000-8000-000000000001'
    const item = { type: 'Issue', parentId: 1, fields, marker, startedAt: Date.UTC(2026, 10, 2, 9) }
    const created = await tracker.createItem(item, { signal: never })
    expect(created).toMatchObject({ status: 'created', id: 3 })
    const { rev } = await tracker.getItem(3, never)
    await tracker.updateItems([{ id: 3, rev, fields: { title: 'Big bell', state: 'Closed' } }], { signal: never })
    const added = await tracker.addComment({ itemId: 3, text: 'Done.', after: 0 }, never)
    const commentId = added.status === 'added' ? String(added.comment.id) : ''
    expect(await readIssue(octokit, 3)).toMatchObject({
      title: 'Big bell',
      state: 'CLOSED',
      stateReason: 'COMPLETED',
      parent: { number: 1 },
      comments: { nodes: [{ fullDatabaseId: commentId, body: 'Done.' }] },
    })
    expect((await readIssue(octokit, 1)).subIssues.nodes).toEqual([{ number: 3 }])
  })
})

describe('on a project board, GitHub’s own client', () => {
  const STATUS = `{ repository(owner: "works", name: "harbor") { issue(number: 2) { id state labels(first: 9) { nodes { name } }
    projectItems(first: 9) { nodes { id project { id } fieldValues(first: 9) { nodes {
      ... on ProjectV2ItemFieldSingleSelectValue { name } } } } } } } }`

  it('reads the status that the adapter sets, and sets the one that the adapter reads', async () => {
    const { tracker, octokit } = await openBoth({ board: 7 })
    const { rev } = await tracker.getItem(2, never)
    const change = { id: 2, rev, fields: { state: 'In Progress' }, tags: { add: [], remove: ['gate'] } }
    expect(await tracker.updateItems([change], { signal: never })).toMatchObject([{ status: 'applied' }])
    const { repository } = await octokit<any>(STATUS)
    expect(repository.issue).toMatchObject({ state: 'OPEN', labels: { nodes: [] } })
    const [item] = repository.issue.projectItems.nodes
    expect(item.fieldValues.nodes).toContainEqual({ name: 'In Progress' })
    const set = `mutation($input: UpdateProjectV2ItemFieldValueInput!) {
      updateProjectV2ItemFieldValue(input: $input) { clientMutationId } }`
    const value = { singleSelectOptionId: 'opt_Todo' }
    await octokit(set, { input: { projectId: item.project.id, itemId: item.id, fieldId: 'PVTSSF_status', value } })
    expect(await tracker.getItem(2, never)).toMatchObject({ state: 'Todo', stateCategory: 'Proposed' })
  })

  it('sees a comment edited and an issue deleted', async () => {
    const { tracker, octokit } = await openBoth()
    const added = await tracker.addComment({ itemId: 2, text: 'Done.', after: 0 }, never)
    const commentId = added.status === 'added' ? added.comment.id : 0
    const edit = { itemId: 2, commentId, was: 'Done.', text: 'Almost done.' }
    expect(await tracker.parts.commentEditing!.edit(edit, never)).toMatchObject({ status: 'added' })
    expect((await readIssue(octokit, 2)).comments.nodes).toEqual([
      { fullDatabaseId: String(commentId), body: 'Almost done.' },
    ])
    const { rev } = await tracker.getItem(2, never)
    expect(await tracker.parts.deletion!.delete({ id: 2, rev }, never)).toEqual({ status: 'deleted' })
    await expect(readIssue(octokit, 2)).rejects.toMatchObject({ errors: [{ type: 'NOT_FOUND' }] })
  })
})

describe('an error is one for GitHub’s own client and for the adapter', () => {
  it('if the token is wrong', async () => {
    const { tracker, octokit } = await openBoth({ token: 'wrong' })
    await expect(readIssue(octokit, 1)).rejects.toMatchObject({
      name: 'HttpError',
      status: 401,
      message: expect.stringContaining('Bad credentials'),
    })
    expect(await errorOf(tracker.getItem(1, never))).toMatchObject({ code: 'tracker_token' })
  })

  it('if there were too many requests at once (403)', async () => {
    const { tracker, octokit } = await openBoth({
      answer: () => ({
        status: 403,
        headers: { 'retry-after': '240' },
        json: { message: 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.' },
      }),
    })
    await expect(readIssue(octokit, 1)).rejects.toMatchObject({
      status: 403,
      response: { headers: { 'retry-after': '240' } },
    })
    expect(await errorOf(tracker.getItem(1, never))).toMatchObject({
      code: 'tracker_throttled',
      retryAfterSeconds: 240,
    })
  })

  it('if the limit per hour is reached, which is an error under the status 200', async () => {
    const now = createFakeTiming().now()
    const errors = [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded for user ID 1.' }]
    const { tracker, octokit } = await openBoth({
      answer: () => ({
        headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Math.ceil(now / 1000) + 900) },
        json: { errors },
      }),
    })
    const thrown = await readIssue(octokit, 1).catch((error: unknown) => error)
    expect(thrown).toBeInstanceOf(GraphqlResponseError)
    expect(thrown).toMatchObject({ errors, headers: { 'x-ratelimit-remaining': '0' } })
    const error = await errorOf(tracker.getItem(1, never))
    expect(error).toMatchObject({ code: 'tracker_throttled', retryAfterSeconds: expect.closeTo(900, -1) })
  })

  it('if the issue does not exist', async () => {
    const { tracker, octokit } = await openBoth()
    await expect(readIssue(octokit, 99)).rejects.toMatchObject({ errors: [{ type: 'NOT_FOUND' }] })
    expect(await errorOf(tracker.getItem(99, never))).toMatchObject({ code: 'not_found' })
  })
})
