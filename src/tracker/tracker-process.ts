import type { StateCategory } from './tracker-item'

export interface TrackerProcess {
  types: WorkItemType[]
  areaPaths: string[]
  iterations: { path: string; startDate: string | null; finishDate: string | null }[]
  /** Fields of all types. */
  fields: ProcessField[]
}

export type ProcessPart = 'areas' | 'iterations' | 'categories'

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
  /** A `list` has several values: `gate; lamp`, as tags do. */
  kind: 'string' | 'text' | 'integer' | 'number' | 'date' | 'boolean' | 'identity' | 'path' | 'tags' | 'list'
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
