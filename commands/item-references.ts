import { isItemIdSchema } from '../src/items/schemas'
import type { AnyOperation } from '../src/kernel'
import type { RunOther } from './command-parts'

/** Replaces what people call work items by their IDs, wherever the input takes IDs: `jira:ABC-7`, `#101`. */
export async function resolveItemReferences(
  op: AnyOperation,
  input: Record<string, unknown>,
  run: RunOther,
): Promise<Record<string, unknown>> {
  const fields = Object.entries(op.input.shape)
    .filter(
      ([name, schema]) =>
        isItemIdSchema(schema as Parameters<typeof isItemIdSchema>[0]) && listNames(input[name]).length > 0,
    )
    .map(([name]) => name)
  const references = [...new Set(fields.flatMap((name) => listNames(input[name])))]
  if (references.length === 0) return input
  const { items } = (await run('items.resolve', { references })) as { items: { reference: string; id: number }[] }
  const ids = new Map(items.map(({ reference, id }) => [reference, id]))
  const toId = (value: unknown) => ids.get(String(value)) ?? value
  const resolved = fields.map((name) => {
    const value = input[name]
    return [name, Array.isArray(value) ? value.map(toId) : toId(value)]
  })
  return { ...input, ...Object.fromEntries(resolved) }
}

/** The values that are no numbers, and may be names. A text that cannot be one is left to the schema. */
function listNames(value: unknown): string[] {
  return [value].flat().filter((entry): entry is string => typeof entry === 'string' && /[#:]|\w-\d/.test(entry))
}
