import { createHash } from 'node:crypto'
import type { Searchable } from '../../items'
import type { TokenStemmer } from '../rules/stem'
import { compareByNewest, type Entity } from '../services/entity'
import { toEntity } from '../services/find-searchables'
import type { EntityType } from '../services/search-index'
import { type IndexFolder, type Manifest, type ManifestVersion, NO_ENTITIES, type SegmentEntry } from './index-folder'
import type { DocumentLocation, LiveSegment } from './segment'
import type { SegmentBuilder } from './segment-builder'
import { FINGERPRINT_BYTES } from './segment-format'

/** What has become of some entities: what they are now, or that they are gone. */
export type Changes = ReadonlyMap<EntityRef, PendingDocument | null>

/**
 * The index with the changes in it: their entities as a new segment, what they were before deleted from the others. Small
 * segments go into the new one as soon as there are many of a size. What nothing has changed for stays as it is.
 */
export function applyChanges(
  folder: IndexFolder,
  base: ManifestVersion,
  { changes, termsOf }: { changes: Changes; termsOf: TokenStemmer },
): Pick<Manifest, 'segments' | 'entities'> {
  const { manifest } = base
  const parts = folder.openSegments(base)
  const entities = { ...(manifest?.entities ?? NO_ENTITIES) }
  const gone = parts.map((): number[] => [])
  const fresh: PendingDocument[] = []
  for (const [ref, now] of changes) {
    const before = findLive(parts, ref)
    if (now && before?.place.fingerprint.equals(now.fingerprint)) continue
    if (before) gone[before.part]!.push(before.place.document)
    if (now) fresh.push(now)
    entities[typeOfRef(ref)] += (now ? 1 : 0) - (before ? 1 : 0)
  }
  const left = parts.map(({ segment, deleted }, i) => ({ segment, deleted: deleted.with(gone[i]!) }))
  const merged = fresh.length === 0 ? new Set<LiveSegment>() : chooseSegmentsToMerge(left, fresh.length)
  const lot = new SegmentBatch(folder, termsOf)
  try {
    const together = [...fresh, ...[...merged].flatMap(listLiveDocuments)]
    for (const one of together.sort((a, b) => compareByNewest(a.entity, b.entity))) lot.add(one)
    const kept = left.flatMap((part, i) => {
      if (merged.has(part) || part.deleted.count === part.segment.documents) return []
      return [{ ...manifest!.segments[i]!, deleted: part.deleted.encode() }]
    })
    return { segments: [...kept, ...lot.finish()], entities }
  } catch (error) {
    lot.abandon()
    throw error
  }
}

function findLive(parts: readonly LiveSegment[], ref: EntityRef): { part: number; place: DocumentLocation } | null {
  const id = Number(ref.slice(ref.indexOf(':') + 1))
  for (let part = parts.length - 1; part >= 0; part--) {
    const { segment, deleted } = parts[part]!
    const place = segment.locate(typeOfRef(ref), id)
    if (place && !deleted.has(place.document)) return { part, place }
  }
  return null
}

function listLiveDocuments({ segment, deleted }: LiveSegment): PendingDocument[] {
  return [...segment.locations()]
    .filter(([, { document }]) => !deleted.has(document))
    .map(([, { document, fingerprint }]) => ({
      entity: segment.record(document),
      fingerprint: Buffer.from(fingerprint),
    }))
}

/** Every entity that the parts hold, and where. */
export function listLiveEntities(
  parts: readonly LiveSegment[],
): Map<EntityRef, { part: number; place: DocumentLocation }> {
  const live = new Map<EntityRef, { part: number; place: DocumentLocation }>()
  for (const [part, { segment, deleted }] of parts.entries()) {
    for (const [entity, place] of segment.locations()) {
      if (!deleted.has(place.document)) live.set(entity as EntityRef, { part, place })
    }
  }
  return live
}

/** So many segments of about one size become one: a document is written again each time the index has grown so many times. */
const MERGE_FACTOR = 8
/** A merge that a writer has to wait for makes a segment of at most so many documents. */
const MAX_MERGED_DOCUMENTS = 8_192

/** Which parts should go into a new segment of `fresh` documents. */
function chooseSegmentsToMerge(parts: readonly LiveSegment[], fresh: number): Set<LiveSegment> {
  const chosen = new Set<LiveSegment>()
  let size = fresh
  for (;;) {
    const tier = tierOf(size)
    const equals = parts.filter((part) => !chosen.has(part) && tierOf(countLive(part)) <= tier)
    const sum = equals.reduce((total, part) => total + countLive(part), size)
    if (equals.length < MERGE_FACTOR - 1 || sum > MAX_MERGED_DOCUMENTS) return chosen
    for (const part of equals) chosen.add(part)
    size = sum
  }
}

function countLive({ segment, deleted }: LiveSegment): number {
  return segment.documents - deleted.count
}

function tierOf(documents: number): number {
  return Math.floor(Math.log(Math.max(1, documents)) / Math.log(MERGE_FACTOR))
}

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
