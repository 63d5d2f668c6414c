import type { TrackerKind } from './services/tracker-kind'

/**
 * The port to the remote tracker. Adapters hide everything that is specific to one product. They use neutral names, and throw only
 * StudioErrors (`tracker_token`, `tracker_forbidden`, `tracker_unavailable`, `tracker_timeout`, `tracker_throttled`, `tracker_answer`,
 * `not_found`).
 */
export interface Tracker {
  /** The name for messages: `sandbox`, or the host and the project. */
  readonly name: string

  readonly kind: TrackerKind

  readonly capabilities: TrackerCapabilities

  /**
   * Identifies this tracker and project, because a workspace must never contain the IDs of two trackers. The result is the same for every
   * way to write the address, and for every port on this machine. Requests the project if the settings have none.
   */
  resolveIdentity(signal: AbortSignal): Promise<string>

  /**
   * Finds the IDs of items by their keys, in any letter case. An ID as text is also a key. Keys that are not of this tracker, or whose items
   * cannot be read, are not in the result. Sends no request where a key contains the ID, so the item may be missing.
   */
  resolveKeys(keys: readonly string[], signal: AbortSignal): Promise<Map<string, number>>

  /** Reads the current version of an item. Throws `not_found` if it is missing or not readable. */
  getItem(id: number, signal: AbortSignal): Promise<TrackerItem>

  /** Reads the current versions of any number of items, in the order of `ids`. IDs that cannot be read are in `missing` and cause no error. */
  getItems(ids: readonly number[], options: ReadOptions): Promise<{ items: TrackerItem[]; missing: MissingItem[] }>

  /** Reads items page by page in the order of `ids`, so that each page can be saved. Only the IDs of items that equal `known` are returned. */
  readItems(ids: readonly number[], options: ReadOptions & { known?: KnownShapes }): AsyncIterable<ItemPage>

  /** Reads the current revision and links of an item. Throws `not_found` as `getItem` does. */
  getShape(id: number, signal: AbortSignal): Promise<ItemShape>

  /**
   * Lists the items of the project that may have changed since a position. Null if the tracker has no feed of changes, if the token cannot
   * read it, or if more than `maxPages` pages would be needed. Then the items themselves must be read.
   */
  readChanges(
    position: ChangePosition,
    options: { signal: AbortSignal; maxPages: number },
  ): Promise<TrackerChanges | null>

  /**
   * Finds the items that the token can read, because the feed of changes does not list items that have become unreadable. Takes one request
   * for thousands of items. Null if the tracker does not support such a query.
   */
  findReadableItems(ids: readonly number[], signal: AbortSignal): Promise<ReadonlySet<number> | null>

  /** Finds items by words, with the tracker's search or else with a query. */
  search(query: SearchQuery, signal: AbortSignal): Promise<SearchResult>

  /** Lists all links below an item, parents before children, each once, even if there are cycles. */
  getTree(rootId: number, signal: AbortSignal): Promise<TreeLink[]>

  /** Like `getTree`, for several items. An item that cannot be read has no links. */
  getTrees(rootIds: readonly number[], signal: AbortSignal): Promise<Map<number, TreeLink[]>>

  /** Finds items of some types, the last changed first. */
  findByType(query: TypeQuery, signal: AbortSignal): Promise<{ ids: number[]; total: number }>

  /** Describes the process of the project, with only the optional `parts` that are requested. Results are cached for some minutes. */
  describeProcess(signal: AbortSignal, parts?: readonly ProcessPart[]): Promise<TrackerProcess>

  /** Lists the iterations of the project; null if the tracker does not show them. Results are cached for some minutes. */
  listIterations(signal: AbortSignal): Promise<TrackerProcess['iterations'] | null>

  /** Lists the allowed values of a field of a type; null if any value is allowed or the tracker does not report them. */
  listAllowedValues(typeName: string, referenceName: string, signal: AbortSignal): Promise<string[] | null>

  /** Sends each change with a test of its revision. Returns one outcome per change, in order. Does not throw for a single item. */
  updateItems(changes: readonly ItemChange[], options: ReadOptions): Promise<ChangeOutcome[]>

