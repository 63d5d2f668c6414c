import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { LogPosition } from '../../storage'
import type { TokenStemmer } from '../rules/stem'
import type { EntityType } from '../services/search-index'
import { DamagedIndexError, type IndexDisk, realIndexDisk } from './frame-file'
import { DeletedDocuments, type LiveSegment, Segment } from './segment'
import { SegmentBuilder } from './segment-builder'
import type { SegmentFacts } from './segment-format'

/** One state of the index: which segments it is made of, and up to where in the database it has come. */
export interface Manifest {
  /** Null where it is known to lag behind: only the rows of the database can tell by what. */
  position: LogPosition | null
  /** ISO 8601. */
  indexedAt: string
  entities: Record<EntityType, number>
  segments: readonly SegmentEntry[]
}

export interface SegmentEntry {
  /** Of its file in the folder. Never used twice. */
  name: string
  facts: SegmentFacts
  /** As `Deletions` encodes them. */
  deleted: string
}

/** Rises when a segment or a manifest is read in another way, or when texts become other terms: then all is made anew. */
const FORMAT = 2

export function manifestPath(folder: string): string {
  return join(folder, 'manifest')
}

export const NO_ENTITIES: Manifest['entities'] = { devops: 0, draft: 0, folder: 0 }

/** A line of JSON, with its checksum before it. */
export function encodeManifest(manifest: Manifest): Buffer {
  const json = JSON.stringify({ format: FORMAT, ...manifest })
  return Buffer.from(`${crc32(json).toString(16).padStart(8, '0')} ${json}\n`)
}

/** Null where there is none, or one of another format; throws `DamagedIndex`. */
export function readManifest(folder: string): Manifest | null {
  let text: string
  try {
    text = readFileSync(manifestPath(folder), 'utf8')
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')) return null
    throw error
  }
  const json = text.slice(9, -1)
  if (crc32(json).toString(16).padStart(8, '0') !== text.slice(0, 8))
    throw new DamagedIndexError(`${folder} has a damaged manifest`)
  const { format, ...manifest } = JSON.parse(json) as Manifest & { format: number }
  return format === FORMAT ? manifest : null
}

/** Which file it is: each manifest is a new one. */
export function manifestStamp(folder: string): string {
  try {
    const stats = statSync(manifestPath(folder), { throwIfNoEntry: false })
    return stats ? `${stats.ino}:${stats.mtimeMs}:${stats.size}` : ''
  } catch (error) {
    if (isCode(error, 'ENOTDIR')) return '' // a file stands in the folder's place
    throw error
  }
}

export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

/** A manifest as it was read: what takes its place must be made out of this one. */
export interface ManifestVersion {
  manifest: Manifest | null
  stamp: string
}

/** The folder of an index: segments, which never change, and a manifest, which is replaced as a whole. */
export class IndexFolder {
  readonly path: string
  readonly #disk: IndexDisk
  readonly #open = new Map<string, Segment>()
  #last: ManifestVersion | null = null

  constructor(path: string, disk: IndexDisk = realIndexDisk) {
    this.path = path
    this.#disk = disk
  }

  /** What counts now; throws `DamagedIndex`. */
  read(): ManifestVersion {
    const stamp = manifestStamp(this.path)
    if (this.#last?.stamp !== stamp) this.#last = { stamp, manifest: stamp === '' ? null : readManifest(this.path) }
    return this.#last
  }

  /** The same, where a damaged one is as good as none. */
  readIgnoringDamage(): ManifestVersion {
    try {
      return this.read()
    } catch (error) {
      if (!(error instanceof DamagedIndexError)) throw error
      return { manifest: null, stamp: manifestStamp(this.path) }
    }
  }

  /** Its segments, of which those that were open stay so. Throws `DamagedIndex` where one is missing that should be there. */
  openSegments({ manifest, stamp }: ManifestVersion): LiveSegment[] {
    const entries = manifest?.segments ?? []
    try {
      const parts = entries.map(({ name, facts, deleted }) => ({
        segment: this.#segment(name, facts),
        deleted: DeletedDocuments.decode(deleted),
      }))
      this.#closeAllBut(new Set(entries.map(({ name }) => name)))
      return parts
    } catch (error) {
      if (!isCode(error, 'ENOENT')) throw error
      if (manifestStamp(this.path) !== stamp) return this.openSegments(this.read()) // merged meanwhile
      throw new DamagedIndexError(`${this.path} lacks a segment`)
    }
  }

  /** A segment to be written. */
  newSegment(termsOf: TokenStemmer): { name: string; builder: SegmentBuilder } {
    this.#disk.makeFolder(this.path)
    const name = `${crypto.randomUUID()}.segment`
    return { name, builder: new SegmentBuilder(join(this.path, name), { disk: this.#disk, termsOf }) }
  }

  /** False where another manifest has taken the place of `base` meanwhile: then nothing is changed. */
  replace(base: ManifestVersion, manifest: Manifest): boolean {
    this.#disk.makeFolder(this.path)
    const temporary = `${manifestPath(this.path)}.${crypto.randomUUID()}.new`
    try {
      const fd = this.#disk.create(temporary)
      try {
        this.#disk.append(fd, encodeManifest(manifest))
      } finally {
        this.#disk.close(fd)
      }
      if (manifestStamp(this.path) !== base.stamp) {
        this.#disk.remove(temporary)
        return false
      }
      this.#disk.rename(temporary, manifestPath(this.path))
    } catch (error) {
      this.#removeQuietly(temporary)
      throw error
    }
    const kept = new Set(manifest.segments.map(({ name }) => name))
    for (const { name } of base.manifest?.segments ?? []) if (!kept.has(name)) this.discard(name)
    return true
  }

  /** Removes a segment that no manifest names any more. */
  discard(name: string): void {
    this.#open.get(name)?.close()
    this.#open.delete(name)
    this.#removeQuietly(join(this.path, name))
  }

  /** Removes what died processes have left: files that nobody names and that are not being written. */
  removeOrphanedFiles(): void {
    const named = new Set(this.readIgnoringDamage().manifest?.segments.map(({ name }) => name))
    for (const file of readdirSync(this.path)) {
      if (!/\.(segment|new)$/.test(file) || named.has(file)) continue
      const stats = statSync(join(this.path, file), { throwIfNoEntry: false })
      if (stats && Date.now() - stats.mtimeMs > ORPHAN_AGE_MS) this.#removeQuietly(join(this.path, file))
    }
  }

  close(): void {
    this.#closeAllBut(new Set())
  }

  #segment(name: string, facts: Segment['facts']): Segment {
    const known = this.#open.get(name)
    if (known) return known
    const segment = new Segment(join(this.path, name), facts)
    this.#open.set(name, segment)
    return segment
  }

  #closeAllBut(names: ReadonlySet<string>): void {
    for (const [name, segment] of this.#open) {
      if (names.has(name)) continue
      segment.close()
      this.#open.delete(name)
    }
  }

  #removeQuietly(path: string): void {
    try {
      this.#disk.remove(path)
    } catch {
      // left for `sweep`
    }
  }
}

const ORPHAN_AGE_MS = 10 * 60_000
