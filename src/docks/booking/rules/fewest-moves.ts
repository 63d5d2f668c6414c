import type { Candidate, DoorBoard } from './door-board'

/** How much work a search may still do: one unit is a look at a door. Several searches can share one. */
export interface WorkBudget {
  left: number
}

interface Option {
  door: number
  /** Who must leave the door. */
  displaced: readonly number[]
}

/**
 * Finds the doors of all items with as few moves as possible. An appointment that moves may displace several others, for which doors are
 * searched in the same way. Each round allows one move more. The search is complete: every rearrangement without an unnecessary move is
 * reached by placing one displaced item after another.
 */
export class FewestMoves {
  /** Where each item is in the branch of the search; -1 while it has no door. */
  readonly #at: Int32Array
  /** Who was placed at each door in the branch, and stays there. */
  readonly #placed = new Map<number, number[]>()
  /** Whether a round left something out because it needs more moves. */
  #isCut = false

  constructor(
    private readonly board: DoorBoard,
    private readonly budget: WorkBudget,
  ) {
    this.#at = board.listHomes()
  }

  /** The door of each item; `none` if there is no rearrangement; `ended` if the budget was used up before that was known. */
  find(): Int32Array | 'none' | 'ended' {
    if (!this.#isPossible()) return 'none'
    for (let most = 0; ; most++) {
      this.#isCut = false
      if (this.#place([this.board.added], most)) return this.#at
      if (this.budget.left <= 0) return 'ended'
      if (!this.#isCut) return 'none'
    }
  }

  /** Gives each of the pending items a door, with at most `most` moves more. What is found stays in `#at`. */
  #place(pending: readonly number[], most: number): boolean {
    if (pending.length === 0) return true
    let item = -1
    let options: Option[] | null = null
    for (const other of pending) {
      const found = this.#listOptions(other, most)
      if (options !== null && found.length >= options.length) continue
      item = other
      options = found
      if (found.length === 0) return false
    }
    const others = pending.filter((other) => other !== item)
    for (const { door, displaced } of options!) {
      if (this.budget.left <= 0) return false
      this.#at[item] = door
      this.#placedAt(door).push(item)
      for (const index of displaced) this.#at[index] = -1
      if (this.#place([...others, ...displaced], most - displaced.length)) return true
      for (const index of displaced) this.#at[index] = door
      this.#placedAt(door).pop()
    }
    this.#at[item] = -1
    return false
  }

  /** The doors at which the item can be, those first that displace the fewest. */
  #listOptions(item: number, most: number): Option[] {
    const candidates = this.board.candidatesOf(item)
    this.budget.left -= candidates.length
    const byCount: Option[][] = []
    for (const { door, residents } of candidates) {
      if (this.#isKeptFrom(item, door)) continue
      const displaced = this.#listPresent(door, residents)
      if (displaced.length > most) this.#isCut = true
      else {
        const same = byCount[displaced.length]
        if (same) same.push({ door, displaced })
        else byCount[displaced.length] = [{ door, displaced }]
      }
    }
    return byCount.flat()
  }

  /** Whether an item that was placed at the door keeps the other one from it. */
  #isKeptFrom(item: number, door: number): boolean {
    for (const other of this.#placedAt(door)) if (this.board.areNear(item, other)) return true
    return false
  }

  #listPresent(door: number, residents: Candidate['residents']): Candidate['residents'] {
    const isPresent = (index: number) => this.#at[index] === door
    return residents.every(isPresent) ? residents : residents.filter(isPresent)
  }

  #placedAt(door: number): number[] {
    const known = this.#placed.get(door)
    if (known) return known
    const placed: number[] = []
    this.#placed.set(door, placed)
    return placed
  }

  /**
   * False if there is no rearrangement for certain. At each moment of the added span, all who are there need a door each. If no chain leads from
   * the added one, over those who can leave their doors, to a free door, then no search can help.
   */
  #isPossible(): boolean {
    return this.board.listMoments().every((moment) => this.#hasChainAt(moment))
  }

  #hasChainAt(moment: number): boolean {
    const reached = new Set<number>()
    const waiting = [this.board.added]
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
      const candidates = this.board.candidatesOf(item)
      this.budget.left -= candidates.length
      for (const { door, residents } of candidates) {
        if (reached.has(door)) continue
        reached.add(door)
        const there = residents.filter((index) => this.board.isAt(index, moment))
        // Two at a door have less than the buffer between them, from before the facility had one: they are not judged here.
        if (there.length !== 1) return true
        waiting.push(there[0]!)
      }
    }
    return false
  }
}
