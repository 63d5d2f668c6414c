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
