import type { CommandSpec } from './spec'

/** Derived at build and inserted here as JSON text. */
declare const STUDIO_COMMANDS: CommandSpec[] | undefined

export async function loadCommands(): Promise<CommandSpec[]> {
  if (typeof STUDIO_COMMANDS !== 'undefined') return STUDIO_COMMANDS
  return (await import('./derive-spec')).deriveCommands()
}
