import * as z from 'zod'
import { isRecord, mapValues } from '../json'
import { parsePairs } from '../text/pairs'
import { MAX_BODY_BYTES } from '../text/storable-text'
import { type JsonSchema, LABEL } from './json-schema'

/** A field of an operation's input, with what a surface needs to offer it. */
export interface Field {
  name: string
  type: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object'
  /** The type of an array's entries. */
  itemType: Field['type'] | null
  choices: string[] | null
  /** Whether a null is a value of it, or removes one. */
  nullable: boolean
  /** The JSON Schema of the value, or of each entry of a list, without null. */
  shape: JsonSchema
  /** What people call it in a form, with its unit; null if its name or its description says that. */
  label: string | null
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
  const fields = fieldsIn(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema)
  known.set(schema, fields)
  return fields
}

/** The field at a path, such as `queues.0.start` for a field of the first entry of a list. */
export function fieldAt(schema: z.ZodObject, path: string): Field | undefined {
  const [first, ...rest] = path.split('.').filter((key) => !/^\d+$/.test(key))
  const top = fieldsOf(schema).find(({ name }) => name === first)
  return rest.reduce<Field | undefined>(
    (field, key) =>
      field &&
      (isRecordField(field)
        ? fieldOf(key, field.shape['additionalProperties'] as JsonSchema, false)
        : fieldsIn(field.shape).find(({ name }) => name === key)),
    top,
  )
}

function fieldsIn({ properties = {}, required = [] }: JsonSchema): Field[] {
  return Object.entries(properties).map(([name, property]) => fieldOf(name, property, required.includes(name)))
}

function fieldOf(name: string, property: JsonSchema, required: boolean): Field {
  const value = present(property)
  const shape = value.items ? present(value.items) : value
  return {
    name,
    type: typeOf(value),
    itemType: value.items ? typeOf(shape) : null,
    choices: shape.enum?.filter((choice) => choice !== null).map(String) ?? null,
    nullable: [...(property.anyOf ?? []), property].some(({ type }) => [type].flat().includes('null')),
    shape,
    label: (property[LABEL] as string | undefined) ?? null,
    maxLength: lengthOf(shape),
    required,
    default: property.default,
    about: property.description ?? value.description ?? '',
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
  if (isRecordField(field)) return parseRecord(text)
  if (field.type !== 'array' || text === null) return scalar(field.type, text)
  const entries = Array.isArray(text) ? text : [text]
  return entries.map((entry) => scalar(field.itemType ?? 'string', entry))
}

/** Whether it has values by names that the schema does not know. */
export function isRecordField({ type, shape }: Field): boolean {
  return type === 'object' && typeof shape['additionalProperties'] === 'object'
}

/** An empty value of a pair removes one. Another text stays, so that the schema rejects it. */
function parseRecord(given: unknown): unknown {
  const texts = [given].flat()
  return (texts.every((text) => typeof text === 'string') && parsePairs(texts)) || given
}

function scalar(type: Field['type'], text: unknown): unknown {
  if (typeof text !== 'string') return text
  if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(text.trim())) return Number(text)
  if (type === 'boolean' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  return text
}

/**
 * Converts the fields of a form. What is empty is null, so that a value is removed, or missing if it cannot be null; boxes of which none
 * is checked are an empty list. Words with spaces between them are a list.
 */
export function formToValues(schema: z.ZodObject, form: Record<string, unknown>): Record<string, unknown> {
  return readFields(fieldsOf(schema), form)
}

function readFields(fields: readonly Field[], form: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(form).map(([name, given]) => {
    const field = fields.find((known) => known.name === name)
    return [name, field ? readValue(field, given) : given === '' ? undefined : given] as const
  })
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

function readValue(field: Field, given: unknown): unknown {
  if (typeof given === 'string' && given.trim() === '')
    return field.nullable ? null : field.type === 'array' && field.choices ? [] : undefined
  if (typeof given === 'string' && isWords(field)) return given.trim().split(/\s+/)
  if (isRecord(given) && isRecordField(field)) return mapValues(given, (value) => (value === '' ? null : value))
  if (isRecord(given) && field.type === 'object') return readFields(fieldsIn(field.shape), given)
  if (!Array.isArray(given)) return valueFor(field, given)
  const entries = given.filter((entry) => entry !== '')
  if (entries.length === 0 && field.nullable) return null
  return entries.map((entry) =>
    isRecord(entry) ? readFields(fieldsIn(field.shape), entry) : scalar(field.itemType ?? 'string', entry),
  )
}

/** Whether the entries of a list have no spaces. */
function isWords(field: Field): boolean {
  return field.type === 'array' && !matchesPattern(field, 'a b')
}

/** Whether a text, or an entry of a list, has the form that the schema requires; true if it requires none. */
export function matchesPattern({ shape: { pattern } }: Field, text: string): boolean {
  return pattern === undefined || new RegExp(pattern).test(text)
}
