import { describe, expect, it } from 'vitest'
import { batchOf, errorBody, errorOf, link, never, openStubbed, type WireItemParts } from './fixtures'
import type { Reply, StubRequest } from './stub-server'

const root = (target: number) => ({ target: { id: target, url: `x/${target}` } })
const row = (source: number, target: number) => ({
  rel: 'System.LinkTypes.Hierarchy-Forward',
  source: { id: source, url: `x/${source}` },
  target: { id: target, url: `x/${target}` },
})

const wiql = (reply: Reply) => (request: StubRequest) => (request.path.endsWith('/_apis/wit/wiql') ? reply : null)
const rows = (...workItemRelations: unknown[]) => wiql({ json: { queryType: 'tree', workItemRelations } })

/** Items with links to their children. */
const family = (children: Record<number, number[]>): WireItemParts[] =>
  Object.entries(children).map(([id, ids]) => ({
    id: Number(id),
    relations: ids.map((child) => link('Hierarchy-Forward', child)),
  }))

describe('a tree', () => {
  it('is read with one recursive query of links', async () => {
    const { tracker, requests } = await openStubbed(rows(root(1), row(1, 2), row(2, 3), row(1, 4)))
    expect(await tracker.getTree(1, never)).toEqual([
      { parentId: 1, childId: 2 },
      { parentId: 1, childId: 4 },
      { parentId: 2, childId: 3 },
    ])
    expect(requests).toHaveLength(1)
    expect(requests[0]!.path).toBe('/Parts Shop/_apis/wit/wiql')
    expect(requests[0]!.query.has('$top')).toBe(false)
    expect(requests[0]!.body.query).toBe(
      'SELECT [System.Id] FROM workitemLinks WHERE ([Source].[System.Id] = 1) ' +
        "AND ([System.Links.LinkType] = 'System.LinkTypes.Hierarchy-Forward') MODE (Recursive)",
    )
  })

  it('has every parent before its children, in any order of rows', async () => {
    const { tracker } = await openStubbed(rows(row(3, 4), row(2, 3), row(1, 2), root(1)))
    expect(await tracker.getTree(1, never)).toEqual([
      { parentId: 1, childId: 2 },
      { parentId: 2, childId: 3 },
      { parentId: 3, childId: 4 },
    ])
  })

  it('ignores cycles and rows of other items', async () => {
    const { tracker } = await openStubbed(
      rows(root(1), row(1, 2), row(2, 1), row(2, 3), row(3, 2), row(1, 2), row(8, 9), { source: null, target: null }),
    )
    expect(await tracker.getTree(1, never)).toEqual([
      { parentId: 1, childId: 2 },
      { parentId: 2, childId: 3 },
    ])
  })
})

describe('a tree that the tracker cannot query', () => {
  const reasons: [string, Reply][] = [
    [
      'over 20,000 rows',
      { status: 400, json: errorBody('QueryException', 'VS402337: exceeds the size limit of 20000.') },
    ],
    ['past its time limit', { status: 400, json: errorBody('QueryTimeout', 'VS402335: The query ran too long.') }],
    ['not allowed', { status: 403, json: errorBody('AccessDeniedException', 'no') }],
    ['not offered', { status: 404, json: errorBody('VssResourceNotFoundException', 'no') }],
    ['of no shape', { json: { workItems: [] } }],
  ]

  it.each(reasons)('is read level by level: %s', async (_, reply) => {
    const items = batchOf(family({ 1: [2, 3], 2: [4], 3: [5, 1], 4: [], 5: [2] }))
    const { tracker, requestsTo } = await openStubbed((request) => wiql(reply)(request) ?? items(request))
    expect(await tracker.getTree(1, never)).toEqual([
      { parentId: 1, childId: 2 },
      { parentId: 1, childId: 3 },
      { parentId: 2, childId: 4 },
      { parentId: 3, childId: 5 },
    ])
    expect(requestsTo(/workitemsbatch/).map((request) => request.body.ids)).toEqual([[1], [2, 3], [4, 5]])
  })

  it('is read in batches', async () => {
    const items = batchOf(family({ 1: [2, 3, 4, 5, 6], 2: [], 3: [], 4: [7], 5: [], 6: [], 7: [] }))
    const tooMany = wiql(reasons[0]![1])
    const { tracker, requestsTo } = await openStubbed((request) => tooMany(request) ?? items(request), {
      limits: { batchSize: 2, maxConcurrent: 1 },
    })
    expect(await tracker.getTree(1, never)).toHaveLength(6)
    expect(requestsTo(/workitemsbatch/).map((request) => request.body.ids)).toEqual([[1], [2, 3], [4, 5], [6], [7]])
  })

  it('contains the link to a child that is not readable', async () => {
    const items = batchOf(family({ 1: [2, 3], 3: [] }))
    const { tracker } = await openStubbed((request) => wiql(reasons[0]![1])(request) ?? items(request))
    expect(await tracker.getTree(1, never)).toEqual([
      { parentId: 1, childId: 2 },
      { parentId: 1, childId: 3 },
    ])
  })
})

