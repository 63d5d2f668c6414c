import type { RemovalKind } from '../../../src/sanitize'

/** A typical part of a long text, with the expected result. */
export interface Fragment {
  name: string
  format: 'html' | 'markdown'
  input: string
  /** The complete result. */
  exactly?: string
  keeps?: readonly string[]
  drops?: readonly string[]
  /** All removals, if they matter: kinds and counts. */
  removed?: Partial<Record<RemovalKind, number>>
}
