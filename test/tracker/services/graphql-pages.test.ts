import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { createNewestPageShape, createPageShape } from '../../../src/tracker/services/requests/graphql-pages'

describe('a page of a connection', () => {
  const first = createPageShape(z.number())
  const newest = createNewestPageShape(z.number())

  it('has the cursor of the next one, if there is one', () => {
    const page = (hasNextPage: boolean) => first.parse({ nodes: [1, 2], pageInfo: { hasNextPage, endCursor: 'c' } })
    expect(page(true)).toEqual({ entries: [1, 2], next: 'c' })
    expect(page(false)).toEqual({ entries: [1, 2], next: null })
    const pageInfo = { hasPreviousPage: true, startCursor: 'c' }
    expect(newest.parse({ nodes: [1, 2], pageInfo })).toEqual({ entries: [2, 1], next: 'c' })
  })

  it.each([null, undefined, ''])('is malformed if it names a next one without a cursor: %j', (cursor) => {
    expect(first.safeParse({ nodes: [1], pageInfo: { hasNextPage: true, endCursor: cursor } }).success).toBe(false)
    expect(newest.safeParse({ nodes: [1], pageInfo: { hasPreviousPage: true, startCursor: cursor } }).success).toBe(
      false,
    )
    expect(first.parse({ nodes: [], pageInfo: { hasNextPage: false, endCursor: cursor } }).next).toBeNull()
  })
})
