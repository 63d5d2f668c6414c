import type { CommandSpec } from './spec'

/** Derived at build and inserted here as JSON. */
declare const STUDIO_COMMANDS: string | undefined

export async function loadCommands(): Promise<CommandSpec[]> {
  return typeof STUDIO_COMMANDS === 'undefined'
    ? (await import('./derive-spec')).deriveCommands()
    : JSON.parse(STUDIO_COMMANDS)
}
