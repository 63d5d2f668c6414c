import * as z from 'zod'
import { StudioError } from '../src/kernel'

interface Shape {
  type?: string | string[]
  properties?: Record<string, Shape>
  items?: Shape
}

/** The result as one JSON value; `fields` keeps those of an array's entries, else of the object, else of the entries of its one list. */
export function jsonText(result: unknown, fields: string[] | null, schema: z.ZodType): string {
  return `${JSON.stringify(fields ? pick(result, fields, shapeOf(schema)) : result, null, 2)}\n`
}

/** The valid names come from the schema, so that an empty answer still tells a wrong name. */
function shapeOf(schema: z.ZodType): Shape {
  return z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as Shape
}

function pick(result: unknown, fields: string[], shape: Shape): unknown {
  if (Array.isArray(result)) {
    requireKnown(fields, namesOf(shape.items))
    return result.map((entry) => keep(entry, fields))
  }
  const own = namesOf(shape)
  if (fields.every((field) => own.includes(field))) return keep(result, fields)
  const list = soleList(shape)
  if (!list) return requireKnown(fields, own)
  requireKnown(fields, list.entryNames)
  const whole = result as Record<string, unknown>
  return { ...whole, [list.name]: (whole[list.name] as unknown[]).map((entry) => keep(entry, fields)) }
}

function namesOf(shape: Shape | undefined): string[] {
  return Object.keys(shape?.properties ?? {})
}

function soleList(shape: Shape): { name: string; entryNames: string[] } | null {
  const lists = Object.entries(shape.properties ?? {}).filter(([, property]) => property.items?.properties)
  return lists.length === 1 ? { name: lists[0]![0], entryNames: namesOf(lists[0]![1].items) } : null
}

function keep(entry: unknown, fields: string[]): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field, (entry as Record<string, unknown>)[field] ?? null]))
}

function requireKnown(fields: string[], valid: string[]): void {
  const unknown = fields.filter((field) => !valid.includes(field))
  if (unknown.length === 0) return
  throw new StudioError('invalid', `--fields: no such field: ${unknown.join(', ')}.`, {
    hint: `Valid fields: ${valid.join(', ')}`,
    details: unknown.map((field) => ({ path: field, message: 'is not a field of the answer' })),
  })
}
