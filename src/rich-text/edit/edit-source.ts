import { diffArrays } from 'diff'
import type { Nodes, Root, RootContent } from 'mdast'
import { alignTokens, type LeafPair, pairLeaves } from './align'
import type { Place, SourceFormat, SourceToken } from './source'
import { BOXES, isRemovedPart, type Leaf, listLeaves, type Mark, type Token, toPhrasing } from './tokens'

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
}

/**
 * Makes the change between two versions of a document in the source that they were read from. What was not changed stays as it is written,
 * character by character. Where a part was removed from the document and the edit is beside it, the part stays.
 * @param force decides for the edit wherever it meets what was removed
 */
export function editSource(edit: TextEdit, { force = false } = {}): EditedSource {
  const tokens = edit.format.read(edit.source)
  if (tokens === null || tokens.length === 0) return rewriteAll(edit, tokens === null)
  const editor = new SourceEditor(edit, tokens, force)
  return editor.apply()
}

function rewriteAll({ after, format, source }: TextEdit, isUnreadable: boolean): EditedSource {
  const written = after.children.map((node) => format.writeBlock(node, null)).join(format.separator)
  const losses = isUnreadable && source.trim() !== '' ? ['the formatting of the whole text'] : []
  return { source: written, undecided: [], losses }
}

/** A run of tokens, by their numbers. The end is exclusive. */
interface Run {
  start: number
  end: number
}

interface Patch extends Run {
  text: string
}

class Undecided extends Error {}

class SourceEditor {
  readonly #source: string
  readonly #format: SourceFormat
  readonly #tokens: readonly SourceToken[]
  readonly #force: boolean
  readonly #before: readonly Leaf[]
  readonly #after: readonly Leaf[]
  readonly #afterRoot: Root
  /** The number of the first token of each block of the former document. */
  readonly #offsets: number[] = []
  readonly #shown: Token[]
  /** The token of the source that each token of the former document shows, or -1. */
  readonly #found: number[]
  /** The block of the former document that each token of the source belongs to, or -1. */
  readonly #owners: Int32Array
  readonly #patches: Patch[] = []
  readonly #undecided: string[] = []
  readonly #losses: string[] = []
  /** What stands for pieces of the source in new text until it is written. */
  readonly #pieces: string[] = []

