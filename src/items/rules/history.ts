import type { FileSource } from '../schemas'
import { type FieldDifference, fieldDifferences } from './field-changes'

/** An item as it once was. */
export interface PastItem {
  rev: number
  relationsFingerprint: string
  fields: Readonly<Record<string, unknown>>
  recordedAt: string
  /** The file that told it; null where the tracker did. */
  fromFile: FileSource | null
}

export interface HistoryEntry extends Pick<PastItem, 'rev' | 'recordedAt' | 'fromFile'> {
  /** What differs from the snapshot before it; nothing for the first. */
  changes: FieldDifference[]
  linksChanged: boolean
}

/** Each snapshot with what differs from the one before it, newest first. `past` is oldest first. */
export function historyOf(past: readonly PastItem[]): HistoryEntry[] {
  return past
    .map((item, at) => {
      const before = past[at - 1]
      const { rev, recordedAt, fromFile } = item
      return { rev, recordedAt, fromFile, ...(before ? difference(before, item) : noDifference) }
    })
    .reverse()
}

const noDifference: Pick<HistoryEntry, 'changes' | 'linksChanged'> = { changes: [], linksChanged: false }

/** A file tells some of the fields, and not all links: of the others nobody can say that they differ. */
export function difference(before: PastItem, after: PastItem): Pick<HistoryEntry, 'changes' | 'linksChanged'> {
  const told = [before, after].filter(({ fromFile }) => fromFile !== null)
  return {
    changes: fieldDifferences(before.fields, after.fields).filter(({ field }) =>
      told.every(({ fields }) => Object.hasOwn(fields, field)),
    ),
    linksChanged: told.length === 0 && before.relationsFingerprint !== after.relationsFingerprint,
  }
}
