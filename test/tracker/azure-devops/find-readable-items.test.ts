import { describe, expect, it } from 'vitest'
import { errorBody, never, openStubbed } from './fixtures'

/** A tracker whose token can read only even IDs. */
const openEven = () =>
  openStubbed(({ path, body }) => {
    if (!path.endsWith('/wiql')) return null
    const ids: number[] = JSON.parse(`[${/\(([\d,]+)\)/.exec(body.query)![1]}]`)
    return { json: { workItems: ids.filter((id) => id % 2 === 0).map((id) => ({ id })) } }
  })

describe('the items that the token can read', () => {
  it('are found by queries up to the maximum length', async () => {
    const { tracker, requestsTo } = await openEven()
    const ids = Array.from({ length: 10_000 }, (_, i) => 80_001 + i)
    const readable = await tracker.findReadableItems(ids, never)
    expect([...readable!].sort((a, b) => a - b)).toEqual(ids.filter((id) => id % 2 === 0))
    const queries = requestsTo(/wiql/)
    expect(queries).toHaveLength(2)
    for (const { body } of queries) expect(body.query.length).toBeLessThanOrEqual(32_000)
  })

  it('are unknown if the tracker refuses the query', async () => {
    const refusal = { status: 403, json: errorBody('AccessDeniedException', 'no') }
    const { tracker } = await openStubbed(({ path }) => (path.endsWith('/wiql') ? refusal : null))
    expect(await tracker.findReadableItems([1, 2], never)).toBeNull()
  })
})
