import { describe, expect, it } from 'vitest'
import type { ContentStream } from '../../../src/tracker'
import { errorOf, never } from '../azure-devops/fixtures'
import { DEPLOYMENTS, openJira } from './fixtures'

const issues = [
  { id: 201, type: 'Story', summary: 'Scan', labels: ['gate'] },
  { id: 202, type: 'Story', summary: 'Print' },
  { id: 311, type: 'Sub-task', parent: 'HAR-201' },
]
const filters = [
  { id: 7, name: 'Gate', jql: 'labels = gate ORDER BY key DESC', isFavourite: true },
  { id: 8, name: 'All', jql: 'ORDER BY created' },
]

async function readText({ chunks }: ContentStream): Promise<string> {
  const all: Uint8Array[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all).toString()
}

describe.each(DEPLOYMENTS)('Jira on %s', (deployment) => {
  const open = (options = {}) => openJira({ deployment, issues, filters, ...options })
  const contentOf = (text: string) => ({
    size: Buffer.byteLength(text),
    async *open() {
      yield Buffer.from(text)
    },
  })

  it('takes a file, which its texts can show, and returns it from any byte', async () => {
    const { tracker, url, requests } = await open()
    const { uploads, attachments } = tracker.parts
    const file = { itemId: 201, name: 'shot "1".txt', mediaType: 'text/plain', content: contentOf('0123456789') }
    const added = await uploads!.add(file, never)
    expect(added).toMatchObject({ status: 'added', attachment: { name: 'shot "1".txt', size: 10 } })
    const [listed] = await attachments!.list(201, never)
    expect(listed).toMatchObject({
      name: 'shot "1".txt',
      mediaType: 'text/plain',
      author: { displayName: 'Robin Vale' },
      url: deployment === 'cloud' ? `${url}/rest/api/3/attachment/content/${listed!.id}` : 'shot "1".txt',
    })
    const whole = await attachments!.open(listed!, { from: 0, version: null }, never)
    expect(await readText(whole)).toBe('0123456789')
    const rest = await attachments!.open(listed!, { from: 6, version: whole.version }, never)
    expect([rest.from, await readText(rest)]).toEqual([6, '6789'])
    expect(requests.every(({ headers }) => headers.host === new URL(url).host)).toBe(true)
  })

  it('is not sent a file that is larger than it takes', async () => {
    const { tracker, requests } = await open({ uploadLimit: 4 })
    const file = { itemId: 201, name: 'a.txt', mediaType: 'text/plain', content: contentOf('12345') }
    expect(await tracker.parts.uploads!.add(file, never)).toMatchObject({
      status: 'rejected',
      message: '"a.txt" has 5 bytes. Jira takes files of up to 4 bytes.',
    })
    expect(tracker.parts.uploads!.maxBytes).toBe(4)
    expect(requests.filter(({ method }) => method === 'POST')).toEqual([])
  })

  it('opens no path that the ID or the name of an attachment would lead to', async () => {
    const { tracker, requests } = await open()
    const attachment = { id: '../../1', name: '..', size: 1, mediaType: null, author: null, createdAt: null, url: null }
    const { attachments } = tracker.parts
    expect(await errorOf(attachments!.open(attachment, { from: 0, version: null }, never))).toMatchObject({
      code: 'not_found',
    })
    expect(requests).toEqual([])
    await errorOf(attachments!.open({ ...attachment, id: '99' }, { from: 0, version: null }, never))
    expect(requests.map(({ rawUrl }) => rawUrl).filter((path) => path.includes('..'))).toEqual([])
  })

  it('runs filters and JQL for this project alone, in their order', async () => {
    const { tracker, requestsTo } = await open()
    const { queries } = tracker.parts
    const listed = await queries!.list(never)
    expect(listed.map(({ name }) => name)).toEqual(deployment === 'cloud' ? ['Gate', 'All'] : ['Gate'])
    expect(listed[0]).toMatchObject({ id: '7', text: 'labels = gate ORDER BY key DESC' })
    expect(await queries!.run({ saved: '7' }, 10, never)).toEqual({ ids: [201], total: 1 })
    expect(await queries!.run({ saved: '8' }, 2, never)).toEqual({ ids: [201, 202], total: null })
    await queries!.run({ text: 'summary ~ "order by (" OR project = OPS order  by key' }, 10, never).catch(() => {})
    expect(requestsTo(/\d\/search/).map(({ body }) => body.jql)).toEqual([
      'project = "HAR" AND (labels = gate) ORDER BY key DESC',
      'project = "HAR" ORDER BY created',
      'project = "HAR" AND (summary ~ "order by (" OR project = OPS) order  by key',
    ])
    const before = requestsTo(/\d\/search/).length
    const left = queries!.run({ text: 'labels = gate) OR (project = OPS' }, 10, never)
    expect(await errorOf(left)).toMatchObject({ code: 'invalid' })
    expect(await errorOf(queries!.run({ saved: '99' }, 10, never))).toMatchObject({ code: 'not_found' })
    expect(await errorOf(queries!.run({ saved: '../myself' }, 10, never))).toMatchObject({ code: 'not_found' })
    expect(requestsTo(/\d\/search/)).toHaveLength(before)
  })

  it('deletes no issue with subtasks, and says what to do', async () => {
    const { tracker, site } = await open()
    const { rev } = await tracker.getItem(201, never)
    expect(await tracker.parts.deletion!.delete({ id: 201, rev }, never)).toMatchObject({
      status: 'rejected',
      message: expect.stringMatching(/has subtasks.* Delete its subtasks first\.$/),
    })
    expect(site.find(201)).not.toBeNull()
  })

  it('changes no comment of another person', async () => {
    const { tracker, site } = await open()
    const text = 'Mine'
    await tracker.addComment({ itemId: 201, text, after: 0 }, never)
    const [comment] = site.find(201)!.comments
    comment!.author = 'ines'
    const change = { itemId: 201, commentId: comment!.id, was: text }
    const { commentEditing } = tracker.parts
    const rejected = { status: 'rejected', code: 'tracker_forbidden' }
    expect(await commentEditing!.edit({ ...change, text: 'Yours' }, never)).toMatchObject(rejected)
    expect(await commentEditing!.delete(change, never)).toMatchObject(rejected)
  })

  it('tells two equal entries of spent time apart after a lost response', async () => {
    let isLost = false
    const { tracker, site } = await open({
      answer: (request: any, { execute }: any) => {
        if (!isLost || request.method !== 'POST') return null
        execute(request)
        return 'reset'
      },
    })
    const entry = { itemId: 201, startedAt: '2026-11-02T09:30:00.000Z', seconds: 1800, text: 'Wired **it**.' }
    expect(await tracker.parts.worklogs!.add(entry, never)).toMatchObject({ status: 'added' })
    isLost = true
    expect(await tracker.parts.worklogs!.add(entry, never)).toMatchObject({
      status: 'added',
      worklog: { seconds: 1800 },
    })
    expect(site.find(201)!.worklogs).toHaveLength(2)
    const { total, worklogs } = await tracker.parts.worklogs!.list(201, { limit: 1, signal: never })
    expect([total, worklogs]).toMatchObject([2, [{ startedAt: entry.startedAt, text: 'Wired **it**.' }]])
  })
})
