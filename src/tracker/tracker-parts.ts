import type { ChangeOutcome, CommentOutcome, Rejection } from './item-changes'
import type { Person, StateCategory } from './tracker-item'

/**
 * What only some trackers can do. The adapter has the part if its description names it in `capabilities.parts`; nothing else decides
 * whether it is offered.
 */
export interface TrackerParts {
  /** Reads the files of items. */
  attachments: AttachmentReader
  /** Attaches files to items. */
  uploads: AttachmentWriter
  /** Knows into which states an item may go, and what that requires. */
  transitions: TransitionReader
  /** Deletes items. */
  deletion: ItemDeletion
  /** Brings deleted items back. */
  restoring: ItemRestoring
  /** Changes and deletes comments of the user. */
  commentEditing: CommentEditor
  /** Runs the tracker's own queries. */
  queries: QueryRunner
  /** Links of items to pull requests, commits, branches and web pages. */
  webLinks: WebLinkReader
  /** Adds and removes such links. */
  webLinkEditing: WebLinkEditor
  /** The time that people spent on items. */
  worklogs: Worklogs
}

export type TrackerPart = keyof TrackerParts

/** A file of an item, also one that only its texts show, where the tracker lists none. */
export interface RemoteAttachment {
  /** The tracker's own ID. It stays the same as long as the content does. */
  id: string
  /** As the tracker has it: it may contain anything, also a path. */
  name: string
  /** In bytes; null if the tracker did not return it. */
  size: number | null
  mediaType: string | null
  author: Person | null
  /** ISO 8601 UTC with milliseconds. */
  createdAt: string | null
  /** The address by which a long text of the item shows it, as `url` of a new attachment is; null if none can. */
  url: string | null
}

export interface AttachmentReader {
  /** Lists the files, the oldest first. Throws `not_found` as `getItem` does. */
  list(itemId: number, signal: AbortSignal): Promise<RemoteAttachment[]>
  /**
   * Opens the content at a byte. It comes from the beginning again if the tracker cannot continue, or if the content has another version now.
   * The tracker's credential is sent to no other host. Throws `not_found` if the file is gone.
   */
  open(attachment: RemoteAttachment, position: StreamPosition, signal: AbortSignal): Promise<ContentStream>
}

export interface StreamPosition {
  /** The first byte that is needed. */
  from: number
  /** The version of the bytes before; null if there are none. */
  version: string | null
}

export interface ContentStream {
  /** The first byte of `chunks`: the one that was asked for, or 0. */
  from: number
  /** Of the whole content in bytes; null if the server does not say. */
  size: number | null
  /** Identifies the version, to continue it later; null if the server gives none. */
  version: string | null
  mediaType: string | null
  chunks: AsyncIterable<Uint8Array>
}

/** Bytes that can be read again, for a request that is repeated. */
export interface UploadContent {
  size: number
  open(): AsyncIterable<Uint8Array>
}

export interface NewAttachment {
  itemId: number
  /** Without a path. */
  name: string
  mediaType: string
  content: UploadContent
}

export type AttachmentOutcome =
  /** `attachment.url` is what a long text of the item names to show it. */
  | { status: 'added'; attachment: RemoteAttachment }
  | ({ status: 'rejected' } & Rejection)
  /** The file was sent, but there was no response. It may be attached. */
  | { status: 'unknown'; message: string }

export interface AttachmentWriter {
  /** The largest file that the tracker takes by default, in bytes; null if it does not say. */
  readonly maxBytes: number | null
  /** Whether texts show a file of their item by its name, so that no two files may have the same. Absent if they never do. */
  showsByName?(signal: AbortSignal): Promise<boolean>
  /** Attaches a file once, also if the response is lost. Throws only if it was not attached. */
  add(file: NewAttachment, signal: AbortSignal): Promise<AttachmentOutcome>
}

/** A state into which an item may go. */
export interface ItemTransition {
  /** The state after it. */
  state: string
  category: StateCategory | null
  /** The name of the step, if it differs from the name of the state: `Start work`. */
  name: string | null
  /** The fields that must have a value for it. */
  required: { referenceName: string; name: string; allowedValues: string[] | null }[]
}

