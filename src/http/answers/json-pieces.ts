import { isRecord } from '../../kernel/json'

/** About how long a piece of many small values is. A longer value is a piece of its own. */
const PIECE_LENGTH = 64 * 1024

/**
 * The JSON text of an answer in pieces, as `JSON.stringify` writes it: the entries of its lists one after the other, so that no step takes
 * long. Each entry is removed from its list when it is written, so that its texts are not in memory twice.
 */
export function* jsonPieces(answer: unknown): Generator<string> {
  let piece = ''
  for (const part of jsonParts(answer, MAX_DEPTH)) {
    if (part.length >= PIECE_LENGTH) {
      if (piece !== '') yield piece
      piece = ''
      yield part
    } else {
      piece += part
      if (piece.length < PIECE_LENGTH) continue
      yield piece
      piece = ''
    }
  }
  if (piece !== '') yield piece
}

/** The answer itself and its fields were made for this call. What is below them may belong to others. */
const MAX_DEPTH = 1

function* jsonParts(value: unknown, depth: number): Generator<string> {
  if (depth < 0) {
    yield JSON.stringify(value) ?? 'null'
  } else if (Array.isArray(value)) {
    yield '['
    for (let i = 0; i < value.length; i++) {
      if (i > 0) yield ','
      yield JSON.stringify(value[i]) ?? 'null'
      value[i] = null
    }
    yield ']'
  } else if (isRecord(value)) {
    let separator = ''
    yield '{'
    for (const [name, field] of Object.entries(value)) {
      if (field === undefined) continue
      yield `${separator}${JSON.stringify(name)}:`
      yield* jsonParts(field, depth - 1)
      separator = ','
    }
    yield '}'
  } else {
    yield JSON.stringify(value) ?? 'null'
  }
}
