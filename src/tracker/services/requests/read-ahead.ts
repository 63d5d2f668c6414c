import { MINUTE_MS } from '../../../kernel/time'

/** Characters of JSON, and for how long. What is not stored is read again. */
const MAX_SIZE = 16 * 1024 * 1024
const LIFETIME_MS = MINUTE_MS

/** Items that reading a tree has returned, for the import that reads them next. Each is returned once, and only for a short time. */
export class ReadAhead<Wire extends { id: string }> {
  readonly #items = new Map<number, Wire>()
  #size = 0
  #expiresAt = 0

  constructor(private readonly now: () => number) {}

  add(wires: readonly Wire[]): void {
    this.#expire()
    this.#expiresAt = this.now() + LIFETIME_MS
    for (const wire of wires) {
      if (this.#size > MAX_SIZE) return
      this.#size += JSON.stringify(wire).length
      this.#items.set(Number(wire.id), wire)
    }
  }

  take(ids: readonly number[]): Wire[] {
    this.#expire()
    const found = ids.flatMap((id) => this.#items.get(id) ?? [])
    for (const id of ids) this.#items.delete(id)
    if (this.#items.size === 0) this.#size = 0
    return found
  }

  #expire(): void {
    if (this.now() < this.#expiresAt) return
    this.#items.clear()
    this.#size = 0
  }
}
