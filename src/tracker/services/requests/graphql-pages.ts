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
export const PAGE_INFO = 'pageInfo { hasNextPage endCursor }'
