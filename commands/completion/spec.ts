import type { NamedKind } from '../../src/names-from-files'

/** What may stand for a value: one of some words, a file, or the name of something that is kept. */
export type ValueSpec = readonly string[] | 'file' | 'prompt' | 'command' | NamedKind | null

export interface FlagSpec {
  /** With its dashes. */
  name: string
  about: string
  /** Undefined for a switch. */
  value?: ValueSpec
  /** Takes one value after the other, up to the next flag. */
  many?: boolean
}

/** A command as far as it must be known to complete it. */
export interface CommandSpec {
  command: string
  summary: string
  /** Values by position; the last one of `many` stands for all that follow. */
  args: readonly { value: ValueSpec; many: boolean }[]
  flags: readonly FlagSpec[]
  /** Of its answer, for `--fields`. */
  fields: readonly string[]
}

/** At build the list is worked out once and put here as text. */
declare const STUDIO_COMMANDS: CommandSpec[] | undefined

export async function loadCommands(): Promise<CommandSpec[]> {
  if (typeof STUDIO_COMMANDS !== 'undefined') return STUDIO_COMMANDS
  return (await import('./derive-spec')).deriveCommands()
}