  constructor({ source, format, before, after }: TextEdit, tokens: readonly SourceToken[], force: boolean) {
    this.#source = source
    this.#format = format
    this.#tokens = tokens
    this.#force = force
    this.#before = listLeaves(before)
    this.#after = listLeaves(after)
    this.#afterRoot = after
    this.#shown = this.#before.flatMap((leaf) => {
      this.#offsets.push((this.#offsets.at(-1) ?? 0) + (this.#before[this.#offsets.length - 1]?.tokens.length ?? 0))
      return leaf.tokens
    })
    this.#found = alignTokens(this.#shown, tokens)
    this.#owners = this.#findOwners()
  }

  apply(): EditedSource {
    const pairs = pairLeaves(this.#before, this.#after)
    const moved = this.#findMoved(pairs)
    const isRewritten = ({ before, after }: LeafPair) =>
      before !== null &&
      after !== null &&
      !replaced.has(after) &&
      (this.#before[before]!.kind !== this.#after[after]!.kind ||
        this.#after[after]!.path.some((node) => moved.has(node)))
    const replaced = new Set<number>()
    for (const pair of pairs) {
      if (pair.before === null || pair.after === null) continue
      if (!isRewritten(pair)) this.#tryTo(this.#after[pair.after]!, () => this.#editLeaf(pair.before!, pair.after!))
      else if (this.#replaceLeaf(pair.before, pair.after)) replaced.add(pair.after)
    }
    const gone = pairs.filter((pair) => pair.before !== null && (pair.after === null || isRewritten(pair)))
    const fresh = pairs.filter((pair) => pair.after !== null && (pair.before === null || isRewritten(pair)))
    const deletedAt = this.#delete(gone)
    this.#insert(fresh, gone, pairs, deletedAt)
    return { source: this.#write(), undecided: this.#undecided, losses: [...new Set(this.#losses)] }
  }

  /** The items and rows with a text that was in another one, with texts that are elsewhere now. */
  #findMoved(pairs: readonly LeafPair[]): Set<Nodes> {
    const moved = new Set<Nodes>()
    const former = new Map<Nodes, Nodes>()
    for (const { before, after } of pairs) {
      if (before === null || after === null || this.#before[before]!.kind !== this.#after[after]!.kind) continue
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

  /** Writes a paragraph as a heading, or the other way round, in its place. Returns false if that place holds more. */
  #replaceLeaf(before: number, after: number): boolean {
    const [old, fresh] = [this.#before[before]!, this.#after[after]!]
    const around = ({ kind }: Leaf) => kind.slice(0, Math.max(0, kind.lastIndexOf(' > ')))
    const node = fresh.path.at(-1) as RootContent
    if (
      old.kind === fresh.kind ||
      around(old) !== around(fresh) ||
      (node.type !== 'paragraph' && node.type !== 'heading')
    )
      return false
    const owned = this.#ownedBy(before)
    let place = owned.end > owned.start ? this.#tokens[owned.start]!.place : null
    while (place && isInline(place)) place = place.parent
    const inside = place && this.#tokensIn(place)
    if (!place || inside!.start !== owned.start || inside!.end !== owned.end) return false
    const slice = this.#editSlice(before, after)
    if (slice === null) return false
    const isPart = place.kind === 'item' || place.kind === 'cell'
    const range = isPart ? place.inner : place
    if (!range) return false
    this.#patches.push({
      start: range.start,
      end: range.end,
      text: this.#format.writeBlock({ ...node, children: slice } as RootContent, null),
    })
    return true
  }

  #tryTo(leaf: Leaf, change: () => void): void {
    const count = this.#patches.length
    try {
      change()
    } catch (error) {
      if (!(error instanceof Undecided)) throw error
      this.#patches.length = count
      this.#undecided.push(textOf(leaf.tokens))
    }
  }

  /** Each token between two of one block belongs to that block, and so do those in place of removed parts. */
  #findOwners(): Int32Array {
    const owners = new Int32Array(this.#tokens.length).fill(-1)
    for (const [leaf, { tokens }] of this.#before.entries()) {
      const first = this.#offsets[leaf]!
      const at = tokens.map((_, index) => this.#found[first + index]!).filter((found) => found >= 0)
      for (let token = at[0] ?? 0; token <= (at.at(-1) ?? -1); token++) owners[token] = leaf
    }
    for (const [leaf, { tokens }] of this.#before.entries()) {
      const first = this.#offsets[leaf]!
      for (let index = 0; index < tokens.length; index++) {
        if (this.#found[first + index]! >= 0) continue
        const gap = this.#gapAt(first + index)
        const isAlone = gap.shown.start >= first && gap.shown.end <= first + tokens.length
        if (isAlone) for (let token = gap.source.start; token < gap.source.end; token++) owners[token] = leaf
        index = Math.max(index, gap.shown.end - first - 1)
      }
    }
    return owners
  }

  /** The tokens around one that has no equal in the source, and what is in the source in their place. */
  #gapAt(index: number): { shown: Run; source: Run } {
    let [start, end] = [index, index + 1]
    while (start > 0 && this.#found[start - 1]! < 0) start--
    while (end < this.#found.length && this.#found[end]! < 0) end++
    return {
      shown: { start, end },
      source: { start: (this.#found[start - 1] ?? -1) + 1, end: this.#found[end] ?? this.#tokens.length },
    }
  }

  /** The tokens of the source that a run of shown ones stands for. Throws if the run is only a part of what stands for them. */
  #sourceOf({ start, end }: Run): Run {
    const edge = (at: number, isEnd: boolean): number => {
      const index = isEnd ? at - 1 : at
      const found = this.#found[index]!
      if (found >= 0) return isEnd ? found + 1 : found
      const gap = this.#gapAt(index)
      const isWhole = isEnd ? gap.shown.end <= end : gap.shown.start >= start
      if (!isWhole && !this.#force) throw new Undecided()
      return isEnd ? gap.source.end : gap.source.start
    }
    return { start: edge(start, false), end: Math.max(edge(start, false), edge(end, true)) }
  }

  /** @param skipped how many tokens at the beginning of either are left as they are */
  #editLeaf(before: number, after: number, ...skipped: (number | undefined)[]): void {
    const [skippedOld = 0, skippedFresh = 0] = skipped
    const [old, fresh] = [
      withoutFirst(this.#before[before]!, skippedOld),
      withoutFirst(this.#after[after]!, skippedFresh),
    ]
    const first = this.#offsets[before]! + skippedOld
    const isSame = (a: Token, b: Token) =>
      a.key === b.key && String([...a.marks].sort()) === String([...b.marks].sort())
    let [i, k] = [0, 0]
    const changed = { removed: 0, added: 0 }
    const close = () => {
      const [j, l] = [i + changed.removed, k + changed.added]
      if (j > i || l > k)
        this.#replace({ old, fresh, first, removed: { start: i, end: j }, added: { start: k, end: l } })
      i = j
      k = l
      changed.removed = changed.added = 0
    }
    for (const { added, removed, count = 0 } of diffArrays(old.tokens, fresh.tokens, { comparator: isSame })) {
      if (added) changed.added += count
      else if (removed) changed.removed += count
      else {
        close()
        for (let at = 0; at < count; at++)
          this.#keepSpace(first + i + at, fresh.tokens[k + at]!, old.tokens[i + at]!, at)
        i += count
        k += count
      }
    }
    close()
  }

  /** Two words that were joined or separated, inside of what is otherwise the same. */
  #keepSpace(index: number, fresh: Token, old: Token, at: number): void {
    if (at === 0 || fresh.spaced === old.spaced) return
    const [before, found] = [this.#found[index - 1] ?? -1, this.#found[index]!]
    if (before < 0 || found < 0) throw new Undecided()
    const [start, end] = [this.#tokens[before]!.end, this.#tokens[found]!.start]
    if (fresh.spaced) this.#patches.push({ start: end, end, text: ' ' })
    else if (this.#source.slice(start, end).trim() === '') this.#patches.push({ start, end, text: '' })
    else throw new Undecided()
  }

  #replace(change: { old: Leaf; fresh: Leaf; first: number; removed: Run; added: Run }): void {
    const { old, fresh, first, removed, added } = change
    const tokens = fresh.tokens.slice(added.start, added.end)
    const next = { old: old.tokens[removed.end], fresh: fresh.tokens[added.end] }
    if (removed.start === removed.end) {
      this.#insertWords(first + removed.start, tokens, change)
      return
    }
    const run = this.#sourceOf({ start: first + removed.start, end: first + removed.end })
    if (run.start >= run.end) {
      this.#insertWords(first + removed.start, tokens, change)
      return
    }
    this.#noteRemoved(old.tokens.slice(removed.start, removed.end), fresh.tokens)
    const range = this.#widenLocked(run)
    const isCode = isCodeLeaf(old)
    if (tokens.length === 0) {
      const whole = this.#widenInline(run, range)
      const gapBefore = this.#blankBefore(whole.start)
      const isSpaced = old.tokens[removed.start]!.spaced
      // One of the two spaces around the words goes with them.
      if (isSpaced && gapBefore < whole.start)
        this.#patches.push({
          start: gapBefore,
          end: whole.end,
          text: next.fresh?.spaced && !next.old?.spaced ? ' ' : '',
        })
      else
        this.#patches.push({
          start: whole.start,
          end: next.fresh && !isCode ? this.#blankAfter(whole.end) : whole.end,
          text: '',
        })
      return
    }
    if (
      removed.end - removed.start === 1 &&
      tokens.length === 1 &&
      isBox(old.tokens[removed.start]!) &&
      isBox(tokens[0]!)
    ) {
      const { start, end } = this.#tokens[run.start]!
      this.#patches.push({ start, end, text: this.#format.writeBox(tokens[0]!.key === BOXES.true) })
      return
    }
    const inside = this.#marksOf(run.start, old.tokens[removed.start]!)
    const isInside = tokens.every(({ marks }) => inside.every((mark) => marks.includes(mark)))
    const target = isInside ? { ...range, marks: inside } : this.#widenToMarks(run, range, tokens)
    const text = this.#words(tokens, target.marks, isCode)
    const before = tokens[0]!.spaced && !old.tokens[removed.start]!.spaced && removed.start > 0 ? ' ' : ''
    const after = next.fresh?.spaced && next.old?.spaced === false ? ' ' : ''
    const start =
      !tokens[0]!.spaced && old.tokens[removed.start]!.spaced ? this.#blankBefore(target.start) : target.start
    const end = next.old?.spaced && next.fresh?.spaced === false ? this.#blankAfter(target.end) : target.end
    this.#patches.push({ start, end, text: `${before}${text}${after}` })
  }

  #insertWords(
    index: number,
    tokens: readonly Token[],
    change: { old: Leaf; fresh: Leaf; first: number; removed: Run; added: Run },
  ): void {
    const { old, fresh, first, removed, added } = change
    const isCode = isCodeLeaf(old)
    const before = removed.start > 0 ? this.#edgeAt(index - 1, 'end', index) : null
    const after = removed.end < old.tokens.length ? this.#edgeAt(first + removed.end, 'start', index) : null
    const next = { old: old.tokens[removed.end], fresh: fresh.tokens[added.end] }
    const fits = (marks: readonly Mark[]) => tokens.every((token) => marks.every((mark) => token.marks.includes(mark)))
    const isExact = (marks: readonly Mark[]) =>
      fits(marks) && tokens.every((token) => token.marks.length === marks.length)
    const choices = [before, after].filter((one) => one !== null)
    const middle = before && after ? this.#middle(before, after) : null
    const best =
      choices.find(({ marks }) => isExact(marks)) ??
      (middle && isExact(middle.marks) ? middle : undefined) ??
      choices.find(({ marks }) => fits(marks)) ??
      (middle && fits(middle.marks) ? middle : undefined)
    if (best === undefined) throw new Undecided()
    const text = this.#words(tokens, best.marks, isCode)
    const isAfterSpace = best === after && removed.start > 0
    const lead = tokens[0]!.spaced && removed.start > 0 && !(isAfterSpace && next.old?.spaced) ? ' ' : ''
    // The space before the next word is there already if the words go right behind the former one.
    const trail = next.fresh?.spaced && (isAfterSpace || !next.old?.spaced) ? ' ' : ''
    const end = next.old?.spaced && next.fresh?.spaced === false && !isAfterSpace ? this.#blankAfter(best.at) : best.at
    this.#patches.push({ start: best.at, end, text: `${lead}${text}${trail}` })
  }

  /** The place right behind or before a shown token, with the marks there. */
  #edgeAt(index: number, side: 'start' | 'end', inserted: number): { at: number; marks: readonly Mark[] } {
    let found = this.#found[index]!
    if (found < 0) {
      const gap = this.#gapAt(index)
      if (inserted > gap.shown.start && inserted < gap.shown.end && !this.#force) throw new Undecided()
      if (gap.source.start >= gap.source.end) {
        // It shows nothing of the source, so the place is behind what is before it.
        const near = side === 'end' ? gap.source.start - 1 : gap.source.end
        if (near < 0 || near >= this.#tokens.length) throw new Undecided()
        found = near
      } else found = side === 'end' ? gap.source.end - 1 : gap.source.start
    }
    const token = this.#tokens[found]!
    const locked = findLocked(token.place)
    const at = locked ? locked[side] : token[side]
    const marks = locked ? (locked.parent?.marks ?? []) : this.#marksOf(found, this.#shown[index]!)
    return { at, marks }
  }

  #marksOf(found: number, shown: Token): readonly Mark[] {
    return this.#tokens[found]?.marks ?? shown.marks
  }

  /** Between two tokens where the marks of neither hold: beside the whitespace between them. */
  #middle(
    before: { at: number; marks: readonly Mark[] },
    after: { at: number; marks: readonly Mark[] },
  ): { at: number; marks: readonly Mark[] } | null {
    const gap = this.#source.slice(before.at, after.at)
    const blank = /(?<=^|>|[*_~`)}\]])\s/.exec(gap)
    if (!blank) return null
    return { at: before.at + blank.index, marks: before.marks.filter((mark) => after.marks.includes(mark)) }
  }

  /** A locked place is changed as a whole. */
  #widenLocked(run: Run): Run {
    let start = this.#tokens[run.start]!.start
    let end = this.#tokens[run.end - 1]!.end
    for (let at = run.start; at < run.end; at++) {
      const locked = findLocked(this.#tokens[at]!.place)
      if (!locked) continue
      const inside = this.#tokensIn(locked)
      if ((inside.start < run.start || inside.end > run.end) && !this.#force) throw new Undecided()
      start = Math.min(start, locked.start)
      end = Math.max(end, locked.end)
    }
    return { start, end }
  }

  /** The widest inline places that hold nothing but the run. */
  #widenInline(run: Run, range: Run): Run {
    let { start, end } = range
    for (const at of [run.start, run.end - 1]) {
      for (let place = this.#tokens[at]!.place; place && isInline(place); place = place.parent) {
        const inside = this.#tokensIn(place)
        if (inside.start < run.start || inside.end > run.end) break
        start = Math.min(start, place.start)
        end = Math.max(end, place.end)
      }
    }
    return { start, end }
  }

  /** The run with the elements around it, so that words with other marks can take its place. Throws if one of them holds more. */
  #widenToMarks(run: Run, range: Run, tokens: readonly Token[]): Run & { marks: readonly Mark[] } {
    const wide = this.#widenInline(run, range)
    let place = this.#tokens[run.start]!.place
    while (place && isInline(place) && place.start >= wide.start && place.end <= wide.end) place = place.parent
    if (this.#tokens[run.start]!.marks === null) throw new Undecided()
    const marks = place?.marks ?? []
    if (!tokens.every((token) => marks.every((mark) => token.marks.includes(mark)))) throw new Undecided()
    return { ...wide, marks }
  }

  #tokensIn({ start, end }: Place): Run {
    const find = (position: number) => {
      let [low, high] = [0, this.#tokens.length]
      while (low < high) {
        const middle = (low + high) >> 1
        if (this.#tokens[middle]!.start < position) low = middle + 1
        else high = middle
      }
      return low
    }
    return { start: find(start), end: find(end) }
  }

  #blankBefore(at: number): number {
    while (at > 0 && /[^\S\n]/.test(this.#source[at - 1]!)) at--
    return at
  }

  #blankAfter(at: number): number {
    while (at < this.#source.length && /[^\S\n]/.test(this.#source[at]!)) at++
    return at
  }

  #words(tokens: readonly Token[], around: readonly Mark[], isCode: boolean): string {
    if (isCode) return this.#format.writeCode(tokens.map(({ key }) => key).join(''))
    return this.#format.writeInline(toPhrasing(tokens, around))
  }

  /** Says so if an edit takes away what a mark stood for. */
  #noteRemoved(old: readonly Token[], fresh: readonly Token[]): void {
    for (const token of old) {
      if (!isRemovedPart(token)) continue
      const count = (tokens: readonly Token[]) => tokens.filter(({ key }) => key === token.key).length
      if (count(fresh) < count(old)) this.#losses.push(`what “${token.key}” stood for`)
    }
  }

  /** Deletes blocks with the elements that hold nothing else. Returns where each was. */
  #delete(gone: readonly LeafPair[]): Map<number, number> {
    const at = new Map<number, number>()
    // An indent that no block shows goes with what it is before.
    const isGone = Uint8Array.from(this.#tokens, ({ key }, token) =>
      Number(key.trim() === '' && this.#owners[token]! < 0),
    )
    const runs = gone.flatMap(({ before, after }) => {
      const leaf = before!
      const owned = this.#ownedBy(leaf)
      for (let token = owned.start; token < owned.end; token++) isGone[token] = 1
      return owned.end > owned.start ? [{ leaf, owned, isRewritten: after !== null }] : []
    })
    const goneBefore = new Int32Array(isGone.length + 1)
    for (const [token, gone] of isGone.entries()) goneBefore[token + 1] = goneBefore[token]! + gone
    const isAllGone = (place: Place) => {
      const inside = this.#tokensIn(place)
      return goneBefore[inside.end]! - goneBefore[inside.start]! === inside.end - inside.start
    }
    for (const { leaf, owned, isRewritten } of runs) {
      let start = this.#tokens[owned.start]!.start
      let end = this.#tokens[owned.end - 1]!.end
      for (const token of [owned.start, owned.end - 1])
        for (let place = this.#tokens[token]!.place; place && isAllGone(place); place = place.parent) {
          start = Math.min(start, place.start)
          end = Math.max(end, place.end)
        }
      at.set(leaf, start)
      if (!isRewritten) this.#noteRemoved(this.#before[leaf]!.tokens, [])
      for (let token = isRewritten ? owned.end : owned.start; token < owned.end; token++) {
        const { key } = this.#tokens[token]!
        if (key.startsWith('image ') && !this.#before[leaf]!.tokens.some((one) => one.key === key))
          this.#losses.push('an image')
      }
      this.#patches.push({ ...this.#format.widenBlock(this.#source, { start, end }), text: '' })
    }
    return at
  }

  #ownedBy(leaf: number): Run {
    const start = this.#owners.indexOf(leaf)
    return start < 0 ? { start: 0, end: 0 } : { start, end: this.#owners.lastIndexOf(leaf) + 1 }
  }

  #insert(
    fresh: readonly LeafPair[],
    gone: readonly LeafPair[],
    pairs: readonly LeafPair[],
    deletedAt: Map<number, number>,
  ): void {
    if (fresh.length === 0) return
    const isFresh = new Set<Nodes>(fresh.map(({ after }) => this.#after[after!]!.path.at(-1)!))
    const formerOf = new Map(
      pairs.flatMap(({ before, after }) =>
        before !== null && after !== null ? [[this.#after[after]!.path.at(-1)!, before] as const] : [],
      ),
    )
    const kept = new Map([...formerOf].filter(([node]) => !isFresh.has(node)))
    const isNew = (node: Nodes): boolean =>
      isFresh.has(node) ||
      ('children' in node && node.children.length > 0 && !kept.has(node) && node.children.every(isNew))
    const origin = this.#findOrigins(fresh, gone)
    const walk = (parent: Nodes, level: readonly Nodes[]) => {
      if (!('children' in parent) || kept.has(parent)) return
      for (const [index, child] of parent.children.entries()) {
        if (!isNew(child)) {
          walk(child, [...level, parent])
          continue
        }
        const siblings = parent.children as Nodes[]
        const near = siblings.slice(0, index).findLast((one) => !isNew(one))
        const next = siblings.slice(index).find((one) => !isNew(one))
        const [leaf] = leavesIn(child, this.#after)
        this.#tryTo(leaf!, () =>
          this.#insertNode(this.#withSource(child as RootContent, origin), {
            near,
            next,
            kept,
            former: origin.get(child) ?? origin.get(leaf!.path.at(-1)!),
            deletedAt,
          }),
        )
      }
    }
    walk(this.#afterRoot, [])
  }

  /** The former block of each new one that has its words: of a heading that was a paragraph, or of a paragraph that was moved. */
  #findOrigins(fresh: readonly LeafPair[], gone: readonly LeafPair[]): Map<Nodes, number> {
    const origins = new Map<Nodes, number>()
    const keyOf = ({ tokens }: Leaf) => JSON.stringify(tokens.map(({ key }) => key))
    const moved = new Map(
      gone.flatMap(({ before, after }) => (after === null ? [[keyOf(this.#before[before!]!), before!] as const] : [])),
    )
    for (const { before, after } of fresh) {
      const leaf = this.#after[after!]!
      const former = before ?? moved.get(keyOf(leaf))
      if (former !== undefined) origins.set(leaf.path.at(-1)!, former)
    }
    return origins
  }

  /** The node with the source of what its former block had in place of removed parts. */
  #withSource(node: RootContent, origins: ReadonlyMap<Nodes, number>): RootContent {
    const origin = origins.get(node)
    if (origin !== undefined && 'children' in node) {
      const after = this.#after.findIndex(({ path }) => path.at(-1) === node)
      const slice = this.#editSlice(origin, after)
      if (slice === null) this.#losses.push(`formatting of “${textOf(this.#after[after]!.tokens)}”`)
      const children = slice ?? toPhrasing(this.#fillRemoved(this.#after[after]!.tokens, origin), [])
      return { ...node, children } as RootContent
    }
    if (!('children' in node)) return node
    return {
      ...node,
      children: node.children.map((child) => this.#withSource(child as RootContent, origins)),
    } as RootContent
  }

  /** The words of a block as the source has them, with the edit. Null if they cannot be taken out of their lines. */
  #editSlice(before: number, after: number): RootContent[] | null {
    const count = this.#patches.length
    const losses = [...this.#losses]
    try {
      const boxes = [this.#before[before]!, this.#after[after]!].map(({ tokens }) =>
        tokens[0] && isBox(tokens[0]) ? 1 : 0,
      )
      this.#editLeaf(before, after, boxes[0], boxes[1])
      const owned = this.#ownedBy(before)
      const run = { start: owned.start + (boxes[0] ?? 0), end: owned.end }
      if (run.end <= run.start) return null
      const range = this.#contentOf(run)
      const patches = this.#patches.splice(count)
      if (patches.some(({ start, end }) => start < range.start || end > range.end)) return null
      const slice = this.#format.joinLines(applyPatches(this.#source, patches, range))
      if (slice === null) return null
      this.#pieces.push(slice)
      return [{ type: 'text', value: `\ue000${this.#pieces.length - 1}\ue001` }]
    } catch (error) {
      if (error instanceof Undecided) return null
      throw error
    } finally {
      this.#patches.length = count
      this.#losses.splice(0, this.#losses.length, ...losses.filter((loss) => !loss.startsWith('what “')))
    }
  }

  /** Where the words of a block are, with what is around them in its element if that holds nothing else. */
  #contentOf(run: Run): Run {
    const range = this.#widenInline(run, this.#widenLocked(run))
    let place = this.#tokens[run.start]!.place
    while (place && isInline(place)) place = place.parent
    if (!place?.inner) return range
    const inside = this.#tokensIn(place)
    if (inside.end !== run.end || inside.start < run.start - 1) return range
    return { start: inside.start === run.start ? place.inner.start : range.start, end: place.inner.end }
  }

  #fillRemoved(tokens: readonly Token[], origin: number): Token[] {
    const old = this.#before[origin]!
    const first = this.#offsets[origin]!
    const marks = old.tokens.flatMap((token, index) =>
      isRemovedPart(token) ? [{ key: token.key, index: first + index }] : [],
    )
    return tokens.flatMap((token) => {
      if (isBox(token)) return []
      if (!isRemovedPart(token)) return [token]
      const at = marks.findIndex(({ key }) => key === token.key)
      const [mark] = at < 0 ? [] : marks.splice(at, 1)
      if (!mark) return [token]
      const run = this.#sourceOf({ start: mark.index, end: mark.index + 1 })
      if (run.start >= run.end) return [token]
      const range = this.#widenLocked(run)
      this.#pieces.push(this.#source.slice(range.start, range.end))
      return [{ ...token, key: `\ue000${this.#pieces.length - 1}\ue001` }]
    })
  }

  #insertNode(
    node: RootContent,
    {
      near,
      next,
      kept,
      former,
      deletedAt,
    }: {
      near: Nodes | undefined
      next: Nodes | undefined
      kept: ReadonlyMap<Nodes, number>
      former: number | undefined
      deletedAt: ReadonlyMap<number, number>
    },
  ): void {
    const sides = [
      [near, 'after'],
      [next, 'before'],
    ] as const
    for (const [sibling, side] of sides) {
      if (sibling === undefined) continue
      const leaves = leavesIn(sibling, this.#after).flatMap((leaf) => kept.get(leaf.path.at(-1)!) ?? [])
      const place = this.#placeOf(sibling, leaves, side)
      if (place === null) continue
      const text = this.#format.writeBlock(node, { place, source: this.#source, side })
      const at = side === 'after' ? place.end : (place.outer ?? place).start
      this.#patches.push({ start: at, end: at, text })
      return
    }
    const at =
      (former === undefined ? undefined : deletedAt.get(former)) ?? [...deletedAt.values()][0] ?? this.#source.length
    const text = this.#format.writeBlock(node, null)
    const lead = at === this.#source.length && at > 0 ? this.#format.separator : ''
    this.#patches.push({ start: at, end: at, text: `${lead}${text}` })
  }

  /** The widest place in the source that shows a node and nothing else. */
  #placeOf(node: Nodes, leaves: readonly number[], side: 'before' | 'after'): Place | null {
    const wanted = (
      { listItem: 'item', tableRow: 'row', tableCell: 'cell' } as Partial<Record<Nodes['type'], Place['kind']>>
    )[node.type]
    // Places of the parts of a list in the node are passed, but not of a list that the node is in.
    const own = leavesIn(node, this.#after).map(({ path }) => path.slice(path.indexOf(node) + 1))
    const levels = Math.max(...own.map((path) => path.filter(isPart).length))
    const ordered = side === 'after' ? leaves.toReversed() : leaves
    const run = ordered.map((leaf) => this.#ownedBy(leaf)).find(({ start, end }) => end > start)
    if (!run) return null
    const token = this.#tokens[side === 'after' ? run.end - 1 : run.start]!
    const isOwn = (place: Place) => {
      const inside = this.#tokensIn(place)
      for (let at = inside.start; at < inside.end; at++)
        if (this.#owners[at]! >= 0 && !leaves.includes(this.#owners[at]!)) return false
      return true
    }
    let found: Place | null = null
    let passed = 0
    for (let place = token.place; place && isOwn(place); place = place.parent) {
      const isOfList = place.kind === 'item' || place.kind === 'row' || place.kind === 'cell'
      if (wanted === undefined && isOfList && passed++ >= levels) break
      if (wanted !== undefined && place.kind !== wanted) continue
      found = place
      if (wanted !== undefined) break
    }
    if (found && !isInline(found)) return found
    if (wanted !== undefined) return null
    const end = found ?? { start: token.start, end: token.end }
    return { start: end.start, end: end.end, kind: 'inline', marks: [], parent: token.place }
  }

  #write(): string {
    const written = applyPatches(this.#source, this.#patches, { start: 0, end: this.#source.length })
    return written.replace(/\ue000(\d+)\ue001/g, (_, index: string) => this.#pieces[Number(index)] ?? '')
  }
}

/** Replaces ranges of a part of the source. Of two that overlap, the later one begins where the earlier one ends. */
function applyPatches(source: string, patches: readonly Patch[], { start: first, end: last }: Run): string {
  const parts: string[] = []
  let from = first
  for (const { start, end, text } of patches.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    parts.push(source.slice(from, Math.max(from, start)), text)
    from = Math.max(from, end)
  }
  return parts.join('') + source.slice(from, last)
}

function withoutFirst(leaf: Leaf, count: number): Leaf {
  return count === 0 ? leaf : { ...leaf, tokens: leaf.tokens.slice(count) }
}

function textOf(tokens: readonly Token[]): string {
  return tokens.map(({ key, spaced }) => `${spaced ? ' ' : ''}${key}`).join('')
}

function isBox({ key }: Token): boolean {
  return key === BOXES.true || key === BOXES.false
}

function isCodeLeaf({ path }: Leaf): boolean {
  return path.at(-1)!.type === 'code'
}

/** Whether a node is a part of a list or a table. */
function isPart({ type }: Nodes): boolean {
  return type === 'listItem' || type === 'tableRow' || type === 'tableCell'
}

function isInline({ kind }: Place): boolean {
  return kind === 'inline' || kind === 'locked'
}

function findLocked(place: Place | null): Place | null {
  let found: Place | null = null
  for (let one = place; one; one = one.parent) if (one.kind === 'locked') found = one
  return found
}

function leavesIn(node: Nodes, leaves: readonly Leaf[]): Leaf[] {
  return leaves.filter(({ path }) => path.includes(node))
}
