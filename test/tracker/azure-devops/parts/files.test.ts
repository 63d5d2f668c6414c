import { describe, expect, it, onTestFinished } from 'vitest'
import { openTracker, type RemoteAttachment, type Tracker, type UploadContent } from '../../../../src/tracker'
import { findShownFiles, parseAttachmentUrl } from '../../../../src/tracker/azure-devops/parts/attachment-address'
import { createFakeTiming, errorOf, never, openStubbed, quick, wireItem } from '../fixtures'
import { startCheckedSandbox } from '../published-api/check-calls'
import { startStub } from '../stub-server'

const signal = never
const BEGINNING = { from: 0, version: null }
const ID = '11111111-2222-4333-8444-555555555555'
const OTHER_ID = '99999999-2222-4333-8444-555555555555'
const base = 'https://dev.azure.com/works'

async function openSandbox() {
  const sandbox = await startCheckedSandbox({ webOrigin: 'http://127.0.0.1:4318' })
  const { url, webUrl, project } = sandbox
  const tracker = openTracker({ url, webUrl, project, token: null, limits: quick, timing: createFakeTiming() })
  onTestFinished(() => tracker.close())
  return { sandbox, tracker }
}

async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const read: Uint8Array[] = []
  for await (const chunk of chunks) read.push(chunk)
  return Buffer.concat(read)
}

function contentOf(bytes: Buffer): UploadContent {
  return {
    size: bytes.length,
    async *open() {
      for (let from = 0; from < bytes.length; from += 7) yield bytes.subarray(from, from + 7)
    },
  }
}

const attachment = (id = ID): RemoteAttachment => ({
  ...{ id, name: 'plan.txt', size: null, mediaType: null, author: null, createdAt: null, url: null },
})

describe('the files of an item', () => {
  it('are those that are attached, with size and date', async () => {
    const { tracker } = await openSandbox()
    const files = await tracker.parts.attachments!.list(204, signal)
    expect(files.map(({ name, size, createdAt }) => ({ name, size, createdAt }))).toEqual([
      { name: 'door-message.png', size: expect.any(Number), createdAt: '2026-11-16T09:12:00.000Z' },
      { name: 'gate-messages.txt', size: expect.any(Number), createdAt: '2026-11-16T09:12:00.000Z' },
    ])
    const contents = await Promise.all(
      files.map(async (file) => readAll((await tracker.parts.attachments!.open(file, BEGINNING, signal)).chunks)),
    )
    expect(contents.map(({ length }) => length)).toEqual(files.map(({ size }) => size))
    expect(contents[0]!.subarray(1, 4).toString()).toBe('PNG')
  })

  it('are those too that only its texts show', async () => {
    const { tracker } = await openSandbox()
    const outcome = await tracker.parts.uploads!.add(
      { itemId: 203, name: 'a b&c.png', mediaType: 'image/png', content: contentOf(Buffer.from('PNG')) },
      signal,
    )
    if (outcome.status !== 'added') throw new Error(outcome.message)
    const { url } = outcome.attachment
    const { rev } = await tracker.getItem(202, signal)
    const fields = { 'System.Description': `<div><img src="${url!.replace('&', '&amp;')}"></div>` }
    await tracker.updateItems([{ id: 202, rev, fields }], { signal })
    const [shown] = await tracker.parts.attachments!.list(202, signal)
    expect(shown).toMatchObject({ id: outcome.attachment.id, name: 'a b&c.png' })
    const { chunks } = await tracker.parts.attachments!.open(shown!, BEGINNING, signal)
    expect((await readAll(chunks)).toString()).toBe('PNG')
  })

  it('are never those of another organization', () => {
    const text = (url: string) => findShownFiles({ 'System.Description': `<img src="${url}">` }, [base])
    const path = `_apis/wit/attachments/${ID}?fileName=x.png`
    expect(text(`${base}/Shop/${path}`)).toEqual([{ id: ID, name: 'x.png' }])
    expect(text(`https://works.visualstudio.com/Shop/${path}`)).toEqual([{ id: ID, name: 'x.png' }])
    for (const other of ['https://dev.azure.com/others', 'https://dev.azure.com/works2', 'https://evil.example/works'])
      expect(text(`${other}/Shop/${path}`)).toEqual([])
    expect(text(`javascript:${base}/${path}`)).toEqual([])
  })

  it('have addresses with an ID, and none without one', () => {
    expect(parseAttachmentUrl(`${base}/_apis/wit/attachments/${ID.toUpperCase()}?FILENAME=..%2F..%2Fetc`)).toEqual({
      id: ID,
      name: '../../etc',
    })
    expect(parseAttachmentUrl(`${base}/_apis/wit/attachments/../../_apis/projects`)).toBeNull()
  })

  it('are read although some relations have wrong shapes', async () => {
    const url = `${base}/_apis/wit/attachments/${ID}`
    const { tracker } = await openStubbed(({ path }) =>
      path === '/_apis/wit/workitems/7'
        ? {
            json: wireItem({
              id: 7,
              relations: [
                { rel: 'AttachedFile', url: 'nowhere' },
                { rel: 'AttachedFile', url, attributes: { name: 3, resourceSize: 'many', resourceCreatedDate: {} } },
              ],
            }),
          }
        : null,
    )
    expect(await tracker.parts.attachments!.list(7, signal)).toMatchObject([
      { id: ID, name: ID, size: null, createdAt: null },
    ])
  })
})

