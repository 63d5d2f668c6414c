import { crc32 } from '../../../kernel/crc32'
import type { BaseFile } from '../base/base-file'
import { type BaseSource, readPage, withChanges } from '../base/base-source'
import { findChangedByte } from './changed-byte'

/** The pages of a base, as far as it could be restored. */
export interface Corrected {
  source: BaseSource
  corrected: string[]
  lost: string[]
  /** Whether the header is not what was written. */
  isHeaderLost: boolean
}

/** The pages of a damaged base, with all changes taken back that the checksums tell. A new database is known page by page. */
export function correctPages(base: BaseFile, empty: BaseSource): Corrected {
  const { path, pageSize } = base
  const source = withoutChecksums(base)
  const areChecksumsSound = base.areChecksumsSound()
  const changed = new Map<number, Uint8Array>()
  const corrected = base.isEndDamaged() || base.isTooLong ? [`${path}: its end`] : []
  const lost: string[] = []
  let isHeaderLost = false
  for (const page of base.findDamagedPages()) {
    const checksum = base.checksumOf(page)!
    const at = (page - 1) * pageSize
    const bytes = readPage(source, page)
    const asCreated = empty.pageSize === pageSize && page <= empty.pageCount ? readPage(empty, page) : null
    const change = areChecksumsSound ? findChangedByte(bytes, checksum) : null
    if (change !== null) {
      bytes[change.at]! ^= change.bits
      changed.set(page, bytes)
      corrected.push(`${path}, at byte ${at + change.at}`)
    } else if (asCreated && crc32(asCreated) === checksum) {
      changed.set(page, asCreated)
      corrected.push(`${path}, at byte ${at}: the page`)
    } else {
      lost.push(`${path}, at byte ${at}: the page may have lost some values`)
      isHeaderLost ||= page === 1
    }
  }
  return { source: withChanges(source, changed), corrected, lost, isHeaderLost }
}

/** The checksums are those of the pages before the damage. */
export function withoutChecksums(base: BaseFile): BaseSource {
  return {
    pageSize: base.pageSize,
    pageCount: base.pageCount,
    readInto: (bytes, first) => base.readInto(bytes, first),
    checksumOf: () => null,
    close: () => base.close(),
  }
}
