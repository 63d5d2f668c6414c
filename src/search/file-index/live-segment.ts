import type { Segment } from './segment'

/** A segment as one state of the index has it: without the documents that were changed or removed since it was written. */
export interface LiveSegment {
  segment: Segment
  deleted: DeletedDocuments
}

/** Documents of a segment, a bit each. */
export class DeletedDocuments {
  readonly #bits: Uint8Array
  readonly count: number

  /** @param bits a byte for eight documents, the first in its lowest bit; may be shorter than the segment. */
  constructor(bits: Uint8Array) {
    this.#bits = bits
    let count = 0
    for (const byte of bits) for (let rest = byte; rest !== 0; rest &= rest - 1) count += 1
    this.count = count
  }

  static decode(base64: string): DeletedDocuments {
    return new DeletedDocuments(Buffer.from(base64, 'base64'))
  }

  has(document: number): boolean {
    return ((this.#bits[document >> 3] ?? 0) & (1 << (document & 7))) !== 0
  }

  with(documents: readonly number[]): DeletedDocuments {
    const highest = documents.reduce((most, document) => Math.max(most, document), -1)
    const bits = new Uint8Array(Math.max(this.#bits.length, (highest >> 3) + 1))
    bits.set(this.#bits)
    for (const document of documents) bits[document >> 3]! |= 1 << (document & 7)
    return new DeletedDocuments(bits)
  }

  encode(): string {
    return Buffer.from(this.#bits).toString('base64')
  }
}
