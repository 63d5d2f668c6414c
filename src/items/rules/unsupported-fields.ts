import type { ItemProperty } from '../../tracker'
import { type GivenFields, normalizeFieldName } from './update-fields'

/** All properties by their names in lower case. */
const PROPERTIES = new Map(
  Object.keys({
    title: 0,
    state: 0,
    assignedTo: 0,
    areaPath: 0,
    iterationPath: 0,
    tags: 0,
    storyPoints: 0,
    priority: 0,
    description: 0,
    acceptanceCriteria: 0,
  } satisfies Record<ItemProperty, 0>).map((name) => [name.toLowerCase(), name as ItemProperty]),
)

/**
 * The paths of the given values that mean a property of items which is not in the list: `updates.Area`. Other names may be fields. A draft has
 * values that not every tracker stores, so `own` values are not checked.
 */
export function findUnsupportedFields(given: GivenFields, supported: readonly ItemProperty[]): string[] {
  return (['fields', 'updates'] as const).flatMap((source) =>
    Object.keys(given[source] ?? {}).flatMap((key) => {
      const property = PROPERTIES.get(normalizeFieldName(key.replace(/^System\./i, '')))
      return property === undefined || supported.includes(property) ? [] : [`${source}.${key}`]
    }),
  )
}
