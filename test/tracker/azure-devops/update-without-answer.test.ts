import { describe, expect, it } from 'vitest'
import { type Board, close, isBulk, isPatch, openBoard } from './board'
import { errorBody, errorOf } from './fixtures'
import type { Behaviour, StubRequest } from './stub-server'

describe('a change without a response', () => {
  /** Drops the response to the first batch or patch, before or after it is processed. */
  const losing = (how: Behaviour, carriedOut: boolean) => {
    let lost = false
    return (request: StubRequest, board: Board) => {
      if (lost || request.method !== 'PATCH') return null
      lost = true
      if (carriedOut) board.answer(request)
      return how
    }
  }
  const ways: [string, Behaviour][] = [
    ['a reset', 'reset'],
    ['silence', 'silence'],
    ['an answer that is cut', { json: { value: 'x'.repeat(1000) }, cutAfter: 50 }],
    ['a page', { text: '<html></html>' }],
    ['502', { status: 502, text: '' }],
    ['504', { status: 504, text: '' }],
  ]
  const limits = { headersTimeoutMs: 50 }

  it.each(ways)('was applied if the item has the new values: %s', async (_, how) => {
    const { update, bulks, board } = await openBoard(losing(how, true), { limits })
    expect(await update(close(7, 3), close(8, 1))).toMatchObject([
      { id: 7, status: 'applied', item: { rev: 4, parentId: 2 } },
      { id: 8, status: 'applied', item: { rev: 2 } },
    ])
    expect(bulks()).toHaveLength(1)
    expect(board.items.get(7)!.rev).toBe(4)
  })

  it('is verified with one read, also if the item has no links', async () => {
    const { update, requestsTo } = await openBoard(losing('reset', true))
    expect(await update(close(8, 1))).toMatchObject([{ id: 8, status: 'applied', item: { parentId: null } }])
    expect(requestsTo(/workitemsbatch/)).toHaveLength(1)
  })

  it.each(ways)('is unknown if the item has other values, and is not sent again: %s', async (_, how) => {
    const { update, bulks, patches } = await openBoard(losing(how, false), { limits })
    expect(await update(close(7, 3), close(8, 1))).toMatchObject([
      { id: 7, status: 'unknown', message: expect.stringContaining('still has revision 3') },
      { id: 8, status: 'unknown' },
    ])
    expect(bulks()).toHaveLength(1)
    expect(patches()).toHaveLength(0)
  })

  it('is a conflict if another change came first', async () => {
    const { update } = await openBoard((request, board) => {
      if (!isPatch(request)) return null
      board.change(7, { 'System.State': 'Active' })
      return 'reset'
    })
    expect(await update(close(7, 3))).toMatchObject([
      { status: 'conflict', message: expect.stringContaining('revision 4, made by another change') },
    ])
  })

  it('is unknown if the item cannot be read', async () => {
    const { update } = await openBoard((request) =>
      request.method === 'PATCH' || request.path.endsWith('workitemsbatch') ? 'reset' : null,
    )
    expect(await update(close(7, 3))).toMatchObject([
      { status: 'unknown', message: expect.stringContaining('could not be read afterwards') },
    ])
  })

  it('prevents the remaining changes from being sent', async () => {
    const { update, bulks } = await openBoard(losing('reset', false), { limits: { batchSize: 2 } })
    const outcomes = await update(close(7, 3), close(8, 1), close(9, 5))
    expect(outcomes.map(({ status }) => status)).toEqual(['unknown', 'unknown', 'notAttempted'])
    expect(outcomes[2]).toMatchObject({ message: expect.stringContaining('closed the connection') })
    expect(bulks()).toHaveLength(1)
  })
})

