import { describe, expect, it } from 'vitest'
import { errorOf, never, quick } from '../../azure-devops/fixtures'
import { isMutation, losing, openGitHub, ways } from '../fixtures'

const limits = { ...quick, headersTimeoutMs: 200 }
const lost = (how: Parameters<typeof losing>[0], isExecuted: boolean) => ({ answer: losing(how, isExecuted), limits })

describe('the states into which an issue may go', () => {
  const issues = [{ number: 1, board: { points: null, iteration: null, status: 'Todo' } }]

  it('are those of GitHub without a board, and its statuses with one', async () => {
    const names = async (settings: { board?: number }) => {
      const { tracker } = await openGitHub({ issues }, settings)
      return (await tracker.parts.transitions!.list(1, never)).map(({ state }) => state)
    }
    expect(await names({})).toEqual(['Closed', 'Closed as not planned'])
    expect(await names({ board: 7 })).toEqual(['Open', 'In Progress', 'Done', 'Closed', 'Closed as not planned'])
  })
})

describe('deleting an issue', () => {
  const issues = [{ number: 1 }, { number: 2, parent: 1 }]
  const open = async (options = {}, settings = {}) => {
    const opened = await openGitHub({ issues, ...options }, settings)
    const { rev } = await opened.tracker.getItem(1, never)
    const { deletion } = opened.tracker.parts
    return { ...opened, rev, remove: (id = 1) => deletion!.delete({ id, rev }, never) }
  }

  it('happens once, and keeps its sub-issues', async () => {
    const { remove, github, requests } = await open()
    expect(await remove()).toEqual({ status: 'deleted' })
    expect([...github.issues.keys()]).toEqual([2])
    expect(await remove()).toEqual({ status: 'deleted' })
    expect(requests.filter(isMutation)).toHaveLength(1)
    expect(await remove(9)).toMatchObject({ status: 'rejected', code: 'not_found' })
  })

  it('does not happen to a newer version, or without the right for it', async () => {
    const { remove, github } = await open()
    github.change(1, { title: 'Newer' })
    expect(await remove()).toMatchObject({ status: 'conflict' })
    const other = await open({ isAdmin: false })
    expect(await other.remove()).toMatchObject({ status: 'rejected', code: 'tracker_forbidden' })
    expect(github.issues.size + other.github.issues.size).toBe(4)
  })

  it.each(ways)('is found out after a lost response: %s', async (_, how) => {
    const { remove, requests } = await open({}, lost(how, true))
    expect(await remove()).toEqual({ status: 'deleted' })
    expect(requests.filter(isMutation)).toHaveLength(1)
  })

  it.each(ways)('is unknown if the issue is there after a lost response: %s', async (_, how) => {
    const { remove, requests } = await open({}, lost(how, false))
    expect(await remove()).toMatchObject({ status: 'unknown' })
    expect(requests.filter(isMutation)).toHaveLength(1)
  })
})

describe('a comment of the account', () => {
  const comment = (id: number, author: string) => ({
    id,
    author,
    body: `Text ${id}`,
    createdAt: '2026-11-02T09:00:00Z',
  })
  const many = Array.from({ length: 150 }, (_, i) => comment(i + 10, 'ines'))
  const open = async (settings = {}) => {
    const comments = [comment(1, 'robin'), comment(2, 'ines'), ...structuredClone(many)]
    const opened = await openGitHub({ issues: [{ number: 1, comments }] }, settings)
    return { ...opened, editor: opened.tracker.parts.commentEditing! }
  }
  const own = { itemId: 1, commentId: 1, was: 'Text 1' }
  const edited = { ...own, text: 'New text' }

  it('is edited and deleted', async () => {
    const { editor, github } = await open()
    expect(await editor.edit(edited, never)).toMatchObject({
      status: 'added',
      comment: { id: 1, text: { text: 'New text' } },
    })
    expect(await editor.delete({ ...own, was: 'New text' }, never)).toEqual({ status: 'deleted' })
    expect(github.issues.get(1)!.comments[0]).toMatchObject({ id: 2 })
    expect(await editor.delete(own, never)).toEqual({ status: 'deleted' })
    expect(await editor.edit(edited, never)).toMatchObject({ status: 'rejected', code: 'not_found' })
    expect(await errorOf(editor.edit({ ...edited, itemId: 9 }, never))).toMatchObject({ code: 'not_found' })
  })

  it('is neither one of another person, nor one with another text', async () => {
    const { editor, requests } = await open()
    const others = { ...edited, commentId: 2, was: 'Text 2' }
    const rejected = { status: 'rejected', code: 'tracker_forbidden', message: expect.stringContaining('by ines') }
    expect(await editor.edit(others, never)).toMatchObject(rejected)
    expect(await editor.delete(others, never)).toMatchObject(rejected)
    const changed = { status: 'rejected', message: expect.stringContaining('another text now') }
    expect(await editor.edit({ ...edited, was: 'Old' }, never)).toMatchObject(changed)
    expect(await editor.delete({ ...own, was: 'Old' }, never)).toMatchObject(changed)
    expect(requests.filter(isMutation)).toHaveLength(0)
  })

  it.each(ways)('is edited and deleted once, also if the response is lost: %s', async (_, how) => {
    const editing = await open(lost(how, true))
    expect(await editing.editor.edit(edited, never)).toMatchObject({
      status: 'added',
      comment: { text: { text: 'New text' } },
    })
    const deleting = await open(lost(how, true))
    expect(await deleting.editor.delete(own, never)).toEqual({ status: 'deleted' })
    for (const { requests } of [editing, deleting]) expect(requests.filter(isMutation)).toHaveLength(1)
  })

  it.each(ways)('is in an unknown state if nothing has changed after a lost response: %s', async (_, how) => {
    const editing = await open(lost(how, false))
    expect(await editing.editor.edit(edited, never)).toMatchObject({ status: 'unknown' })
    const deleting = await open(lost(how, false))
    expect(await deleting.editor.delete(own, never)).toMatchObject({ status: 'unknown' })
    for (const { requests } of [editing, deleting]) expect(requests.filter(isMutation)).toHaveLength(1)
  })
})

