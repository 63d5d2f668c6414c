import { describe, expect, it } from 'vitest'
import type { ItemChange } from '../../../src/tracker'
import { boardOf, bulkOf, isBulk, isPatch } from './board'
import { failureOf, link, never, openStubbed, trouble } from './fixtures'
import type { Asked, Behaviour } from './stub-server'

const seven = { id: 7, rev: 3, relations: [link('Hierarchy-Reverse', 2)] }
const eight = { id: 8, rev: 1 }
const nine = { id: 9, rev: 5 }

const close = (id: number, rev: number): ItemChange => ({ id, rev, fields: { 'System.State': 'Closed' } })
const forbid = (id: number, rev: number): ItemChange => ({ id, rev, fields: { 'System.State': 'Forbidden' } })

/** A tracker over a board; `first` may answer in its place. */
async function openBoard(
  first: (asked: Asked, board: ReturnType<typeof boardOf>) => Behaviour | null = () => null,
  settings: Parameters<typeof openStubbed>[1] = {},
) {
  const board = boardOf([seven, eight, nine])
  const stubbed = await openStubbed((asked) => first(asked, board) ?? board.answer(asked), settings)
  const update = (...changes: ItemChange[]) => stubbed.tracker.updateItems(changes, { signal: never })
  return {
    ...stubbed,
    board,
    update,
    bulks: () => stubbed.asked.filter(isBulk),
    patches: () => stubbed.asked.filter(isPatch),
  }
}

describe('changes', () => {
  it('go together, each with a test of its revision, outside of any project', async () => {
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
      uri: '/_apis/wit/workitems/7?api-version=7.1',
      headers: { 'Content-Type': 'application/json-patch+json' },
      body: [
        { op: 'test', path: '/rev', value: 3 },
        { op: 'add', path: '/fields/System.State', value: 'Closed' },
      ],
    })
  })

  it('go alone where there is one', async () => {
    const { update, bulks, patches } = await openBoard()
    expect(await update(close(7, 3))).toMatchObject([{ id: 7, status: 'applied' }])
    expect(bulks()).toHaveLength(0)
    expect(patches()[0]!.rawUrl).toBe('/_apis/wit/workitems/7?api-version=7.1')
    expect(patches()[0]!.headers['content-type']).toBe('application/json-patch+json')
  })

  it('give the item as it is then, whole: links that the answer did not show are read', async () => {
    const { update, askedOf } = await openBoard()
    const [first] = await update(close(7, 3), close(8, 1))
    expect(first).toMatchObject({
      status: 'applied',
      item: { id: 7, rev: 4, state: 'Closed', stateCategory: 'Completed', parentId: 2 },
    })
    expect(askedOf(/workitemsbatch/).map((asked) => asked.body.ids)).toEqual([[7, 8]])
  })

  it('take the links from the answer where it shows them', async () => {
    const { update, askedOf } = await openBoard((asked, board) => {
      if (!isPatch(asked)) return null
      board.answer(asked)
      return { json: board.items.get(7) }
    })
    expect(await update(close(7, 3))).toMatchObject([{ status: 'applied', item: { rev: 4, parentId: 2 } }])
    expect(askedOf(/workitemsbatch/)).toHaveLength(0)
  })

  it('stand applied where the item cannot be read again', async () => {
    const { update } = await openBoard((asked) =>
      asked.path.endsWith('workitemsbatch') ? { status: 500, json: trouble('Exception', 'no') } : null,
    )
    expect(await update(close(7, 3))).toMatchObject([{ status: 'applied', item: { id: 7, rev: 4, state: 'Closed' } }])
  })

  it('go by 200, and are told bulk by bulk', async () => {
    const board = boardOf(Array.from({ length: 5 }, (_, i) => ({ id: i + 1 })))
    const { tracker, asked } = await openStubbed(board.answer, { limits: { batchSize: 2 } })
    const seen: [number, number][] = []
    const outcomes = await tracker.updateItems(
      [1, 2, 3, 4, 5].map((id) => close(id, 1)),
      { signal: never, onProgress: (done, total) => seen.push([done, total]) },
    )
    expect(outcomes.map(({ id, status }) => [id, status])).toEqual([1, 2, 3, 4, 5].map((id) => [id, 'applied']))
    expect(asked.filter(isBulk).map((one) => one.body.length)).toEqual([2, 2])
    expect(seen).toEqual([
      [2, 5],
      [4, 5],
      [5, 5],
    ])
  })

  it('none at all are no change', async () => {
    const { update, bulks, patches } = await openBoard()
    expect(await update()).toEqual([])
    expect([...bulks(), ...patches()]).toEqual([])
  })

  it('of one item twice have two outcomes', async () => {
    const { update } = await openBoard()
    const change = close(7, 3)
    expect((await update(change, change)).map(({ status }) => status)).toEqual(['applied', 'conflict'])
  })
})

