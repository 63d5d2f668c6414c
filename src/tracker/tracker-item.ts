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

export interface LongText {
  format: 'html' | 'markdown'
  text: string
}

export interface Person {
  displayName: string
  /** The account name, often an e-mail address; null if the tracker returned only a name. */
  uniqueName: string | null
}

export interface Attachment {
  name: string
  /** In bytes; null if the tracker did not return it. */
  size: number | null
}

export type StateCategory = 'Proposed' | 'InProgress' | 'Resolved' | 'Completed' | 'Removed'

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

export interface MissingItem {
  id: number
  reason: string
  /** Why it is gone, if the tracker was asked and gives a reason. `reason` is then the same text. */
  end?: string
  /** Whether the tracker has the item, but its response was not valid. */
  isMalformed?: true
}

export interface TreeLink {
  parentId: number
  childId: number
}
