import { createHash } from 'node:crypto'
import { runInTurns } from '../../kernel'
import { jsonPieces } from './json-pieces'

type Bytes = Uint8Array<ArrayBuffer>

/** A JSON text in pieces, with the hash of the whole. */
export interface PiecewiseBody {
  pieces: readonly Bytes[]
  length: number
  /** Of the text, in base64url. */
  hash: string
}

/** Pieces of this length are the same for all answers that have the same thing in them. */
const SHARED_LENGTH = 16 * 1024

/** Pieces by their hash, as long as some answer has them. */
const shared = new Map<string, WeakRef<Bytes>>()
const forgotten = new FinalizationRegistry<string>((hash) => {
  if (shared.get(hash)?.deref() === undefined) shared.delete(hash)
})

/**
 * Writes an answer as JSON, and lets other calls run meanwhile. It takes the answer apart. Long texts that several answers have in them are
 * in memory once, however slowly their callers read.
 */
export async function writeInTurns(answer: unknown, signal: AbortSignal): Promise<PiecewiseBody> {
  const hash = createHash('sha1')
  const pieces: Bytes[] = []
  let length = 0
  function* write(): Generator<void> {
    for (const text of jsonPieces(answer)) {
      const bytes = new TextEncoder().encode(text) as Bytes
      hash.update(bytes)
      length += bytes.length
      pieces.push(share(bytes))
      yield
    }
  }
  await runInTurns(write(), signal)
  return { pieces, length, hash: hash.digest('base64url') }
}

function share(bytes: Bytes): Bytes {
  if (bytes.length < SHARED_LENGTH) return bytes
  const hash = createHash('sha1').update(bytes).digest('base64url')
  const known = shared.get(hash)?.deref()
  if (known) return known
  shared.set(hash, new WeakRef(bytes))
  forgotten.register(bytes, hash)
  return bytes
}

/** The pieces one by one, each when the one before it has left. */
export function streamPieces(pieces: readonly Bytes[]): ReadableStream<Bytes> {
  let next = 0
  return new ReadableStream<Bytes>(
    {
      pull(controller) {
        const piece = pieces[next++]
        if (piece === undefined) controller.close()
        else controller.enqueue(piece)
      },
    },
    { highWaterMark: 0 },
  )
}
