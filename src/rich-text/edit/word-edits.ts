import { addMarks, type Change } from './added-marks'
import { diffLists } from './align'
import { findLocked, isInline, type Patch, type Run, type ShownSource, Undecided } from './shown-source'
import type { Place, SourceFormat } from './source'
import { boxOf, isBox, isCode, type Leaf, type Mark, markedKeyOf, type Token, toPhrasing } from './tokens'

/** A place to put words, with the marks there. */
interface Spot {
  at: number
  marks: readonly Mark[]
  place: Place | null
}

/** The patches that make the words of a block those of its new version. Throws `Undecided` if they are not certain. */
export function editWords(
  shown: ShownSource,
  format: SourceFormat,
  edit: Pick<Change, 'old' | 'fresh' | 'first' | 'keep'>,
): Patch[] {
  const { old, fresh, first } = edit
  const [box, freshBox] = [old.tokens[0], fresh.tokens[0]]
  if (box && freshBox && isBox(box) && isBox(freshBox)) {
    const found = shown.foundAt(first)
    if (found < 0) throw new Undecided()
    const { start, end } = shown.tokens[found]!
    const isSame = box.key === freshBox.key
    const checked = isSame ? [] : [{ start, end, text: format.writeBox(freshBox.key === boxOf(true)) }]
    const rest = { ...edit, old: withoutFirst(old), fresh: withoutFirst(fresh), first: first + 1 }
    return [...checked, ...editWords(shown, format, rest)]
  }
  const keysOf = ({ tokens }: Leaf) => tokens.map(markedKeyOf)
  const patches: Patch[] = []
  let [i, k] = [0, 0]
  const changed = { removed: 0, added: 0 }
  const close = () => {
    const [removed, added] = [
      { start: i, end: i + changed.removed },
      { start: k, end: k + changed.added },
    ]
    if (changed.removed + changed.added > 0)
      patches.push(...new WordChange(shown, format, { ...edit, removed, added }).patch())
    i = removed.end
    k = added.end
    changed.removed = changed.added = 0
  }
  for (const { added, removed, count } of diffLists(keysOf(old), keysOf(fresh))) {
    if (added) changed.added += count
    else if (removed) changed.removed += count
    else {
      close()
      for (let at = 1; at < count; at++)
        patches.push(...keepSpace(shown, first + i + at, { old: old.tokens[i + at]!, fresh: fresh.tokens[k + at]! }))
      i += count
      k += count
    }
  }
  close()
  return patches
}

function withoutFirst(leaf: Leaf): Leaf {
  return { ...leaf, tokens: leaf.tokens.slice(1) }
}

/** Two words that were joined or separated, inside of what is otherwise the same. */
function keepSpace(shown: ShownSource, index: number, { old, fresh }: { old: Token; fresh: Token }): Patch[] {
  if (fresh.spaced === old.spaced) return []
  const [before, found] = [shown.foundAt(index - 1), shown.foundAt(index)]
  if (before < 0 || found < 0) throw new Undecided()
  const [start, end] = [shown.tokens[before]!.end, shown.tokens[found]!.start]
  if (fresh.spaced) return [{ start: end, end, text: ' ' }]
  if (shown.source.slice(start, end).trim() !== '') throw new Undecided()
  return [{ start, end, text: '' }]
}

class WordChange {
  readonly #shown: ShownSource
  readonly #format: SourceFormat
  readonly #change: Change
  readonly #tokens: readonly Token[]
  /** The tokens behind the change, in both versions. */
  readonly #next: { old: Token | undefined; fresh: Token | undefined }

  constructor(shown: ShownSource, format: SourceFormat, change: Change) {
    const { old, fresh, removed, added } = change
    this.#shown = shown
    this.#format = format
    this.#change = change
    this.#tokens = fresh.tokens.slice(added.start, added.end)
    this.#next = { old: old.tokens[removed.end], fresh: fresh.tokens[added.end] }
  }

