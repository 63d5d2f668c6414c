import type { NamedKind } from '../../src/names-from-files'
import type { Capability } from '../../src/tracker'

/** What a value can be: one of some words, a file, fields of the result, or the name of a stored object. */
export type ValueSpec = readonly string[] | 'file' | 'fields' | 'prompt' | NamedKind | null

export interface FlagSpec {
  /** With its dashes. */
  name: string
  about: string
  /** Undefined for a switch. */
  value?: ValueSpec
  /** Takes several values, up to the next flag. */
  many?: boolean
  /** The capability that a tracker of the settings must have. */
  needs?: Capability
}

/** What completion needs to know about a command. */
export interface CommandSpec {
  command: string
  summary: string
  /** Values by position. The last one applies to all further values if it is `many`. */
  args: readonly { value: ValueSpec; many: boolean }[]
  flags: readonly FlagSpec[]
  /** Fields of its result, for `--fields`. */
  fields: readonly string[]
}
