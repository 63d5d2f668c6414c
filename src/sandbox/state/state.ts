/**
 * What a sandbox keeps, as one JSON document: every item as the list of its revisions, every link as a log.
 * Instants are ISO 8601 UTC with milliseconds. A person stands in a field by `uniqueName`.
 */
export interface SandboxState {
  format: typeof STATE_FORMAT
  organization: string
  project: ProjectRecord
  /** The first one is who is signed in. */
  people: Person[]
  areas: ClassificationNode
  iterations: ClassificationNode
  items: StoredItem[]
  links: LinkChange[]
}

export const STATE_FORMAT = 1

export interface ProjectRecord {
  id: string
  name: string
  description: string
}

export interface Person {
  id: string
  displayName: string
  uniqueName: string
}

/** An area or an iteration; its path is made of the names down to it. */
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

/** One save of an item. Its number is its place in the list, from 1. */
export interface Revision {
  /** Grows by one with every save and every link change of the whole sandbox. */
  watermark: number
  at: string
  by: string
  /** By reference name; null takes a field away. */
  set: Readonly<Record<string, FieldValue | null>>
  /** `Markdown` for a long text that is not HTML, by reference name. */
  formats?: Readonly<Record<string, string>>
  /** All hyperlinks and attachments after this save, where the save changed them. */
  resources?: readonly ResourceLink[]
  /** The item went to the recycle bin. */
  deleted?: true
}

/** A link to something that is no work item: `Hyperlink`, `AttachedFile`, `ArtifactLink`. */
export interface ResourceLink {
  rel: string
  url: string
  attributes: Readonly<Record<string, string | number>>
}

export type LinkType = 'System.LinkTypes.Hierarchy' | 'System.LinkTypes.Dependency' | 'System.LinkTypes.Related'

/** A link between two items was made or taken away. `source` is the parent or the predecessor. It is no save: no revision grows. */
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
