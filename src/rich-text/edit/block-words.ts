import type { Nodes, RootContent } from 'mdast'
import { findLostStyles } from './lost-styles'
import {
  applyPatches,
  findBlock,
  ifDecided,
  isInline,
  type Patch,
  type Run,
  type ShownSource,
  Undecided,
} from './shown-source'
import type { Place, SourceFormat } from './source'
import { SourcePieces } from './source-pieces'
import {
  formattingOf,
  isBox,
  isCode,
  isRemovedPart,
  type Leaf,
  markedKeyOf,
  type Token,
  textOf,
  toPhrasing,
} from './tokens'
import { editWords } from './word-edits'

/** Writes the words of single blocks, with what their source has and the document does not show. */
export class BlockWords {
  readonly #shown: ShownSource
  readonly #format: SourceFormat
  readonly #after: readonly Leaf[]
  readonly #pieces: SourcePieces
  /** What the edit takes away, in words. */
  readonly losses = new Set<string>()
  /** Blocks of the new document to which others were joined, which are written there as the source has them, and these others. */
  readonly #joined = new Map<number, { leaf: Leaf; keys: string[] }>()
  readonly #parts = new Set<number>()

  constructor(shown: ShownSource, format: SourceFormat, after: readonly Leaf[]) {
    this.#shown = shown
    this.#format = format
    this.#after = after
    this.#pieces = new SourcePieces(shown.source + after.map(({ path }) => JSON.stringify(path.at(-1))).join(''))
  }

  /** Patches with the source that they keep. Says so if other words are written without the styles that they have there. */
  finish(patches: readonly Patch[]): Patch[] {
    const written = patches.map((patch) => ({ ...patch, text: this.#pieces.remove(patch.text) }))
    for (const word of findLostStyles(this.#shown, written)) this.losses.add(formattingOf(word))
    return patches.map((patch) => ({ ...patch, text: this.#pieces.fill(patch.text) }))
  }

  /** Puts the source of a block in place of its words in the block that it was joined to, if that has all of them with their marks. */
  join(part: number, whole: number): void {
    const former = this.#joined.get(whole)
    const leaf = former?.leaf ?? this.#after[whole]!
    const { tokens, path } = this.#shown.leaves[part]!
    const isCell = (node: Nodes | undefined) => node?.type === 'tableCell'
    if (isCode(leaf) || isCell(leaf.path.at(-1)) !== isCell(path.at(-1))) return
    const [keys, wanted] = [former?.keys ?? leaf.tokens.map(markedKeyOf), tokens.map(markedKeyOf)]
    const at = keys.findIndex((_, index) => wanted.every((key, offset) => keys[index + offset] === key))
    const slice = at < 0 || wanted.length === 0 ? null : ifDecided(() => this.#sliceOf(part, []))
    if (slice === null) return
    const { spaced } = leaf.tokens[at]!
    const piece: Token = { key: this.#pieces.add(slice), spaced, marks: [], isApart: true }
    keys.splice(at, tokens.length, markedKeyOf(piece))
    this.#joined.set(whole, { leaf: { ...leaf, tokens: leaf.tokens.toSpliced(at, tokens.length, piece) }, keys })
    this.#parts.add(part)
  }

  isJoined(before: number): boolean {
    return this.#parts.has(before)
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
      keep: (source) => this.#pieces.add(source),
    })
  }

  /** The patches of a block. If its words cannot be placed one by one, all of them are written, without the formatting that is not shown. */
  edit(before: number, after: number): Patch[] {
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
        this.losses.add(formattingOf(textOf(tokens)))
        return [{ start: block.start, end: block.end, text: this.#format.writeBlock(node, null) }]
      }
      const [box] = tokens
      const start = owned.start + (box && isBox(box) ? 1 : 0)
      const range = this.#contentOf({ start, end: owned.end })
      const text = this.#format.writeInline(toPhrasing(this.#fillRemoved(fresh.tokens, before), []), place)
      this.losses.add(formattingOf(textOf(tokens)))
      return [{ ...range, text }]
    }
  }

  /** Writes a paragraph as a heading, or the other way round, in its place. Null if that place holds more. */
  replaceBlock(before: number, after: number): Patch | null {
    const [old, fresh] = [this.#shown.leaves[before]!, this.#after[after]!]
    const around = ({ kind }: Leaf) => kind.slice(0, Math.max(0, kind.lastIndexOf(' > ')))
    const node = fresh.path.at(-1) as RootContent
    if (old.kind === fresh.kind || around(old) !== around(fresh)) return null
    if (node.type !== 'paragraph' && node.type !== 'heading') return null
    const owned = this.#shown.ownedBy(before)
    const place = this.#findOwnBlock(owned)
    if (place === null) return null
    const range = place.kind === 'item' || place.kind === 'cell' ? place.inner : place
    const words = range && this.#editSlice(before, after)
    if (!range || !words) return null
    const text = this.#format.writeBlock({ ...node, children: words } as RootContent, null)
    return { start: range.start, end: range.end, text }
  }

  /** The element of a block, if that holds nothing else. */
  #findOwnBlock(owned: Run): Place | null {
    const place = owned.end > owned.start ? findBlock(this.#shown.tokens[owned.start]!.place) : null
    const inside = place && this.#shown.tokensIn(place)
    return inside && inside.start === owned.start && inside.end === owned.end ? place : null
  }

  /** The node with the source of what its former block had in place of removed parts. */
  withSource(node: RootContent, origins: ReadonlyMap<Nodes, number>, leafOf: (node: Nodes) => number): RootContent {
    const origin = origins.get(node)
    if (!('children' in node)) return node
    if (origin !== undefined) {
      const after = leafOf(node)
      const words = this.#editSlice(origin, after)
      if (words === null) this.losses.add(formattingOf(textOf(this.#after[after]!.tokens)))
      return {
        ...node,
        children: words ?? toPhrasing(this.#fillRemoved(this.#freshOf(after).tokens, origin), []),
      } as RootContent
    }
    return {
      ...node,
      children: node.children.map((child) => this.withSource(child as RootContent, origins, leafOf)),
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

  /** Says so if an edit takes away what a mark in a block stood for. */
  noteRemoved(before: number, after: number | null): void {
    const count = (tokens: readonly Token[], key: string) => tokens.filter((token) => token.key === key).length
    const fresh = after === null ? [] : this.#after[after]!.tokens
    const old = this.#shown.leaves[before]!.tokens
    for (const token of old)
      if (isRemovedPart(token) && count(fresh, token.key) < count(old, token.key))
        this.losses.add(`what “${token.key}” stood for`)
  }

  /** Words that are joined to those of another block are written anew there: says so if their source has more than the words. */
  noteJoined(before: number): void {
    const owned = this.#shown.ownedBy(before)
    const words = textOf(this.#shown.leaves[before]!.tokens)
    if (owned.end <= owned.start) return
    const start = this.#shown.tokens[owned.start]!.start
    const isMarked = this.#shown.tokens.slice(owned.start, owned.end).some(({ place }) => place && isInline(place))
    if (isMarked || this.#shown.source.slice(start, this.#shown.tokens[owned.end - 1]!.end) !== words.trim())
      this.losses.add(formattingOf(words))
  }

  /** Says so if a deleted block has an image that was not shown. */
  noteImages(leaf: number, { start, end }: Run): void {
    const isShown = (key: string) => this.#shown.leaves[leaf]!.tokens.some((token) => token.key === key)
    for (const { key } of this.#shown.tokens.slice(start, end))
      if (key.startsWith('image ') && !isShown(key)) this.losses.add(`the image ${key.slice('image '.length)}`)
  }
}
