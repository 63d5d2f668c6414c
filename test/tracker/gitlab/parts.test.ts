import { describe, expect, it } from 'vitest'
import { errorOf, never } from '../azure-devops/fixtures'
import { isChange, losing, openGitLab, ways } from './fixtures'

const signal = never
const SECRET = '0123456789abcdef0123456789abcdef'
const note = (id: number, body: string, author = 'robin') => ({ id, author, body, createdAt: '2026-11-02T09:00:00Z' })
const contentOf = (text: string) => ({
  size: Buffer.byteLength(text),
  async *open() {
    yield Buffer.from(text)
  },
})

async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all).toString()
}

describe('files', () => {
  it('are those that the description and the comments show', async () => {
    const { tracker, gitlab } = await openGitLab({
      items: [
        {
          id: 1,
          description: `![shot](/uploads/${SECRET}/my%20shot.png) /uploads/short/x.png`,
          notes: [note(7, `[log](/uploads/${SECRET}/a.log) ![again](/uploads/${SECRET}/my%20shot.png)`, 'ines')],
        },
        { id: 2, type: 'Epic', description: `/uploads/${SECRET}/plan.pdf` },
      ],
    })
    const { attachments } = tracker.parts
    const files = await attachments!.list(1, signal)
    expect(files).toMatchObject([
      { name: 'my shot.png', author: null, url: `/uploads/${SECRET}/my%20shot.png` },
      { name: 'a.log', author: { uniqueName: 'ines' } },
    ])
    gitlab.files.set(`${SECRET}/my shot.png`, 'pixels')
    const stream = await attachments!.open(files[0]!, { from: 0, version: null }, signal)
    expect(await readAll(stream.chunks)).toBe('pixels')
    expect(await errorOf(attachments!.open(files[1]!, { from: 0, version: null }, signal))).toMatchObject({
      code: 'not_found',
    })
    const [ofGroup] = await attachments!.list(2, signal)
    expect(ofGroup).toMatchObject({ id: `groups/works/uploads/${SECRET}/plan.pdf` })
    expect(await errorOf(attachments!.list(99, signal))).toMatchObject({ code: 'not_found' })
    const hostile = { ...files[0]!, id: `https://evil.example/uploads/${SECRET}/x` }
    expect(await errorOf((async () => attachments!.open(hostile, { from: 0, version: null }, signal))())).toMatchObject(
      { code: 'not_found' },
    )
  })

  const file = { itemId: 1, name: 'shot "1".png', mediaType: 'image/png' }

  it('are uploaded, and attached with one comment that shows them', async () => {
    const { tracker, gitlab } = await openGitLab({ items: [{ id: 1 }, { id: 2, type: 'Epic' }] })
    const added = await tracker.parts.uploads!.add({ ...file, content: contentOf('pixels') }, signal)
    expect(added).toMatchObject({
      status: 'added',
      attachment: { name: file.name, size: 6, author: { uniqueName: 'robin' } },
    })
    expect([...gitlab.files.values()]).toEqual(['pixels'])
    const [listed] = await tracker.parts.attachments!.list(1, signal)
    expect(added).toMatchObject({ attachment: { id: listed!.id, url: listed!.url } })
    const ofEpic = await tracker.parts.uploads!.add({ ...file, itemId: 2, content: contentOf('x') }, signal)
    expect(ofEpic).toMatchObject({ status: 'rejected' })
  })

  it.each(ways)('are attached once after %s of the upload or of the comment', async (_, how) => {
    for (const isLost of [
      (request: Parameters<typeof isChange>[0]) => request.rawUrl.endsWith('/uploads'),
      (request: Parameters<typeof isChange>[0]) => /^mutation/.test(request.body?.query ?? ''),
    ]) {
      const { tracker, gitlab } = await openGitLab({ items: [{ id: 1 }] }, { answer: losing(how, true, isLost) })
      const added = await tracker.parts.uploads!.add({ ...file, content: contentOf('pixels') }, signal)
      expect(added.status).toBe('added')
      expect(gitlab.items.get(1)!.notes).toHaveLength(1)
      expect(await tracker.parts.attachments!.list(1, signal)).toHaveLength(1)
    }
  })
})

