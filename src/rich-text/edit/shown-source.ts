import type { Root } from 'mdast'
import { alignTokens } from './align'
import type { Place, SourceToken } from './source'
import { type Leaf, listLeaves, type Mark, type Token } from './tokens'

/** A run of characters or of tokens, by their numbers. The end is exclusive. */
export interface Run {
  start: number
  end: number
}

/** A range of the source and what takes its place. */
export interface Patch extends Run {
  text: string
  /** It is put before words that are put at the same place. */
  isBefore?: boolean
}

/** Tokens of a document that have no equal in the source, and what is in the source in their place. */
interface Gap {
  shown: Run
  source: Run
}

/** Thrown if it is not certain what an edit changes in the source. */
export class Undecided extends Error {}

/** What a function returns; null if it meets what is not certain. */
export function ifDecided<T>(run: () => T): T | null {
  try {
    return run()
  } catch (error) {
    if (error instanceof Undecided) return null
    throw error
  }
}

/** A source beside the document that shows it: the tokens of the source that each token and each block of the document shows. */
export class ShownSource {
  readonly source: string
  readonly tokens: readonly SourceToken[]
  readonly leaves: readonly Leaf[]
  /** Decides for the edit where it meets what the document does not show. */
  readonly force: boolean
  readonly #offsets: number[] = []
  readonly #shown: readonly Token[]
  /** The token of the source that each token of the document shows, or -1. */
  readonly #found: readonly number[]
  /** The block that each token of the source belongs to, or -1. */
  readonly owners: Int32Array
  readonly #owned: Run[]
  /** By the number of each token of the document that has no equal in the source. */
  readonly #gaps: ReadonlyMap<number, Gap>
  /** The block of each token of the document. */
  readonly #leafOf: readonly number[]

  constructor(source: string, tokens: readonly SourceToken[], { before, force }: { before: Root; force: boolean }) {
    this.source = source
    this.tokens = tokens
    this.force = force
    this.leaves = listLeaves(before)
    let count = 0
    for (const leaf of this.leaves) {
      this.#offsets.push(count)
      count += leaf.tokens.length
    }
    this.#shown = this.leaves.flatMap((leaf) => leaf.tokens)
    this.#leafOf = this.leaves.flatMap(({ tokens: own }, leaf) => own.map(() => leaf))
    this.#found = alignTokens(this.#shown, tokens)
    this.#gaps = this.#findGaps()
    this.owners = this.#findOwners()
    this.#owned = this.leaves.map(() => ({ start: 0, end: 0 }))
    for (const [token, leaf] of this.owners.entries()) {
      const owned = leaf < 0 ? undefined : this.#owned[leaf]!
      if (owned?.end === 0) owned.start = token
      if (owned) owned.end = token + 1
    }
  }

  /** The number of the first token of a block. */
  firstOf(leaf: number): number {
    return this.#offsets[leaf]!
  }

  /** The tokens of the source that a block shows, from the first to the last. Empty if there are none. */
  ownedBy(leaf: number): Run {
    return this.#owned[leaf]!
  }

  /** The token of the source that a token of the document shows, or -1. */
  foundAt(index: number): number {
    return this.#found[index] ?? -1
  }

