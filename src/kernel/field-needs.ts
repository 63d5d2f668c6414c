import { isRecord, mapValues } from './json'
import type { JsonSchema } from './json-schema'
import type { FieldNeeds } from './operation'

/** Whether a tracker of the settings has a capability. */
export type OffersCapability = (capability: string) => boolean

/** The capability that a flag needs, by the name of the field or criterion that it gives; null for none. */
export function findNeed(needs: FieldNeeds | undefined, name: string): string | null {
  const found = Object.entries(needs ?? {}).find(([path]) => path.split('.').at(-1) === name)
  return found?.[1] ?? null
}

/** The schema of an input without the fields whose capability is not offered. */
export function omitFields(schema: JsonSchema, needs: FieldNeeds, isOffered: OffersCapability): JsonSchema {
  const hidden = Object.keys(needs).filter((path) => !isOffered(needs[path]!))
  return hidden.reduce((rest, path) => omitField(rest, path.split('.')), schema)
}

function omitField(schema: JsonSchema, [name, ...inner]: readonly string[]): JsonSchema {
  const { properties } = schema
  if (name === undefined || properties?.[name] === undefined) return schema
  if (inner.length === 0) {
    const { [name]: _, ...others } = properties
    return { ...schema, properties: others }
  }
  return {
    ...schema,
    properties: mapValues(properties, (field, key) =>
      key === name && isRecord(field) ? omitField(field, inner) : field,
    ),
  }
}
