import { diffArrays } from 'diff'
import { isRemovedPart, type Leaf, type Token } from './tokens'

/** More differences than this are not looked for, because that would take too long. */
const MAX_EDITS = 1_000

export interface Difference {
  added: boolean
  removed: boolean
  count: number
}

/** How one list became another one. Lists with too many differences are different as a whole. */
export function diffLists(before: readonly string[], after: readonly string[]): Difference[] {
  const found = diffArrays([...before], [...after], { maxEditLength: MAX_EDITS })
  if (found)
    return joinAdded(
      found.map(({ added, removed, count = 0 }) => ({ added, removed, count })),
      after,
    )
  return [
    { added: false, removed: true, count: before.length },
    { added: true, removed: false, count: after.length },
  ]
}

/**
 * Of two runs that were added with what is the same between them, makes one where the second one ends with that: of `1 < 2 <` for `<`,
 * all but the last sign was added, and not what is around the first one.
 */
function joinAdded(parts: readonly Difference[], after: readonly string[]): Difference[] {
  const joined: Difference[] = []
  let end = 0
  for (const part of parts) {
    if (!part.removed) end += part.count
    const [first, same] = joined.slice(-2)
    const isBetween = part.added && first?.added && same && !same.added && !same.removed && same.count <= part.count
    const ending = isBetween ? after.slice(end - same.count, end) : []
    if (isBetween && ending.every((key, at) => key === after[end - part.count - same.count + at]))
      joined.splice(-2, 2, { ...first, count: first.count + part.count }, same)
    else joined.push(part)
  }
  return joined
}

/** For each token of a document, the token of its source that it shows; -1 if there is none, or none is certain. */
export function alignTokens(shown: readonly Pick<Token, 'key'>[], source: readonly Pick<Token, 'key'>[]): number[] {
  const found = new Array<number>(shown.length).fill(-1)
  alignRange(shown, source, { from: [0, 0], to: [shown.length, source.length], found })
  widenGaps(shown, source, found)
  return found
}

interface Range {
  from: readonly [number, number]
  to: readonly [number, number]
  found: number[]
}

/** Pairs equal ends first, then tokens that both have once, then what is between them. */
function alignRange(
  a: readonly Pick<Token, 'key'>[],
  b: readonly Pick<Token, 'key'>[],
  { from, to, found }: Range,
): void {
  let [i, j] = from
  let [k, l] = to
  const isSame = (x: number, y: number) => a[x]!.key === b[y]!.key && !isRemovedPart(a[x] as Token)
  while (i < k && j < l && isSame(i, j)) found[i++] = j++
  while (i < k && j < l && isSame(k - 1, l - 1)) found[--k] = --l
  if (i >= k || j >= l) return
  const anchors = findAnchors(a, b, { from: [i, j], to: [k, l], found })
  if (anchors.length > 0) {
    let start: readonly [number, number] = [i, j]
    for (const anchor of [...anchors, [k, l] as const]) {
      alignRange(a, b, { from: start, to: anchor, found })
      if (anchor[0] < k) found[anchor[0]] = anchor[1]
      start = [anchor[0] + 1, anchor[1] + 1]
    }
    return
  }
  const isEqual = (x: Pick<Token, 'key'>, y: Pick<Token, 'key'>) => x.key === y.key && !isRemovedPart(x as Token)
  const parts = diffArrays(a.slice(i, k), b.slice(j, l), { comparator: isEqual, maxEditLength: MAX_EDITS })
  for (const { added, removed, count = 0 } of parts ?? []) {
    if (!added && !removed) for (let at = 0; at < count; at++) found[i + at] = j + at
    if (!added) i += count
    if (!removed) j += count
  }
}

/** Tokens that occur once on both sides, in the longest order that both have. */
function findAnchors(
  a: readonly Pick<Token, 'key'>[],
  b: readonly Pick<Token, 'key'>[],
  { from, to }: Range,
): (readonly [number, number])[] {
  const once = (tokens: readonly Pick<Token, 'key'>[], start: number, end: number) => {
    const places = new Map<string, number>()
    for (let at = start; at < end; at++) {
      const { key } = tokens[at]!
      places.set(key, places.has(key) ? -1 : at)
    }
    return places
  }
  const inB = once(b, from[1], to[1])
  const pairs = [...once(a, from[0], to[0])].flatMap(([key, at]) => {
    const other = inB.get(key) ?? -1
    return at >= 0 && other >= 0 && /\p{L}{3}|\d{2}/u.test(key) ? [[at, other] as const] : []
  })
  return longestRising(pairs)
}

/** The longest part of the pairs, which are in the order of their first numbers, whose second numbers rise. */
function longestRising(pairs: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const ends: number[] = []
  const before: number[] = []
  for (const [at, [, value]] of pairs.entries()) {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (pairs[ends[middle]!]![1] < value) low = middle + 1
      else high = middle
    }
    before.push(low > 0 ? ends[low - 1]! : -1)
    ends[low] = at
  }
  const result: (readonly [number, number])[] = []
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at]!) result.unshift(pairs[at]!)
  return result
}

