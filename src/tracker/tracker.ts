/**
 * The port to the remote tracker. Everything that is particular to one product stays behind it: an adapter speaks neutral
 * names here, and throws StudioErrors alone (`tracker_token`, `tracker_forbidden`, `tracker_unavailable`, `tracker_timeout`,
 * `tracker_throttled`, `tracker_answer`, `not_found`).
 */
export interface Tracker {
  /** What people are told it is: `sandbox`, or the host and the project. */
  readonly name: string

  /**
   * What tells this tracker and project from every other: ids of two trackers must never meet in one workspace. The same for every
   * way to address it, whichever port it has on this machine. Asks for the project where the settings name none.
   */
  resolveIdentity(signal: AbortSignal): Promise<string>

  /** One item as it is now. Throws `not_found` for one that is missing or may not be read. */
  getItem(id: number, signal: AbortSignal): Promise<TrackerItem>

  /** Many items as they are now, whatever their number; an id that cannot be read is in `missing`, never an error. Order is that of `ids`. */
  getItems(ids: readonly number[], options: ReadOptions): Promise<{ items: TrackerItem[]; missing: MissingItem[] }>

  /**
   * The same, page by page in the order of `ids`, so that each can be kept before all are there. An item that is as in `known` is
   * named, not given.
   */
  readItems(ids: readonly number[], options: ReadOptions & { known?: KnownShapes }): AsyncIterable<ItemPage>

  /** Revision and links of one item as they are now. Throws `not_found` as `getItem` does. */
  getShape(id: number, signal: AbortSignal): Promise<ItemShape>

  /**
   * Which items of the project may have changed since a position. Null where the tracker has no such feed, does not let this token
   * read it, or would need more than `mostPages` answers: then only reading the items tells.
   */
  readChanges(
    position: ChangePosition,
    options: { signal: AbortSignal; mostPages: number },
  ): Promise<TrackerChanges | null>

  /**
   * Which of the items this token may read now: the changes do not name those that it may not read any more. Takes one request for
   * thousands of them. Null where the tracker cannot tell without reading them.
   */
  findReadableItems(ids: readonly number[], signal: AbortSignal): Promise<ReadonlySet<number> | null>

  /** Finds items by words: in the tracker's own search, or by a query where that is not to be had. */
  search(query: SearchQuery, signal: AbortSignal): Promise<SearchResult>

  /** All links below an item, parents before children, each once; survives cycles. */
  getTree(rootId: number, signal: AbortSignal): Promise<TreeLink[]>

  /** What the process of the project allows; of what is not among `parts`, nothing. Each part is kept for some minutes. */
  describeProcess(signal: AbortSignal, parts?: readonly ProcessPart[]): Promise<TrackerProcess>

  /** The iterations of the project; null where the tracker does not show them. Kept for some minutes. */
  listIterations(signal: AbortSignal): Promise<TrackerProcess['iterations'] | null>

  /** The values that a field may have in items of a type; null where the process leaves it open, or does not say. */
  listAllowedValues(typeName: string, referenceName: string, signal: AbortSignal): Promise<string[] | null>

  /** Sends each change with a test of its revision. One outcome for every input, in order; never throws for a single item. */
  updateItems(changes: readonly ItemChange[], options: ReadOptions): Promise<ChangeOutcome[]>

  /** The page that a person opens for the item. */
  itemUrl(id: number): string

  /** Asks for as little as shows that the address, the project and the token are right; `aheadMs` is how far the tracker's clock is ahead of ours. */
  probe(signal: AbortSignal): Promise<{ project: string; aheadMs: number | null }>

  /** Frees sockets. */
  close(): Promise<void>
}

export interface ReadOptions {
  signal: AbortSignal
  /** Called after each page with the count of items handled so far. */
  onProgress?(done: number, total: number): void
}

/** What of an item tells whether it is still the same: a change of its links does not make a new revision. */
export interface ItemShape {
  rev: number
  relationsFingerprint: string
}

export type KnownShapes = ReadonlyMap<number, ItemShape>

export interface ItemPage {
  items: TrackerItem[]
  /** Ids of items that are as they were known. */
  unchanged: number[]
  missing: MissingItem[]
}

/** A place in the tracker's stream of changes. */
export interface ChangePosition {
  /** A moment of this machine's clock, in milliseconds since 1970. */
  since: number
  /** The `position` of earlier changes, which were read at `since`: more exact than the moment. */
  after?: string
}

export interface TrackerChanges {
  /** By id: the revision that was made, or null where only reading the item tells: its links changed, or it was deleted. */
  changed: ReadonlyMap<number, number | null>
  /** From where to ask on. */
  position: string
}

export interface SearchQuery {
  text: string
  /** A work item type; null for any. */
  itemType: string | null
  limit: number
}

