import { describe, expect, it } from 'vitest'
import { bulkOf, close, forbid, isBulk, openBoard } from './board'
import { errorBody } from './fixtures'
import type { Behaviour } from './stub-server'

describe('a batch that fails as a whole', () => {
  const spoilt = {
    code: 500,
    headers: {},
    body: JSON.stringify({ count: 1, value: { Message: 'TF401321: Whole Bulk failed.' } }),
  }
  const ruled = {
    code: 400,
    headers: {},
    body: JSON.stringify(errorBody('RuleValidationException', 'TF401320: State.')),
  }

  it('is sent again one by one, except for the invalid change', async () => {
    const { update, patches } = await openBoard((request) =>
      isBulk(request) ? { json: bulkOf([spoilt, ruled, spoilt]) } : null,
    )
    expect(await update(close(7, 3), forbid(8, 1), close(9, 5))).toMatchObject([
      { id: 7, status: 'applied', item: { rev: 4 } },
      { id: 8, status: 'rejected' },
      { id: 9, status: 'applied', item: { rev: 6 } },
    ])
    expect(patches().map((request) => request.path)).toEqual(['/_apis/wit/workitems/7', '/_apis/wit/workitems/9'])
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
    [
      'the bulk itself is a 500',
      { status: 500, json: errorBody('Exception', 'TF400898: An Internal Error Occurred.') },
    ],
    [
      'the bulk itself is a 400',
      { status: 400, json: { count: 1, value: { Message: 'TF401321: Whole Bulk failed.' } } },
    ],
    ['bulks are not offered', { status: 404, text: '<html>no such route</html>' }],
    ['bulks are not allowed', { status: 405, json: errorBody('VssRequestMethodNotAllowedException', 'no') }],
    ['its answer has no shape', { json: { count: 1, value: { Message: 'odd' } } }],
  ])('is sent again one by one: %s', async (_, behaviour) => {
    const { update, patches } = await openBoard((request) => (isBulk(request) ? behaviour : null))
    expect(await update(close(7, 3), close(8, 1))).toMatchObject([
      { id: 7, status: 'applied', item: { rev: 4 } },
      { id: 8, status: 'applied', item: { rev: 2 } },
    ])
    expect(patches()).toHaveLength(2)
  })

  it('is not sent again if it was processed: the items are read first', async () => {
    const { update, patches, board } = await openBoard((request, board) => {
      if (!isBulk(request)) return null
      board.answer(request)
      return { status: 500, json: errorBody('Exception', 'TF400898: An Internal Error Occurred.') }
    })
    expect(await update(close(7, 3), close(8, 1))).toMatchObject([
      { id: 7, status: 'applied', item: { rev: 4 } },
      { id: 8, status: 'applied', item: { rev: 2 } },
    ])
    expect(patches()).toHaveLength(0)
    expect(board.items.get(7)!.rev).toBe(4)
  })

  it('is a rejection for a change that fails separately and has no effect', async () => {
    const { update } = await openBoard((request) =>
      request.method === 'PATCH'
        ? { status: 500, json: errorBody('Exception', 'TF400898: An Internal Error Occurred.') }
        : null,
    )
    expect(await update(close(7, 3), close(8, 1))).toMatchObject([
      { status: 'rejected', message: expect.stringContaining('TF400898') },
      { status: 'rejected', message: expect.stringContaining('still has revision 1') },
    ])
  })

  it('is verified by reading the items if the results are out of order', async () => {
    const { update, board } = await openBoard((request, board) => {
      const reply = isBulk(request) ? (board.answer(request) as { json: { value: unknown[] } }) : null
      return reply === null ? null : { json: bulkOf(reply.json.value.toReversed()) }
    })
    expect(await update(close(7, 3), forbid(8, 1))).toMatchObject([
      { id: 7, status: 'applied', item: { rev: 4 } },
      { id: 8, status: 'rejected' },
    ])
    expect(board.items.get(7)!.rev).toBe(4)
  })

  it('is verified by reading the items without a result', async () => {
    const { update } = await openBoard((request, board) => {
      const reply = isBulk(request) ? (board.answer(request) as { json: { value: unknown[] } }) : null
      return reply === null ? null : { json: bulkOf(reply.json.value.slice(0, 1)) }
    })
    expect(await update(close(7, 3), close(8, 1))).toMatchObject([
      { id: 7, status: 'applied', item: { rev: 4 } },
      { id: 8, status: 'applied', item: { rev: 2 } },
    ])
  })
})