  patch(): Patch[] {
    const { first, removed } = this.#change
    const found = this.#shown.sourceOf({ start: first + removed.start, end: first + removed.end })
    if (found.length === 0) return [this.#insert()]
    const marked = addMarks(this.#shown, this.#format, { ...this.#change, found })
    if (marked) return [marked]
    const [fresh] = this.#tokens
    const parts = this.#splitAtPlaces(found)
    if (fresh === undefined) return parts.map((part, index) => this.#delete(part, index === 0))
    const marks = parts.map((part) => this.#shown.marksOf(part.start, first + removed.start))
    const exact = marks.findIndex((own) => fits(own, this.#tokens) && own.length === fresh.marks.length)
    const target = Math.max(0, exact >= 0 ? exact : marks.findIndex((own) => fits(own, this.#tokens)))
    const isJoined = this.#findJoints()
    return parts.map((part, index) => {
      const [isFirst, isLast] = [index === 0, index === parts.length - 1]
      const { start, end, text } =
        index === target ? this.#replace(part, marks[index]!) : { ...this.#shown.wholeRangeOf(part), text: '' }
      // The space between two parts goes with the one that is deleted.
      return {
        start: index > target || (isFirst && isJoined.before) ? this.#shown.blankBefore(start) : start,
        end: index < target || (isLast && isJoined.after) ? this.#shown.blankAfter(end) : end,
        text,
      }
    })
  }

  /** On which sides the new words follow without a space where the former ones had one. */
  #findJoints(): { before: boolean; after: boolean } {
    const former = this.#change.old.tokens[this.#change.removed.start]!
    const { old, fresh } = this.#next
    return {
      before: !this.#tokens[0]!.spaced && former.spaced,
      after: old?.spaced === true && fresh?.spaced === false,
    }
  }

  /** Runs of tokens that follow each other in one place. What is between them, and was not shown, stays. */
  #splitAtPlaces(found: readonly number[]): Run[] {
    const parts: Run[] = []
    const placeOf = (token: number) => findLocked(this.#shown.tokens[token]!.place) ?? this.#shown.tokens[token]!.place
    for (const token of found) {
      const last = parts.at(-1)
      if (last && last.end === token && placeOf(token) === placeOf(token - 1)) last.end = token + 1
      else parts.push({ start: token, end: token + 1 })
    }
    return parts
  }

  /** One of the two spaces around deleted words goes with them. */
  #delete(part: Run, isFirst: boolean): Patch {
    const { start, end } = this.#shown.wholeRangeOf(part)
    const { old, removed } = this.#change
    const before = this.#shown.blankBefore(start)
    const isJoint = isFirst && removed.start > 0 && this.#next.fresh?.spaced && !this.#next.old?.spaced
    const text = isJoint ? ' ' : ''
    if (!isFirst || (old.tokens[removed.start]!.spaced && before < start)) return { start: before, end, text }
    return { start, end: this.#next.fresh && !isCode(old) ? this.#shown.blankAfter(end) : end, text }
  }

  #replace(part: Run, marks: readonly Mark[]): Patch {
    const { old, removed } = this.#change
    const [former, fresh, next] = [old.tokens[removed.start]!, this.#tokens[0]!, this.#next]
    const { place } = this.#shown.tokens[part.start]!
    const target = fits(marks, this.#tokens) ? { ...this.#shown.rangeOf(part), marks, place } : this.#outside(part)
    const lead = fresh.spaced && !former.spaced && removed.start > 0 ? ' ' : ''
    const trail = next.fresh?.spaced && next.old?.spaced === false ? ' ' : ''
    return { start: target.start, end: target.end, text: `${lead}${this.#write(target)}${trail}` }
  }

  /** The run with the elements around it, so that words without their marks can take its place. Throws if one of them holds more. */
  #outside(part: Run): Run & Omit<Spot, 'at'> {
    const range = this.#shown.wholeRangeOf(part)
    let { place, marks: own } = this.#shown.tokens[part.start]!
    while (place && isInline(place) && place.start >= range.start && place.end <= range.end) place = place.parent
    const marks = place?.marks ?? []
    if (own === null || place?.isHtml || !fits(marks, this.#tokens)) throw new Undecided()
    return { ...range, marks, place }
  }

  #insert(): Patch {
    const { old, first, removed } = this.#change
    const index = first + removed.start
    const isApart = this.#tokens.some((token) => token.isApart)
    const before = removed.start > 0 ? this.#edge(index - 1, 'end', index) : null
    const after = removed.end < old.tokens.length ? this.#edge(first + removed.end, 'start', index) : null
    const outside = [before && this.#widen(before, 'end'), after && this.#widen(after, 'start')]
    const inside = isApart ? [] : [before, after, before && after && this.#between(before, after)]
    const spots = [...inside, ...outside].filter((spot) => spot !== null)
    const fitting = spots.filter(({ marks }) => fits(marks, this.#tokens))
    const best =
      fitting.find(({ marks }) => this.#tokens.every((token) => token.marks.length === marks.length)) ?? fitting[0]
    if (best === undefined) throw new Undecided()
    const { fresh, old: next } = this.#next
    const isAfterSpace = removed.start > 0 && (best === after || best === outside[1])
    const lead = this.#tokens[0]!.spaced && removed.start > 0 && !(isAfterSpace && next?.spaced) ? ' ' : ''
    // The space before the next word is there already if the words go right behind the former one.
    const trail = fresh?.spaced && (isAfterSpace || !next?.spaced) ? ' ' : ''
    const isJoined = next?.spaced && fresh?.spaced === false && !isAfterSpace
    const end = isJoined ? this.#shown.blankAfter(best.at) : best.at
    return { start: best.at, end, text: `${lead}${this.#write(best)}${trail}` }
  }

  /** The spot right behind or before a token of the document. */
  #edge(index: number, side: 'start' | 'end', inserted: number): Spot {
    let found = this.#shown.foundAt(index)
    if (found < 0) {
      const { shown, source } = this.#shown.gapAt(index)
      if (inserted > shown.start && inserted < shown.end && !this.#shown.force) throw new Undecided()
      const isEmpty = source.start >= source.end
      // What shows nothing of the source is between its neighbours.
      if (side === 'end') found = isEmpty ? source.start - 1 : source.end - 1
      else found = isEmpty ? source.end : source.start
      if (found < 0 || found >= this.#shown.tokens.length) throw new Undecided()
    }
    const token = this.#shown.tokens[found]!
    const locked = findLocked(token.place)
    if (locked) return { at: locked[side], marks: locked.parent?.marks ?? [], place: locked.parent }
    return { at: token[side], marks: this.#shown.marksOf(found, index), place: token.place }
  }

  /** The spot outside of all elements in a line that end or begin there. */
  #widen(spot: Spot, side: 'start' | 'end'): Spot {
    const token = this.#shown.tokensIn({ start: spot.at, end: spot.at })[side]
    let { at, place } = spot
    for (; place && isInline(place); place = place.parent) {
      const inside = this.#shown.tokensIn(place)
      if (side === 'end' ? inside.end !== token : inside.start !== token) break
      at = place[side]
    }
    return at === spot.at ? spot : { at, marks: place?.marks ?? [], place }
  }

  /** Between two tokens where the marks of neither hold: before the whitespace that is outside of both. */
  #between(before: Spot, after: Spot): Spot | null {
    const blank = /(?<=^|>|[*_~`)}\]])\s/.exec(this.#shown.source.slice(before.at, after.at))
    const marks = before.marks.filter((mark) => after.marks.includes(mark))
    return blank && { at: before.at + blank.index, marks, place: before.place }
  }

  #write({ marks, place }: Pick<Spot, 'marks' | 'place'>): string {
    if (isCode(this.#change.old)) return this.#format.writeCode(this.#tokens.map(({ key }) => key).join(''))
    return this.#format.writeInline(toPhrasing(this.#tokens, marks), place)
  }
}

function fits(marks: readonly Mark[], tokens: readonly Token[]): boolean {
  const isOneSpan = !marks.includes('code') || !tokens.some(({ isApart }) => isApart)
  return isOneSpan && tokens.every((token) => marks.every((mark) => token.marks.includes(mark)))
}