export interface SearchResult {
  /** Best first; at most `limit`. */
  ids: number[]
  /** How many there are. */
  total: number
  source: 'search' | 'query'
  /** True where the tracker says that it has not looked everywhere, or stopped counting. */
  partial: boolean
}

export interface LongText {
  format: 'html' | 'markdown'
  text: string
}

export interface Person {
  displayName: string
  /** The account name, often an address; null where the tracker gave a bare name. */
  uniqueName: string | null
}

export interface TrackerItem {
  id: number
  rev: number
  /** The process's own name: `User Story`, `Bug`. */
  type: string
  /** The backlog level of its type: 0 task, 1 requirement (story), 2 feature, 3 epic…; null when on no backlog. */
  level: number | null
  title: string
  state: string
  /** `Proposed`, `InProgress`, `Resolved`, `Completed`, `Removed`; null where the process does not say. */
  stateCategory: StateCategory | null
  assignedTo: Person | null
  areaPath: string
  iterationPath: string
  tags: string[]
  /** From the process's own points field. */
  storyPoints: number | null
  priority: number | null
  parentId: number | null
  /** Ids of items that must be done before this one. */
  predecessorIds: number[]
  /** The tracker's own blocked field says so. */
  blockedField: boolean
  description: LongText | null
  acceptanceCriteria: LongText | null
  /** ISO 8601 UTC with milliseconds. */
  createdAt: string | null
  changedAt: string
  /** The page that a person opens. */
  url: string
  /** A digest of all links: it changes when a link is added or removed, which the revision does not. */
  relationsFingerprint: string
  /** The fields as the tracker gave them, by reference name. */
  fields: Record<string, unknown>
}

export type StateCategory = 'Proposed' | 'InProgress' | 'Resolved' | 'Completed' | 'Removed'

export interface MissingItem {
  id: number
  reason: string
  /** The tracker has it, and gave an answer that cannot be read. */
  isMalformed?: true
}

export interface TreeLink {
  parentId: number
  childId: number
}

export type ProcessPart = 'areas' | 'iterations' | 'categories'

export interface TrackerProcess {
  types: WorkItemType[]
  areaPaths: string[]
  iterations: { path: string; startDate: string | null; finishDate: string | null }[]
  /** Fields that may be set, over all types. */
  fields: ProcessField[]
}

export interface WorkItemType {
  name: string
  /** Six hexadecimal digits, no sign; null where the tracker has none. */
  color: string | null
  /** The backlog level it stands at: 0 task, 1 requirement (story), 2 feature, 3 epic…; null when on no backlog. */
  level: number | null
  /** The kind of work that the process counts it among: `Requirement Category`; null where it does not say. */
  category: string | null
  states: { name: string; category: StateCategory | null; color: string | null }[]
  /** Reference names of the fields that this type has. */
  fieldReferenceNames: string[]
}

export interface ProcessField {
  referenceName: string
  /** As people see it: `Assigned To`. */
  name: string
  kind: 'string' | 'text' | 'integer' | 'number' | 'date' | 'boolean' | 'identity' | 'path' | 'tags'
  readOnly: boolean
  /** The neutral property of TrackerItem that it feeds, where there is one. */
  property: ItemProperty | null
}

export type ItemProperty =
  | 'title'
  | 'state'
  | 'assignedTo'
  | 'areaPath'
  | 'iterationPath'
  | 'tags'
  | 'storyPoints'
  | 'priority'
  | 'description'
  | 'acceptanceCriteria'

export interface ItemChange {
  id: number
  /** The revision that the change was made on. */
  rev: number
  /** New values by reference name; null clears. */
  fields: Record<string, string | number | boolean | null>
}

export type ChangeOutcome =
  | { id: number; status: 'applied'; item: TrackerItem }
  /** The item has another revision now. */
  | { id: number; status: 'conflict'; message: string }
  /** The tracker's rules refused it. */
  | { id: number; status: 'rejected'; message: string }
  /** Sent, and no answer: it may or may not have been applied. */
  | { id: number; status: 'unknown'; message: string }
  /** Not sent, because of what happened before it. */
  | { id: number; status: 'notAttempted'; message: string }

/** What an operation that asks the tracker needs. */
export interface TrackerContext {
  /** The tracker of the settings; opened at the first call. */
  tracker(): Promise<Tracker>
}

/** A work item from a file. A property that the file does not have is undefined; an empty one is null. */
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
  /** ISO 8601 UTC with milliseconds, with the precision of `changedAtPrecisionMs`. */
  changedAt?: string
  /** How much later than `changedAt` the change may have been, because a cell often has only minutes. */
  changedAtPrecisionMs?: number
  createdAt?: string
  /** When the item was read from the tracker, ISO 8601. Only files that studio has written have it. */
  readAt?: string
  url?: string
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
