import type { ReadTx } from '../../storage'
import { listBusySpans } from '../queries'
import type { BusySpan } from '../rules/occupancy'
import {
  type DayAvailability,
  type Search,
  type SlotRequest,
  type SlotSearchResult,
  searchDay,
  searchSlot,
} from '../rules/slot-search'
import type { Span } from '../rules/spans'

/** The earliest slot beside what is booked; reads no further than the search comes. `except` is taken for free. */
export function findSlot(
  tx: ReadTx,
  facilityId: string,
  request: SlotRequest,
  except: string | null = null,
): Promise<SlotSearchResult> {
  return runSearch(searchSlot(request), (span) => listBusySpans(tx, facilityId, span, except))
}

/** All slots of a date beside what is booked. */
export function findSlotsOnDay(
  tx: ReadTx,
  facilityId: string,
  request: Omit<SlotRequest, 'lastDay'>,
): Promise<DayAvailability> {
  return runSearch(searchDay(request), (span) => listBusySpans(tx, facilityId, span, null))
}

/** Runs a search to its end, and reads what it asks for. */
export async function runSearch<Answer>(
  search: Search<Answer>,
  read: (span: Span) => Promise<readonly BusySpan[]>,
): Promise<Answer> {
  let step = search.next()
  while (!step.done) step = search.next(await read(step.value))
  return step.value
}
