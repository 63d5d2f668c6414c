import type { Command } from 'commander'
import { loadAllOperations, loadOperation } from '../../src/catalog'
import { commandFor } from '../operation/operation-command'
import type { ManifestEntry } from './invocation'
import { buildStandaloneCommand, standaloneCommands } from './standalone-commands'

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

/** The command of an entry, with its arguments and flags. */
export async function buildCommand({ command, operations }: ManifestEntry): Promise<Command> {
  if (operations.length > 0) return commandFor(await Promise.all(operations.map(loadOperation)))
  return (await buildStandaloneCommand(command)).command
}
