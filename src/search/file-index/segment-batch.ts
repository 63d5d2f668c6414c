import { createHash } from 'node:crypto'
import type { Searchable } from '../../items'
import type { TokenStemmer } from '../rules/stem'
import type { Entity } from '../services/entity'
import { toEntity } from '../services/find-searchables'
import type { EntityType } from '../services/search-index'
import type { IndexFolder } from './index-folder'
import type { SegmentEntry } from './manifest'
import { FINGERPRINT_BYTES, type SegmentBuilder } from './segment-builder'

/** An entity that is to be found from now on, with the fingerprint of what it was made of. */
export interface PendingDocument {
  entity: Entity
  fingerprint: Buffer
}

/** Entities on their way into segments: a new one is begun where the last is full. They come in the order of `newerFirst`. */
export class SegmentBatch {
  readonly #folder: IndexFolder
  readonly #termsOf: TokenStemmer
  readonly #finished: SegmentEntry[] = []
  #open: { name: string; builder: SegmentBuilder } | null = null

  constructor(folder: IndexFolder, termsOf: TokenStemmer) {
    this.#folder = folder
    this.#termsOf = termsOf
  }

  add({ entity, fingerprint }: PendingDocument): void {
    if (this.#open?.builder.isFull) this.#finishOne()
    this.#open ??= this.#folder.newSegment(this.#termsOf)
    this.#open.builder.add(entity, fingerprint)
  }

  finish(): SegmentEntry[] {
    this.#finishOne()
    return this.#finished
  }

  /** Removes what was written, where something has gone wrong. */
  abandon(): void {
    this.#open?.builder.abandon()
    for (const { name } of [...this.#finished, ...(this.#open ? [this.#open] : [])]) this.#folder.discard(name)
  }

  #finishOne(): void {
    if (!this.#open) return
    const { name, builder } = this.#open
    const facts = builder.finish()
    this.#open = null
    this.#finished.push({ name, facts, deleted: '' })
  }
}

export type EntityRef = `${EntityType}:${number}`

export function toEntityRef({ type, id }: { type: EntityType; id: number }): EntityRef {
  return `${type}:${id}`
}

export function typeOfRef(ref: EntityRef): EntityType {
  return ref.slice(0, ref.indexOf(':')) as EntityType
}

/** Of a searchable as it is kept: another one is made of other texts or values. */
export function computeFingerprint(searchable: Searchable): Buffer {
  return createHash('sha1').update(JSON.stringify(searchable)).digest().subarray(0, FINGERPRINT_BYTES)
}

/** What is put into the index for it. */
export function toPendingDocument(searchable: Searchable, fingerprint = computeFingerprint(searchable)) {
  const entity = toEntity(searchable)
  return { entity, fingerprint }
}
