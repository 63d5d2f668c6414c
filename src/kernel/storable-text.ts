import * as z from 'zod'

const isStorable = (text: string) => !/[\0\p{Surrogate}]/u.test(text)

/** Text that every database engine stores unchanged: PostgreSQL rejects U+0000, and UTF-8 cannot encode half of a surrogate pair. */
export function storableText(maxLength: number) {
  return z.string().max(maxLength).refine(isStorable, 'must not hold U+0000 or half of a character')
}