describe('a tracker that is too busy (503)', () => {
  it('gets only the changes of unchanged items again', async () => {
    let calls = 0
    const { update, bulks, patches, board } = await openBoard((request, board) => {
      calls += request.method === 'PATCH' ? 1 : 0
      if (!isBulk(request) || calls > 1) return null
      board.answer({ ...request, body: request.body.slice(0, 1) })
      return { status: 503, text: '' }
    })
    expect(await update(close(7, 3), close(8, 1), close(9, 5))).toMatchObject([
      { id: 7, status: 'applied', item: { rev: 4 } },
      { id: 8, status: 'applied', item: { rev: 2 } },
      { id: 9, status: 'applied', item: { rev: 6 } },
    ])
    expect(bulks().map((request) => request.body.length)).toEqual([3, 2])
    expect(patches()).toHaveLength(0)
    expect(board.items.get(7)!.rev).toBe(4)
  })

  it('causes an error after the maximum number of attempts', async () => {
    const { update, bulks } = await openBoard((request) => (isBulk(request) ? { status: 503, text: '' } : null), {
      limits: { maxAttempts: 3, batchSize: 2 },
    })
    const outcomes = await update(close(7, 3), close(8, 1), close(9, 5))
    expect(outcomes.map(({ status }) => status)).toEqual(['unknown', 'unknown', 'notAttempted'])
    expect(bulks()).toHaveLength(3)
  })
})

describe('an error that concerns all changes', () => {
  const refusals: [string, Behaviour, string][] = [
    ['the token', { status: 203, text: '<html>Sign In</html>' }, 'tracker_token'],
    [
      'a right that the token lacks',
      { status: 403, json: errorBody('AccessDeniedException', 'no') },
      'tracker_forbidden',
    ],
    ['the rate, for long', { status: 429, json: {}, headers: { 'retry-after': '900' } }, 'tracker_throttled'],
    ['a redirect', { status: 302, text: '', headers: { location: 'https://elsewhere.example/' } }, 'tracker_answer'],
  ]

  it.each(refusals)('is thrown before the first change: %s', async (_, behaviour, code) => {
    const { update, board } = await openBoard((request) => (isBulk(request) ? behaviour : null))
    expect(await errorOf(update(close(7, 3), close(8, 1)))).toMatchObject({ code })
    expect(board.items.get(7)!.rev).toBe(3)
  })

  it.each(refusals)('leaves the rest not attempted after the first change: %s', async (_, behaviour) => {
    let bulks = 0
    const { update } = await openBoard(
      (request) => {
        bulks += isBulk(request) ? 1 : 0
        return isBulk(request) && bulks > 1 ? behaviour : null
      },
      { limits: { batchSize: 2 } },
    )
    const outcomes = await update(close(7, 3), close(8, 1), close(9, 5), close(404, 1), close(405, 1))
    expect(outcomes.map(({ status }) => status)).toEqual([
      'applied',
      'applied',
      'notAttempted',
      'notAttempted',
      'notAttempted',
    ])
  })

  it('is found before any change is sent if reading fails', async () => {
    const { update, requests } = await openBoard(() => ({ status: 401, json: {} }))
    expect(await errorOf(update(close(7, 3)))).toMatchObject({ code: 'tracker_token' })
    expect(requests.filter((one) => one.method === 'PATCH')).toHaveLength(0)
  })

  it('affects only one request if changes are sent separately', async () => {
    const { update, patches } = await openBoard((request) => {
      if (isBulk(request)) return { status: 404, text: '' }
      return isPatch(request) ? { status: 401, json: {} } : null
    })
    expect(await errorOf(update(close(7, 3), close(8, 1), close(9, 5)))).toMatchObject({ code: 'tracker_token' })
    expect(patches()).toHaveLength(1)
  })

  it('is retried after a short pause (429)', async () => {
    let blocked = false
    const { update, bulks } = await openBoard((request) => {
      if (!isBulk(request) || blocked) return null
      blocked = true
      return { status: 429, json: {}, headers: { 'retry-after': '0' } }
    })
    expect((await update(close(7, 3), close(8, 1))).map(({ status }) => status)).toEqual(['applied', 'applied'])
    expect(bulks()).toHaveLength(2)
  })
})
