import * as z from 'zod'
import type { ErrorCode } from '../../kernel'
import { isItemIdSchema, REFERENCE_PATTERN } from '../schemas'
import { TRACKER_ERRORS, type TrackerWorkspaceContext } from './workspace-context'

type Shape = Readonly<Record<string, unknown>>

/** The part of an operation that says which fields it takes. */
interface OperationInput {
  input: { shape: Shape }
}

/** The input with IDs in place of references of work items, wherever it takes IDs: `jira:ABC-7`, `#101`. */
export async function resolveInput(op: OperationInput, input: unknown, ctx: TrackerWorkspaceContext): Promise<unknown> {
  if (!acceptsReferences(op)) return input
  const references = findReferences(op, input)
  if (references.length === 0) return input
  // Most calls name no item, and do not load it.
  const { resolveReference } = await import('./resolve-references')
  const ids = new Map<string, number>()
  for (const reference of references) ids.set(reference, await resolveReference(ctx, reference))
  return replaceReferences(op, input, ids)
}

/** Whether the operation takes IDs, also inside of a filter, so that its caller may send references. */
export function acceptsReferences({ input: { shape } }: OperationInput): boolean {
  const known = accepting.get(shape)
  if (known !== undefined) return known
  const accepts = hasItemIds(shape)
  accepting.set(shape, accepts)
  return accepts
}

/** By the shape of the input. Every call asks. */
const accepting = new WeakMap<Shape, boolean>()

function hasItemIds(shape: Shape): boolean {
  return Object.values(shape).some((field) => {
    const schema = field as z.ZodType
    const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema
    return isItemIdSchema(schema) || (inner instanceof z.ZodObject && hasItemIds(inner.shape))
  })
}

/** The errors of a call with a reference that no cached item has: its tracker is asked. */
export const REFERENCE_ERRORS: readonly ErrorCode[] = ['not_found', 'conflict', ...TRACKER_ERRORS]

/** What the input calls work items where the operation takes IDs. */
export function findReferences(op: OperationInput, input: unknown): string[] {
  const names = new Set<string>()
  replaceNames(op.input.shape, input, (name) => names.add(name))
  return [...names]
}

export function replaceReferences(op: OperationInput, input: unknown, ids: ReadonlyMap<string, number>): unknown {
  return replaceNames(op.input.shape, input, (name) => ids.get(name) ?? name)
}

/** The names in all fields that take IDs, also in those of a filter in the input. A text that cannot be a name is left to the schema. */
function replaceNames(shape: Shape, input: unknown, replace: (name: string) => unknown): unknown {
  if (typeof input !== 'object' || input === null) return input
  const replaced = Object.entries(input).map(([field, value]) => {
    const schema = Object.hasOwn(shape, field) ? (shape[field] as z.ZodType) : null
    if (schema === null) return [field, value]
    if (isItemIdSchema(schema)) return [field, replaceValue(value, replace)]
    const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema
    return [field, inner instanceof z.ZodObject ? replaceNames(inner.shape, value, replace) : value]
  })
  return Object.fromEntries(replaced)
}

function replaceValue(value: unknown, replace: (name: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => replaceValue(entry, replace))
  if (typeof value !== 'string' || !REFERENCE_PATTERN.test(value)) return value
  // A criterion of a filter has several names in one text.
  const parts = value.split(',').map((part) => (REFERENCE_PATTERN.test(part) ? replace(part.trim()) : part))
  return parts.length === 1 ? parts[0] : parts.join(',')
}