export interface TransitionReader {
  /** Lists the states into which the item may go now, in the order of the workflow; without its present state. */
  list(itemId: number, signal: AbortSignal): Promise<ItemTransition[]>
}

export interface ItemDeletion {
  /**
   * Deletes an item that still has this revision. A lost response is looked up. `deleted` also if it is gone already. Throws only if
   * nothing was sent.
   */
  delete(change: { id: number; rev: number }, signal: AbortSignal): Promise<DeletionOutcome>
}

export type DeletionOutcome =
  /** The message says what was deleted besides, such as children. */
  | { status: 'deleted'; message?: string }
  | { status: 'conflict'; message: string }
  | ({ status: 'rejected' } & Rejection)
  | { status: 'unknown'; message: string }

export interface ItemRestoring {
  /** Brings a deleted item back. `applied` also if it is there already. */
  restore(id: number, signal: AbortSignal): Promise<ChangeOutcome>
}

export interface CommentEditor {
  /** Replaces the text of a comment of this user. Rejects one of another person, and one whose text is no longer `was`. */
  edit(change: CommentChange, signal: AbortSignal): Promise<CommentOutcome>
  /** Deletes a comment of this user; `deleted` also if it is gone already. Rejects as `edit` does. */
  delete(change: Omit<CommentChange, 'text'>, signal: AbortSignal): Promise<DeletionOutcome>
}

export interface CommentChange {
  itemId: number
  commentId: number
  /** The text as it was read; a comment with another one is not changed. */
  was: string
  /** In the tracker's format of texts. */
  text: string
}

/** A query that people have saved in the tracker. */
export interface SavedQuery {
  /** The tracker's own ID. */
  id: string
  /** With its folders: `Shared Queries/Gate/Open bugs`. */
  name: string
  /** In the tracker's language; null if the tracker does not show it. */
  text: string | null
  url: string | null
}

export interface QueryRunner {
  /** The name of the language: `WIQL`, `JQL`. */
  readonly language: string
  /** Lists the saved queries that the token can read. */
  list(signal: AbortSignal): Promise<SavedQuery[]>
  /** Runs a saved query, or one in the tracker's language. Finds items of this project alone, in the order of the query. */
  run(query: { saved: string } | { text: string }, limit: number, signal: AbortSignal): Promise<QueryResult>
}

export interface QueryResult {
  /** At most `limit`. */
  ids: number[]
  /** Of all that the query finds; null if the tracker does not say. */
  total: number | null
}

export type WebLinkKind = 'page' | 'pull-request' | 'commit' | 'branch'

export interface WebLink {
  /** The tracker's own ID. */
  id: string
  kind: WebLinkKind
  url: string
  title: string
}

export interface WebLinkReader {
  list(itemId: number, signal: AbortSignal): Promise<WebLink[]>
}

export interface WebLinkEditor {
  /** Adds a link once. A link to the same address is as requested. The address decides the kind. */
  add(link: { itemId: number; url: string; title: string | null }, signal: AbortSignal): Promise<WebLinkOutcome>
  /** Removes a link; `deleted` also if it is gone already. */
  remove(link: { itemId: number; linkId: string }, signal: AbortSignal): Promise<DeletionOutcome>
}

export type WebLinkOutcome =
  | { status: 'added'; link: WebLink }
  | ({ status: 'rejected' } & Rejection)
  | { status: 'unknown'; message: string }

export interface Worklog {
  id: string
  author: Person | null
  /** ISO 8601 UTC with milliseconds. */
  startedAt: string
  seconds: number
  text: string
}

export interface Worklogs {
  /** Lists the newest entries, the newest first. */
  list(itemId: number, options: { limit: number; signal: AbortSignal }): Promise<{ total: number; worklogs: Worklog[] }>
  /** Adds an entry once, also if the response is lost. `text` is in Markdown. */
  add(entry: Omit<Worklog, 'id' | 'author'> & { itemId: number }, signal: AbortSignal): Promise<WorklogOutcome>
}

export type WorklogOutcome =
  | { status: 'added'; worklog: Worklog }
  | ({ status: 'rejected' } & Rejection)
  | { status: 'unknown'; message: string }
