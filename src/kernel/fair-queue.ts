/** What waits, by caller. Callers take turns, so that one with much work delays another by one entry only. */
export class FairQueue<Entry> {
  /** The caller whose turn is next comes first. */
  readonly #waiting = new Map<string, Entry[]>()

  add(caller: string, entry: Entry): void {
    const others = this.#waiting.get(caller)
    if (others) others.push(entry)
    else this.#waiting.set(caller, [entry])
  }

  /** The first entry of the caller whose turn it is, who is then the last one to get another turn. */
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
