import { createRandom } from '../../../kernel/random'
import type { DoorBoard } from './door-board'
import type { WorkBudget } from './fewest-moves'

/** A door is closed to an item that had to leave it for at least so many steps, and at most for so many more. */
const MIN_CLOSED_STEPS = 5
const MORE_CLOSED_STEPS = 20
/** What an item without a door costs, compared with one that is moved. */
const DISPLACED_COST = 3
/** After so many steps without a better arrangement, the search goes on from the best one. */
const MAX_STEPS_APART = 1_000

/**
 * Finds doors for all items where a complete search takes too long: it gives an item without a door the one that displaces the fewest, and
 * closes that door for a while to those who had to leave it, so that it does not go round in circles. Then it sends moved ones home and
 * repairs that, as long as it has budget, because fewer moves are better. It finds nothing for certain. The same input gives the same answer.
 */
export class RepairDoors {
  readonly #homes: Int32Array
  readonly #at: Int32Array
  /** Until which step each door is closed to an item, by item. */
  readonly #closed: Int32Array[] = []
  /** The items without a door. */
  #pending: number[]
  #moves = 0
  #step = 0
  readonly #random = createRandom(1)
  readonly #count: Int32Array
  readonly #movedCount: Int32Array

  constructor(
    private readonly board: DoorBoard,
    private readonly doorCount: number,
    private readonly budget: WorkBudget,
  ) {
    this.#homes = board.listHomes()
    this.#at = board.listHomes()
    this.#pending = [board.added]
    this.#count = new Int32Array(doorCount)
    this.#movedCount = new Int32Array(doorCount)
  }

  /** The door of each item; null if none was found. */
  find(): Int32Array | null {
    let best: { at: Int32Array; moves: number; step: number } | null = null
    while (this.budget.left > 0) {
      this.#step++
      if (this.#pending.length === 0) {
        this.#sendHomeWhoCan()
        if (best === null || this.#moves < best.moves)
          best = { at: this.#at.slice(), moves: this.#moves, step: this.#step }
        if (!this.#sendOneHome()) break
      } else if (best !== null && this.#step - best.step > MAX_STEPS_APART) {
        this.#at.set(best.at)
        this.#moves = best.moves
        this.#pending = []
        best.step = this.#step
      } else this.#placeOne()
    }
    return best?.at ?? null
  }

  /** Places the pending item, of all, that costs the least. */
  #placeOne(): void {
    let chosen: { place: number; door: number } | null = null
    let least = Number.POSITIVE_INFINITY
    let ties = 0
    for (const [place, item] of this.#pending.entries()) {
      this.#countAround(item)
      const home = this.#homes[item]!
      const consider = (door: number) => {
        const count = this.#count[door]!
        const own = this.#isMoveTo(item, door) ? 1 : 0
        const cost = count * DISPLACED_COST - this.#movedCount[door]! + own
        if (cost > least || (this.#closed[item]?.[door] ?? 0) > this.#step) return
        if (cost < least) ties = 0
        least = cost
        ties++
        if (this.#random() * ties < 1) chosen = { place, door }
      }
      if (home >= 0) consider(home)
      for (const { door } of this.board.candidatesOf(item)) consider(door)
      this.#clearAround(item)
    }
    if (chosen === null) return
    const { place, door } = chosen
    const [item] = this.#pending.splice(place, 1) as [number]
    this.#settle(item, door)
  }

  /** Puts the item at the door, and takes it from those who are there. */
  #settle(item: number, door: number): void {
    this.#at[item] = door
    if (this.#isMoveTo(item, door)) this.#moves++
    for (const other of this.board.neighborsOf(item)) {
      if (this.#at[other] !== door || !this.board.isMovable(other)) continue
      if (this.#isMoveTo(other, door)) this.#moves--
      this.#at[other] = -1
      this.#pending.push(other)
      this.#close(other, door)
    }
  }

  #close(item: number, door: number): void {
    const steps = MIN_CLOSED_STEPS + Math.floor(this.#pending.length * 0.6 + this.#random() * MORE_CLOSED_STEPS)
    const closed = this.#closed[item] ?? new Int32Array(this.doorCount)
    this.#closed[item] = closed
    closed[door] = this.#step + steps
  }

  #isMoveTo(item: number, door: number): boolean {
    return item !== this.board.added && door !== this.#homes[item]
  }

  /** Sends everyone home whose door is free. */
  #sendHomeWhoCan(): void {
    for (let again = true; again; ) {
      again = false
      for (const item of this.#listMoved()) {
        const home = this.#homes[item]!
        if (this.board.neighborsOf(item).some((other) => this.#at[other] === home)) continue
        this.#at[item] = home
        this.#moves--
        again = true
      }
    }
  }

  /** Sends one of the moved items home, also to a door that is taken. False if fewer moves are not possible. */
  #sendOneHome(): boolean {
    const moved = this.#listMoved()
    if (moved.length <= 1) return false
    const item = moved[Math.floor(this.#random() * moved.length)]!
    this.#close(item, this.#at[item]!)
    this.#moves--
    this.#settle(item, this.#homes[item]!)
    return true
  }

  #listMoved(): number[] {
    const moved: number[] = []
    for (const item of this.board.occupants.keys()) if (this.#at[item] !== this.#homes[item]) moved.push(item)
    return moved
  }

  /** Counts who is at each door at the time of the item. */
  #countAround(item: number): void {
    const neighbors = this.board.neighborsOf(item)
    this.budget.left -= neighbors.length
    for (const other of neighbors) {
      const door = this.#at[other]!
      if (door < 0) continue
      this.#count[door]!++
      if (this.#isMoveTo(other, door)) this.#movedCount[door]!++
    }
  }

  #clearAround(item: number): void {
    for (const other of this.board.neighborsOf(item)) {
      const door = this.#at[other]!
      if (door < 0) continue
      this.#count[door] = 0
      this.#movedCount[door] = 0
    }
  }
}
