import { unprocessable } from './errors'

export interface Page {
  first?: number
  last?: number
  after?: string | null
  before?: string | null
}

/** A page of a connection, of at most 100 nodes. */
export function paginate<Node>(nodes: readonly Node[], { first, last, after, before }: Page) {
  const size = first ?? last
  if (size === undefined || size < 1 || size > 100)
    throw unprocessable('You must provide a `first` or `last` value between 1 and 100 to properly paginate.')
  const start = after
    ? Number(after) + 1
    : last === undefined
      ? 0
      : Math.max(0, (before ? Number(before) : nodes.length) - last)
  const end = before ? Math.min(Number(before), start + size) : start + size
  const page = nodes.slice(start, end)
  return {
    totalCount: nodes.length,
    nodes: page,
    pageInfo: {
      hasNextPage: end < nodes.length,
      hasPreviousPage: start > 0,
      startCursor: page.length > 0 ? String(start) : null,
      endCursor: page.length > 0 ? String(start + page.length - 1) : null,
    },
  }
}