describe('the states into which an item may go', () => {
  it('are all statuses but its own, or open and closed', async () => {
    const statuses = [
      { name: 'To do', category: 'TO_DO' },
      { name: 'Doing', category: 'IN_PROGRESS' },
    ] as const
    const { tracker } = await openGitLab({
      items: [
        { id: 1, status: 'To do' },
        { id: 2, type: 'Epic' },
      ],
      statuses,
    })
    const list = (id: number) => tracker.parts.transitions!.list(id, signal)
    expect(await list(1)).toEqual([{ state: 'Doing', category: 'InProgress', name: null, required: [] }])
    expect(await list(2)).toEqual([{ state: 'Closed', category: 'Completed', name: null, required: [] }])
  })
})

describe('a deletion', () => {
  it('needs the present revision, and is done if the item is gone already', async () => {
    const { tracker, gitlab } = await openGitLab({ items: [{ id: 1 }] })
    const { rev } = await tracker.getItem(1, signal)
    gitlab.change(1, { title: 'Other' })
    const { deletion } = tracker.parts
    expect(await deletion!.delete({ id: 1, rev }, signal)).toMatchObject({ status: 'conflict' })
    expect(await deletion!.delete({ id: 1, rev: (await tracker.getItem(1, signal)).rev }, signal)).toEqual({
      status: 'deleted',
    })
    expect(await deletion!.delete({ id: 1, rev }, signal)).toEqual({ status: 'deleted' })
  })

  it('is not done because the token can no longer read the project', async () => {
    const { tracker } = await openGitLab({ items: [{ id: 1 }] }, { project: 'secret' })
    const deletion = tracker.parts.deletion!.delete({ id: 99, rev: 1 }, signal)
    expect(await errorOf(deletion)).toMatchObject({ code: 'invalid' })
  })

  it.each(ways)('is looked up after %s', async (_, how) => {
    for (const isExecuted of [true, false]) {
      const { tracker, requests } = await openGitLab({ items: [{ id: 1 }] }, { answer: losing(how, isExecuted) })
      const { rev } = await tracker.getItem(1, signal)
      const { status } = await tracker.parts.deletion!.delete({ id: 1, rev }, signal)
      expect(status).toBe(isExecuted ? 'deleted' : 'unknown')
      expect(requests.filter(isChange)).toHaveLength(1)
    }
  })
})

