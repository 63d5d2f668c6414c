import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from '../../kernel/crc32'
import { type LogPosition, toFileVersion } from '../../storage'
import type { TokenStemmer } from '../rules/stem'
import type { EntityType } from '../services/search-index'
import { DamagedIndexError, type IndexDisk, realIndexDisk } from './frame-file'
import { DeletedDocuments, type LiveSegment, Segment } from './segment'
import { SegmentBuilder } from './segment-builder'
import type { SegmentFacts } from './segment-format'

/** One state of the index: its segments, and the position of the database that it reflects. */
export interface Manifest {
  /** Null if the index is known to lag: then only the rows of the database show the changes. */
  position: LogPosition | null
  /** ISO 8601. */
  indexedAt: string
  entities: Record<EntityType, number>
  segments: readonly SegmentEntry[]
}

export interface SegmentEntry {
  /** The file's name in the folder. Names are never reused. */
  name: string
  facts: SegmentFacts
  /** As `DeletedDocuments` encodes them. */
  deleted: string
}

/** Increased when the format of the files or the terms of texts change. An index of another format is rebuilt. */
const FORMAT = 4

export function manifestPath(folder: string): string {
  return join(folder, 'manifest')
}

export const NO_ENTITIES: Manifest['entities'] = { devops: 0, draft: 0, folder: 0 }

/** A checksum, then a line of JSON. */
export function encodeManifest(manifest: Manifest): Buffer {
  const json = JSON.stringify({ format: FORMAT, ...manifest })
  return Buffer.from(`${crc32(json).toString(16).padStart(8, '0')} ${json}\n`)
}

/** Null if there is none, or it has another format. Throws `DamagedIndexError`. */
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

/** Identifies the manifest file: each manifest is a new file. */
export function manifestStamp(folder: string): string {
  try {
    const stats = statSync(manifestPath(folder), { bigint: true, throwIfNoEntry: false })
    return stats ? toFileVersion(stats) : ''
  } catch (error) {
    if (isCode(error, 'ENOTDIR')) return '' // a file stands in the folder's place
    throw error
  }
}

export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

/** A manifest with the stamp of its file, to detect that another process replaced it. */
export interface ManifestVersion {
  manifest: Manifest | null
  stamp: string
}

/** The folder of an index: segments, which never change, and a manifest, which is replaced atomically. */
export class IndexFolder {
  readonly path: string
  readonly #disk: IndexDisk
  readonly #open = new Map<string, Segment>()
  #last: ManifestVersion | null = null

  constructor(path: string, disk: IndexDisk = realIndexDisk) {
    this.path = path
    this.#disk = disk
  }

  /** The current manifest. Throws `DamagedIndexError`. */
  read(): ManifestVersion {
    const stamp = manifestStamp(this.path)
    if (this.#last?.stamp !== stamp) this.#last = { stamp, manifest: stamp === '' ? null : readManifest(this.path) }
    return this.#last
  }

  /** The current manifest; a damaged one counts as missing. */
  readIgnoringDamage(): ManifestVersion {
    try {
      return this.read()
    } catch (error) {
      if (!(error instanceof DamagedIndexError)) throw error
      return { manifest: null, stamp: manifestStamp(this.path) }
    }
  }

  /** Opens the segments, and closes all others. Throws `DamagedIndexError` if one is missing. */
  openSegments({ manifest, stamp }: ManifestVersion): LiveSegment[] {
    const entries = manifest?.segments ?? []
    try {
      const parts = this.openEntries(entries)
      this.#closeAllBut(new Set(entries.map(({ name }) => name)))
      return parts
    } catch (error) {
      if (!isCode(error, 'ENOENT')) throw error
      if (manifestStamp(this.path) !== stamp) return this.openSegments(this.read()) // merged meanwhile
      throw new DamagedIndexError(`${this.path} lacks a segment`)
    }
  }

  /** Opens segments whose entries were read before. */
  openEntries(entries: readonly SegmentEntry[]): LiveSegment[] {
    return entries.map(({ name, facts, deleted }) => ({
      segment: this.#segment(name, facts),
      deleted: DeletedDocuments.decode(deleted),
    }))
  }

  /** Begins a new segment. */
  newSegment(stemToken: TokenStemmer): { name: string; builder: SegmentBuilder } {
    this.#disk.makeFolder(this.path)
    const name = `${crypto.randomUUID()}.segment`
    return { name, builder: new SegmentBuilder(join(this.path, name), { disk: this.#disk, stemToken }) }
  }

  /** False if another process has replaced `base` meanwhile: then nothing changes. */
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
    const retained = new Set(manifest.segments.map(({ name }) => name))
    for (const { name } of base.manifest?.segments ?? []) if (!retained.has(name)) this.discard(name)
    return true
  }

  /** The same, and removes the new segments of a manifest that did not become the current one. */
  replaceOrDiscard(base: ManifestVersion, manifest: Manifest): boolean {
    let isReplaced = false
    try {
      isReplaced = this.replace(base, manifest)
      return isReplaced
    } finally {
      const known = new Set(base.manifest?.segments.map(({ name }) => name))
      if (!isReplaced) for (const { name } of manifest.segments) if (!known.has(name)) this.discard(name)
    }
  }

  /** Removes a segment that no manifest names. */
  discard(name: string): void {
    this.#open.get(name)?.close()
    this.#open.delete(name)
    this.#removeQuietly(join(this.path, name))
  }

  /** Removes files of processes that died: no manifest names them, and they are no longer written to. */
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
    const segment = new Segment(join(this.path, name), facts, this.#disk)
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
      // `removeOrphanedFiles` removes it later.
    }
  }
}

const ORPHAN_AGE_MS = 10 * 60_000
