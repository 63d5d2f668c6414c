import { describe, expect, it } from 'vitest'
import { addComment } from '../../../src/items/operations/comments/add-comment'
import { listComments } from '../../../src/items/operations/comments/list-comments'
import { getItem } from '../../../src/items/operations/get-item'
import { importSingle } from '../../../src/items/operations/import/import-single'
import { cutAfter, refuseWith, resetAfter, resetBefore, respondUnavailable } from '../../sandbox/fault-presets'
import { openTestWorkspace, type TestWorkspace } from '../test-workspace'

const ADDS = { method: 'POST', path: /\/comments/ }

const listTexts = async (workspace: TestWorkspace) =>
  (await workspace.run(listComments, { id: 343, count: 100 })).comments.map(({ text }: { text: string }) => text)

describe('comments', () => {
  it('are added and read as Markdown, the newest last', async () => {
    const workspace = await openTestWorkspace()
    await workspace.run(addComment, { id: 343, text: 'Is **open**:\n\n- gate 1\n- gate 2' })
    const { comment } = await workspace.run(addComment, { id: 343, text: 'And gate 3' })
    const { total, comments } = await workspace.run(listComments, { id: 343 })
    expect(total).toBe(2)
    expect(comments).toMatchObject([{ text: 'Is **open**:\n\n- gate 1\n- gate 2' }, comment])
    expect(comment.author.displayName).not.toBe('')
    const newest = await workspace.run(listComments, { id: 343, count: 1 })
    expect(newest).toMatchObject({ total: 2, comments: [{ text: 'And gate 3' }] })
  })

  it('mention people who are assigned to a cached item, and say who is unknown', async () => {
    const workspace = await openTestWorkspace()
    await workspace.run(importSingle, { id: 204 })
    const { assignedTo } = await workspace.run(getItem, { id: 204 })
    const text = `Thanks @${assignedTo.displayName}, and @Nobody. Write to gate@example.com.`
    const answer = await workspace.run(addComment, { id: 343, text })
    expect(answer.comment.text).toContain(`[@${assignedTo.displayName}](mention:`)
    expect(answer.notes).toEqual(['@Nobody is not a known person, so it remains text.'])
  })

  it('of an item that is not there are an error that says so', async () => {
    const workspace = await openTestWorkspace()
    const missing = { code: 'not_found', message: expect.stringContaining('has no work item 99999') }
    await expect(workspace.run(listComments, { id: 99999 })).rejects.toMatchObject(missing)
    await expect(workspace.run(addComment, { id: 99999, text: 'Hi' })).rejects.toMatchObject(missing)
  })

  it('are not sent in a dry run', async () => {
    const workspace = await openTestWorkspace()
    expect(await workspace.run(addComment, { id: 343, text: 'Later', dryRun: true })).toMatchObject({ comment: null })
    expect(await listTexts(workspace)).toEqual([])
  })

  it.each([
    ['is lost', resetAfter()],
    ['breaks off', cutAfter(20)],
    ['says that the tracker is unavailable', respondUnavailable()],
  ])('are added once if the response %s', async (_, fault) => {
    const workspace = await openTestWorkspace({ faults: [{ ...ADDS, nth: 2, fault }] })
    await workspace.run(addComment, { id: 343, text: 'ok' })
    await workspace.run(addComment, { id: 343, text: 'ok' })
    expect(await listTexts(workspace)).toEqual(['ok', 'ok'])
  })

  it('report that the result is unknown if the request may still arrive', async () => {
    const workspace = await openTestWorkspace({ faults: [{ ...ADDS, fault: resetBefore() }] })
    await expect(workspace.run(addComment, { id: 343, text: 'ok' })).rejects.toMatchObject({ code: 'tracker_timeout' })
    expect(
      workspace.sandbox.requests.filter(({ method, path }) => method === 'POST' && /comments/.test(path)),
    ).toHaveLength(1)
  })

  it('report what the tracker rejected, and an item that does not exist', async () => {
    const fault = refuseWith(400, 'RuleValidationException', 'TF401320: Rule Error.')
    const workspace = await openTestWorkspace({ faults: [{ ...ADDS, fault }] })
    await expect(workspace.run(addComment, { id: 343, text: 'ok' })).rejects.toMatchObject({ code: 'invalid' })
    await expect(workspace.run(listComments, { id: 99999 })).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('an item', () => {
  it('shows its children, comments, attachments and dates', async () => {
    const workspace = await openTestWorkspace()
    await workspace.run(importSingle, { id: 343 })
    await workspace.run(addComment, { id: 204, text: 'One' })
    const item = await workspace.run(getItem, { id: 204 })
    expect(item.children).toMatchObject([{ id: 343 }])
    expect(item.attachments).toEqual([
      { name: 'door-message.png', size: expect.any(Number) },
      { name: 'gate-messages.txt', size: expect.any(Number) },
    ])
    expect(item.commentCount).toBeGreaterThan(0)
    expect(Date.parse(item.createdAt)).toBeLessThan(Date.parse(item.changedAt))
    expect(await workspace.run(getItem, { id: 204, cached: true })).toMatchObject({
      attachments: null,
      commentCount: item.commentCount,
    })
  })
})
