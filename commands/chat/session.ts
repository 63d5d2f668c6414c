import type { Target } from '../../src/assistant'
import type { StudioContext } from '../../src/studio-context'
import type { Invocation } from '../start/invocation'
import type { Colors } from '../terminal/layout'
import { writeMessage } from '../terminal/write-message'

export interface StoryRef {
  kind: 'draft' | 'item'
  id: number
}

/** A story as a person names it: an item also by its reference. */
export interface StoryName {
  kind: StoryRef['kind']
  id: number | string
}

export interface Turn {
  role: 'user' | 'assistant'
  content: string
}

export interface Session {
  invocation: Invocation
  colors: Colors
  /** The context of one call, which ends with `signal`. */
  context(signal?: AbortSignal, progress?: (label: string) => void): StudioContext
  story: StoryRef | null
  /** The template that the conversation began with. */
  prompt: { id: string; target: Target; variables: Record<string, string> } | null
  model: string | null
  turns: Turn[]
}

/** Prints text that is not part of an answer. */
export function writeNotice({ invocation }: Pick<Session, 'invocation'>, text: string): void {
  if (!invocation.flags.quiet) writeMessage(invocation.terminal, text)
}

export function getLastAnswer({ turns }: Session): string | null {
  return turns.findLast(({ role }) => role === 'assistant')?.content ?? null
}
