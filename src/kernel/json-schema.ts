import * as z from 'zod'

export type Json = Record<string, unknown>

export interface JsonSchema extends Json {
  type?: string | string[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  $defs?: Record<string, JsonSchema>
}

/** A zod schema as JSON Schema (2020-12), in the form in which a person would have written it. */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema
  return tidied(plain)
}

function tidied<T>(node: T): T {
  if (Array.isArray(node)) return node.map(tidied) as T
  if (typeof node !== 'object' || node === null) return node
  const tidy = Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) => !isNoise(key, value, node))
      .map(([key, value]) => [key, key === 'default' || key === 'examples' ? value : tidied(value)]),
  )
  return withNullInType(tidy) as T
}

/** The bounds of every whole number that JSON can carry, and the regular expression behind a format that says the same. */
function isNoise(key: string, value: unknown, node: object): boolean {
  if (key === 'maximum') return value === Number.MAX_SAFE_INTEGER
  if (key === 'minimum') return value === Number.MIN_SAFE_INTEGER
  return key === 'pattern' && 'format' in node
}

/** `anyOf: [{type: string}, {type: null}]` says at length what `type: [string, null]` says. */
function withNullInType(node: JsonSchema): JsonSchema {
  const [shape, nothing, ...more] = node.anyOf ?? []
  if (!shape || more.length > 0 || nothing?.type !== 'null' || typeof shape.type !== 'string') return node
  if ('enum' in shape || 'const' in shape) return node
  const { anyOf: _, ...rest } = node
  return { ...shape, ...rest, type: [shape.type, 'null'] }
}