/** What was removed takes as much of the source as it can: of `((1) 2)`, `([phone removed])` replaces `(1) 2`. */
function widenGaps(shown: readonly Pick<Token, 'key'>[], source: readonly Pick<Token, 'key'>[], found: number[]): void {
  for (let at = shown.length - 1; at > 0; at--) {
    if (found[at]! < 0 || found[at - 1]! >= 0) continue
    const end = found[at + 1] ?? source.length
    if (at + 1 < shown.length && found[at + 1]! < 0) continue
    let last = end - 1
    while (last > found[at]! && source[last]!.key !== shown[at]!.key) last--
    if (last > found[at]! && last === end - 1) found[at] = last
  }
}

/** A block of the former document with what became of it, or a new block. Null is none. */
export interface LeafPair {
  before: number | null
  after: number | null
}

/** Pairs the blocks of two versions of a document, in order. A block that was changed is paired with what it became. */
export function pairLeaves(before: readonly Leaf[], after: readonly Leaf[]): LeafPair[] {
  const pairs: LeafPair[] = []
  let i = 0
  let j = 0
  const key = ({ kind, tokens }: Leaf) =>
    JSON.stringify([kind, tokens.map((token) => [token.key, token.spaced, token.marks, token.isApart])])
  const changed = { before: 0, after: 0 }
  const close = () => {
    pairs.push(...pairChanged(before.slice(i, i + changed.before), after.slice(j, j + changed.after), i, j))
    i += changed.before
    j += changed.after
    changed.before = changed.after = 0
  }
  for (const { added, removed, count } of diffLists(before.map(key), after.map(key))) {
    if (added) changed.after += count
    else if (removed) changed.before += count
    else {
      close()
      for (let at = 0; at < count; at++) pairs.push({ before: i++, after: j++ })
    }
  }
  close()
  return pairs
}

/** Blocks are one and the same if this part of their words is. */
const SIMILAR = 0.34
const MAX_PAIRS = 40_000

function pairChanged(before: readonly Leaf[], after: readonly Leaf[], i: number, j: number): LeafPair[] {
  const [rows, columns] = [before.length, after.length]
  const one: LeafPair[] = []
  if (rows * columns === 0 || rows * columns > MAX_PAIRS) {
    for (let at = 0; at < Math.max(rows, columns); at++) {
      if (at < rows) one.push({ before: i + at, after: null })
      if (at < columns) one.push({ before: null, after: j + at })
    }
    return rows * columns === 0 ? one : one.sort((a, b) => Number(a.before === null) - Number(b.before === null))
  }
  const words = [before, after].map((leaves) => leaves.map(({ tokens }) => tokens.map(({ key }) => key)))
  const score = (row: number, column: number) => {
    const value = similarity(words[0]![row]!, words[1]![column]!)
    const isSameKind = before[row]!.kind === after[column]!.kind
    // A lone block that was replaced by another one of its kind is still that block.
    if (rows === 1 && columns === 1 && isSameKind) return Math.max(value, SIMILAR)
    return value >= SIMILAR ? value + (isSameKind ? 0.1 : 0) : 0
  }
  const best = Array.from({ length: rows + 1 }, () => new Float64Array(columns + 1))
  const scores = before.map((_, row) => after.map((__, column) => score(row, column)))
  for (let row = rows - 1; row >= 0; row--)
    for (let column = columns - 1; column >= 0; column--) {
      const paired = scores[row]![column]! > 0 ? scores[row]![column]! + best[row + 1]![column + 1]! : 0
      best[row]![column] = Math.max(paired, best[row + 1]![column]!, best[row]![column + 1]!)
    }
  let [row, column] = [0, 0]
  while (row < rows || column < columns) {
    const isPaired =
      row < rows &&
      column < columns &&
      scores[row]![column]! > 0 &&
      best[row]![column]! === scores[row]![column]! + best[row + 1]![column + 1]!
    if (isPaired) one.push({ before: i + row++, after: j + column++ })
    else if (row < rows && (column >= columns || best[row]![column]! === best[row + 1]![column]!))
      one.push({ before: i + row++, after: null })
    else one.push({ before: null, after: j + column++ })
  }
  return one
}

function similarity(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return a.length === b.length ? 1 : 0
  // Most of a long block is not in a short one.
  if ((2 * Math.min(a.length, b.length)) / (a.length + b.length) < SIMILAR) return 0
  const counts = new Map<string, number>()
  for (const key of a) counts.set(key, (counts.get(key) ?? 0) + 1)
  let shared = 0
  for (const key of b) {
    const left = counts.get(key) ?? 0
    if (left > 0) shared++
    counts.set(key, left - 1)
  }
  return (2 * shared) / (a.length + b.length)
}
