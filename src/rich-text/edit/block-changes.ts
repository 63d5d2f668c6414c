import type { Nodes } from 'mdast'
import { type LeafPair, pairLeaves } from './align'
import { isWord, type Leaf, textOf } from './tokens'

/** How many new blocks behind a kept one are looked at for the words of a deleted one. */
const MAX_NEAR = 8

/** What became of the blocks of a document in its new version, by the numbers of the blocks in both. */
export class BlockChanges {
  readonly pairs: readonly LeafPair[]
  readonly #before: readonly Leaf[]
  readonly #after: readonly Leaf[]
  readonly #moved: ReadonlySet<Nodes>

  constructor(before: readonly Leaf[], after: readonly Leaf[]) {
    this.#before = before
    this.#after = after
    this.pairs = pairLeaves(before, after)
    this.#moved = this.#findMoved()
  }

  /** Whether a block is another kind of block now, or in another item or row. */
  isRewritten(before: number, after: number): boolean {
    return this.#isOfOtherKind(before, after) || this.#after[after]!.path.some((node) => this.#moved.has(node))
  }

  #isOfOtherKind(before: number, after: number): boolean {
    return this.#before[before]!.kind !== this.#after[after]!.kind
  }

  /** The items and rows with a text that was in another one, and those that have texts of it now. */
  #findMoved(): Set<Nodes> {
    const moved = new Set<Nodes>()
    const former = new Map<Nodes, Nodes>()
    for (const { before, after } of this.pairs) {
      if (before === null || after === null || this.#isOfOtherKind(before, after)) continue
      const [old, fresh] = [this.#before[before]!.path, this.#after[after]!.path]
      for (const [level, node] of fresh.entries()) {
        if (node.type !== 'listItem' && node.type !== 'tableRow') continue
        const [a, b] = [former.get(node), former.get(old[level]!)]
        if ((a ?? old[level]) !== old[level] || (b ?? node) !== node) moved.add(node).add(b ?? node)
        former.set(node, old[level]!).set(old[level]!, node)
      }
    }
    return moved
  }

  /** The former block of each new one that has its words: of a heading that was a paragraph, or of a paragraph that was moved. */
  findOrigins({ fresh, gone }: Record<'fresh' | 'gone', readonly LeafPair[]>): Map<Nodes, number> {
    const origins = new Map<Nodes, number>()
    const splits = this.findWholes('after')
    const keyOf = ({ tokens }: Leaf) => JSON.stringify(tokens.map(({ key }) => key))
    const moved = new Map(
      gone.filter(({ after }) => after === null).map(({ before }) => [keyOf(this.#before[before!]!), before!]),
    )
    for (const { before, after } of fresh) {
      const leaf = this.#after[after!]!
      const former = before ?? moved.get(keyOf(leaf)) ?? splits.get(after!)
      if (former !== undefined) origins.set(leaf.path.at(-1)!, former)
    }
    return origins
  }

  /**
   * Of the blocks that only one version has, the nearest one of the other version that has all their words in one run, and had them not
   * before: what a new block was split from, or what a deleted one was joined to.
   */
  findWholes(side: keyof LeafPair): Map<number, number> {
    const other = side === 'before' ? 'after' : 'before'
    const leaves = { before: this.#before, after: this.#after }
    const wordsOf = (pair: LeafPair, version: keyof LeafPair) =>
      pair[version] === null ? '' : ` ${textOf(leaves[version][pair[version]]!.tokens)} `
    const found = new Map<number, number>()
    const look = (ordered: readonly LeafPair[]) => {
      // The nearest block that both versions have, and what only the other one has behind it.
      let near: { whole: number; words: string; former: string }[] = []
      for (const pair of ordered) {
        const [part, whole, words] = [pair[side], pair[other], wordsOf(pair, side)]
        if (whole !== null)
          near = [
            ...(part === null ? near.slice(1 - MAX_NEAR) : []),
            { whole, words: wordsOf(pair, other), former: words },
          ]
        else {
          const one = near.findLast((candidate) => candidate.words.includes(words) && !candidate.former.includes(words))
          if (part !== null && one) found.set(part, one.whole)
        }
      }
    }
    look(this.pairs.toReversed())
    look(this.pairs)
    return found
  }

  /** The blocks that only the former document has, but most of whose words are in others now. */
  findScattered(): number[] {
    const wordsOf = ({ tokens }: Leaf) => tokens.flatMap((token) => (isWord(token) ? [token.key] : []))
    const added = new Map<string, number>()
    const count = (leaf: Leaf, by: number) => {
      for (const word of wordsOf(leaf)) added.set(word, (added.get(word) ?? 0) + by)
    }
    for (const { before, after } of this.pairs) {
      if (after !== null) count(this.#after[after]!, 1)
      if (before !== null && after !== null) count(this.#before[before]!, -1)
    }
    return this.pairs.flatMap(({ before, after }) => {
      if (before === null || after !== null) return []
      const words = wordsOf(this.#before[before]!)
      return words.filter((word) => (added.get(word) ?? 0) > 0).length * 2 > words.length ? [before] : []
    })
  }
}
