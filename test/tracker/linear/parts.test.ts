import { describe, expect, it } from 'vitest'
import { never as signal } from '../azure-devops/fixtures'
import type { StubRequest } from '../azure-devops/stub-server'
import { ACCOUNTS } from './fake-linear'
import { losing, openLinear } from './fixtures'

const workspace = {
  issues: [
    { number: 1, title: 'Gate' },
    { number: 2, priority: 1 },
  ],
  labels: [],
}

async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all).toString()
}

const toFile = (text: string, name = 'shot.png') => ({
  itemId: 1,
  name,
  mediaType: 'image/png',
  content: {
    size: Buffer.byteLength(text),
    async *open() {
      yield Buffer.from(text)
    },
  },
})

describe('files of Linear', () => {
  it('are stored without the token, linked once, listed and read with it', async () => {
    const { tracker, linear } = await openLinear(workspace, { answer: losing('attachmentCreate', true) })
    const { uploads, attachments } = tracker.parts
    const added = await uploads!.add(toFile('PNG', '../shot (1).png'), signal)
    expect(added).toMatchObject({ status: 'added', attachment: { name: '../shot (1).png', size: 3 } })
    expect(linear.find(1).attachments).toHaveLength(1)
    const [file, ...others] = await attachments!.list(1, signal)
    expect(others).toEqual([])
    expect(file).toMatchObject({ name: '../shot (1).png', author: { displayName: 'Robin Vale' } })
    const { chunks } = await attachments!.open(file!, { from: 0, version: null }, signal)
    expect(await readAll(chunks)).toBe('PNG')
    expect(await tracker.parts.webLinks!.list(1, signal)).toEqual([])
  })

  it('are also those that a description and comments show, and no address elsewhere is read', async () => {
    const { tracker, linear, url, requests } = await openLinear(workspace)
    const base = `${new URL(url).origin}/uploads`
    linear.find(1).description = `![Plan](${base}/a/plan.png) [other](https://evil.example/uploads/x.png)`
    await tracker.addComment({ itemId: 1, text: `See ${base}/b/log%20file.txt`, after: 0 }, signal)
    const files = await tracker.parts.attachments!.list(1, signal)
    expect(files.map(({ name }) => name)).toEqual(['Plan', 'log file.txt'])
    requests.length = 0
    for (const id of ['https://evil.example/uploads/x.png', `${base}/../graphql`, 'no address'])
      await expect(
        tracker.parts.attachments!.open({ ...files[0]!, id }, { from: 0, version: null }, signal),
      ).rejects.toMatchObject({ code: 'not_found' })
    expect(requests).toEqual([])
  })
})

