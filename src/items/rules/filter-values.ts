import { nameBacklogLevel } from '../../kernel/backlog-level'
import { findNearest } from '../../kernel/text/nearest-text'
import { normalizeText } from '../../kernel/text/normalize-text'
import { containsPath, equalsIgnoringCase } from '../../kernel/text/text'
import type { Person, StateCategory } from '../../tracker'
import { isMe } from './item-filter'
import { findCategories } from './state-categories'

/** How the values of a criterion are found among the stored ones. */
export interface ValueMatcher<Value> {
  /** The criterion in a message: `state`. */
  label: string
  /** The value in a message. */
  nameOf(value: Value): string
  /** The names that mean the value and no other, in any letter case. */
  namesOf(value: Value): readonly string[]
  /** Whether the text means the value, if it is the name of none. */
  isMeant?(value: Value, text: string): boolean
}

/** A stored state, or a category of states. */
export interface StateValue {
  state: string | null
  category: StateCategory | null
}

/** The name of a stored state means that state, whatever category has the same name. */
export const stateMatcher: ValueMatcher<StateValue> = {
  label: 'state',
  nameOf: ({ state, category }) => state ?? category!,
  namesOf: ({ state }) => (state === null ? [] : [state]),
  isMeant: ({ category }, text) => category !== null && findCategories(text).includes(category),
}

export const tagMatcher: ValueMatcher<string> = { label: 'tag', nameOf: (tag) => tag, namesOf: (tag) => [tag] }

export const typeMatcher: ValueMatcher<{ type: string; level: number | null }> = {
  label: 'type',
  nameOf: ({ type }) => type,
  namesOf: ({ type }) => [type],
  isMeant: ({ type, level }, text) => nameBacklogLevel(level, type) === normalizeText(text),
}

/** A path is meant by any part of it, so that a sprint is found by its name, and an area with all that is below it. */
export const areaMatcher: ValueMatcher<string> = {
  label: 'area',
  nameOf: (path) => path,
  namesOf: () => [],
  isMeant: containsPath,
}

/** @param current the iterations that `@current` means. */
export function createIterationMatcher(current: readonly string[]): ValueMatcher<string> {
  return {
    ...areaMatcher,
    label: 'iteration',
    isMeant: (path, text) =>
      isCurrent(text)
        ? current.some((begin) => `${path}\\`.toLowerCase().startsWith(`${begin}\\`.toLowerCase()))
        : containsPath(path, text),
  }
}

export function isCurrent(text: string): boolean {
  return text.toLowerCase() === '@current'
}

/** @param user the person that `@me` means, by the whole name or the account. */
export function createPersonMatcher(user: string | null): ValueMatcher<Person> {
  const namesOf = ({ displayName, uniqueName }: Person) =>
    uniqueName === null ? [displayName] : [displayName, uniqueName, uniqueName.split('@')[0]!]
  return {
    label: 'assignee',
    nameOf: ({ displayName }) => displayName,
    namesOf,
    isMeant: (person, text) =>
      isMe(text)
        ? user !== null && namesOf(person).some((name) => equalsIgnoringCase(name, user))
        : normalizeText(person.displayName).includes(normalizeText(text)),
  }
}

export interface FoundValues<Value> {
  /** As it was typed. */
  text: string
  /** The stored values that it means; empty if there are none. */
  values: Value[]
}

/** Names such as `Tanaka, Mei` contain this many commas at most. */
const MAX_COMMAS = 2

/** Finds the stored values for alternatives that are separated by commas. A comma can also be a part of a name. */
export function findValues<Value>(
  texts: string,
  known: readonly Value[],
  { namesOf, isMeant }: ValueMatcher<Value>,
): FoundValues<Value>[] {
  const byName = new Map<string, Value[]>()
  for (const value of known) {
    for (const name of new Set(namesOf(value).map((name) => name.toLowerCase())))
      byName.set(name, [...(byName.get(name) ?? []), value])
  }
  const found: FoundValues<Value>[] = []
  const parts = texts.split(',')
  for (let i = 0; i < parts.length; ) {
    const runs = Array.from({ length: Math.min(MAX_COMMAS + 1, parts.length - i) }, (_, n) => parts.slice(i, i + n + 1))
    const run = runs.findLast((words) => byName.has(joinWords(words))) ?? runs[0]!
    const text = run.join(',').trim()
    const named = byName.get(joinWords(run))
    if (text !== '')
      found.push({ text, values: named ?? (isMeant ? known.filter((value) => isMeant(value, text)) : []) })
    i += run.length
  }
  return found
}

function joinWords(words: readonly string[]): string {
  return words.join(',').trim().toLowerCase()
}

const MAX_LISTED_VALUES = 8

/** What may be meant by a text that is no stored value. */
export function suggestStoredValue<Value>(
  text: string,
  known: readonly Value[],
  { label, nameOf }: ValueMatcher<Value>,
): string {
  const names = [...new Set(known.map(nameOf))].sort()
  const parts = new Map(
    names.flatMap((name) => [...name.split('\\'), ...name.split(/[\\\s]+/)].map((part) => [part, name])),
  )
  const near = findNearest(text, names, 3) ?? parts.get(findNearest(text, [...parts.keys()], 3) ?? '')
  const problem = `No cached work item has the ${label} "${text}".`
  if (near !== undefined && near !== null) return `${problem} Did you mean "${near}"?`
  const some = names.slice(0, MAX_LISTED_VALUES)
  return some.length === 0 ? problem : `${problem} Known: ${some.join(', ')}${names.length > some.length ? ', …' : ''}.`
}
