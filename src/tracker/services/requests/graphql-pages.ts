import * as z from 'zod'
import type { Page } from './pages'

/** A connection of GraphQL: a list with pages. */
export const nodes = <Shape extends z.ZodType>(shape: Shape) => z.object({ nodes: z.array(shape) })

/** A page of a connection, which `PAGE_INFO` selects the cursor of. */
export const createPageShape = <Shape extends z.ZodType>(shape: Shape) =>
  nodes(shape)
    .extend({ pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }) })
    .transform(({ nodes, pageInfo: { hasNextPage, endCursor } }, context): Page<z.output<Shape>> => {
      return { entries: nodes as z.output<Shape>[], next: hasNextPage ? requireCursor(endCursor, context) : null }
    })
/** The same for a connection that is read from its end, the newest first. */
export const createNewestPageShape = <Shape extends z.ZodType>(shape: Shape) =>
  nodes(shape)
    .extend({ pageInfo: z.object({ hasPreviousPage: z.boolean(), startCursor: z.string().nullish() }) })
    .transform(({ nodes, pageInfo: { hasPreviousPage, startCursor } }, context): Page<z.output<Shape>> => {
      const next = hasPreviousPage ? requireCursor(startCursor, context) : null
      return { entries: [...nodes].reverse() as z.output<Shape>[], next }
    })
export const NEWEST_PAGE_INFO = 'pageInfo { hasPreviousPage startCursor }'
export const PAGE_INFO = 'pageInfo { hasNextPage endCursor }'

/** Without a cursor, a part of a list would count as all of it. */
function requireCursor(cursor: string | null | undefined, context: z.RefinementCtx): string {
  if (cursor) return cursor
  context.addIssue({ code: 'custom', message: 'names no cursor of the next page', path: ['pageInfo'] })
  return z.NEVER
}
