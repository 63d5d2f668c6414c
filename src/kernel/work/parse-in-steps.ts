import * as z from 'zod'
import { isRecord } from '../json'

/** A value with fewer objects and list entries is parsed in one step. */
const LARGE = 200
/** The number of entries of a list that one step parses, if they are small. */
const BATCH = 20

/**
 * Parses a value as `schema.parse` does, and yields after each small step: the entries of its lists one after the other. The paths of an
 * error begin at the part in which it was found.
 */
export function* parseInSteps(schema: z.ZodType, value: unknown): Generator<void, unknown> {
  if (!isLarge(value)) return schema.parse(value)
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return yield* parseInSteps(schema.unwrap() as z.ZodType, value)
  if (hasChecks(schema)) return schema.parse(value)
  if (schema instanceof z.ZodArray && Array.isArray(value)) return yield* parseEntries(schema, value)
  if (schema instanceof z.ZodObject && isRecord(value)) return yield* parseFields(schema, value)
  return schema.parse(value)
}

/** Whether parsing the value takes so long that others should get their turn meanwhile. */
export function isLarge(value: unknown): boolean {
  return isObject(value) && countParts(value, LARGE) > LARGE
}

/** The objects and list entries within a value. Stops counting above the limit. */
function countParts(value: object, limit: number): number {
  return Array.isArray(value) ? countInList(value, limit) : countInFields(value, limit)
}

function countInList(list: readonly unknown[], limit: number): number {
  let count = list.length
  for (let i = 0; i < list.length && count <= limit; i++) {
    const part = list[i]
    if (isObject(part)) count += countParts(part, limit - count)
  }
  return count
}

/** Makes no list of the fields, because there may be tens of thousands of objects. */
function countInFields(value: object, limit: number): number {
  let count = 1
  for (const name in value) {
    const part: unknown = value[name as keyof typeof value]
    if (isObject(part)) count += countParts(part, limit - count)
    if (count > limit) break
  }
  return count
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** A check of the whole needs the whole. */
function hasChecks(schema: z.ZodType): boolean {
  return (schema.def.checks?.length ?? 0) > 0
}

function* parseEntries(schema: z.ZodArray, list: readonly unknown[]): Generator<void, unknown[]> {
  const parsed: unknown[] = []
  for (let at = 0; at < list.length; at += BATCH) {
    const batch = list.slice(at, at + BATCH)
    if (isLarge(batch)) {
      for (const entry of batch) parsed.push(yield* parseInSteps(schema.element as z.ZodType, entry))
    } else {
      parsed.push(...schema.parse(batch))
    }
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
