import { StudioError } from '../errors'
import type { JsonSchema } from './json-schema'

/** Where an answer has the selected fields: in the entries of an array, in the object, or in the entries of its only list. */
export type FieldPlace = { kind: 'entries' } | { kind: 'object' } | { kind: 'list'; list: string }

/** `name` is what the caller calls the selection: `--fields`. Throws for a field that an answer of this shape cannot have. */
export function placeOfFields(fields: readonly string[], shape: JsonSchema, name: string): FieldPlace {
  if (shape.items) {
    requireKnown(fields, namesOf(shape.items), name)
    return { kind: 'entries' }
  }
  const own = namesOf(shape)
  const list = soleList(shape)
  if (fields.every((field) => own.includes(field)) || !list) {
    requireKnown(fields, own, name)
    return { kind: 'object' }
  }
  requireKnown(fields, fields.some((field) => own.includes(field)) ? own : list.entryNames, name)
  return { kind: 'list', list: list.name }
}

/** The answer with only these fields. A missing field gets the value `absent`, and is left out if that is undefined. */
export function selectFields(
  answer: unknown,
  fields: readonly string[],
  { place, absent }: { place: FieldPlace; absent: null | undefined },
): unknown {
  const keep = (entry: unknown) => {
    const values = fields.map((field) => [field, (entry as Record<string, unknown>)[field] ?? absent] as const)
    return Object.fromEntries(values.filter(([, value]) => value !== undefined))
  }
  if (place.kind === 'entries') return (answer as unknown[]).map(keep)
  if (place.kind === 'object') return keep(answer)
  const whole = answer as Record<string, unknown>
  return { ...whole, [place.list]: (whole[place.list] as unknown[]).map(keep) }
}

function namesOf(shape: JsonSchema | undefined): string[] {
  return Object.keys(shape?.properties ?? {})
}

function soleList(shape: JsonSchema): { name: string; entryNames: string[] } | null {
  const lists = Object.entries(shape.properties ?? {}).filter(([, property]) => property.items?.properties)
  return lists.length === 1 ? { name: lists[0]![0], entryNames: namesOf(lists[0]![1].items) } : null
}

function requireKnown(fields: readonly string[], valid: readonly string[], name: string): void {
  const unknown = fields.filter((field) => !valid.includes(field))
  if (unknown.length === 0) return
  throw new StudioError('invalid', `${name}: no such field: ${unknown.join(', ')}.`, {
    hint: `Valid fields: ${valid.join(', ')}`,
    details: unknown.map((field) => ({ path: field, message: 'is not a field of the answer' })),
  })
}
