import { type AnyOperation, givesPages, inputError, pageOf, StudioError } from '../kernel'
import { placeOfFields, selectFields } from '../kernel/input/answer-fields'
import type { JsonSchema } from '../kernel/input/json-schema'
import { isRecord, mapValues, omitFields } from '../kernel/json'
import { isEmpty } from './is-empty'
import { detailFields } from './topics'

/** Entries of a list by default. */
export const DEFAULT_LIMIT = 20
export const MAX_ENTRIES = 200

/** Characters of an answer: as much as a model can read at once. */
const MAX_CHARACTERS = 60_000

/** The part of an answer that the caller requests. */
export interface Wanted {
  limit: number
  cursor: string | null
  fields: readonly string[] | null
  /** Whether a list is wanted as structured content and not as text. */
  isStructured: boolean
}

export interface Bounded {
  result: unknown
  total: number | null
  nextCursor: string | null
  cut: { path: string; total: number; shown: number }[]
  /** Fields that were removed from the entries of the list. */
  omitted: readonly string[]
}

/** Separates the arguments about the answer from the input. An argument that is also a field of the operation stays in `input`. */
export function takeWanted(
  args: Record<string, unknown>,
  shape: JsonSchema,
): { wanted: Wanted; input: Record<string, unknown> } {
  const isOwn = (name: string) => shape.properties?.[name] !== undefined
  const { limit, cursor, fields, structured, ...rest } = args
  const input = {
    ...rest,
    ...(isOwn('limit') && limit !== undefined ? { limit } : {}),
    ...(isOwn('cursor') && cursor !== undefined ? { cursor } : {}),
    ...(isOwn('fields') && fields !== undefined ? { fields } : {}),
  }
  const wanted = {
    limit: limit === undefined ? DEFAULT_LIMIT : limitOf(limit),
    cursor: isOwn('cursor') || cursor === undefined ? null : String(cursor),
    fields: isOwn('fields') || fields === undefined ? null : fieldsOf(fields),
    isStructured: structured === true,
  }
  return { wanted, input }
}

function limitOf(limit: unknown): number {
  if (Number.isInteger(limit) && Number(limit) >= 1 && Number(limit) <= MAX_ENTRIES) return Number(limit)
  throw inputError([{ path: 'limit', message: `must be a whole number from 1 to ${MAX_ENTRIES}` }])
}

function fieldsOf(fields: unknown): string[] {
  if (Array.isArray(fields) && fields.length > 0 && fields.every((field) => typeof field === 'string')) return fields
  throw inputError([{ path: 'fields', message: 'must be a list of names' }])
}

/** The answer with its lists cut at the limit; `cut` names them. Throws if it is still too long for a model. */
export function bounded(
  answer: unknown,
  { wanted, op, input, shape }: { wanted: Wanted; op: AnyOperation; input: unknown; shape: JsonSchema },
): Bounded {
  const page =
    Array.isArray(answer) && givesPages(op)
      ? pageOf({ op, input, source: 'an answer gave as nextCursor' }, answer, wanted)
      : null
  const part = page?.entries ?? answer
  const omitted = wanted.fields ? [] : (detailFields[op.id] ?? [])
  const selected = wanted.fields
    ? selectFields(part, wanted.fields, { place: placeOfFields(wanted.fields, shape, 'fields'), absent: undefined })
    : summarized(part, omitted)
  const cut: Bounded['cut'] = []
  const result = Array.isArray(selected)
    ? selected.map((entry, i) => shorter(entry, `result.${i}`, { wanted, cut }))
    : shorter(selected, 'result', { wanted, cut })
  const whole = {
    result: withoutEmptyFields(result),
    total: page?.total ?? null,
    nextCursor: page?.nextCursor ?? null,
    cut,
    omitted,
  }
  const characters = JSON.stringify(whole).length
  if (characters > MAX_CHARACTERS) throw tooMuch(characters, shape)
  return whole
}

/** The answer without the fields of entries of lists that are null or empty. They would be repeated for each entry. */
function withoutEmptyFields(node: unknown, isEntry = false): unknown {
  if (Array.isArray(node)) return node.map((entry) => withoutEmptyFields(entry, true))
  if (!isRecord(node)) return node
  const fields = Object.entries(node).filter(([, value]) => !isEntry || !isEmpty(value))
  return Object.fromEntries(fields.map(([name, value]) => [name, withoutEmptyFields(value, isEntry)]))
}

/** The answer without these fields in the entries of its list, or of each list in it. */
function summarized(answer: unknown, omitted: readonly string[]): unknown {
  if (omitted.length === 0) return answer
  if (Array.isArray(answer)) return answer.map((entry) => omitFields(entry, omitted))
  const fields = answer as Record<string, unknown>
  return mapValues(fields, (value) => (Array.isArray(value) ? summarized(value, omitted) : value))
}

/** Lists of numbers and words are not cut, because they are short and a part of them would be another answer. */
function shorter(node: unknown, path: string, { wanted, cut }: { wanted: Wanted; cut: Bounded['cut'] }): unknown {
  if (Array.isArray(node)) {
    const isPlain = node.every((entry) => typeof entry !== 'object' || entry === null)
    const shown = isPlain ? node : node.slice(0, wanted.limit)
    if (shown.length < node.length) cut.push({ path, total: node.length, shown: shown.length })
    return shown.map((entry, i) => shorter(entry, `${path}.${i}`, { wanted, cut }))
  }
  if (!isRecord(node)) return node
  return mapValues(node, (value, name) => shorter(value, `${path}.${name}`, { wanted, cut }))
}

function tooMuch(characters: number, shape: JsonSchema): StudioError {
  const names = Object.keys((shape.items ?? shape).properties ?? {})
  return new StudioError('invalid', `The answer has ${characters} characters; at most ${MAX_CHARACTERS} are given.`, {
    hint: `Request less: a smaller limit, or only some of these fields: ${names.join(', ')}.`,
  })
}
