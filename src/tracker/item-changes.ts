import type { LongText, Person, TrackerItem } from './tracker-item'

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
  /** A tag that is there already, or is gone already, is as requested. The other tags stay, also those that other people change meanwhile. */
  tags?: TagChanges
}

export interface TagChanges {
  add: readonly string[]
  remove: readonly string[]
}

/** Links of one item to add and to remove, in one step. */
export interface LinkChanges {
  add: readonly ItemLink[]
  remove: readonly ItemLink[]
}

/** Why the tracker did not take a change, a new item or a comment. */
export interface Rejection {
  message: string
  /** The error that it is, if the values are not the reason: the item is gone, the right is missing, or the tracker failed. */
  code?: 'not_found' | 'tracker_forbidden' | 'tracker_answer'
  /** The fields whose values the tracker names as the reason, or which it requires. */
  fields?: { referenceName: string; message: string }[]
}

export type ChangeOutcome =
  /** The message says what it took away besides. */
  | { id: number; status: 'applied'; item: TrackerItem; message?: string }
  /** The item has a newer revision. */
  | { id: number; status: 'conflict'; message: string }
  /** The tracker rejected the change. */
  | ({ id: number; status: 'rejected' } & Rejection)
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

export interface MarkerRemoval {
  /** Whether the item has lost its marker, or is gone itself. */
  isGone: boolean
  /** The item after the removal; null if nothing was removed, or if it could not be read. */
  item: TrackerItem | null
}

export type CreationOutcome =
  /** `item` is null for a validation, and if the item could not be read. `problem` says which values the item may not have. */
  | { status: 'created'; id: number | null; item: TrackerItem | null; problem?: string }
  /** The tracker rejected the item. */
  | ({ status: 'rejected' } & Rejection)
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
  | ({ status: 'rejected' } & Rejection)
  /** The comment was sent, but there was no response. It may have been added. */
  | { status: 'unknown'; message: string }