  /**
   * The fields from which the properties of an item come, so that they can be set. The description of a bug is its own field.
   * Takes at most one request.
   */
  listPropertyFields(
    item: Pick<TrackerItem, 'fields'>,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<ItemProperty, ProcessField>>

  /**
   * Creates an item, which carries the marker. If the response is lost, the item is found by its marker. Throws only if no item was
   * created. With `validateOnly` the tracker checks its rules and creates nothing.
   */
  createItem(item: NewItem, options: { signal: AbortSignal; validateOnly?: boolean }): Promise<CreationOutcome>

  /** Finds the item that an earlier call created with this marker; null if there is none. */
  findCreatedItem(item: NewItem, signal: AbortSignal): Promise<TrackerItem | null>

  /** Removes the marker. Returns the item as it then is; null if the marker could not be removed. */
  removeMarker(id: number, marker: string, signal: AbortSignal): Promise<TrackerItem | null>

  /** Reads the newest comments of an item, the newest first. Throws `not_found` if the item is missing or not readable. */
  listComments(itemId: number, options: { limit: number; signal: AbortSignal }): Promise<ReadComments>

  /** Adds a comment once, also if the response is lost. Throws only if it was not added. */
  addComment(comment: NewComment, signal: AbortSignal): Promise<CommentOutcome>

  /** Checks the address, the project and the token with few requests. `aheadMs` is how far the tracker's clock is ahead of ours. */
  probe(signal: AbortSignal): Promise<{ project: string; aheadMs: number | null }>

  /** Closes the sockets. */
  close(): Promise<void>
}

/** What a tracker can do beyond what all of them can. */
export interface TrackerCapabilities {
  /** The format of comments, and of long texts unless an item says otherwise. */
  textFormat: LongText['format']
  /** The kinds of links that can be added and removed. */
  linkKinds: readonly LinkKind[]
  /** Whether the tracker itself refuses a change that is based on an older revision. Otherwise the item is read just before. */
  testsRevisions: boolean
}

export interface ReadOptions {
  signal: AbortSignal
  /** Called after each page with the number of items so far. */
  onProgress?(done: number, total: number): void
}

/** Identifies a version of an item. The links are included because a change of links makes no new revision. */
export interface ItemShape {
  rev: number
  relationsFingerprint: string
}

export type KnownShapes = ReadonlyMap<number, ItemShape>

export interface ItemPage {
  items: TrackerItem[]
  /** IDs of items that equal the known ones. */
  unchanged: number[]
  missing: MissingItem[]
}

/** A position in the tracker's feed of changes. */
export interface ChangePosition {
  /** A time of this machine's clock, in milliseconds since 1970. */
  since: number
  /** The `position` of changes that were read at `since`. It is more exact than the time. */
  after?: string
}

export interface TrackerChanges {
  /** The new revision by ID; null if the links changed or the item was deleted, so that the item must be read. */
  changed: ReadonlyMap<number, number | null>
  /** The position for the next call. */
  position: string
}

export interface SearchQuery {
  text: string
  /** A work item type; null for any. */
  itemType: string | null
  limit: number
}

export interface TypeQuery {
  types: readonly string[]
  /** A part of the title; null for any. */
  title: string | null
  limit: number
}

export interface SearchResult {
  /** The best first; at most `limit`. */
  ids: number[]
  total: number
  source: 'search' | 'query'
  /** Whether the tracker reported incomplete results. */
  partial: boolean
}

export interface LongText {
  format: 'html' | 'markdown'
  text: string
}

export interface Person {
  displayName: string
  /** The account name, often an e-mail address; null if the tracker returned only a name. */
  uniqueName: string | null
}

export interface TrackerItem {
  id: number
  /** The name that people use for it: `101` in Azure DevOps, `owner/repository#12` in GitHub, `ABC-7` in Jira. */
  key: string
  rev: number
  /** The name of the type in the process: `User Story`, `Bug`. */
  type: string
  /** The backlog level of its type: 0 task, 1 requirement (story), 2 feature, 3 epic…; null if it is on no backlog. */
  level: number | null
  title: string
  state: string
  /** Null if the process does not define it. */
  stateCategory: StateCategory | null
  assignedTo: Person | null
  areaPath: string
  iterationPath: string
  tags: string[]
  /** From the points field of the process. */
  storyPoints: number | null
  priority: number | null
  parentId: number | null
  /** IDs of items that must be completed before this one. */
  predecessorIds: number[]
  /** IDs of items that wait for this one. */
  successorIds: number[]
  relatedIds: number[]
  /** Whether the tracker's blocked field is set. */
  blockedField: boolean
  description: LongText | null
  acceptanceCriteria: LongText | null
  /** Reference names of the long texts that the item stores as Markdown. It stores all others as HTML. */
  markdownFields: string[]
  /** ISO 8601 UTC with milliseconds. */
  createdAt: string | null
  changedAt: string
  attachments: Attachment[]
  /** The web page of the item. */
  url: string
  /** A digest of all links. It changes when a link is added or removed, unlike the revision. */
  relationsFingerprint: string
  /** The original fields by reference name. */
  fields: Record<string, unknown>
}

export interface Attachment {
  name: string
  /** In bytes; null if the tracker did not return it. */
  size: number | null
}

export type StateCategory = 'Proposed' | 'InProgress' | 'Resolved' | 'Completed' | 'Removed'

export interface MissingItem {
  id: number
  reason: string
  /** Whether the tracker has the item, but its response was not valid. */
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
  /** Fields of all types. */
  fields: ProcessField[]
}

export interface WorkItemType {
  name: string
  /** Six hexadecimal digits; null if the tracker has none. */
  color: string | null
  /** The backlog level: 0 task, 1 requirement (story), 2 feature, 3 epic…; null if it is on no backlog. */
  level: number | null
  /** The category of the type in the process: `Requirement Category`; null if the process does not define it. */
  category: string | null
  states: { name: string; category: StateCategory | null; color: string | null }[]
  /** Reference names of the fields that this type has. */
  fieldReferenceNames: string[]
  /** Reference names of the fields that an item must have, and that have no default value. */
  requiredFields: string[]
  /** The reference name of the field that people read as the description. */
  descriptionField: string
}

export interface ProcessField {
  referenceName: string
  /** The display name: `Assigned To`. */
  name: string
  kind: 'string' | 'text' | 'integer' | 'number' | 'date' | 'boolean' | 'identity' | 'path' | 'tags'
  readOnly: boolean
  /** The property of TrackerItem that has its value, if there is one. */
  property: ItemProperty | null
  /** Whether every item stores this text as Markdown. */
  isMarkdown?: true
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

/** What the item at the other end of a link is to an item. */
export const LINK_KINDS = ['parent', 'child', 'predecessor', 'successor', 'related'] as const
export type LinkKind = (typeof LINK_KINDS)[number]

export interface ItemLink {
  kind: LinkKind
  /** The item at the other end. */
  id: number
}

export interface ItemChange {
  id: number
  /** The revision that the change is based on. */
  rev: number
  /** New values by reference name; null clears the field. */
  fields: Record<string, string | number | boolean | null>
  /** A link that is there already, or is gone already, is as requested. */
  links?: LinkChanges
}

/** Links of one item to add and to remove, in one step. */
export interface LinkChanges {
  add: readonly ItemLink[]
  remove: readonly ItemLink[]
}

export type ChangeOutcome =
  | { id: number; status: 'applied'; item: TrackerItem }
  /** The item has a newer revision. */
  | { id: number; status: 'conflict'; message: string }
  /** The tracker rejected the change. */
  | { id: number; status: 'rejected'; message: string }
  /** The change was sent, but there was no response. It may have been applied. */
  | { id: number; status: 'unknown'; message: string }
  /** Not sent because of an earlier error or an interruption. */
  | { id: number; status: 'notAttempted'; message: string }

export interface NewItem {
  type: string
  parentId: number | null
  /** Values by reference name. */
  fields: Record<string, string | number | boolean>
  /** A UUID that no other item has. */
  marker: string
  /** When it was first sent, in milliseconds since 1970 of this machine's clock. */
  startedAt: number
}

export type CreationOutcome =
  /** `item` is null for a validation, and if the item could not be read. */
  | { status: 'created'; id: number | null; item: TrackerItem | null }
  /** The tracker rejected the item. */
  | { status: 'rejected'; message: string }
  /** The item was sent, but there was no response. It may exist. */
  | { status: 'unknown'; message: string }

export interface TrackerComment {
  id: number
  author: Person | null
  /** ISO 8601 UTC with milliseconds; null if the tracker did not return it. */
  createdAt: string | null
  changedAt: string | null
  text: LongText
}

export interface ReadComments {
  /** The number of all comments of the item. */
  total: number
  comments: TrackerComment[]
}

export interface NewComment {
  itemId: number
  /** In the tracker's format of texts. */
  text: string
  /** The ID of the newest comment that existed before; 0 if there was none. */
  after: number
}

export type CommentOutcome =
  | { status: 'added'; comment: TrackerComment }
  /** The tracker rejected the comment. */
  | { status: 'rejected'; message: string }
  /** The comment was sent, but there was no response. It may have been added. */
  | { status: 'unknown'; message: string }

/** What operations that use the tracker need. */
export interface TrackerContext {
  /** The default tracker of the settings, or the further one with a name. It is opened with the first call. Throws `invalid` for another name. */
  tracker(name?: string): Promise<Tracker>
  /** The trackers of the settings besides the default one, in the order of their names. */
  furtherTrackers: readonly FurtherTracker[]
}

/** What is known of a tracker without opening it. */
export interface FurtherTracker {
  /** The name in the settings: `gh`. */
  name: string
  kind: TrackerKind
  /** Without credentials. */
  url: string
  project: string | null
}

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
