import { createHash } from 'node:crypto'
import type { ItemShape } from '../tracker'

/** The version of an item: its revision, and a digest of the values that change without a new revision. */
export function createShape(rev: number, others: readonly unknown[]): ItemShape {
  return {
    rev,
    relationsFingerprint: createHash('sha256').update(JSON.stringify(others)).digest('hex').slice(0, 16),
  }
}
