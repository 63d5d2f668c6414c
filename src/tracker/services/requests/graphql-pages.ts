import * as z from 'zod'
import type { Page } from './pages'

/** A connection of GraphQL: a list with pages. */
export const nodes = <Shape extends z.ZodType>(shape: Shape) => z.object({ nodes: z.array(shape) })

/** A page of a connection, which `PAGE_INFO` selects the cursor of. */
export const createPageShape = <Shape extends z.ZodType>(shape: Shape) =>
  nodes(shape)
    .extend({ pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }) })
    .transform(({ nodes, pageInfo }): Page<z.output<Shape>> => {
      return { entries: nodes as z.output<Shape>[], next: pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null }
    })
/** The same for a connection that is read from its end, the newest first. */
export const createNewestPageShape = <Shape extends z.ZodType>(shape: Shape) =>
  nodes(shape)
    .extend({ pageInfo: z.object({ hasPreviousPage: z.boolean(), startCursor: z.string().nullish() }) })
    .transform(({ nodes, pageInfo }): Page<z.output<Shape>> => {
      const next = pageInfo.hasPreviousPage ? (pageInfo.startCursor ?? null) : null
      return { entries: [...nodes].reverse() as z.output<Shape>[], next }
    })
export const NEWEST_PAGE_INFO = 'pageInfo { hasPreviousPage startCursor }'
export const PAGE_INFO = 'pageInfo { hasNextPage endCursor }'
