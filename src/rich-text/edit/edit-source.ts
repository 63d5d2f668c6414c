import type { Nodes, Root, RootContent } from 'mdast'
import { type LeafPair, pairLeaves } from './align'
import { LineEnds } from './line-ends'
import { findPlaceBeside, PARTS } from './place-beside'
import { applyPatches, findBlock, isInline, type Patch, type Run, ShownSource, Undecided } from './shown-source'
import type { Place, SourceFormat, SourceToken } from './source'
import { SourcePieces } from './source-pieces'
import {
  isBox,
  isCode,
  isRemovedPart,
  type Leaf,
  listLeaves,
  markedKeyOf,
  type Token,
  textOf,
  toPhrasing,
} from './tokens'
import { editWords } from './word-edits'

export interface TextEdit {
  source: string
  format: SourceFormat
  /** The document as it was shown: a clean copy lacks what was removed from it. */
  before: Root
  /** The same document after a person has changed it. */
  after: Root
}

export interface EditedSource {
  source: string
  /** Blocks of the new document that cannot be written without a decision, because the edit meets what was removed from the copy. */
  undecided: string[]
  /** What the edit takes away that the document did not show, in words. */
  losses: string[]
  /** All of it is written anew, because nothing is known of its places. */
  isRewritten?: boolean
}

/**
 * Makes the change between two versions of a document in the source that they were read from. What was not changed stays as it is written,
 * character by character. Where a part was removed from the document and the edit is beside it, the part stays.
 * @param force decides for the edit wherever it meets what was removed
 */
export function editSource(edit: TextEdit, { force = false } = {}): EditedSource {
  try {
    const lines = new LineEnds(edit.source)
    const tokens = edit.format.read(lines.text)
    if (tokens === null || tokens.length === 0) return rewriteAll(edit)
    const { patches, undecided, losses } = new SourceEditor({ ...edit, source: lines.text }, tokens, force).edit()
    return { source: lines.apply(patches), undecided, losses }
  } catch (error) {
    // Elements in elements of a thousand levels exhaust the stack.
    if (error instanceof RangeError) return rewriteAll(edit)
    throw error
  }
}

/** Of what is not shown, nothing can be kept. */
function rewriteAll({ after, format, source }: TextEdit): EditedSource {
  const written = after.children.map((node) => format.writeBlock(node, null)).join(format.separator)
  const losses = source.trim() === '' ? [] : ['the formatting of the whole text']
  return { source: written, undecided: [], losses, isRewritten: true }
}

class SourceEditor {
  readonly #shown: ShownSource
  readonly #format: SourceFormat
  readonly #root: Root
  readonly #after: readonly Leaf[]
  /** The blocks of the new document in each of its nodes. */
  readonly #leavesOf = new Map<Nodes, Run>()
  readonly #patches: Patch[] = []
  readonly #undecided: string[] = []
  readonly #losses = new Set<string>()
  readonly #pieces: SourcePieces
  /** The blocks of the former document that the new one has not. */
  readonly #gone = new Set<number>()
  /** For each token of the source, whether it is deleted with its block. */
  #isDeleted = new Uint8Array()
  /** By the block of the new document that they were joined to: the blocks of the former one that are written there as the source has them. */
  readonly #joined = new Map<number, { leaf: Leaf; parts: Set<number> }>()

