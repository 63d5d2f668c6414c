import { describe, expect, it } from 'vitest'
import type { ChangePosition } from '../../../src/tracker'
import { createFakeTiming, errorBody, errorOf, never, openStubbed } from './fixtures'
import type { Behaviour, StubRequest } from './stub-server'

const revisionsPath = '/Parts Shop/_apis/wit/reporting/workitemrevisions'
const linksPath = '/Parts Shop/_apis/wit/reporting/workitemlinks'

const page = (values: unknown[], continuationToken: string | null, isLastBatch = true) => ({
  json: { values, nextLink: 'x', ...(continuationToken === null ? {} : { continuationToken }), isLastBatch },
})
const save = (id: number, rev: number, more = {}) => ({ id, rev, fields: { 'System.Id': id }, ...more })
const linkChange = (sourceId: number, targetId: number) => ({ rel: 'x', sourceId, targetId, isActive: true })

/** A tracker with two feeds whose responses the test defines. */
function openFeeds(feeds: {
  revisions?(request: StubRequest): Behaviour
  links?(request: StubRequest): Behaviour
  /** The number of items that a query for changed items finds. */
  changed?: number
}) {
  const { revisions = () => page([], 'r1'), links = () => page([], 'l1'), changed = 0 } = feeds
  return openStubbed((request) => {
    if (request.path === revisionsPath) return revisions(request)
    if (request.path.endsWith('/wiql')) {
      const found = Math.min(changed, Number(request.query.get('$top')))
      return { json: { workItems: Array.from({ length: found }, (_, i) => ({ id: i + 1 })) } }
    }
    return request.path === linksPath ? links(request) : null
  })
}

async function changesOf(
  tracker: Awaited<ReturnType<typeof openFeeds>>['tracker'],
  position: ChangePosition = { since: 0, after: '{"revisions":"r0","links":"l0"}' },
  maxPages = 4,
) {
  return tracker.readChanges(position, { signal: never, maxPages })
}

describe('the feeds of changes', () => {
  it('continue at their tokens', async () => {
    const { tracker, requestsTo } = await openFeeds({})
    const changes = await changesOf(tracker)
    expect(JSON.parse(changes!.position)).toEqual({ revisions: 'r1', links: 'l1' })
    const [revisions, links] = requestsTo(/reporting/)
    expect(Object.fromEntries(revisions!.query)).toEqual({
      includeLatestOnly: 'true',
      includeDeleted: 'true',
      fields: 'System.Id,System.IsDeleted',
      continuationToken: 'r0',
      'api-version': '7.1',
    })
    expect(Object.fromEntries(links!.query)).toEqual({ continuationToken: 'l0', 'api-version': '7.1' })
  })

  it('list new revisions, and deletions and both ends of a link without a revision', async () => {
    const { tracker } = await openFeeds({
      revisions: () => page([save(1, 4), save(2, 7, { fields: { 'System.IsDeleted': true } }), save(3, 2)], 'r1'),
      links: () => page([linkChange(3, 9)], 'l1'),
    })
    expect([...(await changesOf(tracker))!.changed]).toEqual([
      [1, 4],
      [2, null],
      [3, null],
      [9, null],
    ])
  })

  it('are read to the last page', async () => {
    const { tracker } = await openFeeds({
      revisions: ({ query }) =>
        query.get('continuationToken') === 'r0' ? page([save(1, 2)], 'r1', false) : page([save(2, 2)], 'r2'),
    })
    const changes = await changesOf(tracker)
    expect([...changes!.changed.keys()]).toEqual([1, 2])
    expect(JSON.parse(changes!.position).revisions).toBe('r2')
  })

  it("begin at a time of the tracker's clock, with a margin", async () => {
    const timing = createFakeTiming()
    const ahead = 3 * 60 * 60_000
    const date = () => ({ date: new Date(timing.now() + ahead).toUTCString() })
    const { tracker, requestsTo } = await openStubbed(
      ({ path }) =>
        path.includes('/reporting/')
          ? { ...page([], 'x1'), headers: date() }
          : path.endsWith('workitemtypes')
            ? { json: { value: [] }, headers: date() }
            : { json: {}, headers: date() },
      { timing },
    )
    await changesOf(tracker, { since: timing.now() })
    const started = requestsTo(/reporting/).map(({ query }) => Date.parse(query.get('startDateTime')!))
    const expected = timing.now() + ahead - 2 * 60_000
    for (const at of started) expect(Math.abs(at - expected)).toBeLessThanOrEqual(1000)
    expect(requestsTo(/reporting/).some(({ query }) => query.has('continuationToken'))).toBe(false)
  })

  it('are abandoned after one page if the number of changed items is too large', async () => {
    const revisions = () => page([save(1, 2)], `r${Math.random()}`, false)
    const long = await openFeeds({ revisions, changed: 1_000 })
    expect(await changesOf(long.tracker)).toBeNull()
    expect(long.requests.map(({ path }) => path)).toEqual([revisionsPath, '/Parts Shop/_apis/wit/wiql'])
    const short = await openFeeds({
      revisions: ({ query }) => page([], 'r1', query.get('continuationToken') === 'r1'),
      changed: 300,
    })
    expect(await changesOf(short.tracker)).not.toBeNull()
  })

  it('are read up to the maximum number of pages', async () => {
    let nth = 0
    const { tracker, requestsTo } = await openFeeds({ links: () => page([linkChange(1, 2)], `l${++nth}`, false) })
    expect(await changesOf(tracker, undefined, 5)).toBeNull()
    expect(requestsTo(/reporting/)).toHaveLength(5)
  })

  it.each<[string, Behaviour]>([
    ['are not there', { status: 404, json: errorBody('VssResourceNotFoundException', 'no such controller') }],
    ['are not for this token', { status: 403, json: errorBody('AccessDeniedException', 'no') }],
    ['know the position no more', { status: 400, json: errorBody('X', 'VS402000: the token is too old') }],
    ['give no token', page([save(1, 2)], null)],
    ['never end', page([save(1, 2)], 'again', false)],
  ])('return null if they %s', async (_, behaviour) => {
    const { tracker, requestsTo } = await openFeeds({ revisions: () => behaviour })
    expect(await changesOf(tracker)).toBeNull()
    expect(requestsTo(/reporting/).length).toBeLessThanOrEqual(4)
  })

  it('return null for an invalid position', async () => {
    const { tracker, requests } = await openFeeds({})
    expect(await changesOf(tracker, { since: 0, after: 'r1' })).toBeNull()
    expect(await changesOf(tracker, { since: 0, after: '{"revisions":1}' })).toBeNull()
    expect(requests).toHaveLength(0)
  })

  it('fail if the token is not accepted', async () => {
    const { tracker } = await openFeeds({ revisions: () => ({ status: 203, text: '<html>Sign in</html>' }) })
    expect(await errorOf(changesOf(tracker))).toMatchObject({ code: 'tracker_token' })
  })
})
