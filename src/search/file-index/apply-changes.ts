import { createHash } from 'node:crypto'
import type { Searchable } from '../../items'
import { runInTurns } from '../../kernel'
import type { TokenStemmer } from '../rules/stem'
import type { Entity } from '../services/entity'
import { toEntity } from '../services/find-searchables'
import type { EntityType } from '../services/search-index'
import { type IndexFolder, type Manifest, type ManifestVersion, NO_ENTITIES, type SegmentEntry } from './index-folder'
import type { DocumentLocation, LiveSegment } from './segment'
import type { SegmentBuilder } from './segment-builder'
import { FINGERPRINT_BYTES } from './segment-format'

/** By entity, its new content, or null if it was removed. */
export type Changes = ReadonlyMap<EntityRef, PendingDocument | null>

/**
 * Applies changes to the index: writes new content as a new segment, and marks the previous documents as deleted. If there are many small
 * segments of about the same size, they are merged into the new one. Unchanged segments stay as they are. Other calls run in between.
 */
export async function applyChanges(
  folder: IndexFolder,
  base: ManifestVersion,
  { changes, stemToken }: { changes: Changes; stemToken: TokenStemmer },
): Promise<Pick<Manifest, 'segments' | 'entities'>> {
  const { manifest } = base
  const parts = folder.openSegments(base)
  const entities = { ...(manifest?.entities ?? NO_ENTITIES) }
  const removed = parts.map((): number[] => [])
  const pending: PendingDocument[] = []
  for (const [ref, now] of changes) {
    const before = findLive(parts, ref)
    if (now && before?.place.fingerprint.equals(now.fingerprint)) continue
    if (before) removed[before.part]!.push(before.place.document)
    if (now) pending.push(now)
    entities[typeOfRef(ref)] += (now ? 1 : 0) - (before ? 1 : 0)
  }
  const remaining = parts.map(({ segment, deleted }, i) => ({ segment, deleted: deleted.with(removed[i]!) }))
  const merged = pending.length === 0 ? new Set<LiveSegment>() : chooseSegmentsToMerge(remaining, pending.length)
  const batch = new SegmentBatch(folder, stemToken)
  try {
    for (const one of pending) await batch.add(one)
    for (const part of merged) for (const one of listLiveDocuments(part)) await batch.add(one)
    const retained = remaining.flatMap((part, i) => {
      if (merged.has(part) || part.deleted.count === part.segment.documents) return []
      return [{ ...manifest!.segments[i]!, deleted: part.deleted.encode() }]
    })
    return { segments: [...retained, ...(await batch.finish())], entities }
  } catch (error) {
    batch.abandon()
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

/** All entities of the segments, with their locations. */
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

/** How many segments of about the same size are merged. A document is written again each time the index grows by this factor. */
const MERGE_FACTOR = 8
/** The maximum size of a merged segment, because a writer waits for the merge. */
const MAX_MERGED_DOCUMENTS = 8_192

/** The segments to merge with `pending` new documents. */
function chooseSegmentsToMerge(parts: readonly LiveSegment[], pending: number): Set<LiveSegment> {
  const chosen = new Set<LiveSegment>()
  let size = pending
  for (;;) {
    const tier = tierOf(size)
    const mergeable = parts.filter((part) => !chosen.has(part) && tierOf(countLive(part)) <= tier)
    const sum = mergeable.reduce((total, part) => total + countLive(part), size)
    if (mergeable.length < MERGE_FACTOR - 1 || sum > MAX_MERGED_DOCUMENTS) return chosen
    for (const part of mergeable) chosen.add(part)
    size = sum
  }
}

function countLive({ segment, deleted }: LiveSegment): number {
  return segment.documents - deleted.count
}

function tierOf(documents: number): number {
  return Math.floor(Math.log(Math.max(1, documents)) / Math.log(MERGE_FACTOR))
}

/** An entity to index, with the fingerprint of its source. */
export interface PendingDocument {
  entity: Entity
  fingerprint: Buffer
}

/** Writes entities into new segments, and begins another segment when one is full. They are added one after the other. */
export class SegmentBatch {
  readonly #folder: IndexFolder
  readonly #stemToken: TokenStemmer
  readonly #finished: SegmentEntry[] = []
  #open: { name: string; builder: SegmentBuilder } | null = null

  constructor(folder: IndexFolder, stemToken: TokenStemmer) {
    this.#folder = folder
    this.#stemToken = stemToken
  }

  async add({ entity, fingerprint }: PendingDocument): Promise<void> {
    if (this.#open?.builder.isFull) await this.#finishOne()
    this.#open ??= this.#folder.newSegment(this.#stemToken)
    await runInTurns(this.#open.builder.add(entity, fingerprint))
  }

  async finish(): Promise<SegmentEntry[]> {
    await this.#finishOne()
    return this.#finished
  }

  /** Removes the written segments after an error. */
  abandon(): void {
    this.#open?.builder.abandon()
    for (const { name } of [...this.#finished, ...(this.#open ? [this.#open] : [])]) this.#folder.discard(name)
  }

  async #finishOne(): Promise<void> {
    if (!this.#open) return
    const { name, builder } = this.#open
    const facts = await runInTurns(builder.finish())
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

/** Identifies the content of a searchable. */
export function computeFingerprint(searchable: Searchable): Buffer {
  return createHash('sha1').update(JSON.stringify(searchable)).digest().subarray(0, FINGERPRINT_BYTES)
}

/** Converts a searchable into a document of the index. */
export function toPendingDocument(searchable: Searchable, fingerprint = computeFingerprint(searchable)) {
  const entity = toEntity(searchable)
  return { entity, fingerprint }
}
