import type { StateCategory, TrackerItem } from './tracker-item'
import type { ItemProperty } from './tracker-process'

type FileProperty = ItemProperty | 'rev' | 'type' | 'parentId' | 'predecessorIds' | 'blockedField' | 'url'

/** A work item from a file. A property that the file does not have is undefined; an empty one is null. */
export interface ImportedItem extends Partial<Pick<TrackerItem, FileProperty>> {
  id: number
  stateCategory?: StateCategory
  /** ISO 8601 UTC with milliseconds, with the precision of `changedAtPrecisionMs`. */
  changedAt?: string
  /** How much later than `changedAt` the change may have been, because a cell often has only minutes. */
  changedAtPrecisionMs?: number
  createdAt?: string
  /** When the item was read from the tracker, ISO 8601. Only files that studio has written have it. */
  readAt?: string
  /** The values by the tracker's reference names. A column that is not a known field is listed by its title. */
  fields: Record<string, unknown>
}

/** `line` counts lines from 1; in JSON, entries. */
export type ParsedRow = { line: number; item: ImportedItem } | RowError

/** A row that cannot be read, and the reason. */
export interface RowError {
  line: number
  id: number | null
  column: string | null
  problem: string
}

export interface ImportedItems {
  format: 'csv' | 'json'
  rows: ParsedRow[]
  /** The columns and the field that each was read as; none for JSON. */
  columns: { title: string; field: string }[]
  /** Host and organization of each tracker that the file names, in lower case. */
  trackers: string[]
  notes: string[]
}

/** How to read a file. */
export interface ItemsFileOptions {
  /** Fields of columns that go by another name than the tracker's English one. */
  columns: ReadonlyMap<string, string>
  /** How dates are written; null to detect it from the file. */
  dayOrder: DayOrder | null
  /** IANA time zone for times without a zone. */
  timeZone: string
}

export type DayOrder = 'dmy' | 'mdy'

/** What the stock processes say about a type and a state, because there is no tracker to ask. */
export interface StockProcess {
  levelOf(type: string): number | null
  categoryOf(state: string): StateCategory | null
}
