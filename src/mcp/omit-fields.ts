import type { FieldNeeds, OffersCapability } from '../kernel'
import type { JsonSchema } from '../kernel/input/json-schema'
import { isRecord, mapValues } from '../kernel/json'

/** The schema of an input without the fields whose capability is not offered. */
export function omitMissingFields(schema: JsonSchema, needs: FieldNeeds, isOffered: OffersCapability): JsonSchema {
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
