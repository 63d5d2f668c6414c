import type { ErrorDetail } from '../../kernel'
import { equalsIgnoringCase } from '../../kernel/text/text'
import type { ProcessField, TrackerProcess } from '../../tracker'
import { type FieldUpdate, splitListValue } from './update-fields'

/** Values that the process does not allow for the types of these items. */
export function findDisallowedValues(
  items: readonly { type: string }[],
  updates: readonly FieldUpdate[],
  process: TrackerProcess,
): ErrorDetail[] {
  const details = new Map<string, ErrorDetail>()
  for (const update of updates) {
    const { field, value } = update
    if (value === null) {
      if (field.property && requiredProperties.has(field.property))
        addDetail(details, pathOf(update), 'cannot be empty')
      continue
    }
    for (const item of items) checkForType(details, item.type, update, process)
  }
  return [...details.values()]
}

const requiredProperties = new Set(['title', 'state', 'areaPath', 'iterationPath'])

/** The values that the tracker allows for a field of a type. */
export interface AllowedValues {
  typeName: string
  referenceName: string
  values: string[]
}

/** The fields that may have a list of values, which only the tracker knows, for each type of the items. */
export function selectFieldsToCheck(items: readonly { type: string }[], updates: readonly FieldUpdate[]) {
  const types = [...new Set(items.map((item) => item.type))]
  const toCheck = updates.filter(
    ({ field, value }) => value !== null && field.property !== 'state' && kindsWithValueLists.has(field.kind),
  )
  return types.flatMap((typeName) => toCheck.map(({ field }) => ({ typeName, referenceName: field.referenceName })))
}

/** The kinds of fields that can have a list of values. */
const kindsWithValueLists = new Set<ProcessField['kind']>(['string', 'integer', 'number', 'list'])

/** Values that are missing from the tracker's lists. */
export function findUnlistedValues(updates: readonly FieldUpdate[], allowed: readonly AllowedValues[]): ErrorDetail[] {
  return allowed.flatMap(({ typeName, referenceName, values }) => {
    const update = updates.find(({ field }) => field.referenceName === referenceName)
    if (!update) return []
    const unlisted = partsOf(update).filter((part) => !values.some((value) => equalsIgnoringCase(value, part)))
    return unlisted.map((part) => ({
      path: pathOf(update),
      message: `"${part}" is not a value of a ${typeName}; use one of ${values.join(', ')}`,
    }))
  })
}

/** The values as the process spells them. The tracker accepts any letter case, but stores its own. */
export function normalizeSpelling(
  updates: readonly FieldUpdate[],
  items: readonly { type: string }[],
  { process, allowed }: { process: TrackerProcess; allowed: readonly AllowedValues[] },
): FieldUpdate[] {
  const types = new Set(items.map((item) => item.type))
  const states = process.types.filter(({ name }) => types.has(name)).flatMap((type) => type.states)
  return updates.map((update) => {
    const { field, value } = update
    const known =
      field.property === 'state'
        ? states.map(({ name }) => name)
        : allowed.flatMap(({ referenceName, values }) => (referenceName === field.referenceName ? values : []))
    if (typeof value !== 'string') return update
    const spell = (part: string) => known.find((candidate) => equalsIgnoringCase(candidate, part)) ?? part
    return { ...update, value: partsOf(update).map(spell).join('; ') }
  })
}

/** The values of a list; the one value of any other field. */
function partsOf({ field, value }: FieldUpdate): string[] {
  return field.kind === 'list' ? splitListValue(String(value)) : [String(value)]
}

function pathOf({ path, field }: FieldUpdate): string {
  return path ?? field.name
}

function addDetail(details: Map<string, ErrorDetail>, path: string, message: string): void {
  details.set(`${path} ${message}`, { path, message })
}

function checkForType(
  details: Map<string, ErrorDetail>,
  typeName: string,
  update: FieldUpdate,
  process: TrackerProcess,
): void {
  const type = process.types.find((candidate) => equalsIgnoringCase(candidate.name, typeName))
  if (!type) return
  const { field, value } = update
  const hasField =
    type.fieldReferenceNames.length === 0 ||
    type.fieldReferenceNames.some((name) => equalsIgnoringCase(name, field.referenceName))
  const path = pathOf(update)
  if (!hasField) addDetail(details, path, `is not a field of a ${type.name}`)
  if (!hasField || field.property !== 'state' || type.states.length === 0) return
  if (type.states.some((state) => equalsIgnoringCase(state.name, String(value)))) return
  addDetail(
    details,
    path,
    `"${value}" is not a state of a ${type.name}; use one of ${type.states.map((state) => state.name).join(', ')}`,
  )
}
