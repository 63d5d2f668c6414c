import * as z from 'zod'
import { mapValues } from './json'
import type { JsonSchema } from './json-schema'
import { MAX_BODY_BYTES } from './storable-text'

/** A field of an operation's input, with what a surface needs to offer it. */
export interface Field {
  name: string
  type: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object'
  /** The type of an array's entries. */
  itemType: Field['type'] | null
  choices: string[] | null
  /** The most characters of a text, or of each text in a list; null if there is no limit but that of a body. */
  maxLength: number | null
  required: boolean
  default: unknown
  about: string
}

const known = new WeakMap<z.ZodObject, Field[]>()

export function fieldsOf(schema: z.ZodObject): Field[] {
  const cached = known.get(schema)
  if (cached) return cached
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  const required = new Set(json.required)
  const fields = Object.entries(json.properties ?? {}).map(([name, property]) =>
    fieldOf(name, property, required.has(name)),
  )
  known.set(schema, fields)
  return fields
}

function fieldOf(name: string, property: JsonSchema, required: boolean): Field {
  const shape = present(property)
  const choices = (shape.enum ?? shape.items?.enum)?.filter((choice) => choice !== null).map(String) ?? null
  return {
    name,
    type: typeOf(shape),
    itemType: shape.items ? typeOf(present(shape.items)) : null,
    choices,
    maxLength: lengthOf(shape.items ? present(shape.items) : shape),
    required,
    default: property.default,
    about: property.description ?? shape.description ?? '',
  }
}

function lengthOf({ maxLength }: JsonSchema): number | null {
  return typeof maxLength === 'number' && maxLength < MAX_BODY_BYTES ? maxLength : null
}

/** The schema of the value without `null`, which means an absent value and is not a type to offer. */
function present(schema: JsonSchema): JsonSchema {
  return schema.anyOf?.find((option) => option.type !== 'null') ?? schema
}

function typeOf(schema: JsonSchema): Field['type'] {
  const type = Array.isArray(schema.type) ? schema.type.find((option) => option !== 'null') : schema.type
  return (type ?? 'string') as Field['type']
}

/**
 * Converts texts (a query string, a flag) to the types of the schema. A text that cannot be converted stays text, so that the schema
 * rejects it with its own message.
 */
export function textToValues(schema: z.ZodObject, texts: Record<string, unknown>): Record<string, unknown> {
  const fields = new Map(fieldsOf(schema).map((field) => [field.name, field]))
  return mapValues(texts, (text, name) => {
    const field = fields.get(name)
    return field ? valueFor(field, text) : text
  })
}

function valueFor(field: Field, text: unknown): unknown {
  if (field.type !== 'array') return scalar(field.type, text)
  const entries = Array.isArray(text) ? text : [text]
  return entries.map((entry) => scalar(field.itemType ?? 'string', entry))
}

function scalar(type: Field['type'], text: unknown): unknown {
  if (typeof text !== 'string') return text
  if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(text.trim())) return Number(text)
  if (type === 'boolean' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  return text
}
