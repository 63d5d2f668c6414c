import type { ResultOf } from '../../../catalog'
import { familyOf, StudioError } from '../../../kernel'
import { DEFAULT_TRACKER_NAME } from '../../../kernel/text/item-reference'
import type { PageRequest } from '../../console-page'
import type { InputField } from '../../forms/schema-inputs'
import { type Html, html } from '../../html'
import { flatten, type ItemNode } from './item-rows'

type Metadata = ResultOf<'items.metadata'>

/** The values that fields of items may have: from the tracker, or else those of the cached items. */
export interface KnownValues {
  types: string[]
  /** Of the types that the form is for; of all types if there are none. */
  states: string[]
  areas: string[]
  iterations: string[]
  people: string[]
  tags: string[]
}

interface ValuesFor {
  /** The name of the tracker; null for the default one. */
  tracker: string | null
  /** The types of the items that a form is for; none for all. */
  types?: readonly string[]
  /** The cached items, where a page has read them already. */
  cached?: readonly ItemNode[]
}

export async function readKnownValues(
  { run }: Pick<PageRequest, 'run'>,
  { tracker, types = [], cached }: ValuesFor,
): Promise<KnownValues> {
  const isDefault = tracker === null || tracker === DEFAULT_TRACKER_NAME
  const [all, metadata] = await Promise.all([
    cached ?? readItems(run),
    run('items.metadata', isDefault ? {} : { tracker }).catch(withoutTracker),
  ])
  const items = all.filter((item) => tracker === null || item.tracker === tracker)
  const distinct = (read: (item: ItemNode) => readonly string[]) =>
    [...new Set(items.flatMap(read))].filter((value) => value !== '').sort()
  const described = metadata?.workItemTypes ?? []
  return {
    types: described.length > 0 ? described.map(({ name }) => name) : distinct(({ type }) => [type]),
    states: findStates(described, types) ?? distinct(({ state }) => [state]),
    areas: metadata?.areaPaths ?? distinct(({ areaPath }) => [areaPath]),
    iterations: metadata?.iterations.map(({ path }) => path) ?? distinct(({ iterationPath }) => [iterationPath]),
    people: distinct(({ assignedTo }) => (assignedTo === null ? [] : [assignedTo.displayName])),
    tags: distinct(({ tags }) => tags),
  }
}

/** All cached items, without their texts. */
export async function readItems(run: PageRequest['run']): Promise<ItemNode[]> {
  const { features, unparented } = await run('reports.hierarchy', {})
  return flatten([...features, ...unparented])
}

/** The values of cached items suffice where the tracker does not answer. */
export function withoutTracker(error: unknown): null {
  if (error instanceof StudioError && !['unauthenticated', 'forbidden'].includes(familyOf(error.code))) return null
  throw error
}

function findStates(described: Metadata['workItemTypes'], types: readonly string[]): string[] | null {
  const of = described.filter(({ name }) => types.length === 0 || types.includes(name))
  const states = [...new Set(of.flatMap(({ states }) => states.map(({ name }) => name)))]
  return states.length === 0 ? null : states
}

/** What an item has that a form may change, by the name that the tracker's field has in an update. */
export interface ItemValues {
  type: string
  state: string
  storyPoints: number | null
  priority: number | null
  assignedTo: { displayName: string; uniqueName: string | null } | null
  areaPath: string
  iterationPath: string
  tags: readonly string[]
}

interface FieldChoice {
  /** As an update names it. */
  field: string
  label: string
  /** The property that a tracker must have; none for what every tracker has. */
  needs?: 'property:areaPath' | 'property:iterationPath' | 'property:storyPoints' | 'property:priority'
  readFrom(item: ItemValues): string | number | null
  options(known: KnownValues): Partial<InputField>
}

/** The names of a list that an input offers. */
const PEOPLE_LIST = 'people'

const fields: readonly FieldChoice[] = [
  {
    field: 'State',
    label: 'State',
    readFrom: ({ state }) => state,
    options: ({ states }) => ({ choices: pairs(states) }),
  },
  {
    field: 'Assignee',
    label: 'Assigned to',
    readFrom: ({ assignedTo }) => assignedTo?.uniqueName ?? assignedTo?.displayName ?? null,
    options: () => ({ attributes: { list: PEOPLE_LIST, autocomplete: 'off' } }),
  },
  {
    field: 'Points',
    label: 'Story points',
    needs: 'property:storyPoints',
    readFrom: ({ storyPoints }) => storyPoints,
    options: () => ({ attributes: { inputmode: 'decimal' } }),
  },
  {
    field: 'Priority',
    label: 'Priority',
    needs: 'property:priority',
    readFrom: ({ priority }) => priority,
    options: () => ({ attributes: { inputmode: 'numeric' } }),
  },
  {
    field: 'Iteration',
    label: 'Iteration',
    needs: 'property:iterationPath',
    readFrom: ({ iterationPath }) => iterationPath,
    options: ({ iterations }) => ({ choices: pairs(iterations) }),
  },
  {
    field: 'Area',
    label: 'Area',
    needs: 'property:areaPath',
    readFrom: ({ areaPath }) => areaPath,
    options: ({ areas }) => ({ choices: pairs(areas) }),
  },
  {
    field: 'Tags',
    label: 'Tags',
    readFrom: ({ tags }) => tags.join('; '),
    options: () => ({ attributes: { placeholder: 'gate; board' } }),
  },
]

/** What the form of an item shows, by the names of the fields. */
export function updatesOf(item: ItemValues & { title: string }): Record<string, string | number | null> {
  return {
    Title: item.title,
    ...Object.fromEntries(fields.map(({ field, readFrom }) => [field, readFrom(item)])),
  }
}

/** The inputs of the fields that the trackers of the settings have. With an item, they show what it has. */
export function fieldInputs(
  { service }: Pick<PageRequest, 'service'>,
  known: KnownValues,
  item: ItemValues | null,
  { empty }: { empty: string },
): InputField[] {
  return fields
    .filter(({ needs }) => needs === undefined || service.isOffered(needs))
    .map(({ field, label, readFrom, options }) => {
      const value = item === null ? undefined : (readFrom(item) ?? '')
      const { choices, ...rest } = options(known)
      const offered = choices && (value === undefined ? choices : withValue(choices, String(value)))
      return {
        // An emptied value of an item is cleared; an empty input of a form for several items changes nothing.
        name: item === null ? `updates.${field}` : `updates.${field}[value]`,
        label,
        ...(value === undefined ? {} : { value }),
        ...(offered === undefined ? {} : { choices: offered }),
        ...(offered === undefined || item !== null ? {} : { empty }),
        ...rest,
      }
    })
}

/** The fields that an update may clear. */
export const CLEARED_FIELDS: readonly (readonly [field: string, label: string])[] = [
  ['Assignee', 'assignee'],
  ['Points', 'story points'],
  ['Tags', 'tags'],
  ['Parent', 'parent'],
]

export function pairs(values: readonly string[]): [string, string][] {
  return values.map((value) => [value, value])
}

/** The present value first, where the tracker offers others. */
function withValue(choices: NonNullable<InputField['choices']>, value: string): NonNullable<InputField['choices']> {
  return choices.some(([choice]) => choice === value) ? choices : [[value, value || 'none'], ...choices]
}

/** The people of the cached items, whom an input with this list offers. */
export function peopleList({ people }: KnownValues): Html {
  return html`<datalist id="${PEOPLE_LIST}">${people.map((name) => html`<option value="${name}"></option>`)}</datalist>`
}
