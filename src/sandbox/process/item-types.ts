import { equalsIgnoringCase } from '../../kernel/text/text'
import type { StateCategory } from '../../tracker'
import process from './agile-process.json'

/** The process of the sandbox's project: Feature > User Story > Task, with bugs at the level of stories. */

/** `reason` is the value of `System.Reason` when an item enters this state. */
type TypeState = (typeof process)['states'][number] & { category: StateCategory }

/** `ownFields` are the fields that its form has in addition to those of every type. */
export type ItemType = Omit<(typeof process)['types'][number], 'states' | 'defaults'> & {
  states: readonly TypeState[]
  defaults: Readonly<Record<string, string | number>>
}

const states = new Map((process.states as TypeState[]).map((state) => [state.name, state]))

export const ITEM_TYPES: readonly ItemType[] = process.types.map((type) => ({
  ...type,
  defaults: type.defaults as ItemType['defaults'],
  states: type.states.map((name) => states.get(name)!),
}))

/** Finds a type by name or reference name, in any letter case. */
export function findType(name: string): ItemType | null {
  const isNamed = (type: ItemType) => [type.name, type.referenceName].some((known) => equalsIgnoringCase(known, name))
  return ITEM_TYPES.find(isNamed) ?? null
}

export function findState(type: ItemType, name: string): TypeState | null {
  return type.states.find((state) => equalsIgnoringCase(state.name, name)) ?? null
}

const fieldSets = new Map(ITEM_TYPES.map((type) => [type.name, new Set([...process.commonFields, ...type.ownFields])]))

/** Reference names of all fields on the type's form. */
export function listFieldsOfType(type: ItemType): ReadonlySet<string> {
  return fieldSets.get(type.name)!
}

/** A level of the backlog in the settings of the project's boards. */
export type BacklogLevel = (typeof process)['taskLevel']

/** The level of the requirements includes bugs, because `bugsBehavior` is `asRequirements`. */
export const { taskLevel, requirementLevel, portfolioLevels, typeFields } = process

export type TypeCategory = (typeof process)['categories'][number]

/** The requirement category contains stories. A bug has a category of its own, whatever its level is. */
export const typeCategories: readonly TypeCategory[] = process.categories
