import { describe, expect, it } from 'vitest'
import { batchOf, errorBody, errorOf, listOf, never, noSuchItem, openStubbed, wireItem } from './fixtures'

const range = (count: number) => Array.from({ length: count }, (_, i) => ({ id: i + 1 }))
const metadata = /workitemtypes|backlogconfiguration/

describe('one item', () => {
  it('is requested with its links and all fields', async () => {
    const { tracker, url, requestsTo } = await openStubbed(({ path }) =>
      path === '/_apis/wit/workitems/12' ? { json: wireItem({ id: 12, fields: { 'Shop.Size': 3 } }) } : null,
    )
    const item = await tracker.getItem(12, never)
    expect(item).toMatchObject({ id: 12, stateCategory: 'Proposed', storyPoints: 3, level: 1 })
    expect(item.url).toBe(`${url}/Parts%20Shop/_workitems/edit/12`)
    const [request] = requestsTo(/workitems\/12/)
    expect(request!.query.get('$expand')).toBe('relations')
    expect(request!.query.has('fields')).toBe(false)
  })

  it('takes two requests for the process, which is cached', async () => {
    const { tracker, requestsTo } = await openStubbed(({ path }) =>
      path.startsWith('/_apis/wit/workitems/') ? { json: wireItem({ id: 12 }) } : null,
    )
    await tracker.getItem(12, never)
    await tracker.getItem(12, never)
    expect(requestsTo(metadata).map((request) => request.path)).toEqual([
      '/Parts Shop/_apis/wit/workitemtypes',
      '/Parts Shop/_apis/work/backlogconfiguration',
    ])
  })

  it('is not_found if it is missing or not readable', async () => {
    const { tracker } = await openStubbed(({ path }) => (path === '/_apis/wit/workitems/404' ? noSuchItem(404) : null))
    expect(await errorOf(tracker.getItem(404, never))).toMatchObject({ code: 'not_found' })
  })

  it('is not_found without a request for it if its ID is impossible', async () => {
    const { tracker, requestsTo } = await openStubbed(() => null)
    for (const id of [0, -1, 1.5, 2 ** 31]) {
      expect(await errorOf(tracker.getItem(id, never))).toMatchObject({ code: 'not_found' })
    }
    expect(requestsTo(/workitems\b/)).toEqual([])
  })

  it('can be read although the process is not readable', async () => {
    const { tracker, requestsTo } = await openStubbed(({ path }) =>
      path.startsWith('/_apis/wit/workitems/')
        ? { json: wireItem({ id: 12, fields: { 'Microsoft.VSTS.Scheduling.Effort': 8 } }) }
        : { status: 403, json: errorBody('AccessDeniedException', 'no') },
    )
    expect(await tracker.getItem(12, never)).toMatchObject({ stateCategory: null, level: null, storyPoints: 8 })
    await tracker.getItem(12, never)
    expect(requestsTo(metadata)).toHaveLength(2)
  })

  it('has the category of its state on servers that list states by type', async () => {
    const { tracker, requestsTo } = await openStubbed(({ path }) => {
      if (path.endsWith('/workitemtypes')) return { json: listOf([{ name: 'User Story' }, { name: 'Feature' }]) }
      if (path.endsWith('/states')) return { json: listOf([{ name: 'New', category: 'Proposed' }]) }
      return path.startsWith('/_apis/wit/workitems/') ? { json: wireItem({ id: 12 }) } : null
    })
    expect(await tracker.getItem(12, never)).toMatchObject({ stateCategory: 'Proposed' })
    await tracker.getItem(12, never)
    expect(requestsTo(/states$/).map((request) => request.rawUrl)).toEqual([
      '/Parts%20Shop/_apis/wit/workitemtypes/User%20Story/states?api-version=7.1',
    ])
  })

  it('is an error if the response has another shape', async () => {
    const { tracker } = await openStubbed(({ path }) =>
      path.startsWith('/_apis/wit/workitems/') ? { json: { id: 12 } } : null,
    )
    expect(await errorOf(tracker.getItem(12, never))).toMatchObject({ code: 'tracker_answer' })
  })
})

describe('a closed tracker', () => {
  it('sends no requests', async () => {
    const { tracker, requests } = await openStubbed(batchOf([{ id: 1 }]))
    await tracker.getItems([1], { signal: never })
    const before = requests.length
    await tracker.close()
    expect(await errorOf(tracker.getItems([1], { signal: never }))).toMatchObject({ code: 'tracker_unavailable' })
    expect(requests).toHaveLength(before)
  })
})