describe('an outcome of its own', () => {
  it('has every change of a bulk, whether its body is a string or an object', async () => {
    for (const unpack of [false, true]) {
      const { update } = await openBoard((asked, board) => {
        const reply = isBulk(asked) && unpack ? (board.answer(asked) as { json: { value: any[] } }) : null
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

  it('is a conflict under 409 only where it says so', async () => {
    const answer = (typeKey: string, message: string) => (asked: Asked) =>
      isPatch(asked) ? { status: 409, json: trouble(typeKey, message) } : null
    const stale = await openBoard(answer('WorkItemRevisionMismatchException', 'TF26071: changed by someone else.'))
    expect(await stale.update(close(7, 3))).toMatchObject([{ status: 'conflict' }])
    const other = await openBoard(answer('WorkItemLinkException', 'TF201036: cannot add the link.'))
    expect(await other.update(close(7, 3))).toMatchObject([{ status: 'rejected' }])
  })

  it('is a rejection where this one item may not be changed', async () => {
    const { update } = await openBoard((asked) =>
      isPatch(asked) ? { status: 403, json: trouble('AccessDeniedException', 'TF237111: no permission here.') } : null,
    )
    expect(await update(close(7, 3))).toMatchObject([{ status: 'rejected', message: 'no permission here. (TF237111)' }])
  })
})

describe('a bulk that fails as a whole', () => {
  const spoilt = {
    code: 500,
    headers: {},
    body: JSON.stringify({ count: 1, value: { Message: 'TF401321: Whole Bulk failed.' } }),
  }
  const ruled = { code: 400, headers: {}, body: JSON.stringify(trouble('RuleValidationException', 'TF401320: State.')) }

  it('for one bad change is sent again singly, but for that one', async () => {
    const { update, patches } = await openBoard((asked) =>
      isBulk(asked) ? { json: bulkOf([spoilt, ruled, spoilt]) } : null,
    )
    expect(await update(close(7, 3), forbid(8, 1), close(9, 5))).toMatchObject([
      { id: 7, status: 'applied', item: { rev: 4 } },
      { id: 8, status: 'rejected' },
      { id: 9, status: 'applied', item: { rev: 6 } },
    ])
    expect(patches().map((asked) => asked.path)).toEqual(['/_apis/wit/workitems/7', '/_apis/wit/workitems/9'])
  })

  it.each<[string, Behaviour]>([
    [
      'every entry is a 5xx',
      {
        json: bulkOf([
          { code: 500, body: '{}' },
          { code: 503, body: '{}' },
        ]),
      },
    ],
    ['the bulk itself is a 500', { status: 500, json: trouble('Exception', 'TF400898: An Internal Error Occurred.') }],
    [
      'the bulk itself is a 400',
      { status: 400, json: { count: 1, value: { Message: 'TF401321: Whole Bulk failed.' } } },
    ],
    ['bulks are not offered', { status: 404, text: '<html>no such route</html>' }],
    ['bulks are not allowed', { status: 405, json: trouble('VssRequestMethodNotAllowedException', 'no') }],
    ['its answer has no shape', { json: { count: 1, value: { Message: 'odd' } } }],
  ])('is sent again singly: %s', async (_, behaviour) => {
    const { update, patches } = await openBoard((asked) => (isBulk(asked) ? behaviour : null))
    expect(await update(close(7, 3), close(8, 1))).toMatchObject([
      { id: 7, status: 'applied', item: { rev: 4 } },
      { id: 8, status: 'applied', item: { rev: 2 } },
    ])
    expect(patches()).toHaveLength(2)
  })

  it('after it was carried out is not sent again: the items are read first', async () => {
    const { update, patches, board } = await openBoard((asked, board) => {
      if (!isBulk(asked)) return null
      board.answer(asked)
      return { status: 500, json: trouble('Exception', 'TF400898: An Internal Error Occurred.') }
    })
    expect(await update(close(7, 3), close(8, 1))).toMatchObject([
      { id: 7, status: 'applied', item: { rev: 4 } },
      { id: 8, status: 'applied', item: { rev: 2 } },
    ])
    expect(patches()).toHaveLength(0)
    expect(board.items.get(7)!.rev).toBe(4)
  })

  it('is a rejection where a change fails also alone, and left no trace', async () => {
    const { update } = await openBoard((asked) =>
      asked.method === 'PATCH'
        ? { status: 500, json: trouble('Exception', 'TF400898: An Internal Error Occurred.') }
        : null,
    )
    expect(await update(close(7, 3), close(8, 1))).toMatchObject([
      { status: 'rejected', message: expect.stringContaining('TF400898') },
      { status: 'rejected', message: expect.stringContaining('still has revision 1') },
    ])
  })

  it('leaves out an entry, which is then asked for by reading', async () => {
    const { update } = await openBoard((asked, board) => {
      const reply = isBulk(asked) ? (board.answer(asked) as { json: { value: unknown[] } }) : null
      return reply === null ? null : { json: bulkOf(reply.json.value.slice(0, 1)) }
    })
    expect(await update(close(7, 3), close(8, 1))).toMatchObject([
      { id: 7, status: 'applied', item: { rev: 4 } },
      { id: 8, status: 'applied', item: { rev: 2 } },
    ])
  })
})

describe('a change without an answer', () => {
  /** Loses the answer of the first bulk or patch, before or after it is carried out. */
  const losing = (how: Behaviour, carriedOut: boolean) => {
    let lost = false
    return (asked: Asked, board: ReturnType<typeof boardOf>) => {
      if (lost || asked.method !== 'PATCH') return null
      lost = true
      if (carriedOut) board.answer(asked)
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
  const limits = { headersMs: 50 }

  it.each(ways)('was applied, if the item has become so: %s', async (_, how) => {
    const { update, bulks, board } = await openBoard(losing(how, true), { limits })
    expect(await update(close(7, 3), close(8, 1))).toMatchObject([
      { id: 7, status: 'applied', item: { rev: 4, parentId: 2 } },
      { id: 8, status: 'applied', item: { rev: 2 } },
    ])
    expect(bulks()).toHaveLength(1)
    expect(board.items.get(7)!.rev).toBe(4)
  })

  it.each(ways)('is unknown, if the item has not, and is not sent again: %s', async (_, how) => {
    const { update, bulks, patches } = await openBoard(losing(how, false), { limits })
    expect(await update(close(7, 3), close(8, 1))).toMatchObject([
      { id: 7, status: 'unknown', message: expect.stringContaining('still has revision 3') },
      { id: 8, status: 'unknown' },
    ])
    expect(bulks()).toHaveLength(1)
    expect(patches()).toHaveLength(0)
  })

  it('is a conflict, if another came first', async () => {
    const { update } = await openBoard((asked, board) => {
      if (!isPatch(asked)) return null
      board.change(7, { 'System.State': 'Active' })
      return 'reset'
    })
    expect(await update(close(7, 3))).toMatchObject([
      { status: 'conflict', message: expect.stringContaining('revision 4, made by another change') },
    ])
  })

  it('is unknown, if the item cannot be read either', async () => {
    const { update } = await openBoard((asked) =>
      asked.method === 'PATCH' || asked.path.endsWith('workitemsbatch') ? 'reset' : null,
    )
    expect(await update(close(7, 3))).toMatchObject([
      { status: 'unknown', message: expect.stringContaining('could not be read since') },
    ])
  })

  it('keeps the rest from being sent', async () => {
    const { update, bulks } = await openBoard(losing('reset', false), { limits: { batchSize: 2 } })
    const outcomes = await update(close(7, 3), close(8, 1), close(9, 5))
    expect(outcomes.map(({ status }) => status)).toEqual(['unknown', 'unknown', 'notAttempted'])
    expect(outcomes[2]).toMatchObject({ message: expect.stringContaining('closed the connection') })
    expect(bulks()).toHaveLength(1)
  })
})

describe('a tracker that is too busy (503)', () => {
  it('is asked again, with what stands unchanged alone', async () => {
    let calls = 0
    const { update, bulks, patches, board } = await openBoard((asked, board) => {
      calls += asked.method === 'PATCH' ? 1 : 0
      if (!isBulk(asked) || calls > 1) return null
      board.answer({ ...asked, body: asked.body.slice(0, 1) })
      return { status: 503, text: '' }
    })
    expect(await update(close(7, 3), close(8, 1), close(9, 5))).toMatchObject([
      { id: 7, status: 'applied', item: { rev: 4 } },
      { id: 8, status: 'applied', item: { rev: 2 } },
      { id: 9, status: 'applied', item: { rev: 6 } },
    ])
    expect(bulks().map((asked) => asked.body.length)).toEqual([3, 2])
    expect(patches()).toHaveLength(0)
    expect(board.items.get(7)!.rev).toBe(4)
  })

  it('is given up in the end', async () => {
    const { update, bulks } = await openBoard((asked) => (isBulk(asked) ? { status: 503, text: '' } : null), {
      limits: { attempts: 3, batchSize: 2 },
    })
    const outcomes = await update(close(7, 3), close(8, 1), close(9, 5))
    expect(outcomes.map(({ status }) => status)).toEqual(['unknown', 'unknown', 'notAttempted'])
    expect(bulks()).toHaveLength(3)
  })
})

describe('a fault that concerns all changes', () => {
  const refusals: [string, Behaviour, string][] = [
    ['the token', { status: 203, text: '<html>Sign In</html>' }, 'tracker_token'],
    [
      'a right that the token lacks',
      { status: 403, json: trouble('AccessDeniedException', 'no') },
      'tracker_forbidden',
    ],
    ['the rate, for long', { status: 429, json: {}, headers: { 'retry-after': '900' } }, 'tracker_throttled'],
    ['a redirect', { status: 302, text: '', headers: { location: 'https://elsewhere.example/' } }, 'tracker_answer'],
  ]

  it.each(refusals)('is thrown while nothing has begun: %s', async (_, behaviour, code) => {
    const { update, board } = await openBoard((asked) => (isBulk(asked) ? behaviour : null))
    expect(await failureOf(update(close(7, 3), close(8, 1)))).toMatchObject({ code })
    expect(board.items.get(7)!.rev).toBe(3)
  })

  it.each(refusals)('afterwards leaves the rest not attempted: %s', async (_, behaviour) => {
    let bulks = 0
    const { update } = await openBoard(
      (asked) => {
        bulks += isBulk(asked) ? 1 : 0
        return isBulk(asked) && bulks > 1 ? behaviour : null
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

  it('shows before anything is sent, where it shows in reading', async () => {
    const { update, asked } = await openBoard(() => ({ status: 401, json: {} }))
    expect(await failureOf(update(close(7, 3)))).toMatchObject({ code: 'tracker_token' })
    expect(asked.filter((one) => one.method === 'PATCH')).toHaveLength(0)
  })

  it('is met by one change going ahead, where they go singly', async () => {
    const { update, patches } = await openBoard((asked) => {
      if (isBulk(asked)) return { status: 404, text: '' }
      return isPatch(asked) ? { status: 401, json: {} } : null
    })
    expect(await failureOf(update(close(7, 3), close(8, 1), close(9, 5)))).toMatchObject({ code: 'tracker_token' })
    expect(patches()).toHaveLength(1)
  })

  it('is waited out where the pause is short (429)', async () => {
    let blocked = false
    const { update, bulks } = await openBoard((asked) => {
      if (!isBulk(asked) || blocked) return null
      blocked = true
      return { status: 429, json: {}, headers: { 'retry-after': '0' } }
    })
    expect((await update(close(7, 3), close(8, 1))).map(({ status }) => status)).toEqual(['applied', 'applied'])
    expect(bulks()).toHaveLength(2)
  })
})

describe('a caller that leaves', () => {
  it('before the start has nothing attempted', async () => {
    const { tracker, asked } = await openBoard()
    const outcomes = await tracker.updateItems([close(7, 3), close(8, 1)], { signal: AbortSignal.abort() })
    expect(outcomes.map(({ status }) => status)).toEqual(['notAttempted', 'notAttempted'])
    expect(asked).toHaveLength(0)
  })

  it('between bulks has the rest not attempted', async () => {
    const { tracker, board } = await openBoard(undefined, { limits: { batchSize: 2 } })
    const caller = new AbortController()
    const outcomes = await tracker.updateItems([close(7, 3), close(8, 1), close(9, 5)], {
      signal: caller.signal,
      onProgress: () => caller.abort(),
    })
    expect(outcomes.map(({ status }) => status)).toEqual(['applied', 'applied', 'notAttempted'])
    expect(board.items.get(9)!.rev).toBe(5)
  })

  it('while a change is on its way is still told what became of it, if that can be seen', async () => {
    for (const carriedOut of [true, false]) {
      const caller = new AbortController()
      const { tracker } = await openBoard(
        (asked, board) => {
          if (!isBulk(asked)) return null
          if (carriedOut) board.answer(asked)
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
