import type { FieldValue, FileSource } from '../schemas'

type Fields = Readonly<Record<string, unknown>>

/** The values of a field in two snapshots. */
interface FieldDifference {
  /** Reference name */
  field: string
  from: FieldValue
  to: FieldValue
}

/** Fields that change with every save or with the state, by the last part of their names. */
const BOOKKEEPING_FIELDS = new Set([
  'Rev',
  'ChangedDate',
  'ChangedBy',
  'AuthorizedDate',
  'AuthorizedAs',
  'RevisedDate',
  'PersonId',
  'Watermark',
  'updated',
  'resolutiondate',
  'statuscategorychangedate',
  'updatedAt',
  'closedAt',
])

/** The fields that differ, sorted by name; without those that every save changes. */
export function diffFields(before: Fields, after: Fields): FieldDifference[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  return names
    .filter((name) => !BOOKKEEPING_FIELDS.has(getLastSegment(name)))
    .map((field) => ({ field, from: toPlainValue(before[field]), to: toPlainValue(after[field]) }))
    .filter(({ from, to }) => from !== to)
}

/** The last part of a reference name: `State` of `System.State`. */
export function getLastSegment(referenceName: string): string {
  return referenceName.slice(referenceName.lastIndexOf('.') + 1)
}

/** A person becomes their account, or else their name. An empty field equals a missing one. */
function toPlainValue(value: unknown): FieldValue {
  if (value === undefined || value === null || value === '') return null
  if (typeof value !== 'object') return value as FieldValue
  const { uniqueName, displayName } = value as { uniqueName?: unknown; displayName?: unknown }
  for (const name of [uniqueName, displayName]) if (typeof name === 'string' && name !== '') return name
  return JSON.stringify(value)
}

export interface Snapshot {
  rev: number
  relationsFingerprint: string
  /** By reference name, as the tracker or the file had them. */
  fields: Fields
  recordedAt: string
  /** The file that it was read from; null if the tracker provided it. */
  fromFile: FileSource | null
}

interface SnapshotDifference {
  changes: FieldDifference[]
  linksChanged: boolean
}

export type HistoryEntry = Pick<Snapshot, 'rev' | 'recordedAt' | 'fromFile'> & SnapshotDifference

/**
 * Each snapshot with its differences from the previous one, newest first. `snapshots` are oldest first, and `previous` is the one before
 * them.
 */
export function buildHistory(snapshots: readonly Snapshot[], previous?: Snapshot): HistoryEntry[] {
  const entries = snapshots.map((snapshot, index) => {
    const before = snapshots[index - 1] ?? previous
    const { rev, recordedAt, fromFile } = snapshot
    const difference = before ? compareSnapshots(before, snapshot) : { changes: [], linksChanged: false }
    return { rev, recordedAt, fromFile, ...difference }
  })
  return entries.reverse()
}

/** A file has only some fields and links, so only fields that it has are compared. */
export function compareSnapshots(before: Snapshot, after: Snapshot): SnapshotDifference {
  const fromFiles = [before, after].filter(({ fromFile }) => fromFile !== null)
  return {
    changes: diffFields(before.fields, after.fields).filter(({ field }) =>
      fromFiles.every(({ fields }) => Object.hasOwn(fields, field)),
    ),
    linksChanged: fromFiles.length === 0 && before.relationsFingerprint !== after.relationsFingerprint,
  }
}
