/** The process of the sandbox's project: Feature > User Story > Task, and bugs that stand beside stories. */

export type StateCategory = 'Proposed' | 'InProgress' | 'Resolved' | 'Completed' | 'Removed'

export interface TypeState {
  name: string
  color: string
  category: StateCategory
  /** What stands in `System.Reason` when an item comes to this state. */
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
export const COMMON_FIELDS: readonly string[] = [
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
