/** The process of the sandbox's project: Feature > User Story > Task, with bugs at the level of stories. */

export type StateCategory = 'Proposed' | 'InProgress' | 'Resolved' | 'Completed' | 'Removed'

interface TypeState {
  name: string
  color: string
  category: StateCategory
  /** The value of `System.Reason` when an item enters this state. */
  reason: string
}

export interface ItemType {
  name: string
  referenceName: string
  description: string
  color: string
  icon: string
  states: readonly TypeState[]
  /** Reference names of the fields that its form has beyond those of every type. */
  ownFields: readonly string[]
  defaults: Readonly<Record<string, string | number>>
}

const created: TypeState = { name: 'New', color: 'b2b2b2', category: 'Proposed', reason: 'New' }
const active: TypeState = { name: 'Active', color: '007acc', category: 'InProgress', reason: 'Implementation started' }
const resolved: TypeState = { name: 'Resolved', color: 'ff9d00', category: 'Resolved', reason: 'Code complete' }
const closed: TypeState = { name: 'Closed', color: '339933', category: 'Completed', reason: 'Acceptance tests pass' }
const removed: TypeState = { name: 'Removed', color: 'ffffff', category: 'Removed', reason: 'Removed from the backlog' }

const backlogStates = [created, active, resolved, closed, removed]

/** On the form of every type. */
const COMMON_FIELDS: readonly string[] = [
  'System.Id',
  'System.Rev',
  'System.Watermark',
  'System.AreaId',
  'System.AreaPath',
  'System.IterationId',
  'System.IterationPath',
  'System.NodeName',
  'System.TeamProject',
  'System.WorkItemType',
  'System.Title',
  'System.State',
  'System.Reason',
  'System.AssignedTo',
  'System.CreatedDate',
  'System.CreatedBy',
  'System.ChangedDate',
  'System.ChangedBy',
  'System.AuthorizedDate',
  'System.RevisedDate',
  'System.Description',
  'System.History',
  'System.Tags',
  'System.Parent',
  'System.CommentCount',
  'Microsoft.VSTS.CMMI.Blocked',
  'Microsoft.VSTS.Common.Priority',
  'Microsoft.VSTS.Common.StackRank',
  'Microsoft.VSTS.Common.StateChangeDate',
  'Microsoft.VSTS.Common.ActivatedDate',
  'Microsoft.VSTS.Common.ActivatedBy',
  'Microsoft.VSTS.Common.ResolvedDate',
  'Microsoft.VSTS.Common.ResolvedBy',
  'Microsoft.VSTS.Common.ClosedDate',
  'Microsoft.VSTS.Common.ClosedBy',
]

const portfolioFields = [
  'Microsoft.VSTS.Common.ValueArea',
  'Microsoft.VSTS.Common.Risk',
  'Microsoft.VSTS.Common.AcceptanceCriteria',
  'Microsoft.VSTS.Scheduling.Effort',
  'Microsoft.VSTS.Scheduling.StartDate',
  'Microsoft.VSTS.Scheduling.TargetDate',
]

const hourFields = [
  'Microsoft.VSTS.Common.Activity',
  'Microsoft.VSTS.Scheduling.OriginalEstimate',
  'Microsoft.VSTS.Scheduling.RemainingWork',
  'Microsoft.VSTS.Scheduling.CompletedWork',
]

const planned = { 'Microsoft.VSTS.Common.Priority': 2, 'Microsoft.VSTS.Common.ValueArea': 'Business' }

