import type { z } from 'zod'
import { type Field, fieldsOf } from './fields'

/**
 * Turns what came as text (a query string, a flag) into the values that the schema names. What does not read as its type
 * stays text, so that the schema refuses it in its own words.
 */
export function textToValues(schema: z.ZodObject, texts: Record<string, unknown>): Record<string, unknown> {
  const fields = new Map(fieldsOf(schema).map((field) => [field.name, field]))
  const values: Record<string, unknown> = {}
  for (const [name, text] of Object.entries(texts)) {
    const field = fields.get(name)
    values[name] = field ? valueFor(field, text) : text
  }
  return values
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
