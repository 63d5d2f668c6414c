import { join } from 'node:path'
import { runAtOnce } from '../../../src/kernel'
import { FileIndex } from '../../../src/search/file-index/file-index'
import { realIndexDisk } from '../../../src/search/file-index/frame-file'
import { createMemoryDisk } from '../../../src/search/file-index/memory-disk'
import { DeletedDocuments, type LiveSegment, Segment } from '../../../src/search/file-index/segment'
import { SegmentBuilder } from '../../../src/search/file-index/segment-builder'
import { createTokenStemmer } from '../../../src/search/rules/stem'
import type { Entity } from '../../../src/search/services/entity'

const FINGERPRINT = Buffer.alloc(8, 7)

/** Writes entities as one segment, and opens it. */
export function segmentOf(folder: string, name: string, entities: readonly Entity[], disk = realIndexDisk): Segment {
  const path = join(folder, name)
  const builder = new SegmentBuilder(path, { disk, stemToken: createTokenStemmer() })
  for (const entity of entities) runAtOnce(builder.add(entity, FINGERPRINT))
  return new Segment(path, runAtOnce(builder.finish()).facts, disk)
}

export function part(segment: Segment, deleted: readonly number[] = []): LiveSegment {
  return { segment, deleted: new DeletedDocuments(new Uint8Array()).with(deleted) }
}

/** A file index over several batches of entities, with a segment for each batch. */
export function fileIndexOf(folder: string, ...lots: (readonly Entity[])[]): FileIndex {
  return new FileIndex(lots.map((lot, i) => part(segmentOf(folder, `segment-${i}`, lot))))
}

/** The same in memory, with one segment. */
export function memoryIndexOf(entities: readonly Entity[]): FileIndex {
  return new FileIndex([part(segmentOf('', 'segment', entities, createMemoryDisk()))])
}