  /** Each token between two of one block belongs to that block, and so do those in place of removed parts. */
  #findOwners(): Int32Array {
    const owners = new Int32Array(this.tokens.length).fill(-1)
    for (const [leaf, { tokens }] of this.leaves.entries()) {
      const first = this.#offsets[leaf]!
      const at = tokens.map((_, index) => this.#found[first + index]!).filter((found) => found >= 0)
      for (let token = at[0] ?? 0; token <= (at.at(-1) ?? -1); token++) owners[token] = leaf
    }
    for (const [leaf, { tokens }] of this.leaves.entries()) {
      const first = this.#offsets[leaf]!
      for (let index = 0; index < tokens.length; index++) {
        if (this.#found[first + index]! >= 0) continue
        const gap = this.gapAt(first + index)
        const isAlone = gap.shown.start >= first && gap.shown.end <= first + tokens.length
        if (isAlone) for (let token = gap.source.start; token < gap.source.end; token++) owners[token] = leaf
        index = Math.max(index, gap.shown.end - first - 1)
      }
    }
    return owners
  }

  /** The tokens around one that has no equal in the source, and what is in the source in their place. */
  gapAt(index: number): Gap {
    return this.#gaps.get(index)!
  }

  #findGaps(): Map<number, Gap> {
    const gaps = new Map<number, Gap>()
    for (let start = 0; start < this.#found.length; start++) {
      if (this.#found[start]! >= 0) continue
      let end = start + 1
      while (end < this.#found.length && this.#found[end]! < 0) end++
      const source = { start: (this.#found[start - 1] ?? -1) + 1, end: this.#found[end] ?? this.tokens.length }
      for (const gap of this.#splitGap({ shown: { start, end }, source }))
        for (let index = gap.shown.start; index < gap.shown.end; index++) gaps.set(index, gap)
      start = end
    }
    return gaps
  }

  /** The parts of a gap in its blocks, if the source has as many blocks there as the document. */
  #splitGap(gap: Gap): Gap[] {
    const shown = splitRun(gap.shown, (at) => this.#leafOf[at] === this.#leafOf[at - 1])
    if (shown.length === 1) return [gap]
    const isBreak = (at: number) =>
      this.tokens[at]!.key === '\n' && (this.tokens[at - 1]?.key === '\n' || this.tokens[at + 1]?.key === '\n')
    const blockOf = (at: number) => findBlock(this.tokens[at]!.place)
    const source = splitRun(gap.source, (at) => isBreak(at) === isBreak(at - 1) && blockOf(at) === blockOf(at - 1))
    const blocks = source.filter(({ start }) => !isBreak(start))
    if (blocks.length !== shown.length) return [gap]
    return shown.map((run, index) => ({ shown: run, source: blocks[index]! }))
  }

  /** The blocks whose removed parts are next to those of a block in the source, so that it is not known which is whose, and all these parts. */
  sharedWith(leaf: number): { leaves: number[]; source: Run | null } {
    const first = this.#offsets[leaf]!
    const end = first + this.leaves[leaf]!.tokens.length
    const leaves = new Set<number>()
    const sources: Run[] = []
    for (let index = first; index < end; index++) {
      if (this.#found[index]! >= 0) continue
      const { shown, source } = this.gapAt(index)
      index = shown.end - 1
      if ((shown.start >= first && shown.end <= end) || source.end <= source.start) continue
      for (let at = shown.start; at < shown.end; at++) leaves.add(this.#leafOf[at]!)
      sources.push(source)
    }
    leaves.delete(leaf)
    const [from, to] = [sources[0], sources.at(-1)]
    return { leaves: [...leaves], source: from && to ? { start: from.start, end: to.end } : null }
  }

  /**
   * The tokens of the source that a run of the document replaces. Throws `Undecided` if the run is only a part of what replaces them.
   * What the source has between them and the document does not show is left out.
   */
  sourceOf({ start, end }: Run): number[] {
    const found: number[] = []
    for (let index = start; index < end; index++) {
      const token = this.#found[index]!
      if (token >= 0) {
        found.push(token)
        continue
      }
      const gap = this.gapAt(index)
      if ((gap.shown.start < start || gap.shown.end > end) && !this.force) throw new Undecided()
      for (let at = gap.source.start; at < gap.source.end; at++) found.push(at)
      index = Math.min(gap.shown.end, end) - 1
    }
    return found
  }

  /** The tokens in a place. */
  tokensIn({ start, end }: Run): Run {
    const find = (position: number) => {
      let [low, high] = [0, this.tokens.length]
      while (low < high) {
        const middle = (low + high) >> 1
        if (this.tokens[middle]!.start < position) low = middle + 1
        else high = middle
      }
      return low
    }
    return { start: find(start), end: find(end) }
  }

  /**
   * The marks of a token: those of the source, or those that the document shows. Words in bold that are shown without it, as in a heading
   * that is bold as a whole, have no such mark: what is put beside them is to be like them.
   */
  marksOf(token: number, index: number): readonly Mark[] {
    const shown = this.#shown[index]?.marks ?? []
    const isShown = (mark: Mark) => (mark !== 'strong' && mark !== 'emphasis') || shown.includes(mark)
    return this.tokens[token]?.marks?.filter(isShown) ?? shown
  }

  /** Where a run of tokens is, with the whole of each locked place in it. Throws `Undecided` if the run has only a part of one. */
  rangeOf(run: Run): Run {
    let start = this.tokens[run.start]!.start
    let end = this.tokens[run.end - 1]!.end
    for (let at = run.start; at < run.end; at++) {
      const locked = findLocked(this.tokens[at]!.place)
      if (!locked) continue
      const inside = this.tokensIn(locked)
      if ((inside.start < run.start || inside.end > run.end) && !this.force) throw new Undecided()
      start = Math.min(start, locked.start)
      end = Math.max(end, locked.end)
    }
    return { start, end }
  }

  /** The same with the widest elements in a line that hold nothing else. */
  wholeRangeOf(run: Run): Run {
    let { start, end } = this.rangeOf(run)
    for (const at of [run.start, run.end - 1]) {
      for (let place = this.tokens[at]!.place; place && isInline(place); place = place.parent) {
        const inside = this.tokensIn(place)
        if (inside.start < run.start || inside.end > run.end) break
        start = Math.min(start, place.start)
        end = Math.max(end, place.end)
      }
    }
    return { start, end }
  }

  blankBefore(at: number): number {
    while (at > 0 && /[^\S\n]/.test(this.source[at - 1]!)) at--
    return at
  }

  blankAfter(at: number): number {
    while (at < this.source.length && /[^\S\n]/.test(this.source[at]!)) at++
    return at
  }
}

/** Splits a run where a token does not belong to the one before it. */
function splitRun({ start, end }: Run, belongs: (at: number) => boolean): Run[] {
  const runs: Run[] = []
  for (let at = start; at < end; at++) {
    const last = runs.at(-1)
    if (last && belongs(at)) last.end = at + 1
    else runs.push({ start: at, end: at + 1 })
  }
  return runs
}

export function isInline({ kind }: Place): boolean {
  return kind === 'inline' || kind === 'locked'
}

/** The widest locked place around a place. */
export function findLocked(place: Place | null): Place | null {
  let found: Place | null = null
  for (let one = place; one; one = one.parent) if (one.kind === 'locked') found = one
  return found
}

/** The block, item or cell that a place is in. */
export function findBlock(place: Place | null): Place | null {
  let found = place
  while (found && isInline(found)) found = found.parent
  return found
}

function comparePatches(a: Patch, b: Patch): number {
  return a.start - b.start || Number(b.isBefore ?? false) - Number(a.isBefore ?? false) || a.end - b.end
}

/** Replaces ranges of a part of the source. Of two that overlap, the later one begins where the earlier one ends. */
export function applyPatches(source: string, patches: readonly Patch[], { start: first, end: last }: Run): string {
  const parts: string[] = []
  let from = first
  for (const { start, end, text } of patches.toSorted(comparePatches)) {
    parts.push(source.slice(from, Math.max(from, start)), text)
    from = Math.max(from, end)
  }
  return parts.join('') + source.slice(from, last)
}
