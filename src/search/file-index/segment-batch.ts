import { createHash } from 'node:crypto'
import type { Searchable } from '../../items'
import { runInTurns } from '../../kernel'
import type { TokenStemmer } from '../rules/stem'
import type { Entity } from '../services/entity'
import { toEntity } from '../services/find-searchables'
import { type EntityRef, toEntityRef } from '../services/search-index'
import type { IndexFolder, SegmentEntry } from './index-folder'
import { DeletedDocuments } from './segment'
import type { SegmentBuilder } from './segment-builder'
import { FINGERPRINT_BYTES } from './segment-format'

/** Collects entities for new segments. Calls of its methods follow one another. */
export interface SegmentSink {
  /** Adds searchables. One that was added before is replaced. */
  add(searchables: readonly Searchable[]): Promise<void>
  remove(ref: EntityRef): Promise<void>
  /** Adds what is left of segments that the new ones replace. */
  merge(segments: readonly SegmentEntry[]): Promise<void>
  /** Writes the segments, which no manifest names yet. */
  finish(): Promise<SegmentEntry[]>
  /** Removes what was written. */
  abandon(): Promise<void>
}

/** An entity of the batch: the segment that it is in, and its number there. */
interface Place {
  segment: number
  number: number
}

/** Writes entities into new segments, and begins another segment when one is full. */
export class SegmentBatch implements SegmentSink {
  readonly #folder: IndexFolder
  readonly #stemToken: TokenStemmer
  readonly #finished: { name: string; entry: SegmentEntry; documents: Uint16Array }[] = []
  readonly #latest = new Map<EntityRef, Place>()
  readonly #replaced: Place[] = []
  #open: { name: string; builder: SegmentBuilder } | null = null

  constructor(folder: IndexFolder, stemToken: TokenStemmer) {
    this.#folder = folder
    this.#stemToken = stemToken
  }

  async add(searchables: readonly Searchable[]): Promise<void> {
    for (const searchable of searchables) await this.addEntity(toEntity(searchable), computeFingerprint(searchable))
  }

  async addEntity(entity: Entity, fingerprint: Uint8Array): Promise<void> {
    if (this.#open?.builder.isFull) await this.#finishOne()
    this.#open ??= this.#folder.newSegment(this.#stemToken)
    const { builder } = this.#open
    const ref = toEntityRef(entity)
    await this.remove(ref)
    this.#latest.set(ref, { segment: this.#finished.length, number: builder.documents })
    await runInTurns(builder.add(entity, fingerprint))
  }

  async remove(ref: EntityRef): Promise<void> {
    const before = this.#latest.get(ref)
    if (before === undefined) return
    this.#replaced.push(before)
    this.#latest.delete(ref)
  }

  async merge(segments: readonly SegmentEntry[]): Promise<void> {
    const parts = this.#folder.openEntries(segments)
    for (const { segment } of parts) segment.retain()
    try {
      for (const { segment, deleted } of parts) {
        for (const [, { document, fingerprint }] of segment.locations())
          if (!deleted.has(document)) await this.addEntity(segment.record(document), fingerprint)
      }
    } finally {
      for (const { segment } of parts) segment.release()
    }
  }

  async finish(): Promise<SegmentEntry[]> {
    await this.#finishOne()
    return this.#finished.flatMap(({ name, entry, documents }, segment) => {
      const replaced = this.#replaced.filter((place) => place.segment === segment)
      if (replaced.length < entry.facts.documents) {
        const deleted = new DeletedDocuments(new Uint8Array()).with(replaced.map(({ number }) => documents[number]!))
        return [{ ...entry, deleted: deleted.encode() }]
      }
      this.#folder.discard(name)
      return []
    })
  }

  async abandon(): Promise<void> {
    this.#open?.builder.abandon()
    for (const { name } of [...this.#finished, ...(this.#open ? [this.#open] : [])]) this.#folder.discard(name)
  }

  async #finishOne(): Promise<void> {
    if (!this.#open) return
    const { name, builder } = this.#open
    const { facts, documents } = await runInTurns(builder.finish())
    this.#open = null
    this.#finished.push({ name, entry: { name, facts, deleted: '' }, documents })
  }
}

/** Identifies the content of a searchable. */
export function computeFingerprint(searchable: Searchable): Buffer {
  return createHash('sha1').update(JSON.stringify(searchable)).digest().subarray(0, FINGERPRINT_BYTES)
}
