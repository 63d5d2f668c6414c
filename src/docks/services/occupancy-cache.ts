import { DAY_MS } from '../../kernel/time'
import type { ReadTx } from '../../storage'
import { MAX_APPOINTMENT_MS } from '../migrations'
import { listBusySpansStarting } from '../queries'
import type { BusySpan } from '../rules/occupancy'
import { isOverlapping, type Span } from '../rules/spans'

/**
 * What is taken at a facility, read once a day of UTC and cached for a transaction that has locked the facility: an import
 * asks for the same days many times.
 */
export class OccupancyCache {
  readonly #days = new Map<number, Promise<BusySpan[]>>()

  constructor(
    private readonly tx: ReadTx,
    private readonly facilityId: string,
  ) {}

  async within(span: Span): Promise<BusySpan[]> {
    const first = dayOf(span.from - MAX_APPOINTMENT_MS)
    const found: BusySpan[] = []
    for (let day = first; day <= dayOf(span.to - 1); day++) {
      for (const busy of await this.#starting(day)) if (isOverlapping(busy, span)) found.push(busy)
    }
    return found
  }

  async add(busy: BusySpan): Promise<void> {
    const known = await this.#days.get(dayOf(busy.from))
    known?.push(busy)
  }

  #starting(day: number): Promise<BusySpan[]> {
    const known = this.#days.get(day)
    if (known) return known
    const read = listBusySpansStarting(this.tx, this.facilityId, { from: day * DAY_MS, to: (day + 1) * DAY_MS })
    this.#days.set(day, read)
    return read
  }
}

const dayOf = (instant: number) => Math.floor(instant / DAY_MS)
