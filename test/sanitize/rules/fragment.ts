import type { RemovalKind } from '../../../src/sanitize'

/** A piece of a long text as it is met with, and what must and must not be left of it. */
export interface Fragment {
  name: string
  format: 'html' | 'markdown'
  input: string
  /** The whole result. */
  exactly?: string
  keeps?: readonly string[]
  drops?: readonly string[]
  /** All that is taken out, where it matters: kinds and counts. */
  removed?: Partial<Record<RemovalKind, number>>
}
