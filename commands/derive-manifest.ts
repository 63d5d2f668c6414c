import { loadAllOperations } from '../src/catalog'
import type { ManifestEntry } from './invocation'
import { standaloneCommands } from './standalone-commands'

/** The manifest out of the catalog and the commands that are not operations. */
export async function deriveManifest(): Promise<ManifestEntry[]> {
  const entries = new Map<string, ManifestEntry>()
  for (const op of await loadAllOperations()) {
    if (!op.cli) continue
    const entry = entries.get(op.cli.command)
    if (!entry) entries.set(op.cli.command, { command: op.cli.command, summary: op.summary, operations: [op.id] })
    else entry.operations.push(op.id)
  }
  for (const [command, { summary }] of Object.entries(standaloneCommands))
    entries.set(command, { command, summary, operations: [] })
  return [...entries.values()]
}
