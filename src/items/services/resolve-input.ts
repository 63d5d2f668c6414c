import { isItemIdSchema, REFERENCE_PATTERN } from '../schemas'
import { resolveReference } from './resolve-references'
import type { TrackerWorkspaceContext } from './workspace-context'

/** The part of an operation that says which fields it takes. */
interface OperationInput {
  input: { shape: Readonly<Record<string, unknown>> }
}

/** The input with IDs in place of what people call work items, wherever it takes IDs: `jira:ABC-7`, `#101`. */
export async function resolveInput(op: OperationInput, input: unknown, ctx: TrackerWorkspaceContext): Promise<unknown> {
  const references = findReferences(op, input)
  if (references.length === 0) return input
  const ids = new Map<unknown, number>()
  for (const reference of references) ids.set(reference, await resolveReference(ctx, reference))
  return replaceReferences(op, input, ids)
}

/** What the input calls work items where the operation takes IDs. */
export function findReferences(op: OperationInput, input: unknown): string[] {
  if (typeof input !== 'object' || input === null) return []
  const names = listIdFields(op).flatMap((field) => listNames((input as Record<string, unknown>)[field]))
  return [...new Set(names)]
}

export function replaceReferences(op: OperationInput, input: unknown, ids: ReadonlyMap<unknown, number>): unknown {
  const given = input as Record<string, unknown>
  const toId = (value: unknown) => ids.get(value) ?? value
  const fields = listIdFields(op).filter((field) => listNames(given[field]).length > 0)
  const resolved = fields.map((field) => {
    const value = given[field]
    return [field, Array.isArray(value) ? value.map(toId) : toId(value)]
  })
  return { ...given, ...Object.fromEntries(resolved) }
}

function listIdFields({ input }: OperationInput): string[] {
  return Object.entries(input.shape).flatMap(([field, schema]) =>
    isItemIdSchema(schema as Parameters<typeof isItemIdSchema>[0]) ? [field] : [],
  )
}

/** The values that are no numbers, and may be names. A text that cannot be one is left to the schema. */
function listNames(value: unknown): string[] {
  return [value].flat().filter((entry): entry is string => typeof entry === 'string' && REFERENCE_PATTERN.test(entry))
}
