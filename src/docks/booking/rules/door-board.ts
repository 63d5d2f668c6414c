import { isOverlapping, type Span, widenSpan } from './spans'

/** An appointment or a hold at a door. Doors are numbers here, from 0. */
export interface Occupant extends Span {
  /** Negative for a door that cannot be booked any more. */
  door: number
  /** The doors that can take it at its own time; null if it stays where it is. */
  listDoors: (() => readonly number[]) | null
}

/** A door that can take an item, as long as those who are there can leave it. */
export interface Candidate {
  door: number
  /** Who is at the door at that time before anything is moved. */
  residents: readonly number[]
}

/** A span for which room is made, at one of the doors. */
export interface AddedSpan extends Span {
  doors: readonly number[]
}

/**
 * Who is at which door, before anything is moved. Items are numbers: the occupants by their index, and behind them the one that is added.
 * What a search needs to know of an item is computed when it is first asked for.
 */
export class DoorBoard {
  /** The item that is added. */
  readonly added: number
  readonly #candidates: (readonly Candidate[])[] = []
  readonly #neighbors: (readonly number[])[] = []

  constructor(
    readonly occupants: readonly Occupant[],
    private readonly addedSpan: AddedSpan,
    private readonly bufferMs: number,
  ) {
    this.added = occupants.length
  }

  /** The door of each item; -1 for the one that is added. */
  listHomes(): Int32Array {
    return Int32Array.from([...this.occupants.map(({ door }) => door), -1])
  }

  isMovable(item: number): boolean {
    return item === this.added || this.occupants[item]!.listDoors !== null
  }

  /** The doors to which the item can go, without its own one and those at which someone is who stays. */
  candidatesOf(item: number): readonly Candidate[] {
    const known = this.#candidates[item] ?? this.#listCandidates(item)
    this.#candidates[item] = known
    return known
  }

  /** Those that cannot be at the same door as the item. */
  neighborsOf(item: number): readonly number[] {
    const known = this.#neighbors[item] ?? this.#listNeighbors(item)
    this.#neighbors[item] = known
    return known
  }

  /** Whether they cannot be at the same door. */
  areNear(one: number, other: number): boolean {
    return isOverlapping(widenSpan(this.#spanOf(one), this.bufferMs), this.#spanOf(other))
  }

  /** Whether the item needs a door at the moment. */
  isAt(item: number, moment: number): boolean {
    const { from, to } = this.#spanOf(item)
    return from <= moment && moment < to + this.bufferMs
  }

  /** The moments of the added span at which someone comes. */
  listMoments(): number[] {
    const { from, to } = this.addedSpan
    const arrivals = this.occupants.map((other) => other.from).filter((at) => from < at && at < to + this.bufferMs)
    return [...new Set([from, ...arrivals])]
  }

  #listCandidates(item: number): Candidate[] {
    const own = this.occupants[item]?.door
    const doors = this.occupants[item]?.listDoors?.() ?? this.addedSpan.doors
    const residents = new Map<number, number[] | null>()
    for (const door of doors) if (door !== own) residents.set(door, [])
    for (const index of this.neighborsOf(item)) {
      const { door = -1, listDoors = null } = this.occupants[index] ?? {}
      const there = residents.get(door)
      if (!there) continue
      if (listDoors === null) residents.set(door, null)
      else there.push(index)
    }
    return [...residents].flatMap(([door, there]) => (there === null ? [] : [{ door, residents: there }]))
  }

  #listNeighbors(item: number): number[] {
    const wide = widenSpan(this.#spanOf(item), this.bufferMs)
    const found: number[] = []
    for (const [index, other] of this.occupants.entries())
      if (index !== item && isOverlapping(wide, other)) found.push(index)
    if (item !== this.added && isOverlapping(wide, this.addedSpan)) found.push(this.added)
    return found
  }

  #spanOf(item: number): Span {
    return this.occupants[item] ?? this.addedSpan
  }
}
