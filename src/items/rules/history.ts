import type { FileSource } from '../schemas'
import { diffFields, type FieldDifference } from './field-changes'

/** An item as it once was. */
export interface Snapshot {
  rev: number
  relationsFingerprint: string
  fields: Readonly<Record<string, unknown>>
  recordedAt: string
  /** The file that told it; null where the tracker did. */
  fromFile: FileSource | null
}

export interface HistoryEntry extends Pick<Snapshot, 'rev' | 'recordedAt' | 'fromFile'> {
  /** What differs from the snapshot before it; nothing for the first. */
  changes: FieldDifference[]
  linksChanged: boolean
}

/** Each snapshot with what differs from the one before it, newest first. `past` is oldest first. */
export function buildHistory(past: readonly Snapshot[]): HistoryEntry[] {
  return past
    .map((item, at) => {
      const before = past[at - 1]
      const { rev, recordedAt, fromFile } = item
      return { rev, recordedAt, fromFile, ...(before ? compareSnapshots(before, item) : NO_DIFFERENCE) }
    })
    .reverse()
}

const NO_DIFFERENCE: Pick<HistoryEntry, 'changes' | 'linksChanged'> = { changes: [], linksChanged: false }

/** A file tells some of the fields, and not all links: of the others nobody can say that they differ. */
export function compareSnapshots(before: Snapshot, after: Snapshot): Pick<HistoryEntry, 'changes' | 'linksChanged'> {
  const told = [before, after].filter(({ fromFile }) => fromFile !== null)
  return {
    changes: diffFields(before.fields, after.fields).filter(({ field }) =>
      told.every(({ fields }) => Object.hasOwn(fields, field)),
    ),
    linksChanged: told.length === 0 && before.relationsFingerprint !== after.relationsFingerprint,
  }
}