describe('comments', () => {
  const notes = [note(7, 'Mine'), note(8, 'Theirs', 'ines')]

  it('of the user are changed and deleted, if they still have the text that was read', async () => {
    const { tracker, gitlab } = await openGitLab({ items: [{ id: 1, notes: [...notes] }] })
    const { edit, delete: remove } = tracker.parts.commentEditing!
    const own = { itemId: 1, commentId: 7, was: 'Mine' }
    expect(await edit({ ...own, was: 'Old', text: 'New' }, signal)).toMatchObject({ status: 'rejected' })
    expect(await edit({ ...own, text: 'New' }, signal)).toMatchObject({
      status: 'added',
      comment: { id: 7, text: { text: 'New' } },
    })
    const theirs = { itemId: 1, commentId: 8, was: 'Theirs' }
    expect(await edit({ ...theirs, text: 'x' }, signal)).toMatchObject({
      status: 'rejected',
      code: 'tracker_forbidden',
    })
    expect(await remove(theirs, signal)).toMatchObject({ status: 'rejected', code: 'tracker_forbidden' })
    expect(await remove(own, signal)).toMatchObject({ status: 'rejected' })
    expect(await remove({ ...own, was: 'New' }, signal)).toEqual({ status: 'deleted' })
    expect(await remove({ ...own, was: 'New' }, signal)).toEqual({ status: 'deleted' })
    expect(await edit({ ...own, text: 'x' }, signal)).toMatchObject({ status: 'rejected', code: 'not_found' })
    expect(gitlab.items.get(1)!.notes).toMatchObject([{ id: 8 }])
  })

  it.each(ways)('are looked up after %s', async (_, how) => {
    for (const isExecuted of [true, false])
      for (const action of ['edit', 'delete'] as const) {
        const answer = losing(how, isExecuted)
        const { tracker, requests } = await openGitLab({ items: [{ id: 1, notes: [note(7, 'Mine')] }] }, { answer })
        const { status } = await tracker.parts.commentEditing![action](
          { itemId: 1, commentId: 7, was: 'Mine', text: 'New' },
          signal,
        )
        expect(status).toBe(isExecuted ? (action === 'edit' ? 'added' : 'deleted') : 'unknown')
        expect(requests.filter(isChange)).toHaveLength(1)
      }
  })

  it('are read page by page, the newest first', async () => {
    const many = Array.from({ length: 130 }, (_, i) => note(i + 1, `Note ${i + 1}`))
    const { tracker } = await openGitLab({ items: [{ id: 1, notes: many }] })
    const { total, comments } = await tracker.listComments(1, { limit: 120, signal })
    expect(total).toBe(130)
    expect(comments.map(({ id }) => id)).toEqual(Array.from({ length: 120 }, (_, i) => 130 - i))
    await expect(tracker.listComments(2, { limit: 1, signal })).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('links to code', () => {
  it('are the merge requests and branches of an item, each once', async () => {
    const mergeRequests = [
      { id: 5, title: 'Add a lamp', webUrl: 'https://gitlab.example/works/harbor/-/merge_requests/5' },
    ]
    const { tracker, url } = await openGitLab({ items: [{ id: 1, mergeRequests, branches: ['1-lamp'] }] })
    expect(await tracker.parts.webLinks!.list(1, signal)).toMatchObject([
      { kind: 'pull-request', url: mergeRequests[0]!.webUrl, title: 'Add a lamp' },
      { kind: 'branch', url: `${new URL(url).origin}/works/harbor/-/compare/main...1-lamp`, title: '1-lamp' },
    ])
  })
})

describe('the time spent', () => {
  const log = (id: number, spentAt: string) => ({ id, user: 'ines', spentAt, timeSpent: 60, summary: `Log ${id}` })
  const entry = { itemId: 1, startedAt: '2026-11-03T10:00:00.000Z', seconds: 5_400, text: 'Tried it' }

  it('is listed, the newest first', async () => {
    const timelogs = [log(1, '2026-11-02T10:00:00Z'), log(2, '2026-11-04T10:00:00Z'), log(3, '2026-11-03T10:00:00Z')]
    const { tracker } = await openGitLab({ items: [{ id: 1, timelogs }] })
    const { total, worklogs } = await tracker.parts.worklogs!.list(1, { limit: 2, signal })
    expect(total).toBe(3)
    expect(worklogs).toMatchObject([
      { startedAt: '2026-11-04T10:00:00.000Z', seconds: 60, text: 'Log 2', author: { uniqueName: 'ines' } },
      { text: 'Log 3' },
    ])
  })

  it('is not what another person has recorded meanwhile', async () => {
    const { tracker } = await openGitLab(
      { items: [{ id: 1 }] },
      {
        async answer(request, gitlab) {
          if (!isChange(request)) return null
          const { startedAt: spentAt, seconds: timeSpent, text: summary } = entry
          gitlab.items.get(1)!.timelogs.push({ id: 1, user: 'ines', spentAt, timeSpent, summary })
          return 'reset'
        },
      },
    )
    expect(await tracker.parts.worklogs!.add(entry, signal)).toMatchObject({ status: 'unknown' })
  })

  it.each(ways)('is added once after %s', async (_, how) => {
    for (const isExecuted of [true, false]) {
      const { tracker, requests, gitlab } = await openGitLab(
        { items: [{ id: 1 }] },
        { answer: losing(how, isExecuted) },
      )
      const added = await tracker.parts.worklogs!.add(entry, signal)
      expect(added.status).toBe(isExecuted ? 'added' : 'unknown')
      expect(requests.filter(isChange)).toHaveLength(1)
      expect(gitlab.items.get(1)!.timelogs).toHaveLength(isExecuted ? 1 : 0)
    }
  })
})