export const ITEM_TYPES: readonly ItemType[] = [
  {
    name: 'Epic',
    referenceName: 'Microsoft.VSTS.WorkItemTypes.Epic',
    description: 'A goal that several features serve.',
    color: 'E06C00',
    icon: 'icon_crown',
    states: backlogStates,
    ownFields: portfolioFields,
    defaults: planned,
  },
  {
    name: 'Feature',
    referenceName: 'Microsoft.VSTS.WorkItemTypes.Feature',
    description: 'Something that the product will be able to do, released as a whole.',
    color: '773B93',
    icon: 'icon_trophy',
    states: backlogStates,
    ownFields: portfolioFields,
    defaults: planned,
  },
  {
    name: 'User Story',
    referenceName: 'Microsoft.VSTS.WorkItemTypes.UserStory',
    description: 'What somebody can do once it is built, small enough for one iteration.',
    color: '009CCC',
    icon: 'icon_book',
    states: backlogStates,
    ownFields: [
      'Microsoft.VSTS.Common.AcceptanceCriteria',
      'Microsoft.VSTS.Common.Risk',
      'Microsoft.VSTS.Common.ValueArea',
      'Microsoft.VSTS.Scheduling.StoryPoints',
    ],
    defaults: planned,
  },
  {
    name: 'Bug',
    referenceName: 'Microsoft.VSTS.WorkItemTypes.Bug',
    description: 'Something that does not do what it should.',
    color: 'CC293D',
    icon: 'icon_insect',
    states: [created, active, resolved, closed],
    ownFields: [
      'Microsoft.VSTS.TCM.ReproSteps',
      'Microsoft.VSTS.TCM.SystemInfo',
      'Microsoft.VSTS.Common.AcceptanceCriteria',
      'Microsoft.VSTS.Common.Severity',
      'Microsoft.VSTS.Common.ValueArea',
      'Microsoft.VSTS.Scheduling.StoryPoints',
      ...hourFields,
    ],
    defaults: { ...planned, 'Microsoft.VSTS.Common.Severity': '3 - Medium' },
  },
  {
    name: 'Task',
    referenceName: 'Microsoft.VSTS.WorkItemTypes.Task',
    description: 'A piece of work, counted in hours.',
    color: 'F2CB1D',
    icon: 'icon_clipboard',
    states: [created, active, closed, removed],
    ownFields: hourFields,
    defaults: { 'Microsoft.VSTS.Common.Priority': 2 },
  },
]

const byName = new Map(ITEM_TYPES.map((type) => [type.name.toLowerCase(), type]))

/** In any case; also by reference name. */
export function findType(name: string): ItemType | null {
  const wanted = name.toLowerCase()
  return byName.get(wanted) ?? ITEM_TYPES.find((type) => type.referenceName.toLowerCase() === wanted) ?? null
}

export function findState(type: ItemType, name: string): TypeState | null {
  return type.states.find((state) => state.name.toLowerCase() === name.toLowerCase()) ?? null
}

const fieldSets = new Map(ITEM_TYPES.map((type) => [type.name, new Set([...COMMON_FIELDS, ...type.ownFields])]))

/** Reference names of all fields on the type's form. */
export function listFieldsOfType(type: ItemType): ReadonlySet<string> {
  return fieldSets.get(type.name)!
}

/** A level of the backlog, as the board settings of the project describe it. */
export interface BacklogLevel {
  id: string
  name: string
  rank: number
  color: string
  types: readonly string[]
  defaultType: string
}

export const taskLevel: BacklogLevel = {
  id: 'Microsoft.TaskCategory',
  name: 'Tasks',
  rank: 1,
  color: 'F2CB1D',
  types: ['Task'],
  defaultType: 'Task',
}

/** Bugs are planned beside stories: `bugsBehavior` is `asRequirements`. */
export const requirementLevel: BacklogLevel = {
  id: 'Microsoft.RequirementCategory',
  name: 'Stories',
  rank: 2,
  color: '009CCC',
  types: ['Bug', 'User Story'],
  defaultType: 'User Story',
}

export const portfolioLevels: readonly BacklogLevel[] = [
  {
    id: 'Microsoft.EpicCategory',
    name: 'Epics',
    rank: 4,
    color: 'E06C00',
    types: ['Epic'],
    defaultType: 'Epic',
  },
  {
    id: 'Microsoft.FeatureCategory',
    name: 'Features',
    rank: 3,
    color: '773B93',
    types: ['Feature'],
    defaultType: 'Feature',
  },
]

export interface TypeCategory {
  name: string
  referenceName: string
  types: readonly string[]
}

/** A requirement is a story here; a bug has a category of its own, whatever level it is planned at. */
export const typeCategories: readonly TypeCategory[] = [
  { name: 'Bug Category', referenceName: 'Microsoft.BugCategory', types: ['Bug'] },
  { name: 'Epic Category', referenceName: 'Microsoft.EpicCategory', types: ['Epic'] },
  { name: 'Feature Category', referenceName: 'Microsoft.FeatureCategory', types: ['Feature'] },
  { name: 'Requirement Category', referenceName: 'Microsoft.RequirementCategory', types: ['User Story'] },
  { name: 'Task Category', referenceName: 'Microsoft.TaskCategory', types: ['Task'] },
]

/** Which field carries what the boards count. */
export const typeFields: Readonly<Record<string, string>> = {
  Order: 'Microsoft.VSTS.Common.StackRank',
  Effort: 'Microsoft.VSTS.Scheduling.StoryPoints',
  RemainingWork: 'Microsoft.VSTS.Scheduling.RemainingWork',
  Activity: 'Microsoft.VSTS.Common.Activity',
}
