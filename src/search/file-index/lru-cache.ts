/** What was read last, up to a size: people ask for the same words, and those find the same documents. */
export class LruCache<Key, Value> {
  readonly #most: number
  readonly #sizeOf: (value: Value) => number
  readonly #values = new Map<Key, Value>()
  #size = 0

  constructor(most: number, sizeOf: (value: Value) => number) {
    this.#most = most
    this.#sizeOf = sizeOf
  }

  get(key: Key): Value | undefined {
    const value = this.#values.get(key)
    if (value === undefined) return undefined
    this.#values.delete(key)
    this.#values.set(key, value)
    return value
  }

  /** One that is not there. */
  set(key: Key, value: Value): Value {
    this.#values.set(key, value)
    this.#size += this.#sizeOf(value)
    for (const [oldest, dropped] of this.#values) {
      if (this.#size <= this.#most) break
      this.#values.delete(oldest)
      this.#size -= this.#sizeOf(dropped)
    }
    return value
  }
}
