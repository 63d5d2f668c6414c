type Numbers = Uint8Array | Uint16Array | Uint32Array

/** A row of numbers that grows, in as little memory as they take. */
export class GrowableArray<Kind extends Numbers> {
  #numbers: Kind
  length = 0
  readonly #make: (length: number) => Kind

  constructor(make: (length: number) => Kind) {
    this.#make = make
    this.#numbers = make(1_024)
  }

  push(value: number): void {
    if (this.length === this.#numbers.length) {
      const larger = this.#make(2 * this.length)
      larger.set(this.#numbers)
      this.#numbers = larger
    }
    this.#numbers[this.length++] = value
  }

  /** Without the room to grow. */
  get numbers(): Kind {
    return this.#numbers.subarray(0, this.length) as Kind
  }
}
