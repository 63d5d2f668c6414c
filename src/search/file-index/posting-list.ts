import { ByteReader, ByteWriter } from './byte-codec'
import type { FrameFile, FrameWriter } from './frame-file'

/** The documents of a term, grouped by steps of impact, in ascending order within a step. */
export interface PostingList {
  documents: Uint16Array
  /** The step of the documents up to position `end`. */
  steps: readonly { step: number; end: number }[]
}

/** The overhead of a list, which is most of a short one. */
const LIST_BYTES = 400

/** The approximate memory of a list. */
export function estimateMemory({ documents }: PostingList): number {
  return LIST_BYTES + documents.byteLength
}

/** The maximum number of documents of a segment. */
export const MAX_DOCUMENTS = 2 ** 16
/** Shorter lists are stored in the table itself. */
const MAX_INLINE_BYTES = 24

const writer = new ByteWriter()

/**
 * The value of a term in a table: the number of documents, then the list or its position.
 * @param byStep documents by the step of their impact, each list in ascending order.
 */
export function writePostings(frames: FrameWriter, byStep: readonly (readonly number[] | undefined)[]): Buffer {
  let count = 0
  for (let step = 0; step < byStep.length; step++) {
    const documents = byStep[step]
    if (documents === undefined || documents.length === 0) continue
    count += documents.length
    writer.byte(step)
    writer.number(documents.length)
    let last = -1
    for (const document of documents) {
      writer.number(document - last - 1)
      last = document
    }
  }
  const list = writer.take()
  writer.number(count)
  if (list.length <= MAX_INLINE_BYTES) {
    writer.byte(INLINE)
    writer.bytes(list)
  } else {
    const { offset, length } = frames.write(list)
    writer.byte(ELSEWHERE)
    writer.number(offset)
    writer.number(length)
  }
  return writer.take()
}

const INLINE = 0
const ELSEWHERE = 1

/** The number of documents, without reading the list. */
export function readPostingCount(value: Buffer): number {
  return new ByteReader(value).number()
}

export function readPostings(frames: FrameFile, value: Buffer): PostingList {
  const reader = new ByteReader(value)
  const count = reader.number()
  const isInline = reader.bytes(1)[0] === INLINE
  const list = isInline ? reader.rest() : frames.read({ offset: reader.number(), length: reader.number() })
  return decode(list, count)
}

/** The hottest loop of a search: it reads numbers without function calls. */
function decode(bytes: Buffer, count: number): PostingList {
  const documents = new Uint16Array(count)
  const steps: { step: number; end: number }[] = []
  let at = 0
  let filled = 0
  while (filled < count) {
    const step = bytes[at++]!
    let inStep = 0
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++]!
      inStep |= (byte & 0x7f) << shift
      if (byte < 0x80) break
    }
    const end = filled + inStep
    let document = -1
    while (filled < end) {
      let gap = bytes[at++]!
      if (gap >= 0x80) {
        gap = (gap & 0x7f) | (bytes[at++]! << 7)
        if (gap >= 0x4000) gap = (gap & 0x3fff) | (bytes[at++]! << 14)
      }
      document += gap + 1
      documents[filled++] = document
    }
    steps.push({ step, end })
  }
  return { documents, steps }
}