describe('many items', () => {
  it('are requested in batches of 200 and returned in the order of their IDs', async () => {
    const all = range(450)
    const { tracker, requestsTo } = await openStubbed(batchOf(all))
    const ids = all.map(({ id }) => id).reverse()
    const { items, missing } = await tracker.getItems(ids, { signal: never })
    expect(items.map((item) => item.id)).toEqual(ids)
    expect(missing).toEqual([])
    const bodies = requestsTo(/workitemsbatch/).map((request) => request.body)
    expect(bodies.map((body) => body.ids.length).sort()).toEqual([200, 200, 50].sort())
    expect(bodies[0]).toMatchObject({ $expand: 'relations', errorPolicy: 'omit' })
    expect(bodies[0]).not.toHaveProperty('fields')
  })

  it('take two requests for the process, for any number of items', async () => {
    const { tracker, requestsTo } = await openStubbed(batchOf(range(450)))
    await tracker.getItems(
      range(450).map(({ id }) => id),
      { signal: never },
    )
    expect(requestsTo(metadata)).toHaveLength(2)
  })

  it('are matched by ID, even if the response omits, reorders or nulls some', async () => {
    const { tracker } = await openStubbed(({ path }) =>
      path === '/_apis/wit/workitemsbatch'
        ? { json: listOf([null, wireItem({ id: 5 }), wireItem({ id: 3 }), wireItem({ id: 99 })]) }
        : null,
    )
    const { items, missing } = await tracker.getItems([3, 4, 5], { signal: never })
    expect(items.map((item) => item.id)).toEqual([3, 5])
    expect(missing).toEqual([{ id: 4, reason: 'It does not exist in the tracker, or this token may not read it.' }])
  })

  it('can contain an invalid one, which does not affect the others', async () => {
    const { tracker } = await openStubbed(({ path }) =>
      path === '/_apis/wit/workitemsbatch' ? { json: listOf([{ id: 3, rev: 'x' }, wireItem({ id: 5 })]) } : null,
    )
    const { items, missing } = await tracker.getItems([3, 5], { signal: never })
    expect(items.map((item) => item.id)).toEqual([5])
    expect(missing).toMatchObject([{ id: 3, reason: expect.stringContaining('shape') }])
  })

  it('are returned once each, and impossible IDs are not requested', async () => {
    const { tracker, requestsTo } = await openStubbed(batchOf(range(3)))
    const { items, missing } = await tracker.getItems([2, 2, -1, 2 ** 31, 1], { signal: never })
    expect(items.map((item) => item.id)).toEqual([2, 1])
    expect(missing.map((one) => one.id)).toEqual([-1, 2 ** 31])
    expect(requestsTo(/workitemsbatch/)[0]!.body.ids).toEqual([2, 1])
  })

  it('are read although a batch fails because of one ID', async () => {
    const { tracker } = await openStubbed((request) => {
      if (request.path === '/_apis/wit/workitemsbatch' && request.body.ids.includes(6)) return noSuchItem(6)
      return batchOf(range(9))(request)
    })
    const { items, missing } = await tracker.getItems([1, 2, 3, 4, 5, 6, 7, 8, 9], { signal: never })
    expect(items.map((item) => item.id)).toEqual([1, 2, 3, 4, 5, 7, 8, 9])
    expect(missing).toEqual([{ id: 6, reason: expect.stringContaining('TF401232') }])
  })

  it('are read although the response to a batch is too large', async () => {
    const long = (id: number) => ({ id, fields: { 'System.Description': 'x'.repeat(id === 3 ? 30_000 : 4_000) } })
    const items = [long(1), long(2), long(3), long(4)]
    const { tracker } = await openStubbed(batchOf(items), { limits: { maxResponseBytes: 12_000 } })
    const found = await tracker.getItems([1, 2, 3, 4], { signal: never })
    expect(found.items.map((item) => item.id)).toEqual([1, 2, 4])
    expect(found.missing).toMatchObject([{ id: 3, reason: expect.stringContaining('larger') }])
  })

  it('report progress page by page', async () => {
    const { tracker } = await openStubbed(batchOf(range(5)), { limits: { batchSize: 2, maxConcurrent: 1 } })
    const seen: [number, number][] = []
    await tracker.getItems([1, 2, 3, 4, 5, 6], { signal: never, onProgress: (done, total) => seen.push([done, total]) })
    expect(seen).toEqual([
      [2, 6],
      [4, 6],
      [6, 6],
    ])
  })

  it('are read in concurrent batches up to the limit', async () => {
    let running = 0
    let most = 0
    let open = () => {}
    const four = new Promise<void>((resolve) => {
      open = resolve
    })
    const { tracker } = await openStubbed(
      async (request) => {
        if (request.path !== '/_apis/wit/workitemsbatch') return null
        running += 1
        most = Math.max(most, running)
        if (running === 4) open()
        await four
        running -= 1
        return batchOf(range(20))(request)
      },
      { limits: { batchSize: 2, maxConcurrent: 4 } },
    )
    await tracker.getItems(
      range(20).map(({ id }) => id),
      { signal: never },
    )
    expect(most).toBe(4)
  })

  it('cause no request if there are none', async () => {
    const { tracker, requests } = await openStubbed(() => null)
    expect(await tracker.getItems([], { signal: never })).toEqual({ items: [], missing: [] })
    expect(requests).toHaveLength(0)
  })

  it('fail if the token is not accepted', async () => {
    const { tracker, requests } = await openStubbed(() => ({ status: 203, text: '<html>Sign In</html>' }))
    const error = await errorOf(tracker.getItems([1, 2], { signal: never }))
    expect(error).toMatchObject({ code: 'tracker_token' })
    expect(JSON.stringify([error.message, error.hint])).not.toContain('secret-token')
    expect(requests.length).toBeLessThanOrEqual(3)
  })

  it('end when the caller aborts', async () => {
    const caller = new AbortController()
    const { tracker } = await openStubbed((request) => {
      if (request.path !== '/_apis/wit/workitemsbatch') return null
      caller.abort()
      return 'silence'
    })
    expect(await errorOf(tracker.getItems([1], { signal: caller.signal }))).toMatchObject({ code: 'interrupted' })
  })
})
