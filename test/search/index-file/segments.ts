import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Entity, newerFirst } from '../../../src/search/entity'
import { FileIndex } from '../../../src/search/index-file/file-index'
import { realIndexDisk } from '../../../src/search/index-file/index-disk'
import { Deletions, type Part } from '../../../src/search/index-file/part'
import { Segment } from '../../../src/search/index-file/segment'
import { SegmentBuilder } from '../../../src/search/index-file/segment-builder'
import { termsOfTokens } from '../../../src/search/terms-of'

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'studio-search-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const FINGERPRINT = Buffer.alloc(8, 7)

/** Writes entities as one segment, and opens it. */
export function segmentOf(folder: string, name: string, entities: readonly Entity[]): Segment {
  const path = join(folder, name)
  const builder = new SegmentBuilder(path, { disk: realIndexDisk, termsOf: termsOfTokens() })
  for (const entity of [...entities].sort(newerFirst)) builder.add(entity, FINGERPRINT)
  return new Segment(path, builder.finish())
}

export function part(segment: Segment, deleted: readonly number[] = []): Part {
  return { segment, deleted: new Deletions(new Uint8Array()).with(deleted) }
}

/** A file index over several lots of entities, a segment each. */
export function fileIndexOf(folder: string, ...lots: (readonly Entity[])[]): FileIndex {
  return new FileIndex(lots.map((lot, i) => part(segmentOf(folder, `segment-${i}`, lot))))
}