describe('queries', () => {
  const at = (status: string) => ({ points: null, iteration: null, status })
  const issues = [
    { number: 1, title: 'Gate', board: at('Todo') },
    { number: 2, title: 'Gate lamp', board: at('Done') },
    { number: 3, title: 'Bell', board: at('Done') },
  ]
  const views = [
    { name: 'Finished', filter: 'status:Done' },
    { name: 'All', filter: null },
  ]

  it('in the language of the search find issues of this repository alone', async () => {
    const { tracker, requests } = await openGitHub({ issues })
    const { queries } = tracker.parts
    expect(queries!.language).toBe('GitHub search')
    expect(await queries!.run({ text: '"gate"  in:title\n' }, 10, never)).toEqual({ ids: [1, 2], total: 2 })
    expect(requests.at(-1)!.body.variables.query).toBe('repo:works/harbor is:issue "gate" in:title')
    expect(await queries!.run({ text: 'repo:works/other' }, 2, never)).toMatchObject({ total: null })
    expect(await queries!.list(never)).toEqual([])
  })

  it('with many results are read page by page', async () => {
    const many = Array.from({ length: 250 }, (_, i) => ({ number: i + 1 }))
    const { tracker } = await openGitHub({ issues: many })
    const found = await tracker.parts.queries!.run({ text: '' }, 220, never)
    expect(found).toEqual({ ids: many.slice(0, 220).map(({ number }) => number), total: 250 })
  })

  it('of a renamed repository use its present name', async () => {
    const { tracker } = await openGitHub({ issues, renamedTo: 'works/port' })
    expect(await tracker.parts.queries!.run({ text: '"bell"' }, 10, never)).toEqual({ ids: [3], total: 1 })
  })

  it('that are saved are the views of the board with a filter', async () => {
    const { tracker } = await openGitHub({ issues, views }, { board: 7 })
    const queries = tracker.parts.queries!
    const url = 'https://github.example/orgs/works/projects/7/views/1'
    expect(await queries.list(never)).toEqual([{ id: 'PVTV_1', name: 'Finished', text: 'status:Done', url }])
    // The board also has a pull request.
    expect(await queries.run({ saved: 'PVTV_1' }, 10, never)).toEqual({ ids: [2, 3], total: null })
    expect(await errorOf(queries.run({ saved: 'PVTV_2' }, 10, never))).toMatchObject({ code: 'not_found' })
  })
})

describe('links to the web', () => {
  const pull = { number: 8, title: 'Open the gate' }
  const issue = { number: 1, pulls: [pull], branches: ['1-gate/new #1', null], closers: [pull, 'Fix it'] }

  it('are pull requests, commits and branches, each once', async () => {
    const { tracker } = await openGitHub({ issues: [issue] })
    const { webLinks } = tracker.parts
    const web = 'https://github.example/works/harbor'
    expect(await webLinks!.list(1, never)).toEqual([
      { id: 'PR_8', kind: 'pull-request', url: `${web}/pull/8`, title: '#8 Open the gate' },
      {
        id: 'C_Fix it',
        kind: 'commit',
        url: `${web}/commit/0123456789abcdef0123456789abcdef01234567`,
        title: '0123456 Fix it',
      },
      { id: 'LB_1-gate/new #1', kind: 'branch', url: `${web}/tree/1-gate/new%20%231`, title: '1-gate/new #1' },
    ])
    expect(await errorOf(webLinks!.list(9, never))).toMatchObject({ code: 'not_found' })
  })
})
