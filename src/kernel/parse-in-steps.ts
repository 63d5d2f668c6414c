import * as z from 'zod'
import { isRecord } from './json'

/** A value of fewer values is parsed in one step. */
const LARGE = 500

/**
 * Parses a value as `schema.parse` does, and yields after each small step: the entries of its lists one after the other. The paths of an
 * error begin at the part in which it was found.
 */
export function* parseInSteps(schema: z.ZodType, value: unknown): Generator<void, unknown> {
  if (!isLarge(value)) return schema.parse(value)
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return yield* parseInSteps(schema.unwrap() as z.ZodType, value)
  if (hasChecks(schema)) return schema.parse(value)
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return yield* parseEntries(schema.element as z.ZodType, value)
  if (schema instanceof z.ZodObject && isRecord(value)) return yield* parseFields(schema, value)
  return schema.parse(value)
}

/** Whether parsing the value takes so long that others should get their turn meanwhile. */
export function isLarge(value: unknown): boolean {
  return countValues(value, LARGE) > LARGE
}

/** The values within a value. Stops counting above the limit. */
function countValues(value: unknown, limit: number): number {
  if (typeof value !== 'object' || value === null) return 1
  let count = 1
  for (const part of Array.isArray(value) ? value : Object.values(value)) {
    count += countValues(part, limit - count)
    if (count > limit) break
  }
  return count
}

/** A check of the whole needs the whole. */
function hasChecks(schema: z.ZodType): boolean {
  return (schema.def.checks?.length ?? 0) > 0
}

function* parseEntries(schema: z.ZodType, list: readonly unknown[]): Generator<void, unknown[]> {
  const parsed: unknown[] = []
  for (const entry of list) {
    parsed.push(yield* parseInSteps(schema, entry))
    yield
  }
  return parsed
}

function* parseFields(schema: z.ZodObject, value: Record<string, unknown>): Generator<void, unknown> {
  const large = Object.keys(schema.shape).filter((name) => isLarge(value[name]))
  const parsed = acceptAny(schema, large).parse(value)
  yield
  for (const name of large) parsed[name] = yield* parseInSteps(schema.shape[name] as z.ZodType, value[name])
  return parsed
}

/** Making a schema takes longer than using it. */
const derived = new WeakMap<z.ZodObject, Map<string, z.ZodObject>>()

/** The schema without a condition for the values of these fields. */
function acceptAny(schema: z.ZodObject, names: readonly string[]): z.ZodObject {
  const known = derived.get(schema) ?? new Map<string, z.ZodObject>()
  derived.set(schema, known)
  const key = names.join(' ')
  const made = known.get(key) ?? schema.extend(Object.fromEntries(names.map((name) => [name, z.any()])))
  known.set(key, made)
  return made
}
