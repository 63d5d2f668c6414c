import type { Member } from './people'
import type { Area, Sprint } from './places'

/** An item of the sample backlog as its author writes it; its history is grown from it. */
export interface ItemPlan {
  id: number
  type: 'Feature' | 'User Story' | 'Task' | 'Bug'
  title: string
  /** Where its history ends. */
  state: 'New' | 'Active' | 'Resolved' | 'Closed' | 'Removed'
  area: Area
  /** The day; that of its feature unless given. */
  writtenOn?: string
  /** None: it is not planned yet. */
  sprint?: Sprint
  assignee?: Member
  points?: number
  priority?: 1 | 2 | 3 | 4
  tags?: string
  /** HTML; a bug's goes into its repro steps. */
  text?: string
  /** HTML. */
  criteria?: string
  /** The long texts are Markdown. */
  markdown?: true
  /** The tracker's own blocked field says so. */
  blocked?: true
  severity?: '1 - Critical' | '2 - High' | '3 - Medium' | '4 - Low'
  /** Estimated, remaining and completed, in hours. */
  hours?: readonly [number, number, number]
  activity?: 'Deployment' | 'Design' | 'Development' | 'Documentation' | 'Requirements' | 'Testing'
  comments?: readonly { day: string; by: Member; text: string }[]
  /** Web pages that it links to. */
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

type TaskPlan = Pick<ItemPlan, 'hours' | 'activity' | 'text' | 'tags' | 'blocked' | 'comments' | 'sprint'>

/** A task takes its area and, unless it names one, its iteration from the story above. */
export function task(
  id: number,
  title: string,
  state: ItemPlan['state'],
  assignee: Member | null,
  more: TaskPlan = {},
): ItemPlan {
  return { id, type: 'Task', title, state, area: 'root', ...(assignee ? { assignee } : {}), ...more }
}
