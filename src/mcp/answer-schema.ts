import type { JsonSchema } from '../kernel/json-schema'

/**
 * The shape of an answer of which `fields` may keep a part: nothing is required where that can be. Descriptions are left out, since
 * they are in the API's description; definitions go to `$defs` under names of their own.
 */
export function relaxed(output: JsonSchema, action: string, $defs: Record<string, JsonSchema>): JsonSchema {
  const { $defs: own = {}, ...schema } = output
  const rename = (ref: unknown) => (ref === '#' ? ref : String(ref).replace('#/$defs/', `#/$defs/${action}-`))
  for (const [name, definition] of Object.entries(own)) $defs[`${action}-${name}`] = terse(definition, rename)
  return withoutRequired(terse(schema, rename))
}

function terse<T>(node: T, rename: (ref: unknown) => unknown): T {
  if (Array.isArray(node)) return node.map((entry) => terse(entry, rename)) as T
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(node as Record<string, unknown>)
    .filter(([key, value]) => !(key === 'description' && typeof value === 'string') && key !== 'x-extension')
    .map(([key, value]) => [key, key === '$ref' ? rename(value) : terse(value, rename)])
  return Object.fromEntries(entries) as T
}

/** At the three places where `fields` picks: the entries of a list, the answer itself, the entries of a list in it. */
function withoutRequired(schema: JsonSchema): JsonSchema {
  if (schema.items) return { ...schema, items: loose(schema.items) }
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => [
    name,
    property.items?.properties ? { ...property, items: loose(property.items) } : property,
  ])
  return loose({ ...schema, ...(schema.properties ? { properties: Object.fromEntries(properties) } : {}) })
}

/** A field that is asked for and absent is null. */
function loose({ required: _, ...schema }: JsonSchema): JsonSchema {
  return schema
}
