import * as z from 'zod'

export type Json = Record<string, unknown>

export interface JsonSchema extends Json {
  type?: string | string[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  enum?: unknown[]
  default?: unknown
  description?: string
  minimum?: number
  maximum?: number
  format?: string
  pattern?: string
  $defs?: Record<string, JsonSchema>
}

/**
 * The key in the metadata of a schema for a second form that callers may send, as JSON Schema. Something replaces it by the first form
 * before the input is checked.
 */
export const SECOND_FORM = 'x-second-form'

/** The key in the metadata of a schema for what people call it in a form. It is no part of the described API. */
export const LABEL = 'x-label'

/** A zod schema as JSON Schema (2020-12), in the form that a person would write. */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema
  return tidied(plain, io)
}

function tidied<T>(node: T, io: 'input' | 'output'): T {
  if (Array.isArray(node)) return node.map((entry) => tidied(entry, io)) as T
  if (typeof node !== 'object' || node === null) return node
  const tidy = Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) => !isNoise(key, value, node, io))
      .map(([key, value]) => [key, key === 'default' || key === 'examples' ? value : tidied(value, io)]),
  )
  return withNullInType(withSecondForm(tidy, io)) as T
}

/**
 * A label is for forms. A `pattern` beside a `format` of the same meaning is redundant. In an answer the bounds of safe integers are too; in an input they are
 * checked, so they are shown.
 */
function isNoise(key: string, value: unknown, node: object, io: 'input' | 'output'): boolean {
  if (key === LABEL) return true
  if (key === 'pattern') return 'format' in node
  if (io === 'input') return false
  return (
    (key === 'maximum' && value === Number.MAX_SAFE_INTEGER) || (key === 'minimum' && value === Number.MIN_SAFE_INTEGER)
  )
}

/** Writes the second form of an input as an alternative. An answer has only the first form. */
function withSecondForm(node: JsonSchema, io: 'input' | 'output'): JsonSchema {
  const { [SECOND_FORM]: second, ...first } = node
  if (second === undefined || io === 'output') return first
  const { description, ...form } = first
  return { anyOf: [form, second as JsonSchema], ...(description === undefined ? {} : { description }) }
}

/** Writes `anyOf: [{type: string}, {type: null}]` as `type: [string, null]`. */
function withNullInType(node: JsonSchema): JsonSchema {
  const [shape, nothing, ...more] = node.anyOf ?? []
  if (!shape || more.length > 0 || nothing?.type !== 'null' || typeof shape.type !== 'string') return node
  if ('enum' in shape || 'const' in shape) return node
  const { anyOf: _, ...rest } = node
  return { ...shape, ...rest, type: [shape.type, 'null'] }
}
