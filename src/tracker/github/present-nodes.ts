import type * as z from 'zod'
import { nodes } from '../services/requests/graphql-pages'

/** A connection without the nodes that GitHub leaves out, because the token cannot read them. */
export const presentNodes = <Shape extends z.ZodType>(shape: Shape) =>
  nodes(shape.nullable()).transform(({ nodes: all }) => ({
    nodes: all.filter((one) => one !== null) as NonNullable<z.output<Shape>>[],
  }))
