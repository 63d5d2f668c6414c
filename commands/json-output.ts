import * as z from 'zod'
import { StudioError } from '../src/kernel'
import { terminalSafe } from './terminal-safe'

interface Shape {
  type?: string | string[]
  properties?: Record<string, Shape>
  items?: Shape
}

/** The result as one JSON value; `fields` keeps those of an array's entries, else of the object, else of the entries of its one list. */
export function jsonText(result: unknown, fields: string[] | null, schema: z.ZodType): string {
  return `${terminalSafe(JSON.stringify(fields ? pick(result, fields, schema) : result, null, 2))}\n`
}

/** Throws for a name that the answer cannot have. The names come from the schema, so it can be asked before anything is done. */
export function requireFields(fields: string[], schema: z.ZodType): void {
  placeOf(fields, shapeOf(schema))
}

function shapeOf(schema: z.ZodType): Shape {
  return z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as Shape
}

function pick(result: unknown, fields: string[], schema: z.ZodType): unknown {
  const place = placeOf(fields, shapeOf(schema))
  if (place.kind === 'entries') return (result as unknown[]).map((entry) => keep(entry, fields))
  if (place.kind === 'object') return keep(result, fields)
  const whole = result as Record<string, unknown>
  return { ...whole, [place.list]: (whole[place.list] as unknown[]).map((entry) => keep(entry, fields)) }
}

type Place = { kind: 'entries' } | { kind: 'object' } | { kind: 'list'; list: string }

/** Where in an answer of this shape the fields are. */
function placeOf(fields: string[], shape: Shape): Place {
  if (shape.items) {
    requireKnown(fields, namesOf(shape.items))
    return { kind: 'entries' }
  }
  const own = namesOf(shape)
  const list = soleList(shape)
  if (fields.every((field) => own.includes(field)) || !list) {
    requireKnown(fields, own)
    return { kind: 'object' }
  }
  requireKnown(fields, fields.some((field) => own.includes(field)) ? own : list.entryNames)
  return { kind: 'list', list: list.name }
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
