import * as z from 'zod'

/** A text that every engine can store: PostgreSQL rejects U+0000, and UTF-8 cannot encode half of a surrogate pair. */
export const Text = z
  .string()
  .refine((text) => !/[\0\p{Surrogate}]/u.test(text), 'must not contain U+0000 or half of a character')
  .trim()
