import { describe, expect, it } from 'vitest'
import { boardOf, bulkOf, close, forbid, isBulk, isPatch, openBoard } from './board'
import { createFakeTiming, errorBody, never, openStubbed } from './fixtures'
import type { StubRequest } from './stub-server'

describe('changes', () => {
  it('are sent in one batch, each with a test of its revision, without a project', async () => {
    const { update, bulks, patches } = await openBoard()
    const outcomes = await update(close(7, 3), close(8, 1))
    expect(outcomes.map(({ id, status }) => [id, status])).toEqual([
      [7, 'applied'],
      [8, 'applied'],
    ])
    expect(patches()).toHaveLength(0)
    expect(bulks()).toHaveLength(1)
    expect(bulks()[0]!.rawUrl).toBe('/_apis/wit/$batch?api-version=7.1')
    expect(bulks()[0]!.headers['content-type']).toBe('application/json')
    expect(bulks()[0]!.body[0]).toEqual({
      method: 'PATCH',
      uri: '/_apis/wit/workitems/7?$expand=relations&api-version=7.1',
      headers: { 'Content-Type': 'application/json-patch+json' },
      body: [
        { op: 'test', path: '/rev', value: 3 },
        { op: 'add', path: '/fields/System.State', value: 'Closed' },
      ],
    })
  })

  it('are sent without a batch if there is only one', async () => {
    const { update, bulks, patches } = await openBoard()
    expect(await update(close(7, 3))).toMatchObject([{ id: 7, status: 'applied' }])
    expect(bulks()).toHaveLength(0)
    expect(patches()[0]!.rawUrl).toBe('/_apis/wit/workitems/7?$expand=relations&api-version=7.1')
    expect(patches()[0]!.headers['content-type']).toBe('application/json-patch+json')
  })

  it('return the complete new item, and read links that are not in the response', async () => {
    const { update, requestsTo } = await openBoard()
    const [first] = await update(close(7, 3), close(8, 1))
    expect(first).toMatchObject({
      status: 'applied',
      item: { id: 7, rev: 4, state: 'Closed', stateCategory: 'Completed', parentId: 2 },
    })
    expect(requestsTo(/workitemsbatch/).map((request) => request.body.ids)).toEqual([[7, 8]])
  })

  it('use the links of the response if there are any', async () => {
    const { update, requestsTo } = await openBoard((request, board) => {
      if (!isPatch(request)) return null
      board.answer(request)
      return { json: board.items.get(7) }
    })
    expect(await update(close(7, 3))).toMatchObject([{ status: 'applied', item: { rev: 4, parentId: 2 } }])
    expect(requestsTo(/workitemsbatch/)).toHaveLength(0)
  })

  it('are applied with the item of the response if it cannot be read again', async () => {
    const { update } = await openBoard((request) =>
      request.path.endsWith('workitemsbatch') ? { status: 500, json: errorBody('Exception', 'no') } : null,
    )
    expect(await update(close(7, 3))).toMatchObject([{ status: 'applied', item: { id: 7, rev: 4, state: 'Closed' } }])
  })

  it('are sent in batches of 200, with progress after each', async () => {
    const board = boardOf(Array.from({ length: 5 }, (_, i) => ({ id: i + 1 })))
    const { tracker, requests } = await openStubbed(board.answer, { limits: { batchSize: 2 } })
    const seen: [number, number][] = []
    const outcomes = await tracker.updateItems(
      [1, 2, 3, 4, 5].map((id) => close(id, 1)),
      { signal: never, onProgress: (done, total) => seen.push([done, total]) },
    )
    expect(outcomes.map(({ id, status }) => [id, status])).toEqual([1, 2, 3, 4, 5].map((id) => [id, 'applied']))
    expect(requests.filter(isBulk).map((one) => one.body.length)).toEqual([2, 2])
    expect(seen).toEqual([
      [2, 5],
      [4, 5],
      [5, 5],
    ])
  })

  it('cause no request if there are none', async () => {
    const { update, bulks, patches } = await openBoard()
    expect(await update()).toEqual([])
    expect([...bulks(), ...patches()]).toEqual([])
  })

  it('have two outcomes if an item is listed twice', async () => {
    const { update } = await openBoard()
    const change = close(7, 3)
    expect((await update(change, change)).map(({ status }) => status)).toEqual(['applied', 'conflict'])
  })
})

