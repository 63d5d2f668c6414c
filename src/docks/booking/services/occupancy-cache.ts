import { DAY_MS } from '../../../kernel/time'
import type { ReadTx } from '../../../storage'
import { type Facility, MAX_APPOINTMENT_MS } from '../../facilities/rules/facility'
import { listBusySpansStarting } from '../../queries'
import { type BusySpan, isOverlapping, type Span } from '../rules/spans'

/** Caches the busy spans of a locked facility per UTC day, because an operation on many appointments needs the same days many times. */
export class OccupancyCache {
  readonly #days = new Map<number, Promise<BusySpan[]>>()

  constructor(
    private readonly tx: ReadTx,
    private readonly facility: Pick<Facility, 'id' | 'limits'>,
    private readonly now: number,
  ) {}

  async list(span: Span): Promise<BusySpan[]> {
    const first = getUtcDay(span.from - MAX_APPOINTMENT_MS)
    const found: BusySpan[] = []
    for (let day = first; day <= getUtcDay(span.to - 1); day++) {
      for (const busy of await this.#listStarting(day)) if (isOverlapping(busy, span)) found.push(busy)
    }
    return found
  }

  async add(busy: BusySpan): Promise<void> {
    const known = await this.#days.get(getUtcDay(busy.from))
    known?.push(busy)
  }

  async remove({ doorId, from }: BusySpan): Promise<void> {
    const known = await this.#days.get(getUtcDay(from))
    const index = known?.findIndex((busy) => busy.doorId === doorId && busy.from === from) ?? -1
    if (index >= 0) known!.splice(index, 1)
  }

  #listStarting(day: number): Promise<BusySpan[]> {
    const known = this.#days.get(day)
    if (known) return known
    const spans = listBusySpansStarting(
      this.tx,
      this.facility,
      { from: day * DAY_MS, to: (day + 1) * DAY_MS },
      this.now,
    )
    this.#days.set(day, spans)
    return spans
  }
}

const getUtcDay = (instant: number) => Math.floor(instant / DAY_MS)
