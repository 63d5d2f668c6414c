import type { SearchWork } from './search-work'
import { type Token, tokenize } from './tokenize'

/** Of a text, in UTF-16 units. Splitting it into words takes a few milliseconds. */
const CHUNK_LENGTH = 16_384
/** How far back a chunk may end to be between words. */
const MAX_CUT_SHIFT = 1_000

/** Splits a long text into words chunk by chunk, with a checkpoint after each. */
export async function* tokenizeChunks(text: string, work: SearchWork): AsyncGenerator<Token[]> {
  for (const { tokens, length } of tokenizeInChunks(text)) {
    work.tokenized += length
    yield tokens
    await work.checkpoint()
  }
}

/** The words of each chunk. A chunk ends at white space if there is some nearby. Offsets are those in the whole text. */
export function* tokenizeInChunks(text: string): Generator<{ tokens: Token[]; length: number }> {
  for (let start = 0; start < text.length; ) {
    const end = findChunkEnd(text, start)
    const tokens = tokenize(text.slice(start, end))
    if (start > 0) {
      for (const token of tokens) {
        token.start += start
        token.end += start
      }
    }
    yield { tokens, length: end - start }
    start = end
  }
}

function findChunkEnd(text: string, start: number): number {
  const limit = start + CHUNK_LENGTH
  if (limit >= text.length) return text.length
  for (let end = limit; end > limit - MAX_CUT_SHIFT; end--) if (/\s/.test(text[end]!)) return end
  const isInsideCharacter = /[\udc00-\udfff]/.test(text[limit]!)
  return isInsideCharacter ? limit - 1 : limit
}
