import { describe, expect, it, onTestFinished } from 'vitest'
import { openTracker } from '../../../../src/tracker'
import { requestDefaults } from '../../../../src/tracker/azure-devops/azure-devops-tracker'
import { ItemReader } from '../../../../src/tracker/azure-devops/item-reader'
import { createAttachmentWriter } from '../../../../src/tracker/azure-devops/parts/uploads'
import { ProcessMetadata } from '../../../../src/tracker/azure-devops/process-metadata'
import { ProjectResolver } from '../../../../src/tracker/azure-devops/project-resolver'
import { classifyResponse } from '../../../../src/tracker/azure-devops/response-error'
import { openClient } from '../../../../src/tracker/services/requests/open-client'
import { parseTrackerAddress } from '../../../../src/tracker/services/tracker-address'
import { type Faults, resetBefore } from '../../../sandbox/fault-presets'
import { createFakeTiming, errorBody, listOf, never, openStubbed, quick, wireItem } from '../fixtures'
import { startCheckedSandbox } from '../published-api/check-calls'

const signal = never

async function openSandbox(faults: Faults = []) {
  const sandbox = await startCheckedSandbox({ faults })
  const { url, project } = sandbox
  const tracker = openTracker({ url, project, token: null, limits: quick, timing: createFakeTiming() })
  onTestFinished(() => tracker.close())
  return { sandbox, tracker }
}

const bytes = Buffer.from('0123456789')
const file = {
  itemId: 203,
  name: 'ten.txt',
  mediaType: 'text/plain',
  content: {
    size: bytes.length,
    async *open() {
      for (const byte of bytes) yield Buffer.from([byte])
    },
  },
}

describe('an upload', () => {
  it('is sent again if it did not arrive, because no one sees content that is not attached', async () => {
    const { sandbox, tracker } = await openSandbox([{ path: /\/attachments/, nth: 1, fault: resetBefore() }])
    expect(await tracker.parts.uploads!.add(file, signal)).toMatchObject({ status: 'added' })
    expect(sandbox.requests.filter(({ path }) => path.includes('/attachments'))).toHaveLength(2)
    expect(await tracker.parts.attachments!.list(203, signal)).toMatchObject([{ name: 'ten.txt', size: 10 }])
  })

  it('of a large file comes in chunks, each with its place', async () => {
    const { sandbox, tracker } = await openSandbox()
    const address = parseTrackerAddress(sandbox.url)
    const timing = createFakeTiming()
    const settings = { url: sandbox.url, project: sandbox.project, token: null, limits: quick, timing }
    const client = openClient(settings, { ...requestDefaults, address, addressForm: 'the address', classifyResponse })
    onTestFinished(() => client.close())
    const project = new ProjectResolver(sandbox.project, client)
    const metadata = new ProcessMetadata(client, project, timing.now)
    const reader = new ItemReader({ address, pageUrl: String, client, metadata })
    const parts = { address, client, project, metadata, reader }
    const writer = createAttachmentWriter(parts, { isHosted: true, sizes: { whole: 9, chunk: 4 } })
    expect(await writer.add(file, signal)).toMatchObject({ status: 'added', attachment: { name: 'ten.txt', size: 10 } })
    const ranges = sandbox.requests.flatMap(({ headers }) => headers['content-range'] ?? [])
    expect(ranges).toEqual(['bytes 0-3/10', 'bytes 4-7/10', 'bytes 8-9/10'])
    const [found] = await tracker.parts.attachments!.list(203, signal)
    const read: Uint8Array[] = []
    const { chunks } = await tracker.parts.attachments!.open(found!, { from: 0, version: null }, signal)
    for await (const chunk of chunks) read.push(chunk)
    expect(Buffer.concat(read).toString()).toBe('0123456789')
    expect(writer.maxBytes).toBe(60 * 1024 * 1024)
  })

  it('is attached after another user changed the item at the same moment', async () => {
    let changes = 0
    const id = '11111111-2222-4333-8444-555555555555'
    const { tracker, url } = await openStubbed(({ method, path, body }) => {
      const relation = {
        rel: 'AttachedFile',
        url: `${url}/_apis/wit/attachments/${id}`,
        attributes: { name: 'ten.txt' },
      }
      if (method === 'POST' && path.endsWith('/attachments')) return { status: 201, json: { id, url: relation.url } }
      if (path !== '/_apis/wit/workitems/203') return null
      if (method === 'GET') return { json: wireItem({ id: 203, rev: 5 + changes }) }
      changes += 1
      expect(body[0]).toEqual({ op: 'test', path: '/rev', value: 4 + changes })
      return changes === 1
        ? { status: 412, json: errorBody('TestPatchOperationFailedException', 'VS403351: Test failed.') }
        : { json: wireItem({ id: 203, rev: 7, relations: [relation] }) }
    })
    expect(await tracker.parts.uploads!.add(file, signal)).toMatchObject({ status: 'added', attachment: { id } })
    expect(changes).toBe(2)
  })
})

