import { ByteReader, ByteWriter } from './byte-codec'
import type { FrameFile, FrameWriter, Span } from './frame-file'

/** The root block of a table, and the number of levels below it. */
export interface TableRoot extends Span {
  levels: number
}

interface Entry {
  key: string
  value: Buffer
}

const BLOCK_BYTES = 2_048

/**
 * Writes a sorted table of keys and values as a tree of blocks. In a block, each key omits the prefix that it shares with the previous one.
 * Blocks of upper levels contain the first key of each block below.
 */
export class SortedTableWriter {
  readonly #frames: FrameWriter
  readonly #levels: BlockWriter[] = []

  constructor(frames: FrameWriter) {
    this.#frames = frames
  }

  /** Keys must be in ascending order of UTF-16 units. */
  add(key: string, value: Buffer): void {
    this.#addAt(0, key, value)
  }

  finish(): TableRoot {
    for (let level = 0; ; level++) {
      const block = this.#levels[level] ?? new BlockWriter()
      if (level >= this.#levels.length - 1) return { ...this.#frames.write(block.take()), levels: level }
      this.#close(level)
    }
  }

  #addAt(level: number, key: string, value: Buffer): void {
    this.#levels[level] ??= new BlockWriter()
    const block = this.#levels[level]!
    block.add(key, value)
    if (block.length >= BLOCK_BYTES) this.#close(level)
  }

  #close(level: number): void {
    const block = this.#levels[level]!
    if (block.length === 0) return
    const { firstKey } = block
    this.#addAt(level + 1, firstKey, encodeSpan(this.#frames.write(block.take())))
  }
}

class BlockWriter {
  readonly #bytes = new ByteWriter()
  firstKey = ''
  #last = ''

  get length(): number {
    return this.#bytes.length
  }

  add(key: string, value: Buffer): void {
    if (this.#bytes.length === 0) this.firstKey = key
    const shared = this.#bytes.length === 0 ? 0 : sharedPrefixLength(this.#last, key)
    this.#last = key
    this.#bytes.number(shared)
    this.#bytes.text(key.slice(shared))
    this.#bytes.number(value.length)
    this.#bytes.bytes(value)
  }

  take(): Buffer {
    return this.#bytes.take()
  }
}

function sharedPrefixLength(one: string, other: string): number {
  let shared = 0
  while (shared < one.length && one.charCodeAt(shared) === other.charCodeAt(shared)) shared += 1
  const last = one.charCodeAt(shared - 1)
  return last >= 0xd800 && last < 0xdc00 ? shared - 1 : shared // a character is not cut in two
}

export class SortedTable {
  readonly #frames: FrameFile
  readonly #root: TableRoot
  readonly #known = new Map<number, readonly Entry[]>()

  constructor(frames: FrameFile, root: TableRoot) {
    this.#frames = frames
    this.#root = root
  }

  get(key: string): Buffer | null {
    let entries = this.#block(this.#root)
    for (let level = this.#root.levels; level > 0; level--) {
      const at = findLastAtOrBefore(entries, key)
      if (at < 0) return null
      entries = this.#block(decodeSpan(entries[at]!.value))
    }
    const found = entries[findLastAtOrBefore(entries, key)]
    return found?.key === key ? found.value : null
  }

  /** The entries whose keys begin with `prefix`, in order. */
  *entriesWithPrefix(prefix: string): Generator<Entry> {
    for (const entry of this.#from(this.#root, prefix, this.#root.levels)) {
      if (!entry.key.startsWith(prefix)) return
      yield entry
    }
  }

  *#from(span: Span, key: string, level: number): Generator<Entry> {
    const entries = this.#block(span)
    const last = findLastAtOrBefore(entries, key)
    if (level === 0) {
      const first = last >= 0 && entries[last]!.key === key ? last : last + 1
      for (let i = first; i < entries.length; i++) yield entries[i]!
      return
    }
    for (let i = Math.max(0, last); i < entries.length; i++) {
      yield* this.#from(decodeSpan(entries[i]!.value), key, level - 1)
    }
  }

  #block(span: Span): readonly Entry[] {
    const known = this.#known.get(span.offset)
    if (known) return known
    const entries = decodeBlock(this.#frames.read(span))
    if (this.#known.size >= MAX_CACHED_BLOCKS) this.#known.clear()
    this.#known.set(span.offset, entries)
    return entries
  }
}

const MAX_CACHED_BLOCKS = 1_000

/** The position of the last entry whose key is not greater than `key`; -1 if there is none. */
function findLastAtOrBefore(entries: readonly Entry[], key: string): number {
  let [low, high] = [0, entries.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (entries[middle]!.key <= key) low = middle + 1
    else high = middle
  }
  return low - 1
}

function decodeBlock(bytes: Buffer): Entry[] {
  const reader = new ByteReader(bytes)
  const entries: Entry[] = []
  let key = ''
  while (!reader.isAtEnd) {
    const shared = reader.number()
    key = key.slice(0, shared) + reader.text()
    entries.push({ key, value: reader.bytes(reader.number()) })
  }
  return entries
}

function encodeSpan({ offset, length }: Span): Buffer {
  const writer = new ByteWriter()
  writer.number(offset)
  writer.number(length)
  return writer.take()
}

function decodeSpan(bytes: Buffer): Span {
  const reader = new ByteReader(bytes)
  return { offset: reader.number(), length: reader.number() }
}
