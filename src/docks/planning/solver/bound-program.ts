import { groupBy } from '../../../kernel/work/group-by'
import { type IntegerProgram, toMatrix } from './relax-day'

/** What the prices of the rows say of an integer program. */
export interface ProgramBound {
  /** No solution costs less. */
  least: number
  /** What a solution with each column costs at least. */
  leastWith: Float64Array
}

const MAX_ROUNDS = 400
/** After so many rounds without a better bound, it goes on from the best prices in shorter steps. */
const ROUNDS_WITHOUT_GAIN = 12
const SHORTER = 1.5
const FOUND_ABOVE = 1.02
const UNKNOWN_ABOVE = 1.1
const MIN_AIM = 0.001
/** Rounding of sums. */
const EPSILON = 1e-6

/**
 * Bounds a program from below by Lagrangian relaxation (Fisher 1981). Each row that limits a sum has a price, which rises where the cheapest
 * choices exceed it. In some tens of milliseconds it is close to the bound of the linear relaxation. `found` is what a known solution costs,
 * which ends it early; infinite if none is known. Without time
 * left, it ends with what it has.
 */
export function boundProgram(
  { columns, rows }: Pick<IntegerProgram, 'columns' | 'rows'>,
  found: number,
  isTimeLeft: () => boolean = () => true,
): ProgramBound {
  const priced = new PricedProgram(columns, rows)
  const unit = findUnit(columns.map(({ cost }) => cost))
  const roundUp = (cost: number) => Math.max(0, Math.ceil(cost / unit - EPSILON) * unit)
  let best = { sum: Number.NEGATIVE_INFINITY, prices: priced.prices.slice() }
  let scale = SHORTER
  let since = 0
  for (let round = 0; round < MAX_ROUNDS && roundUp(best.sum) < found && isTimeLeft(); round++) {
    const sum = priced.evaluate()
    if (sum > best.sum + EPSILON) {
      best = { sum, prices: priced.prices.slice() }
      since = 0
    } else if (++since > ROUNDS_WITHOUT_GAIN) {
      scale /= SHORTER
      since = 0
      priced.prices.set(best.prices)
      continue
    }
    // A step aims above what is found, because steps get too short near it; without it, above the bound itself.
    const aim = Number.isFinite(found) ? found * FOUND_ABOVE : Math.abs(best.sum) * UNKNOWN_ABOVE
    if (!priced.raise(scale * Math.max(aim - sum, MIN_AIM * aim + MIN_AIM))) break
  }
  priced.prices.set(best.prices)
  const sum = priced.evaluate()
  return { least: roundUp(sum), leastWith: priced.listExtra().map((extra) => roundUp(sum + extra)) }
}

/** A program whose rows that limit a sum have prices in place of their limits. Of the columns of the other rows, each chooses one. */
class PricedProgram {
  readonly prices: Float64Array
  readonly #matrix: ReturnType<typeof toMatrix>
  readonly #costs: Float64Array
  readonly #uppers: Float64Array
  readonly #isPriced: readonly boolean[]
  /** The columns of each choice. */
  readonly #choices: readonly (readonly number[])[]
  /** Those that belong to none. */
  readonly #free: readonly number[]
  /** What each column costs at the prices, and what the cheapest ones use of each row. */
  readonly #now: Float64Array
  readonly #used: Float64Array

  constructor(
    private readonly columns: IntegerProgram['columns'],
    rows: IntegerProgram['rows'],
  ) {
    this.prices = new Float64Array(rows.length)
    this.#matrix = toMatrix(columns)
    this.#costs = Float64Array.from(columns, ({ cost }) => cost)
    this.#uppers = Float64Array.from(rows, ({ upper }) => upper)
    this.#isPriced = rows.map(({ lower }) => lower < 1)
    const groups = groupBy(
      columns.keys(),
      (column) => columns[column]!.rows.find((row) => !this.#isPriced[row]) ?? null,
    )
    this.#free = groups.get(null) ?? []
    groups.delete(null)
    this.#choices = [...groups.values()]
    this.#now = new Float64Array(columns.length)
    this.#used = new Float64Array(rows.length)
  }

  /** What the cheapest columns cost at the prices, without what the limits allow: no solution of the program costs less. */
  evaluate(): number {
    const { starts, indices, values } = this.#matrix
    this.#used.fill(0)
    let sum = 0
    for (let row = 0; row < this.prices.length; row++) sum -= this.prices[row]! * this.#uppers[row]!
    for (let column = 0; column < this.#costs.length; column++) {
      let cost = this.#costs[column]!
      for (let at = starts[column]!; at < starts[column + 1]!; at++) cost += this.prices[indices[at]!]! * values[at]!
      this.#now[column] = cost
    }
    for (const choice of this.#choices) {
      const cheapest = this.#findCheapest(choice)
      sum += this.#now[cheapest]!
      this.#use(cheapest, 1)
    }
    for (const column of this.#free) {
      if (this.#now[column]! >= 0) continue
      sum += this.#now[column]! * this.columns[column]!.upper
      this.#use(column, this.columns[column]!.upper)
    }
    return sum
  }

  /** Changes the prices by what is used too much, or not at all. False if no price is to be changed. */
  raise(step: number): boolean {
    let norm = 0
    const excess = this.#used.map((used, row) => (this.#isPriced[row] ? used - this.#uppers[row]! : 0))
    for (const [row, over] of excess.entries()) if (over > 0 || this.prices[row]! > 0) norm += over * over
    if (norm === 0) return false
    for (const [row, over] of excess.entries()) this.prices[row] = Math.max(0, this.prices[row]! + (step / norm) * over)
    return true
  }

  /** How much more each column costs at the prices than the cheapest of its choice. */
  listExtra(): Float64Array {
    const extra = this.#now.map((cost) => Math.max(0, cost))
    for (const choice of this.#choices) {
      const least = this.#now[this.#findCheapest(choice)]!
      for (const column of choice) extra[column] = this.#now[column]! - least
    }
    return extra
  }

  #findCheapest(choice: readonly number[]): number {
    let cheapest = choice[0]!
    for (const column of choice) if (this.#now[column]! < this.#now[cheapest]!) cheapest = column
    return cheapest
  }

  #use(column: number, count: number): void {
    const { starts, indices, values } = this.#matrix
    for (let at = starts[column]!; at < starts[column + 1]!; at++) this.#used[indices[at]!]! += values[at]! * count
  }
}

/** The greatest number of which all costs are multiples. */
function findUnit(costs: readonly number[]): number {
  let unit = 0
  for (const cost of costs) {
    let rest = cost
    while (rest > 0) [unit, rest] = [rest, unit % rest]
  }
  return unit || 1
}