describe('an empty tree', () => {
  it('is returned for an item without children', async () => {
    const items = batchOf(family({ 1: [] }))
    const { tracker } = await openStubbed((request) => rows(root(1))(request) ?? items(request))
    expect(await tracker.getTree(1, never)).toEqual([])
  })

  it('is not returned for an item that does not exist', async () => {
    const { tracker } = await openStubbed((request) => rows()(request) ?? batchOf([])(request))
    expect(await errorOf(tracker.getTree(1, never))).toMatchObject({ code: 'not_found' })
  })
})

describe('a tree of a tracker that cannot be reached', () => {
  it('is not read level by level', async () => {
    const { tracker, requestsTo } = await openStubbed(wiql({ status: 503, text: '' }))
    expect(await errorOf(tracker.getTree(1, never))).toMatchObject({ code: 'tracker_unavailable' })
    expect(requestsTo(/workitemsbatch/)).toHaveLength(0)
  })
})

describe('a tree that is too large for one query', () => {
  const tooMany: Reply = {
    status: 400,
    json: errorBody('WorkItemTrackingQueryResultSizeLimitExceededException', 'VS402337: more than 20000.'),
  }
  const idsIn = (query: string) => /Id\] (?:= |IN \()([\d, ]+)/.exec(query)![1]!.split(',').map(Number)

  /** Responds to recursive queries of at most `maxRows` rows; 1 has the children 2 to 9, which have one child each. */
  const bounded = (most: number) => (request: StubRequest) => {
    if (!request.path.endsWith('/_apis/wit/wiql')) return null
    const { query } = request.body
    const ids = idsIn(query)
    const below = (id: number) =>
      id === 1 ? Array.from({ length: 8 }, (_, i) => row(1, i + 2)) : id < 10 ? [row(id, id * 10)] : []
    const deep = (id: number): unknown[] =>
      below(id).flatMap((one) => [one, ...(query.includes('Recursive') ? deep(one.target.id) : [])])
    const rows = ids.flatMap((id) => [root(id), ...deep(id)])
    return query.includes('Recursive') && rows.length > most ? tooMany : { json: { workItemRelations: rows } }
  }

  it('is read with several queries, with the same result', async () => {
    const whole = await openStubbed(bounded(100))
    const inParts = await openStubbed(bounded(4))
    const links = await whole.tracker.getTree(1, never)
    expect(links).toHaveLength(16)
    expect(await inParts.tracker.getTree(1, never)).toEqual(links)
    expect(whole.requests).toHaveLength(1)
    expect(inParts.requests).toHaveLength(1 + 1 + 4)
  })

  it('is not queried forever if it has a cycle', async () => {
    const { tracker, requests } = await openStubbed((one) => {
      if (!one.path.endsWith('/_apis/wit/wiql')) return null
      const [id] = idsIn(one.body.query)
      return one.body.query.includes('Recursive')
        ? tooMany
        : { json: { workItemRelations: [row(id!, id === 1 ? 2 : 1)] } }
    })
    expect(await tracker.getTree(1, never)).toEqual([{ parentId: 1, childId: 2 }])
    expect(requests.length).toBeLessThan(10)
  })
})
