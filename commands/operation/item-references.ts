import { findReferences, replaceReferences } from '../../src/items/services/resolve-input'
import type { AnyOperation } from '../../src/kernel'
import type { RunOther } from './command-parts'

/** Replaces references such as `#101` and `ABC-7` by IDs before the input is completed, shown and asked about. */
export async function resolveItemReferences(
  op: AnyOperation,
  input: Record<string, unknown>,
  run: RunOther,
): Promise<Record<string, unknown>> {
  const references = findReferences(op, input)
  if (references.length === 0) return input
  const { items } = (await run('items.resolve', { references })) as { items: { reference: string; id: number }[] }
  const ids = new Map(items.map(({ reference, id }) => [reference, id]))
  return replaceReferences(op, input, ids) as Record<string, unknown>
}
