import type { LongText, Person, StateCategory } from './tracker'

/** A work item as a file tells it. What is undefined was not told; null was told to be empty. */
export interface ImportedItem {
  id: number
  rev?: number
  type?: string
  title?: string
  state?: string
  stateCategory?: StateCategory
  assignedTo?: Person | null
  areaPath?: string
  iterationPath?: string
  tags?: string[]
  storyPoints?: number | null
  priority?: number | null
  parentId?: number | null
  predecessorIds?: number[]
  blockedField?: boolean
  description?: LongText | null
  acceptanceCriteria?: LongText | null
  /** ISO 8601 UTC with milliseconds; known to `changedWithinMs`. */
  changedAt?: string
  /** How much later than `changedAt` it may have been: a cell often tells minutes alone. */
  changedAtPrecisionMs?: number
  createdAt?: string
  /** When the tracker was asked for it, ISO 8601; told by what studio has written itself. */
  readAt?: string
  url?: string
  /** What was told, by the tracker's reference names; a column that is no field known here stands under its own title. */
  fields: Record<string, unknown>
}

/** `line` counts lines from 1; in JSON, entries. */
export type ParsedRow = { line: number; item: ImportedItem } | RowError

/** A row that cannot be read, and where in it the reason stands. */
export interface RowError {
  line: number
  id: number | null
  column: string | null
  problem: string
}

export interface ImportedItems {
  format: 'csv' | 'json'
  rows: ParsedRow[]
  /** The columns, and which field each was read as; none for JSON. */
  columns: { title: string; field: string }[]
  /** Host and organization of the tracker, lower case, where the file tells; one entry for each that it names. */
  trackers: string[]
  notes: string[]
}

/** What a reader of a file must be told. */
export interface ItemsFileOptions {
  /** Fields of columns that go by another name than the tracker's English one. */
  columns: ReadonlyMap<string, string>
  /** How days are written; null where the file must tell. */
  dayOrder: DayOrder | null
  /** IANA zone of times that name none. */
  timeZone: string
}

export type DayOrder = 'dmy' | 'mdy'

/** What the stock processes say of a type and a state, for want of a process that could be asked. */
export interface StockProcess {
  levelOf(type: string): number | null
  categoryOf(state: string): StateCategory | null
}
