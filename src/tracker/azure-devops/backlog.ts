import type { StateCategory, WorkItemType } from '../tracker'
import { parseColor } from './field-values'
import type { WireBacklog, WireType } from './wire-schemas'

const categories: StateCategory[] = ['Proposed', 'InProgress', 'Resolved', 'Completed', 'Removed']

/** The field that this process keeps its points in; null where it does not say. */
export function findPointsField(backlog: WireBacklog | null): string | null {
  return backlog?.backlogFields?.typeFields?.['Effort'] ?? null
}

/**
 * The backlog level of each type: 0 task, 1 requirement, 2 and up the portfolio in the order of their ranks.
 * Bugs stand on no backlog of their own: they are the types with mapped states and no level, and the team's
 * setting puts them beside the requirements or the tasks.
 */
export function mapBacklogLevels(backlog: WireBacklog | null): Map<string, number> {
  const levels = new Map<string, number>()
  if (backlog === null) return levels
  const portfolio = [...(backlog.portfolioBacklogs ?? [])].sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
  const ladder = [backlog.taskBacklog, backlog.requirementBacklog, ...portfolio]
  for (const [level, rung] of ladder.entries()) {
    for (const { name } of rung?.workItemTypes ?? []) if (!levels.has(name)) levels.set(name, level)
  }
  const bugLevel = { asrequirements: 1, astasks: 0 }[backlog.bugsBehavior?.toLowerCase() ?? '']
  if (bugLevel === undefined) return levels
  const bugs = (backlog.workItemTypeMappedStates ?? []).map((mapped) => mapped.workItemTypeName)
  for (const name of bugs) if (!levels.has(name)) levels.set(name, bugLevel)
  return levels
}

/** The states of a type with their categories: as the type tells them, or else as the backlog maps them. */
export function mapStates(type: WireType, backlog: WireBacklog | null): WorkItemType['states'] {
  const own = type.states ?? []
  if (own.length > 0) {
    return own.map(({ name, category, color }) => ({
      name,
      category: parseCategory(category),
      color: parseColor(color),
    }))
  }
  const mapped = backlog?.workItemTypeMappedStates?.find((entry) => entry.workItemTypeName === type.name)?.states ?? {}
  return Object.entries(mapped).map(([name, category]) => ({ name, category: parseCategory(category), color: null }))
}

/** Looks up a state's category by type and state. */
export function indexStateCategories(
  types: readonly WireType[],
  backlog: WireBacklog | null,
): (type: string, state: string) => StateCategory | null {
  const known = new Map<string, StateCategory | null>()
  const mappedOnly = (backlog?.workItemTypeMappedStates ?? []).map((entry) => ({ name: entry.workItemTypeName }))
  for (const type of [...mappedOnly, ...types]) {
    for (const state of mapStates(type, backlog)) known.set(keyOf(type.name, state.name), state.category)
  }
  return (type, state) => known.get(keyOf(type, state)) ?? null
}

function keyOf(type: string, state: string): string {
  return JSON.stringify([type, state])
}

function parseCategory(text: string | null | undefined): StateCategory | null {
  const plain = text?.replace(/\s/g, '').toLowerCase()
  return categories.find((category) => category.toLowerCase() === plain) ?? null
}