  constructor({ source, format, before, after }: TextEdit, tokens: readonly SourceToken[], force: boolean) {
    this.#shown = new ShownSource(source, tokens, { before, force })
    this.#format = format
    this.#root = after
    this.#after = listLeaves(after)
    for (const [index, { path }] of this.#after.entries())
      for (const node of path) {
        const run = this.#leavesOf.get(node)
        if (run) run.end = index + 1
        else this.#leavesOf.set(node, { start: index, end: index + 1 })
      }
    this.#pieces = new SourcePieces(source + this.#after.map(({ tokens }) => textOf(tokens)).join(''))
  }

  edit(): Omit<EditedSource, 'source'> & { patches: Patch[] } {
    const pairs = pairLeaves(this.#shown.leaves, this.#after)
    const moved = this.#findMoved(pairs)
    const joints = this.#findWholes(pairs, 'before')
    for (const [part, whole] of joints) this.#join(part, whole)
    const deleted = new Set(pairs.flatMap(({ before, after }) => (before !== null && after === null ? [before] : [])))
    const kept = new Map<Nodes, number>()
    const gone: LeafPair[] = []
    const fresh: LeafPair[] = []
    for (const pair of pairs) {
      const { before, after } = pair
      const isRewritten = before !== null && after !== null && this.#isRewritten(before, after, moved)
      if (before !== null && after !== null && (!isRewritten || this.#replaceBlock(before, after))) {
        if (!isRewritten) this.#tryTo(after, () => this.#patches.push(...this.#editOrRewrite(before, after)))
        kept.set(this.#after[after]!.path.at(-1)!, before)
        continue
      }
      if (before !== null && after === null && this.#isHeldByAnother(before, deleted)) {
        this.#undecided.push(textOf(this.#shown.leaves[before]!.tokens))
        continue
      }
      if (before !== null) gone.push(pair)
      if (before !== null && after === null) this.#gone.add(before)
      if (after !== null) fresh.push(pair)
    }
    const deletedAt = this.#delete(gone)
    if (fresh.length > 0) this.#insert({ kept, origins: this.#findOrigins({ pairs, fresh, gone }), deletedAt })
    for (const { before, after } of pairs)
      if (before !== null) this.#noteRemoved(before, after ?? (this.#isJoined(before) ? joints.get(before)! : null))
    for (const before of joints.keys()) if (!this.#isJoined(before)) this.#noteJoined(before)
    const patches = this.#patches.map((patch) => ({ ...patch, text: this.#pieces.fill(patch.text) }))
    return { patches, undecided: this.#undecided, losses: [...this.#losses] }
  }

  /** Whether deleting a block would leave a piece of what was removed from it, which nothing would recognize without its words. */
  #isHeldByAnother(before: number, deleted: ReadonlySet<number>): boolean {
    return !this.#shown.force && this.#shown.sharedWith(before).leaves.some((leaf) => !deleted.has(leaf))
  }

  #tryTo(after: number, change: () => void): void {
    try {
      change()
    } catch (error) {
      if (!(error instanceof Undecided)) throw error
      this.#undecided.push(textOf(this.#after[after]!.tokens))
    }
  }

  #isRewritten(before: number, after: number, moved: ReadonlySet<Nodes>): boolean {
    const { kind, path } = this.#after[after]!
    return this.#shown.leaves[before]!.kind !== kind || path.some((node) => moved.has(node))
  }

  /** The items and rows with a text that was in another one, and those that have texts of it now. */
  #findMoved(pairs: readonly LeafPair[]): Set<Nodes> {
    const moved = new Set<Nodes>()
    const former = new Map<Nodes, Nodes>()
    for (const { before, after } of pairs) {
      if (before === null || after === null || this.#isRewritten(before, after, new Set())) continue
      const [old, fresh] = [this.#shown.leaves[before]!.path, this.#after[after]!.path]
      for (const [level, node] of fresh.entries()) {
        if (node.type !== 'listItem' && node.type !== 'tableRow') continue
        const [a, b] = [former.get(node), former.get(old[level]!)]
        if ((a ?? old[level]) !== old[level] || (b ?? node) !== node) moved.add(node).add(b ?? node)
        former.set(node, old[level]!).set(old[level]!, node)
      }
    }
    return moved
  }

  /** Puts the source of a block in place of its words in the block that it was joined to, if that has all of them with their marks. */
  #join(part: number, whole: number): void {
    const leaf = this.#joined.get(whole)?.leaf ?? this.#after[whole]!
    const { tokens, path } = this.#shown.leaves[part]!
    const isCell = (node: Nodes | undefined) => node?.type === 'tableCell'
    if (isCode(leaf) || isCell(leaf.path.at(-1)) !== isCell(path.at(-1))) return
    const [keys, wanted] = [leaf.tokens.map(markedKeyOf), tokens.map(markedKeyOf)]
    const at = keys.findIndex((_, index) => wanted.every((key, offset) => keys[index + offset] === key))
    const slice = at < 0 || wanted.length === 0 ? null : ifDecided(() => this.#sliceOf(part, []))
    if (slice === null) return
    const { spaced } = leaf.tokens[at]!
    const joined = leaf.tokens.toSpliced(at, tokens.length, {
      ...{ key: this.#pieces.add(slice), spaced, marks: [], isApart: true },
    })
    const parts = this.#joined.get(whole)?.parts ?? new Set()
    this.#joined.set(whole, { leaf: { ...leaf, tokens: joined }, parts: parts.add(part) })
  }

  #isJoined(before: number): boolean {
    return [...this.#joined.values()].some(({ parts }) => parts.has(before))
  }

  /** A block of the new document, as it is written. */
  #freshOf(after: number): Leaf {
    return this.#joined.get(after)?.leaf ?? this.#after[after]!
  }

  #editWords(before: number, after: number, isWithoutBox = false): Patch[] {
    const [old, fresh] = [this.#shown.leaves[before]!, this.#freshOf(after)].map((leaf) =>
      isWithoutBox && leaf.tokens[0] && isBox(leaf.tokens[0]) ? { ...leaf, tokens: leaf.tokens.slice(1) } : leaf,
    )
    const skipped = this.#shown.leaves[before]!.tokens.length - old!.tokens.length
    return editWords(this.#shown, this.#format, {
      old: old!,
      fresh: fresh!,
      first: this.#shown.firstOf(before) + skipped,
    })
  }

  /** The patches of a block. If its words cannot be placed one by one, all of them are written, without the formatting that is not shown. */
  #editOrRewrite(before: number, after: number): Patch[] {
    try {
      return this.#editWords(before, after)
    } catch (error) {
      const { tokens, path, kind } = this.#after[after]!
      const fresh = this.#freshOf(after)
      const owned = this.#shown.ownedBy(before)
      const place = this.#shown.tokens[owned.start]?.place ?? null
      if (!(error instanceof Undecided) || owned.end === owned.start || place?.isHtml) throw error
      const node = path.at(-1) as RootContent
      if (node.type === 'code') {
        // In a list or quote, the lines of the block have what is before each line there.
        const block = this.#shown.force && !kind.includes(' > ') ? this.#findOwnBlock(owned) : null
        if (block === null || block.kind === 'item' || block.kind === 'cell') throw error
        this.#losses.add(`formatting of “${textOf(tokens)}”`)
        return [{ start: block.start, end: block.end, text: this.#format.writeBlock(node, null) }]
      }
      const [box] = tokens
      const start = owned.start + (box && isBox(box) ? 1 : 0)
      const range = this.#contentOf({ start, end: owned.end })
      const text = this.#format.writeInline(toPhrasing(this.#fillRemoved(fresh.tokens, before), []), place)
      this.#losses.add(`formatting of “${textOf(tokens)}”`)
      return [{ ...range, text }]
    }
  }

  /** Writes a paragraph as a heading, or the other way round, in its place. Returns false if that place holds more. */
  #replaceBlock(before: number, after: number): boolean {
    const [old, fresh] = [this.#shown.leaves[before]!, this.#after[after]!]
    const around = ({ kind }: Leaf) => kind.slice(0, Math.max(0, kind.lastIndexOf(' > ')))
    const node = fresh.path.at(-1) as RootContent
    if (old.kind === fresh.kind || around(old) !== around(fresh)) return false
    if (node.type !== 'paragraph' && node.type !== 'heading') return false
    const owned = this.#shown.ownedBy(before)
    const place = this.#findOwnBlock(owned)
    if (place === null) return false
    const range = place.kind === 'item' || place.kind === 'cell' ? place.inner : place
    const words = range && this.#editSlice(before, after)
    if (!range || !words) return false
    const text = this.#format.writeBlock({ ...node, children: words } as RootContent, null)
    this.#patches.push({ start: range.start, end: range.end, text })
    return true
  }

  /** The element of a block, if that holds nothing else. */
  #findOwnBlock(owned: Run): Place | null {
    const place = owned.end > owned.start ? findBlock(this.#shown.tokens[owned.start]!.place) : null
    const inside = place && this.#shown.tokensIn(place)
    return inside && inside.start === owned.start && inside.end === owned.end ? place : null
  }

  /** Says so if an edit takes away what a mark in a block stood for. */
  #noteRemoved(before: number, after: number | null): void {
    const count = (tokens: readonly Token[], key: string) => tokens.filter((token) => token.key === key).length
    const fresh = after === null ? [] : this.#after[after]!.tokens
    const old = this.#shown.leaves[before]!.tokens
    for (const token of old)
      if (isRemovedPart(token) && count(fresh, token.key) < count(old, token.key))
        this.#losses.add(`what “${token.key}” stood for`)
  }

  /** Deletes blocks with the elements that hold nothing else. Returns where each was. */
  #delete(gone: readonly LeafPair[]): Map<number, Deletion> {
    const { tokens, owners } = this.#shown
    const deletedAt = new Map<number, Deletion>()
    // An indent that no block shows goes with what it is before.
    const isGone = Uint8Array.from(tokens, ({ key }, token) => Number(key.trim() === '' && owners[token]! < 0))
    const runs = gone
      .map(({ before, after }) => ({
        leaf: before!,
        owned: this.#wholeOf(before!),
        isRewritten: after !== null,
      }))
      .filter(({ owned }) => owned.end > owned.start)
    for (const { owned } of runs) isGone.fill(1, owned.start, owned.end)
    const goneBefore = new Int32Array(isGone.length + 1)
    for (const [token, own] of isGone.entries()) goneBefore[token + 1] = goneBefore[token]! + own
    this.#isDeleted = isGone
    const isAllGone = (place: Place) => {
      const { start, end } = this.#shown.tokensIn(place)
      return goneBefore[end]! - goneBefore[start]! === end - start
    }
    for (const { leaf, owned, isRewritten } of runs) {
      let start = tokens[owned.start]!.start
      let end = tokens[owned.end - 1]!.end
      let parent: Place | null = null
      for (const token of [owned.end - 1, owned.start])
        for (parent = tokens[token]!.place; parent && isAllGone(parent); parent = parent.parent) {
          if (parent.isUnbalanced) continue
          start = Math.min(start, parent.start)
          end = Math.max(end, parent.end)
        }
      deletedAt.set(leaf, { at: start, parent })
      if (!isRewritten && !this.#isJoined(leaf)) this.#noteImages(leaf, owned)
      const range = this.#format.widenBlock(this.#shown.source, { start, end })
      const text = this.#isBetweenBlocks(range, isGone) ? (this.#format.paragraphBreak ?? '') : ''
      this.#patches.push({ ...range, text })
    }
    return deletedAt
  }

  /** The tokens of a deleted block, with those that it shares with others that are deleted too. */
  #wholeOf(leaf: number): Run {
    const owned = this.#shown.ownedBy(leaf)
    const { leaves, source } = this.#shown.sharedWith(leaf)
    if (!source || !(this.#shown.force || leaves.every((other) => this.#gone.has(other)))) return owned
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

  #noteImages(leaf: number, { start, end }: Run): void {
    const isShown = (key: string) => this.#shown.leaves[leaf]!.tokens.some((token) => token.key === key)
    for (const { key } of this.#shown.tokens.slice(start, end))
      if (key.startsWith('image ') && !isShown(key)) this.#losses.add(`the image ${key.slice('image '.length)}`)
  }

  /** The former block of each new one that has its words: of a heading that was a paragraph, or of a paragraph that was moved. */
  #findOrigins({ pairs, fresh, gone }: Record<'pairs' | 'fresh' | 'gone', readonly LeafPair[]>): Map<Nodes, number> {
    const origins = new Map<Nodes, number>()
    const splits = this.#findWholes(pairs, 'after')
    const keyOf = ({ tokens }: Leaf) => JSON.stringify(tokens.map(({ key }) => key))
    const moved = new Map(
      gone.filter(({ after }) => after === null).map(({ before }) => [keyOf(this.#shown.leaves[before!]!), before!]),
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
  #findWholes(pairs: readonly LeafPair[], side: keyof LeafPair): Map<number, number> {
    const other = side === 'before' ? 'after' : 'before'
    const leaves = { before: this.#shown.leaves, after: this.#after }
    const wordsOf = (pair: LeafPair, version: keyof LeafPair) =>
      pair[version] === null ? '' : ` ${textOf(leaves[version][pair[version]]!.tokens)} `
    const found = new Map<number, number>()
    const look = (ordered: readonly LeafPair[]) => {
      // The nearest block that both versions have, and what only the other one has behind it.
      let near: { whole: number; words: string; former: string }[] = []
      for (const pair of ordered) {
        const [part, whole, words] = [pair[side], pair[other], wordsOf(pair, side)]
        if (whole !== null)
          near = [...(part === null ? near : []), { whole, words: wordsOf(pair, other), former: words }]
        else {
          const one = near.findLast((candidate) => candidate.words.includes(words) && !candidate.former.includes(words))
          if (part !== null && one) found.set(part, one.whole)
        }
      }
    }
    look(pairs.toReversed())
    look(pairs)
    return found
  }

  /** Words that are joined to those of another block are written anew there: says so if their source has more than the words. */
  #noteJoined(before: number): void {
    const owned = this.#shown.ownedBy(before)
    const words = textOf(this.#shown.leaves[before]!.tokens)
    if (owned.end <= owned.start) return
    const start = this.#shown.tokens[owned.start]!.start
    const isMarked = this.#shown.tokens.slice(owned.start, owned.end).some(({ place }) => place && isInline(place))
    if (isMarked || this.#shown.source.slice(start, this.#shown.tokens[owned.end - 1]!.end) !== words.trim())
      this.#losses.add(`formatting of “${words}”`)
  }

  /** Inserts each node whose blocks are all new, beside a sibling that is not. */
  #insert({ kept, origins, deletedAt }: Insertion): void {
    const isNew = (node: Nodes): boolean =>
      !kept.has(node) &&
      (!('children' in node) || this.#isLeaf(node) || (node.children.length > 0 && node.children.every(isNew)))
    /** Where blocks were put that have nothing beside them. */
    const alone = new Set<number>()
    const walk = (parent: Nodes): void => {
      if (!('children' in parent) || this.#isLeaf(parent)) return
      const siblings = parent.children as Nodes[]
      for (const [index, child] of siblings.entries()) {
        if (!isNew(child)) {
          walk(child)
          continue
        }
        const leaf = this.#leavesOf.get(child)?.start
        if (leaf === undefined) continue
        const origin = origins.get(this.#after[leaf]!.path.at(-1)!)
        this.#tryTo(leaf, () => {
          const node = this.#withSource(child as RootContent, origins)
          const near = siblings.slice(0, index).findLast((one) => !isNew(one))
          const next = near === undefined ? siblings.slice(index).find((one) => !isNew(one)) : undefined
          const side = near === undefined ? 'before' : 'after'
          const found = this.#findPlace(near ?? next, side, kept)
          const isEnd = side === 'after' && parent === this.#root && siblings.slice(index).every(isNew)
          const place = found && isEnd ? this.#afterSection(found) : found
          if (place) {
            const own = side === 'after' ? place.end : (place.outer ?? place).start
            const at = this.#format.isTagged ? this.#placeOfDeleted(own, { place, child, deletedAt }) : own
            const text = this.#format.writeBlock(node, { place, source: this.#shown.source, side })
            this.#patches.push({ start: at, end: at, text, isBefore: side === 'before' })
            return
          }
          // A part of a list or a table is nothing by itself.
          if (child.type in PARTS) throw new Undecided()
          const { length } = this.#shown.source
          const at =
            (origin === undefined ? undefined : deletedAt.get(origin)?.at) ?? [...deletedAt.values()][0]?.at ?? length
          const lead = (at === length && at > 0) || alone.has(at) ? this.#format.separator : ''
          alone.add(at)
          this.#patches.push({ start: at, end: at, text: `${lead}${this.#format.writeBlock(node, null)}` })
        })
      }
    }
    walk(this.#root)
  }

  /** Where a block was deleted between a place and what is kept, so that a new block takes the place of a deleted one. */
  #placeOfDeleted(
    own: number,
    { place, child, deletedAt }: { place: Place; child: Nodes; deletedAt: ReadonlyMap<number, Deletion> },
  ): number {
    const around = listPlaces(place.parent)
    const isBlock = !(child.type in PARTS)
    for (const { at, parent } of deletedAt.values()) {
      const isBeside =
        parent === place.parent || (isBlock && (parent === null || (holdsBlocks(parent) && around.includes(parent))))
      const { start, end } = this.#shown.tokensIn({ start: Math.min(at, own), end: Math.max(at, own) })
      if (isBeside && this.#isDeleted.subarray(start, end).every(Boolean)) return at
    }
    return own
  }

  /** What is added at the end of a text is not in the section with a title that ends there. */
  #afterSection(place: Place): Place {
    const { parent } = place
    if (parent === null) return place
    const { start, end } = this.#shown.tokensIn(parent)
    const isSection = listPlaces(this.#shown.tokens[start]!.place).some(({ outer }) => outer === parent)
    return isSection && end === this.#shown.tokens.length ? parent : place
  }

  #findPlace(node: Nodes | undefined, side: 'before' | 'after', kept: ReadonlyMap<Nodes, number>): Place | null {
    if (node === undefined) return null
    const { start, end } = this.#leavesOf.get(node)!
    const leaves = this.#after.slice(start, end).flatMap(({ path }) => {
      const before = kept.get(path.at(-1)!)
      return before === undefined ? [] : [{ path, before }]
    })
    return findPlaceBeside(this.#shown, { node, leaves, side, gone: this.#gone })
  }

  #isLeaf(node: Nodes): boolean {
    const run = this.#leavesOf.get(node)
    return run !== undefined && this.#after[run.start]!.path.at(-1) === node
  }

  /** The node with the source of what its former block had in place of removed parts. */
  #withSource(node: RootContent, origins: ReadonlyMap<Nodes, number>): RootContent {
    const origin = origins.get(node)
    if (!('children' in node)) return node
    if (origin !== undefined) {
      const after = this.#leavesOf.get(node)!.start
      const words = this.#editSlice(origin, after)
      if (words === null) this.#losses.add(`formatting of “${textOf(this.#after[after]!.tokens)}”`)
      return {
        ...node,
        children: words ?? toPhrasing(this.#fillRemoved(this.#after[after]!.tokens, origin), []),
      } as RootContent
    }
    return {
      ...node,
      children: node.children.map((child) => this.#withSource(child as RootContent, origins)),
    } as RootContent
  }

  /** The words of a block as the source has them, with the edit. Null if they cannot be taken out of their lines. */
  #editSlice(before: number, after: number): RootContent[] | null {
    const words = ifDecided(() => this.#sliceOf(before, this.#editWords(before, after, true)))
    return words === null ? null : [{ type: 'text', value: this.#pieces.add(words) }]
  }

  /** The source of the words of a block with patches, in one line. Null if they cannot be taken out of their lines. */
  #sliceOf(before: number, patches: readonly Patch[]): string | null {
    const owned = this.#shown.ownedBy(before)
    const [first] = this.#shown.leaves[before]!.tokens
    const run = { start: owned.start + (first && isBox(first) ? 1 : 0), end: owned.end }
    if (run.end <= run.start || this.#shown.tokens[run.start]!.place?.isHtml) return null
    const range = this.#contentOf(run)
    if (patches.some(({ start, end }) => start < range.start || end > range.end)) return null
    return this.#format.joinLines(applyPatches(this.#shown.source, patches, range))
  }

  /** Where the words of a block are, with what is around them in its element if that holds nothing else. */
  #contentOf(run: Run): Run {
    const range = this.#shown.wholeRangeOf(run)
    const place = findBlock(this.#shown.tokens[run.start]!.place)
    if (!place?.inner) return range
    const inside = this.#shown.tokensIn(place)
    if (inside.end !== run.end || inside.start < run.start - 1) return range
    return { start: inside.start === run.start ? place.inner.start : range.start, end: place.inner.end }
  }

  #fillRemoved(tokens: readonly Token[], origin: number): Token[] {
    const first = this.#shown.firstOf(origin)
    const removed = this.#shown.leaves[origin]!.tokens.flatMap((token, index) =>
      isRemovedPart(token) ? [{ key: token.key, index: first + index }] : [],
    )
    return tokens.flatMap((token) => {
      if (isBox(token)) return []
      const at = isRemovedPart(token) ? removed.findIndex(({ key }) => key === token.key) : -1
      const [part] = at < 0 ? [] : removed.splice(at, 1)
      const found = part ? this.#shown.sourceOf({ start: part.index, end: part.index + 1 }) : []
      if (found.length === 0) return [token]
      const { start, end } = this.#shown.rangeOf({ start: found[0]!, end: found.at(-1)! + 1 })
      return [{ ...token, key: this.#pieces.add(this.#shown.source.slice(start, end)) }]
    })
  }
}

/** What a function returns; null if it meets what is not certain. */
function ifDecided<T>(run: () => T): T | null {
  try {
    return run()
  } catch (error) {
    if (error instanceof Undecided) return null
    throw error
  }
}

function holdsBlocks({ kind }: Place): boolean {
  return kind === 'block' || kind === 'item' || kind === 'cell'
}

/** Where a block was, and what it was in. */
interface Deletion {
  at: number
  parent: Place | null
}

/** A place with those around it, from the innermost. */
function listPlaces(place: Place | null): Place[] {
  return place === null ? [] : [place, ...listPlaces(place.parent)]
}

interface Insertion {
  /** The former blocks of those that are not new. */
  kept: ReadonlyMap<Nodes, number>
  /** The former blocks of new ones. */
  origins: ReadonlyMap<Nodes, number>
  deletedAt: ReadonlyMap<number, Deletion>
}
