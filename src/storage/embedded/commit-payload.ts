import { computePadding, HEAD_BYTES } from './log-record'
import { decodeEntry, mask, type PageEntry } from './page-entry'

/**
 * The payload of a record is a line of text and what it announces:
 *
 * ```
 * pages 3 draft,workspace_version     a commit: the entries of three pages, and the names in its statements
 * offsets 7                           the end of a segment: where the entries of its pages are
 * ```
 */
export function encodeCommit(entries: readonly Uint8Array[], names: Iterable<string>): Buffer {
  return Buffer.concat([Buffer.from(`pages ${entries.length} ${[...names].join()}\n`), ...entries])
}

export interface LocatedEntry extends PageEntry {
  /** The offset in the payload. */
  at: number
}

export interface CommitPayload {
  names: string[]
  entries: LocatedEntry[]
}

/** Null if the payload is no commit. */
export function decodeCommit(payload: Buffer): CommitPayload | null {
  const { kind, count, rest, end } = parseLine(payload)
  if (kind !== 'pages') return null
  const entries: LocatedEntry[] = []
  let at = end
  for (let i = 0; i < count; i++) {
    const entry = decodeEntry(payload, at)
    if (entry === null) return null
    entries.push({ ...entry, at })
    at = entry.body.byteOffset - payload.byteOffset + entry.body.length
  }
  return { names: rest === '' ? [] : rest.split(','), entries }
}

/** The names in the statements of a commit, without its pages. */
export function readNames(payload: Buffer): string[] {
  const { kind, rest } = parseLine(payload)
  return kind === 'pages' ? rest.split(',') : []
}

function parseLine(payload: Buffer): { kind: string; count: number; rest: string; end: number } {
  const end = payload.indexOf('\n') + 1
  const [kind = '', count = '', rest = ''] = payload.toString('utf8', 0, Math.max(0, end - 1)).split(' ')
  return { kind, count: Number(count), rest, end }
}

/** Where the entries of a page are in a segment, oldest first. */
export interface PageChain {
  offsets: number[]
  /** Whether the first entry needs no earlier one. Otherwise it changes what the page was before the segment. */
  isWhole: boolean
}

export interface PageIndex {
  find(page: number): PageChain | null
  pages(): Iterable<number>
}

/** The index of a segment that grows. */
export class GrowingIndex implements PageIndex {
  readonly #chains = new Map<number, PageChain>()

  add(page: number, offset: number, depth: number): void {
    const chain = depth === 0 ? undefined : this.#chains.get(page)
    if (chain) chain.offsets.push(offset)
    else this.#chains.set(page, { offsets: [offset], isWhole: depth === 0 })
  }

  find(page: number): PageChain | null {
    return this.#chains.get(page) ?? null
  }

  pages(): Iterable<number> {
    return this.#chains.keys()
  }

  /** The payload of the record at offset `at`, which ends the segment. Its last bytes say where the record begins. */
  encode(at: number): Buffer {
    const words: number[] = []
    const chains = [...this.#chains].sort(([one], [other]) => one - other)
    for (const [page, { offsets, isWhole }] of chains)
      for (const [i, offset] of offsets.entries()) words.push(((page << 1) | Number(i === 0 && isWhole)) >>> 0, offset)
    const body = Buffer.from(Uint32Array.from(words).buffer) // no word is zero, so that it needs no mask
    const line = Buffer.from(`offsets ${words.length / 2}\n`)
    const length = HEAD_BYTES + line.length + body.length + INDEX_END_BYTES
    const padding = computePadding(at + length + INDEX_END.length)
    const end = Buffer.alloc(INDEX_END_BYTES)
    end.writeUInt32LE(length + padding)
    mask(end, END_SEED)
    return Buffer.concat([line, body, Buffer.alloc(padding, ' '), end, INDEX_END])
  }
}

/** The length of the record in masked form; the text that marks the end follows it. */
const INDEX_END_BYTES = 4
const END_SEED = 0x5ea1ed
const INDEX_END = Buffer.from('end of segment\n')
export const SEAL_TAIL_BYTES = INDEX_END_BYTES + INDEX_END.length

/** The length of the sealing record that ends with these bytes; null if they are not the end of one. */
export function measureSeal(tail: Buffer): number | null {
  if (tail.length < SEAL_TAIL_BYTES || !tail.subarray(INDEX_END_BYTES).equals(INDEX_END)) return null
  const length = Buffer.from(tail.subarray(0, INDEX_END_BYTES))
  mask(length, END_SEED)
  return length.readUInt32LE() + INDEX_END.length
}

/** The index of a segment that is closed, as its last record contains it. */
export class SealedIndex implements PageIndex {
  /** Pages, each twice its number plus one for a whole entry, and offsets, by turns. */
  readonly #words: Uint32Array

  private constructor(words: Uint32Array) {
    this.#words = words
  }

  static decode(payload: Buffer): SealedIndex | null {
    const { kind, count, end } = parseLine(payload)
    if (kind !== 'offsets' || end + count * 8 > payload.length) return null
    const body = Buffer.from(new ArrayBuffer(count * 8))
    payload.copy(body, 0, end)
    return new SealedIndex(new Uint32Array(body.buffer))
  }

  find(page: number): PageChain | null {
    const words = this.#words
    let [low, high] = [0, words.length / 2]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (words[middle * 2]! >>> 1 < page) low = middle + 1
      else high = middle
    }
    const offsets: number[] = []
    const isWhole = low * 2 < words.length && (words[low * 2]! & 1) === 1
    for (let i = low; i * 2 < words.length && words[i * 2]! >>> 1 === page; i++) offsets.push(words[i * 2 + 1]!)
    return offsets.length === 0 ? null : { offsets, isWhole }
  }

  *pages(): Iterable<number> {
    let last = 0
    for (let i = 0; i < this.#words.length; i += 2) {
      const page = this.#words[i]! >>> 1
      if (page !== last) yield page
      last = page
    }
  }
}