describe('links to code', () => {
  it('are artifacts of the repository, and read as the pages that people know', async () => {
    const { sandbox, tracker } = await openSandbox()
    const page = `${sandbox.url}/Harbor/_git/gate`
    const { webLinks, webLinkEditing } = tracker.parts
    expect(await webLinks!.list(204, signal)).toMatchObject([
      { kind: 'page', url: 'https://example.com/existing' },
      { kind: 'pull-request', url: `${page}/pullrequest/58`, title: 'Pull request 58' },
    ])
    const urls = [
      [`${page}/pullrequest/61?_a=files`, 'pull-request', `${page}/pullrequest/61`],
      [`${page}/commit/0a1b2c3d4e5f60718293a4b5c6d7e8f901234567`, 'commit', null],
      [`${page}?version=GBfeature%2Fplates`, 'branch', null],
      [`${sandbox.url}/Harbor/_git/unknown/pullrequest/3`, 'page', null],
      ['https://github.com/quayside/gate/pull/3', 'page', null],
    ] as const
    for (const [url, kind, shown] of urls) {
      const added = await webLinkEditing!.add({ itemId: 203, url, title: null }, signal)
      expect(added).toMatchObject({ status: 'added', link: { kind, url: shown ?? url } })
      expect(await webLinkEditing!.add({ itemId: 203, url, title: null }, signal)).toEqual(added)
    }
    const links = await webLinks!.list(203, signal)
    expect(links).toHaveLength(urls.length)
    for (const { id } of links) await webLinkEditing!.remove({ itemId: 203, linkId: id }, signal)
    expect(await webLinks!.list(203, signal)).toEqual([])
  })
})

describe('comments', () => {
  it('of another person are left alone', async () => {
    const { tracker } = await openSandbox()
    const { comments } = await tracker.listComments(101, { limit: 10, signal })
    const { id, text } = comments.find(({ author }) => author?.displayName === 'Priya Nair')!
    const change = { itemId: 101, commentId: id, was: text.text, text: '<div>Mine now</div>' }
    const { commentEditing } = tracker.parts
    expect(await commentEditing!.edit(change, signal)).toMatchObject({ status: 'rejected', code: 'tracker_forbidden' })
    expect(await commentEditing!.delete(change, signal)).toMatchObject({
      status: 'rejected',
      code: 'tracker_forbidden',
    })
    expect((await tracker.listComments(101, { limit: 10, signal })).comments).toEqual(comments)
  })
})

describe('queries', () => {
  it('have their folders in their names, and find items in their order', async () => {
    const { tracker } = await openSandbox()
    const { queries } = tracker.parts
    const saved = await queries!.list(signal)
    expect(saved.map(({ name }) => name)).toEqual([
      'Shared Queries/Gate/Open bugs',
      'Shared Queries/Gate/Check-in with its stories',
      'Shared Queries/Active stories',
      'Shared Queries/Sprint 24',
    ])
    const tree = await queries!.run({ saved: saved[1]!.id }, 3, signal)
    expect(tree.ids[0]).toBe(101)
    expect(tree).toMatchObject({ ids: expect.objectContaining({ length: 3 }), total: 30 })
    const text = "SELECT [System.Id] FROM WorkItems WHERE [System.WorkItemType] = 'Feature' ORDER BY [System.Id] DESC"
    expect(await queries!.run({ text }, 2, signal)).toEqual({ ids: [103, 102], total: 3 })
  })

  it('find nothing of other projects, and end although folders contain themselves', async () => {
    const folder = { id: '11111111-2222-4333-8444-555555555555', name: 'Loop', isFolder: true, hasChildren: true }
    const { tracker } = await openStubbed(({ method, path, body }) => {
      if (path.includes('/_apis/wit/queries'))
        return { json: path.endsWith('queries') ? listOf([folder, null, 3]) : { ...folder, children: [folder] } }
      if (method !== 'POST' || !path.endsWith('/wiql')) return null
      const isCheck = body.query.includes('@project')
      return { json: { workItems: isCheck ? [{ id: 2 }] : [{ id: 1 }, { id: 2 }] } }
    })
    expect(await tracker.parts.queries!.list(signal)).toEqual([])
    const found = await tracker.parts.queries!.run({ text: 'SELECT [System.Id] FROM WorkItems' }, 5, signal)
    expect(found).toEqual({ ids: [2], total: 1 })
  })
})

describe('the steps of an item', () => {
  it('name the fields that the rules of the process require, and leave out what they forbid', async () => {
    const broken = (name: string, flags: string) => ({
      status: 400,
      json: errorBody('RuleValidationException', 'TF401320: Rule Error.', {
        customProperties: {
          RuleValidationErrors: [{ fieldReferenceName: name, fieldStatusFlags: flags, errorMessage: 'No.' }],
        },
      }),
    })
    const { tracker, requests } = await openStubbed(({ method, path, body }) => {
      if (path.endsWith('/fields/Shop.Size')) return { json: { allowedValues: ['S', 'L'] } }
      if (path !== '/_apis/wit/workitems/7') return null
      if (method === 'GET') return { json: wireItem({ id: 7 }) }
      if (body[0].value === 'Active') return broken('Shop.Size', 'required, hasValues, limitedToValues, invalidEmpty')
      if (body[0].value === 'Removed') return broken('System.State', 'invalidNotInList')
      return { json: wireItem({ id: 7 }) }
    })
    const steps = await tracker.parts.transitions!.list(7, signal)
    expect(steps).toEqual([
      {
        state: 'Active',
        category: 'InProgress',
        name: null,
        required: [{ referenceName: 'Shop.Size', name: 'Size', allowedValues: ['S', 'L'] }],
      },
      { state: 'Resolved', category: 'Resolved', name: null, required: [] },
      { state: 'Closed', category: 'Completed', name: null, required: [] },
    ])
    const patches = requests.filter(({ method }) => method === 'PATCH')
    expect(patches.every(({ query }) => query.get('validateOnly') === 'true')).toBe(true)
  })
})
