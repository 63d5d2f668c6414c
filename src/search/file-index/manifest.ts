import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { LogPosition } from '../../storage'
import type { EntityType } from '../services/search-index'
import { DamagedIndexError } from './frame-file'
import type { SegmentFacts } from './segment-builder'

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
