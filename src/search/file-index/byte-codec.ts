/** Writes numbers and texts. A number takes a byte for every seven bits, lowest bits first. */
export class ByteWriter {
  #bytes: Buffer = Buffer.allocUnsafe(4_096)
  #length = 0

  get length(): number {
    return this.#length
  }

  byte(value: number): void {
    this.#reserve(1)
    this.#bytes[this.#length++] = value
  }

  number(value: number): void {
    this.#reserve(8)
    let rest = value
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.#bytes[this.#length++] = (rest % 0x80) | 0x80
    this.#bytes[this.#length++] = rest
  }

  bytes(value: Uint8Array): void {
    this.#reserve(value.length)
    this.#bytes.set(value, this.#length)
    this.#length += value.length
  }

  /** Writes the length in bytes, then the text. */
  text(value: string): void {
    const length = Buffer.byteLength(value)
    this.number(length)
    this.#reserve(length)
    this.#length += this.#bytes.write(value, this.#length)
  }

  /** Returns the bytes since the last call. */
  take(): Buffer {
    const taken = Buffer.from(this.#bytes.subarray(0, this.#length))
    this.#length = 0
    return taken
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(2 * this.#bytes.length, this.#length + more))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}

/** Reads what `ByteWriter` wrote. */
export class ByteReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get at(): number {
    return this.#at
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length
  }

  number(): number {
    let value = 0
    for (let unit = 1; ; unit *= 0x80) {
      const byte = this.#bytes[this.#at++]!
      value += (byte & 0x7f) * unit
      if (byte < 0x80) return value
    }
  }

  skip(length: number): void {
    this.#at += length
  }

  bytes(length: number): Buffer {
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  text(): string {
    const length = this.number()
    this.#at += length
    return this.#bytes.toString('utf8', this.#at - length, this.#at)
  }

  rest(): Buffer {
    return this.#bytes.subarray(this.#at)
  }
}