describe('an upload whose address is lost', () => {
  const isPreparation = ({ body }: StubRequest) => / fileUpload\(/.test(body?.query ?? '')

  it('is asked for again, because nothing is attached yet', async () => {
    const { tracker, linear } = await openLinear(workspace, { answer: losing('fileUpload', true) })
    expect(await tracker.parts.uploads!.add(toFile('PNG'), signal)).toMatchObject({ status: 'added' })
    expect(linear.find(1).attachments).toHaveLength(1)
  })

  it('fails for certain if it is lost again', async () => {
    const { tracker, linear } = await openLinear(workspace, {
      answer: (request) => (isPreparation(request) ? 'reset' : null),
    })
    expect(await tracker.parts.uploads!.add(toFile('PNG'), signal)).toMatchObject({
      status: 'rejected',
      code: 'tracker_answer',
      message: expect.stringMatching(/^The file was not attached\./),
    })
    expect(linear.find(1).attachments).toEqual([])
  })
})

describe('comments of Linear', () => {
  it('are changed and deleted by their author alone, if they still have the text', async () => {
    const { tracker, linear } = await openLinear(workspace, { answer: losing('commentUpdate', true) })
    const added = await tracker.addComment({ itemId: 1, text: 'First', after: 0 }, signal)
    const { id: commentId } = (added as { comment: { id: number } }).comment
    const { commentEditing } = tracker.parts
    const change = { itemId: 1, commentId, was: 'First', text: 'Second' }
    expect(await commentEditing!.edit({ ...change, was: 'Other' }, signal)).toMatchObject({ status: 'rejected' })
    expect(await commentEditing!.edit(change, signal)).toMatchObject({
      status: 'added',
      comment: { id: commentId, text: { text: 'Second' } },
    })
    linear.find(1).comments[0]!.user = ACCOUNTS[1]!.id
    const other = { itemId: 1, commentId, was: 'Second' }
    expect(await commentEditing!.delete(other, signal)).toMatchObject({ status: 'rejected', code: 'tracker_forbidden' })
    linear.find(1).comments[0]!.user = ACCOUNTS[0]!.id
    expect(await commentEditing!.delete(other, signal)).toEqual({ status: 'deleted' })
    expect(await commentEditing!.delete(other, signal)).toEqual({ status: 'deleted' })
  })
})

describe('links of Linear to web pages', () => {
  it.each([
    ['https://github.com/works/harbor/pull/7', 'pull-request'],
    ['https://gitlab.com/works/harbor/-/merge_requests/7', 'pull-request'],
    ['https://github.com/works/harbor/commit/0a1b2c3d', 'commit'],
    ['https://github.com/works/harbor/tree/main', 'branch'],
    ['https://example.com/plan', 'page'],
  ])('are added once, and removed: %s', async (url, kind) => {
    const { tracker, linear } = await openLinear(workspace, { answer: losing('attachmentLinkURL', true) })
    const { webLinks, webLinkEditing } = tracker.parts
    for (let i = 0; i < 2; i++)
      expect(await webLinkEditing!.add({ itemId: 1, url, title: 'Plan' }, signal)).toMatchObject({
        status: 'added',
        link: { kind, url, title: 'Plan' },
      })
    expect(linear.find(1).attachments).toHaveLength(1)
    const [link] = await webLinks!.list(1, signal)
    for (let i = 0; i < 2; i++)
      expect(await webLinkEditing!.remove({ itemId: 1, linkId: link!.id }, signal)).toEqual({ status: 'deleted' })
    expect(await webLinks!.list(1, signal)).toEqual([])
  })
})

describe('queries of Linear', () => {
  it('are views and filters, and find issues of the team alone', async () => {
    const issues = [
      ...workspace.issues,
      { number: 3, team: 'OPS', priority: 1, id: '00000001-0000-4000-8000-000000000993' },
    ]
    const { tracker, linear } = await openLinear({ issues })
    linear.views.push({ id: 'view', name: 'Urgent', filter: { priority: { eq: 1 } }, team: 'ENG' })
    linear.views.push({ id: 'other', name: 'Theirs', filter: {}, team: 'OPS' })
    const { queries } = tracker.parts
    expect(await queries!.list(signal)).toMatchObject([
      { id: 'view', name: 'ENG/Urgent', text: '{"priority":{"eq":1}}' },
    ])
    expect(await queries!.run({ saved: 'view' }, 10, signal)).toEqual({ ids: [2], total: 1 })
    expect(await queries!.run({ text: '{"priority":{"eq":1}}' }, 10, signal)).toEqual({ ids: [2], total: 1 })
    expect((await queries!.run({ text: '{}' }, 1, signal)).ids).toHaveLength(1)
    await expect(queries!.run({ text: 'priority = 1' }, 10, signal)).rejects.toMatchObject({ code: 'invalid' })
  })
})

describe('an issue of Linear', () => {
  it('may go into the other states, in the order of the workflow', async () => {
    const { tracker } = await openLinear(workspace)
    const states = await tracker.parts.transitions!.list(1, signal)
    expect(states.map(({ state }) => state)).toEqual(['Todo', 'In Progress', 'Done', 'Canceled'])
  })

  it('is found by the identifier of another team, and reported if it has moved there', async () => {
    const { tracker, linear } = await openLinear(workspace)
    linear.change(1, { previousIdentifiers: ['OPS-9'] })
    expect(await tracker.resolveKeys(['ops-9', 'ENG-2', 'OPS-1'], signal)).toEqual(
      new Map([
        ['ENG-2', 2],
        ['ops-9', 1],
      ]),
    )
    linear.change(2, { team: 'OPS', previousIdentifiers: ['ENG-2'] })
    await expect(tracker.getItem(2, signal)).rejects.toMatchObject({ code: 'not_found' })
    expect((await tracker.explainAbsence([2], signal)).get(2)).toMatch(/^It was moved to another team: OPS-2, https:/)
  })

  it('has no links to issues of other teams, and no relation that is only suggested', async () => {
    const issues = [{ number: 1, parent: 9 }, { number: 2 }, { number: 9, team: 'OPS' }]
    const relations = [
      { type: 'blocks', from: 1, to: 9 },
      { type: 'similar', from: 1, to: 2 },
      { type: 'duplicate', from: 2, to: 1 },
    ]
    const { tracker } = await openLinear({ issues, relations })
    expect(await tracker.getItem(1, signal)).toMatchObject({ parentId: null, successorIds: [], relatedIds: [2] })
  })

  it('has all of its relations, and is missing with a reason if its answer is malformed', async () => {
    const issues = Array.from({ length: 31 }, (_, i) => ({ number: i + 1 }))
    const relations = Array.from({ length: 30 }, (_, i) => ({ type: 'blocks', from: 1, to: i + 2 }))
    const { tracker, linear } = await openLinear({ issues, relations })
    expect((await tracker.getItem(1, signal)).successorIds).toHaveLength(30)
    linear.find(3).updatedAt = 'never'
    const { items, missing } = await tracker.getItems([2, 3], { signal })
    expect(items.map(({ id }) => id)).toEqual([2])
    expect(missing).toMatchObject([{ id: 3, isMalformed: true, reason: expect.stringContaining('issue 3') }])
  })
})

describe('a webhook of Linear', () => {
  it('is created for the team, and gets another secret after that', async () => {
    const { tracker, linear } = await openLinear(workspace)
    const hook = { url: 'https://studio.example.com/api/tracker/hooks', secret: 'one' }
    expect(await tracker.registerHook(hook, signal)).toEqual({ outcome: 'created', events: ['Issue', 'Comment'] })
    expect(await tracker.registerHook({ ...hook, secret: 'two' }, signal)).toMatchObject({ outcome: 'updated' })
    expect(linear.webhooks).toMatchObject([
      { ...hook, secret: 'two', teamId: 'team-ENG', resourceTypes: ['Issue', 'Comment'] },
    ])
  })
})
