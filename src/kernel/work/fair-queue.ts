/** Entries that wait, by caller. Callers take turns, so that a caller with many entries delays another one by a single entry. */
export class FairQueue<Entry> {
  /** The caller whose turn is next comes first. */
  readonly #waiting = new Map<string, Entry[]>()

  add(caller: string, entry: Entry): void {
    const others = this.#waiting.get(caller)
    if (others) others.push(entry)
    else this.#waiting.set(caller, [entry])
  }

  /** Removes and returns the first entry of the caller whose turn it is. Its next turn comes after those of all others. */
  takeNext(): Entry | undefined {
    for (const [caller, [first, ...others]] of this.#waiting) {
      this.#waiting.delete(caller)
      if (others.length > 0) this.#waiting.set(caller, others)
      return first
    }
    return undefined
  }

  /** The caller keeps its turn if it has other entries. */
  remove(caller: string, entry: Entry): void {
    const others = this.#waiting.get(caller)?.filter((each) => each !== entry) ?? []
    if (others.length > 0) this.#waiting.set(caller, others)
    else this.#waiting.delete(caller)
  }

  takeAll(): Entry[] {
    const all = [...this.#waiting.values()].flat()
    this.#waiting.clear()
    return all
  }
}
