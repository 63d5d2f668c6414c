import type { Member } from './people'
import type { Area, Sprint } from './places'

/** An item of the sample backlog as `backlog.json` has it; its history is built from it. */
export interface ItemPlan {
  id: number
  type: 'Feature' | 'User Story' | 'Task' | 'Bug'
  title: string
  /** Where its history ends. */
  state: 'New' | 'Active' | 'Resolved' | 'Closed' | 'Removed'
  area: Area
  /** The day. Default: the day of its feature. */
  writtenOn?: string
  /** Absent if it is not planned yet. */
  sprint?: Sprint
  assignee?: Member
  points?: number
  priority?: 1 | 2 | 3 | 4
  tags?: string
  /** HTML. A bug has it in its repro steps. */
  text?: string
  /** HTML. */
  criteria?: string
  /** The long texts are Markdown. */
  markdown?: true
  /** Sets the tracker's blocked field. */
  blocked?: true
  severity?: '1 - Critical' | '2 - High' | '3 - Medium' | '4 - Low'
  /** Estimated, remaining and completed, in hours. */
  hours?: readonly [number, number, number]
  activity?: 'Deployment' | 'Design' | 'Development' | 'Documentation' | 'Requirements' | 'Testing'
  comments?: readonly { day: string; by: Member; text: string }[]
  /** Links to web pages. */
  hyperlinks?: readonly { url: string; comment: string }[]
  children?: readonly ItemPlan[]
}

/** `predecessor` must be done before `successor`. */
export interface DependencyPlan {
  predecessor: number
  successor: number
  day: string
  by: Member
  comment?: string
}
