import * as z from 'zod'

const isStorable = (text: string) => !/[\0\p{Surrogate}]/u.test(text)

/** Text that every database engine stores unchanged: PostgreSQL rejects U+0000, and UTF-8 cannot encode half of a surrogate pair. */
export function storableText(maxLength: number) {
  return z.string().max(maxLength).refine(isStorable, 'must not hold U+0000 or half of a character')
}

/** The limit of a request body. No other limit holds for a long text, so that one may fill the body, wherever it comes from. */
export const MAX_BODY_BYTES = 1024 * 1024

/** A text such as a description. A line such as a name has a maximum of its own, which its schema, the API's description and help show. */
export function longText() {
  return storableText(MAX_BODY_BYTES).refine(
    (text) => text.length * 3 <= MAX_BODY_BYTES || Buffer.byteLength(text) <= MAX_BODY_BYTES,
    `must be at most ${MAX_BODY_BYTES} bytes in UTF-8`,
  )
}
