import type { LeafPair } from './align'
import { findBlock, type Patch, type Run, type ShownSource } from './shown-source'
import type { Place, SourceFormat } from './source'

/** Where a block was, and what it was in. */
export interface Deletion {
  at: number
  parent: Place | null
}

/** Deletes blocks of the source, with the elements that hold nothing else. */
export class BlockDeletions {
  readonly #shown: ShownSource
  readonly #format: SourceFormat
  /** The blocks of the former document that the new one has not. */
  readonly gone: ReadonlySet<number>
  readonly patches: Patch[] = []
  /** By the number of the block. */
  readonly places = new Map<number, Deletion>()
  /** By the first token of the source that is deleted, and by the one behind the last. */
  readonly #edges = { after: new Map<number, Deletion>(), before: new Map<number, Deletion>() }

  /** @param deleted the blocks that are deleted; those with a new version are written elsewhere. */
  constructor(shown: ShownSource, format: SourceFormat, deleted: readonly LeafPair[]) {
    this.#shown = shown
    this.#format = format
    this.gone = new Set(deleted.flatMap(({ before, after }) => (before !== null && after === null ? [before] : [])))
    this.#delete(deleted)
  }

  /** The deletion right behind or before a position: what takes the place of a deleted block is written there. */
  besideOf(position: number, side: 'before' | 'after'): Deletion | undefined {
    return this.#edges[side].get(this.#shown.tokensIn({ start: position, end: position }).start)
  }

  #delete(deleted: readonly LeafPair[]): void {
    const { tokens, owners } = this.#shown
    // An indent that no block shows goes with what it is before.
    const isGone = Uint8Array.from(tokens, ({ key }, token) => Number(key.trim() === '' && owners[token]! < 0))
    const runs = deleted
      .map(({ before }) => ({ leaf: before!, owned: this.wholeOf(before!) }))
      .filter(({ owned }) => owned.end > owned.start)
    for (const { owned } of runs) isGone.fill(1, owned.start, owned.end)
    const goneBefore = new Int32Array(isGone.length + 1)
    for (const [token, own] of isGone.entries()) goneBefore[token + 1] = goneBefore[token]! + own
    const isAllGone = (place: Place) => {
      const { start, end } = this.#shown.tokensIn(place)
      return goneBefore[end]! - goneBefore[start]! === end - start
    }
    for (const { leaf, owned } of runs) {
      let start = tokens[owned.start]!.start
      let end = tokens[owned.end - 1]!.end
      let parent: Place | null = null
      for (const token of [owned.end - 1, owned.start])
        for (parent = tokens[token]!.place; parent && isAllGone(parent); parent = parent.parent) {
          if (parent.isUnbalanced) continue
          start = Math.min(start, parent.start)
          end = Math.max(end, parent.end)
        }
      const deletion = { at: start, parent }
      this.places.set(leaf, deletion)
      this.#edges.after.set(owned.start, deletion)
      this.#edges.before.set(owned.end, deletion)
      const range = this.#format.widenBlock(this.#shown.source, { start, end })
      const text = this.#isBetweenBlocks(range, isGone) ? (this.#format.paragraphBreak ?? '') : ''
      this.patches.push({ ...range, text })
    }
  }

  /** The tokens of a deleted block, with those that it shares with others that are deleted too. */
  wholeOf(leaf: number): Run {
    const owned = this.#shown.ownedBy(leaf)
    const { leaves, source } = this.#shown.sharedWith(leaf)
    if (!source || !(this.#shown.force || leaves.every((other) => this.gone.has(other)))) return owned
    if (owned.end <= owned.start) return source
    return { start: Math.min(owned.start, source.start), end: Math.max(owned.end, source.end) }
  }

  /** Whether a range is all that separates two blocks, because both are text in the same element. */
  #isBetweenBlocks(range: Run, isGone: Uint8Array): boolean {
    const { tokens, owners } = this.#shown
    const { start, end: next } = this.#shown.tokensIn(range)
    let former = start - 1
    while (isGone[former]) former--
    if (former < 0 || next >= tokens.length || isGone[next]) return false
    if (owners[former]! < 0 || owners[next]! < 0 || owners[former] === owners[next]) return false
    return findBlock(tokens[former]!.place) === findBlock(tokens[next]!.place)
  }
}
