import * as z from 'zod'

/** A field that a server may leave out, or send as null: undefined in both cases. */
export function optional<Shape extends z.ZodType>(shape: Shape) {
  return shape.nullish().transform((value) => value ?? undefined)
}

/** A fact that people are shown and nothing depends on: undefined also where a server writes it in a form of its own. */
export function fact<Shape extends z.ZodType>(shape: Shape) {
  return optional(shape).catch(undefined)
}

/** A count, whole however the server writes it. */
export const Count = z.number().transform(Math.round)