describe('a download', () => {
  const openFile = (tracker: Tracker, position = { ...BEGINNING, version: null as string | null }) =>
    tracker.parts.attachments!.open(attachment(), position, signal)

  it('continues after a cut, if the content is the same still', async () => {
    const content = Buffer.from('0123456789')
    const { tracker, requests } = await openStubbed(({ path, headers }) => {
      if (!path.endsWith(ID)) return null
      if (headers.range === undefined) return { text: content, headers: { etag: '"1"' }, cutAfter: 4 }
      expect(headers['if-range']).toBe('"1"')
      const part = { 'content-range': 'bytes 4-9/10', etag: '"1"' }
      return { status: 206, text: content.subarray(4), headers: part }
    })
    const first = await openFile(tracker)
    const read: Uint8Array[] = []
    const failed = await errorOf(
      (async () => {
        for await (const chunk of first.chunks) read.push(chunk)
      })(),
    )
    expect(failed.message).toContain('The response of the tracker')
    const from = Buffer.concat(read).length
    const rest = await openFile(tracker, { from, version: first.version })
    expect(rest.from).toBe(4)
    expect(Buffer.concat([...read, await readAll(rest.chunks)]).toString()).toBe('0123456789')
    expect(requests.map(({ query }) => query.get('fileName'))).toEqual(['plan.txt', 'plan.txt'])
  })

  it('begins again if the content has changed meanwhile', async () => {
    const { tracker } = await openStubbed(({ path }) =>
      path.endsWith(ID) ? { text: 'another', headers: { etag: '"2"' } } : null,
    )
    const stream = await openFile(tracker, { from: 4, version: '"1"' })
    expect(stream).toMatchObject({ from: 0, version: '"2"' })
    expect((await readAll(stream.chunks)).toString()).toBe('another')
  })

  it('follows a redirect to another host without the token', async () => {
    const elsewhere = await startStub(() => ({ text: 'from the store' }))
    const target = `${new URL(elsewhere.url).origin}/blob`
    const { tracker } = await openStubbed(({ path }) =>
      path.endsWith(ID) ? { status: 302, text: '', headers: { location: target } } : null,
    )
    expect((await readAll((await openFile(tracker)).chunks)).toString()).toBe('from the store')
    expect(elsewhere.requests[0]!.headers.authorization).toBeUndefined()
  })

  it('of something that is no file of the tracker sends nothing', async () => {
    const { tracker, requests } = await openStubbed(() => null)
    const file = attachment('../../projects')
    expect(await errorOf(tracker.parts.attachments!.open(file, BEGINNING, signal))).toMatchObject({ code: 'not_found' })
    expect(requests).toEqual([])
  })

  it('of a file that is gone says so', async () => {
    const { tracker } = await openSandbox()
    const file = attachment(OTHER_ID)
    expect(await errorOf(tracker.parts.attachments!.open(file, BEGINNING, signal))).toMatchObject({ code: 'not_found' })
  })
})
