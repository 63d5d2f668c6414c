/**
 * The port to the remote tracker. Everything that is particular to one product stays behind it: an adapter speaks neutral
 * names here, and throws StudioErrors alone (`tracker_token`, `tracker_forbidden`, `tracker_unavailable`, `tracker_timeout`,
 * `tracker_throttled`, `tracker_answer`, `not_found`).
 */
export interface Tracker {
  /** What people are told it is: `sandbox`, or the host and the project. */
  readonly name: string

  /** One item as it is now. Throws `not_found` for one that is missing or may not be read. */
  getItem(id: number, signal: AbortSignal): Promise<TrackerItem>

  /** Many items as they are now, whatever their number; an id that cannot be read is in `missing`, never an error. Order is that of `ids`. */
  getItems(ids: readonly number[], options: ReadOptions): Promise<{ items: TrackerItem[]; missing: MissingItem[] }>

  /** All links below an item, parents before children, each once; survives cycles. */
  getTree(rootId: number, signal: AbortSignal): Promise<TreeLink[]>

  /** What the process of the project allows. Kept for the life of the tracker object. */
  describeProcess(signal: AbortSignal): Promise<TrackerProcess>

  /** The values that a field may have in items of a type; null where the process leaves it open, or does not say. */
  allowedValues(typeName: string, referenceName: string, signal: AbortSignal): Promise<string[] | null>

  /** Sends each change with a test of its revision. One outcome for every input, in order; never throws for a single item. */
  updateItems(changes: readonly ItemChange[], options: ReadOptions): Promise<ChangeOutcome[]>

  /** The page that a person opens for the item. */
  itemUrl(id: number): string

  /** Frees sockets. */
  close(): Promise<void>
}

export interface ReadOptions {
  signal: AbortSignal
  /** Called after each page with the count of items handled so far. */
  onProgress?(done: number, total: number): void
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
}

export interface TreeLink {
  parentId: number
  childId: number
}

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
  states: { name: string; category: StateCategory | null }[]
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