describe('an outcome', () => {
  it('exists for every change of a batch, whether its body is a string or an object', async () => {
    for (const unpack of [false, true]) {
      const { update } = await openBoard((request, board) => {
        const reply = isBulk(request) && unpack ? (board.answer(request) as { json: { value: any[] } }) : null
        if (reply === null) return null
        return { json: bulkOf(reply.json.value.map((entry) => ({ ...entry, body: JSON.parse(entry.body) }))) }
      })
      expect(await update(close(7, 3), close(8, 99), forbid(9, 5), close(404, 1))).toMatchObject([
        { id: 7, status: 'applied', item: { rev: 4 } },
        { id: 8, status: 'conflict', message: expect.stringContaining('VS403351') },
        { id: 9, status: 'rejected', message: 'Rule Error for field State. (TF401320)' },
        { id: 404, status: 'rejected', message: expect.stringContaining('TF401232') },
      ])
    }
  })

  it('is a conflict for 409 only with a matching error code', async () => {
    const answer = (typeKey: string, message: string) => (request: StubRequest) =>
      isPatch(request) ? { status: 409, json: errorBody(typeKey, message) } : null
    const stale = await openBoard(answer('WorkItemRevisionMismatchException', 'TF26071: changed by someone else.'))
    expect(await stale.update(close(7, 3))).toMatchObject([{ status: 'conflict' }])
    const other = await openBoard(answer('WorkItemLinkException', 'TF201036: cannot add the link.'))
    expect(await other.update(close(7, 3))).toMatchObject([{ status: 'rejected' }])
  })

  it('is a rejection if the item cannot be changed', async () => {
    const { update } = await openBoard((request) =>
      isPatch(request)
        ? { status: 403, json: errorBody('AccessDeniedException', 'TF237111: no permission here.') }
        : null,
    )
    expect(await update(close(7, 3))).toMatchObject([{ status: 'rejected', message: 'no permission here. (TF237111)' }])
  })
})

describe('a caller that aborts', () => {
  it('gets notAttempted for all changes before the start', async () => {
    const { tracker, requests } = await openBoard()
    const outcomes = await tracker.updateItems([close(7, 3), close(8, 1)], { signal: AbortSignal.abort() })
    expect(outcomes.map(({ status }) => status)).toEqual(['notAttempted', 'notAttempted'])
    expect(requests).toHaveLength(0)
  })

  it('gets notAttempted for all changes while the first waits', async () => {
    const caller = new AbortController()
    const timing = createFakeTiming()
    timing.sleep = async (_, signal) => {
      caller.abort()
      signal.throwIfAborted()
    }
    const busy = { status: 429, json: {}, headers: { 'retry-after': '5' } }
    const { tracker, board } = await openBoard((request) => (isBulk(request) ? busy : null), { timing })
    const outcomes = await tracker.updateItems([close(7, 3), close(8, 1)], { signal: caller.signal })
    expect(outcomes.map(({ status }) => status)).toEqual(['notAttempted', 'notAttempted'])
    expect(board.items.get(7)!.rev).toBe(3)
  })

  it('gets notAttempted for the rest between batches', async () => {
    const { tracker, board } = await openBoard(undefined, { limits: { batchSize: 2 } })
    const caller = new AbortController()
    const outcomes = await tracker.updateItems([close(7, 3), close(8, 1), close(9, 5)], {
      signal: caller.signal,
      onProgress: () => caller.abort(),
    })
    expect(outcomes.map(({ status }) => status)).toEqual(['applied', 'applied', 'notAttempted'])
    expect(board.items.get(9)!.rev).toBe(5)
  })

  it('gets the outcome of a change that was sent, if it can be determined', async () => {
    for (const carriedOut of [true, false]) {
      const caller = new AbortController()
      const { tracker } = await openBoard(
        (request, board) => {
          if (!isBulk(request)) return null
          if (carriedOut) board.answer(request)
          caller.abort()
          return 'silence'
        },
        { limits: { batchSize: 2 } },
      )
      const changes = [close(7, 3), close(8, 1), close(9, 5)]
      const outcomes = await tracker.updateItems(changes, { signal: caller.signal })
      const seen = carriedOut ? 'applied' : 'unknown'
      expect(outcomes.map(({ status }) => status)).toEqual([seen, seen, 'notAttempted'])
    }
  })
})
