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
 * Writes a sorted table of keys and values as a tree of blocks. In a block, each key omits the bytes that it shares with the beginning of the
 * previous one. Blocks of upper levels contain the first key of each block below.
 */
export class SortedTableWriter {
  readonly #frames: FrameWriter
  readonly #levels: BlockWriter[] = []

  constructor(frames: FrameWriter) {
    this.#frames = frames
  }

  /** Keys must be in the order of `sortKeys`. */
  add(key: string, value: Buffer): void {
    this.#addAt(0, Buffer.from(key), value)
  }

  finish(): TableRoot {
    for (let level = 0; ; level++) {
      const block = this.#levels[level] ?? new BlockWriter()
      if (level >= this.#levels.length - 1) return { ...this.#frames.write(block.take()), levels: level }
      this.#close(level)
    }
  }

  #addAt(level: number, key: Buffer, value: Buffer): void {
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

const NO_BYTES: Buffer = Buffer.alloc(0)

class BlockWriter {
  readonly #bytes = new ByteWriter()
  firstKey = NO_BYTES
  #last = NO_BYTES

  get length(): number {
    return this.#bytes.length
  }

  add(key: Buffer, value: Buffer): void {
    if (this.#bytes.length === 0) this.firstKey = key
    const shared = this.#bytes.length === 0 ? 0 : sharedPrefixLength(this.#last, key)
    this.#last = key
    for (const number of [shared, key.length - shared, value.length]) this.#bytes.number(number)
    this.#bytes.bytes(key.subarray(shared))
    this.#bytes.bytes(value)
  }

  take(): Buffer {
    return this.#bytes.take()
  }
}

function sharedPrefixLength(one: Buffer, other: Buffer): number {
  let shared = 0
  while (shared < one.length && one[shared] === other[shared]) shared += 1
  return shared
}

/** Sorts keys as their bytes in UTF-8. That differs from JavaScript's order only for characters of two units. */
export function sortKeys(keys: string[]): string[] {
  return keys.some((key) => /[\ud800-\udfff]/.test(key))
    ? keys.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    : keys.sort()
}

export class SortedTable {
  readonly #frames: FrameFile
  readonly #root: TableRoot
  readonly #known = new Map<number, Buffer>()

  constructor(frames: FrameFile, root: TableRoot) {
    this.#frames = frames
    this.#root = root
  }

  get(key: string): Buffer | null {
    const wanted = Buffer.from(key)
    let block = this.#block(this.#root)
    for (let level = this.#root.levels; level > 0; level--) {
      const found = findAtOrBefore(block, wanted)
      if (found === null) return null
      block = this.#block(decodeSpan(valueAt(block, found)))
    }
    const found = findAtOrBefore(block, wanted)
    return found?.isEqual ? valueAt(block, found) : null
  }

  /** The entries whose keys begin with `prefix`, in order. */
  *entriesWithPrefix(prefix: string): Generator<Entry> {
    for (const entry of this.#from(this.#root, Buffer.from(prefix), this.#root.levels)) {
      if (!entry.key.startsWith(prefix)) return
      yield entry
    }
  }

  *#from(span: Span, wanted: Buffer, level: number): Generator<Entry> {
    const block = this.#block(span)
    const found = findAtOrBefore(block, wanted)
    if (level > 0) {
      for (const value of valuesFrom(block, found?.at ?? 0)) yield* this.#from(decodeSpan(value), wanted, level - 1)
      return
    }
    const start = found === null ? 0 : found.isEqual ? found.at : found.value + found.length
    yield* entriesFrom(block, start, wanted)
  }

  #block(span: Span): Buffer {
    const known = this.#known.get(span.offset)
    if (known) return known
    const block = this.#frames.read(span)
    if (this.#known.size >= MAX_CACHED_BLOCKS) this.#known.clear()
    this.#known.set(span.offset, block)
    return block
  }
}

const MAX_CACHED_BLOCKS = 1_000

/** Where an entry of a block begins, where its value is, and whether its key is the wanted one. */
interface FoundEntry {
  at: number
  value: number
  length: number
  isEqual: boolean
}

function valueAt(block: Buffer, { value, length }: FoundEntry): Buffer {
  return block.subarray(value, value + length)
}

/**
 * The last entry of a block whose key is not greater than the wanted one; null if there is none. Compares bytes without making a key, because
 * a cold process runs this before it is compiled.
 */
function findAtOrBefore(block: Buffer, wanted: Buffer): FoundEntry | null {
  let found: FoundEntry | null = null
  // How many bytes the last key and the wanted one have in common.
  let common = 0
  let position = 0
  const number = () => {
    let read = 0
    for (let unit = 1; ; unit *= 0x80) {
      const byte = block[position++]!
      read += (byte & 0x7f) * unit
      if (byte < 0x80) return read
    }
  }
  while (position < block.length) {
    const at = position
    const shared = number()
    const rest = number()
    const length = number()
    const value = position + rest
    if (shared < common) break
    let isEqual = false
    if (shared === common) {
      let same = 0
      while (same < rest && common + same < wanted.length && block[position + same] === wanted[common + same]) same += 1
      const isOver =
        same < rest && (common + same === wanted.length || block[position + same]! > wanted[common + same]!)
      if (isOver) break
      isEqual = same === rest && common + same === wanted.length
      common += same
    }
    found = { at, value, length, isEqual }
    position = value + length
  }
  return found
}

/** The values of a block from the entry at this position on. */
function* valuesFrom(block: Buffer, at: number): Generator<Buffer> {
  const reader = new ByteReader(block)
  reader.skip(at)
  while (!reader.isAtEnd) {
    reader.number()
    const [rest, length] = [reader.number(), reader.number()]
    reader.skip(rest)
    yield reader.bytes(length)
  }
}

/**
 * The entries of a block from this position on, where the first key is that is not less than the wanted one. What that shares with the key
 * before it, the wanted key has too, because it is between them.
 */
function* entriesFrom(block: Buffer, at: number, wanted: Buffer): Generator<Entry> {
  const reader = new ByteReader(block)
  reader.skip(at)
  let key: Buffer = Buffer.concat([wanted], wanted.length + 256)
  while (!reader.isAtEnd) {
    const [shared, rest, length] = [reader.number(), reader.number(), reader.number()]
    if (shared + rest > key.length) key = Buffer.concat([key, Buffer.allocUnsafe(shared + rest)])
    // Few bytes, for which a call of `copy` takes longer.
    for (let i = 0; i < rest; i++) key[shared + i] = block[reader.at + i]!
    reader.skip(rest)
    yield { key: key.toString('utf8', 0, shared + rest), value: reader.bytes(length) }
  }
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
