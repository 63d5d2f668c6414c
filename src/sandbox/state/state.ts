/**
 * The state of a sandbox as one JSON document: each item as a list of revisions, and the links as a log.
 * Instants are ISO 8601 UTC with milliseconds. Fields refer to people by `uniqueName`.
 */
export interface SandboxState {
  format: typeof STATE_FORMAT
  organization: string
  project: ProjectRecord
  /** The first one is signed in. */
  people: Person[]
  areas: ClassificationNode
  iterations: ClassificationNode
  items: StoredItem[]
  links: LinkChange[]
  /** The uploaded files, attached or not. */
  attachments?: StoredAttachment[]
  /** The roots of the saved queries. */
  queries?: StoredQuery[]
  repositories?: Repository[]
}

/** An uploaded file. */
export interface StoredAttachment {
  id: string
  name: string
  /** The watermark of the upload. */
  watermark: number
  at: string
  /** The content in Base64, a text for each chunk of the upload. */
  chunks: readonly string[]
  /** The bytes of the chunks. */
  received: number
  /** The whole size in bytes, which an upload in chunks reaches with its last one. */
  size: number
}

/** A saved query, or a folder of them. */
export interface StoredQuery {
  id: string
  name: string
  /** Absent in a folder. */
  wiql?: string
  children?: StoredQuery[]
}

/** A repository that pull requests and commits belong to. */
export interface Repository {
  id: string
  name: string
}

export const STATE_FORMAT = 1

interface ProjectRecord {
  id: string
  name: string
  description: string
}

export interface Person {
  id: string
  displayName: string
  uniqueName: string
}

/** An area or an iteration. */
export interface ClassificationNode {
  id: number
  identifier: string
  name: string
  startDate?: string
  finishDate?: string
  children?: ClassificationNode[]
}

export interface StoredItem {
  id: number
  revisions: readonly Revision[]
}

export type FieldValue = string | number | boolean

/** One save of an item. Its revision number is its position in the list, from 1. */
export interface Revision {
  /** Increases with every save and link change in the sandbox. */
  watermark: number
  at: string
  by: string
  /** By reference name; null clears a field. */
  set: Readonly<Record<string, FieldValue | null>>
  /** `Markdown` for a long text that is not HTML, by reference name. */
  formats?: Readonly<Record<string, string>>
  /** All hyperlinks and attachments after this save, where the save changed them. */
  resources?: readonly ResourceLink[]
  /** An older comment has another text now; null if it was deleted. A comment has the number of the revision that added it. */
  comment?: { id: number; text: string | null }
  /** The item went to the recycle bin. */
  deleted?: true
}

/** A link to something other than a work item: `Hyperlink`, `AttachedFile`, `ArtifactLink`. */
export interface ResourceLink {
  rel: string
  url: string
  attributes: Readonly<Record<string, string | number>>
}

export type LinkType = 'System.LinkTypes.Hierarchy' | 'System.LinkTypes.Dependency' | 'System.LinkTypes.Related'

/** An added or removed link between two items. `source` is the parent or the predecessor. It creates no revision. */
export interface LinkChange {
  watermark: number
  at: string
  by: string
  type: LinkType
  source: number
  target: number
  active: boolean
  comment?: string
}
