import type { TrackerKind } from './adapters'
import type {
  ChangeOutcome,
  CommentOutcome,
  CreationOutcome,
  ItemChange,
  MarkerRemoval,
  NewComment,
  NewItem,
  ReadComments,
} from './item-changes'
import type { TrackerCapabilities } from './services/adapter'
import type { HookRegistration, TrackerHook } from './services/hooks/hook-format'
import type { ItemPage, ItemShape, KnownShapes, MissingItem, TrackerItem, TreeLink } from './tracker-item'
import type { TrackerParts } from './tracker-parts'
import type { ItemProperty, ProcessField, ProcessPart, TrackerProcess } from './tracker-process'

export type * from './imported-items'
export * from './item-changes'
export type * from './tracker-item'
export * from './tracker-parts'
export type * from './tracker-process'

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

  /** What only some trackers can do: those that `capabilities.parts` names. */
  readonly parts: Readonly<Partial<TrackerParts>>

  /**
   * Identifies this tracker and project, because a workspace must never contain the IDs of two trackers. The result is the same for every
   * way to write the address, and for every port on this machine. Requests the project if the settings have none.
   */
  resolveIdentity(signal: AbortSignal): Promise<string>

  /** Whether this tracker and project once had another identity, because it was renamed. Absent if its identity never changes. */
  hadIdentity?(identity: string, signal: AbortSignal): Promise<boolean>

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

  /**
   * Says why items could not be read: `Deleted on 2026-11-20; it is in the recycle bin.` An item for which the tracker gives no reason is not
   * in the result. Takes a few requests at most, and so may omit items.
   */
  explainAbsence(ids: readonly number[], signal: AbortSignal): Promise<ReadonlyMap<number, string>>

  /** Finds items by words, with the tracker's search or else with a query. */
  search(query: SearchQuery, signal: AbortSignal): Promise<SearchResult>

  /** Lists all links below an item, parents before children, each once, even if there are cycles. */
  getTree(rootId: number, signal: AbortSignal): Promise<TreeLink[]>

  /** Like `getTree`, for several items. An item that cannot be read has no links. */
  getTrees(rootIds: readonly number[], signal: AbortSignal): Promise<Map<number, TreeLink[]>>

  /**
   * Finds the items directly below any of some items, to see whether known trees have other members now. Null if the tracker cannot tell with
   * fewer requests than reading the trees takes.
   */
  findChildren(parentIds: readonly number[], signal: AbortSignal): Promise<ReadonlySet<number> | null>

  /** Finds items of some types, the last changed first. */
  findByType(query: TypeQuery, signal: AbortSignal): Promise<{ ids: number[]; total: number }>

  /** Describes the process of the project, with only the optional `parts` that are requested. Results are cached for some minutes. */
  describeProcess(signal: AbortSignal, parts?: readonly ProcessPart[]): Promise<TrackerProcess>

  /**
   * Lists the fields that are no property of every item, with at most one request besides those of reading items. Absent if only
   * `describeProcess` knows them.
   */
  listFurtherFields?(signal: AbortSignal): Promise<ProcessField[]>

  /** Lists the iterations of the project; null if the tracker does not show them. Results are cached for some minutes. */
  listIterations(signal: AbortSignal): Promise<TrackerProcess['iterations'] | null>

  /**
   * The iterations that the items read so far are in, with their dates, without a request. Null if the current one is not among them, or
   * absent if items do not say the dates.
   */
  listNamedIterations?(): TrackerProcess['iterations'] | null

  /** Lists the allowed values of a field of a type; null if any value is allowed or the tracker does not report them. */
  listAllowedValues(typeName: string, referenceName: string, signal: AbortSignal): Promise<string[] | null>

  /** Sends each change with a test of its revision. Returns one outcome per change, in order. Does not throw for a single item. */
  updateItems(changes: readonly ItemChange[], options: ReadOptions): Promise<ChangeOutcome[]>

  /**
   * What setting fields of an item would take away from a long text that the tracker stores in a form of its own, in sentences. Takes one
   * request; none where a text is stored as it is read, or is not set.
   */
  listTextLosses(id: number, fields: ItemChange['fields'], signal: AbortSignal): Promise<string[]>

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

  /** Removes the marker of a created item, if it still has it. */
  removeMarker(id: number, marker: string, signal: AbortSignal): Promise<MarkerRemoval>

  /** Reads the newest comments of an item, the newest first. Throws `not_found` if the item is missing or not readable. */
  listComments(itemId: number, options: { limit: number; signal: AbortSignal }): Promise<ReadComments>

  /** Adds a comment once, also if the response is lost. Throws only if it was not added. */
  addComment(comment: NewComment, signal: AbortSignal): Promise<CommentOutcome>

  /**
   * Throws `tracker_token` if the tracker does not know the credential, and so answers as to anyone: then nothing that it says of absence
   * counts. Does nothing without a token. Takes at most one request, and none again within some seconds.
   */
  checkCredential(signal: AbortSignal): Promise<void>

  /**
   * Makes the tracker report changes of its items to an address, or gives a webhook that does so another secret. Throws `tracker_forbidden`
   * if the token may not manage webhooks.
   */
  registerHook(hook: TrackerHook, signal: AbortSignal): Promise<HookRegistration>

  /** Checks the address, the project and the token with few requests. `aheadMs` is how far the tracker's clock is ahead of ours. */
  probe(signal: AbortSignal): Promise<{ project: string; aheadMs: number | null }>

  /** Closes the sockets. */
  close(): Promise<void>
}

export interface ReadOptions {
  signal: AbortSignal
  /** Called after each page with the number of items so far. */
  onProgress?(done: number, total: number): void
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

/** What operations that use the tracker need. */
export interface TrackerContext {
  /** The default tracker of the settings, or the further one with a name. It is opened with the first call. Throws `invalid` for another name. */
  tracker(name?: string): Promise<Tracker>
  /** What is known of a tracker without opening it: the one with a name, or `default`. Null for the sandbox, and for no tracker of the settings. */
  describeTracker(name: string): FurtherTracker | null
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
