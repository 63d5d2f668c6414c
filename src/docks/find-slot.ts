import type { ReadTx } from '../storage'
import { busySpans } from './queries'
import { type SlotAnswer, type SlotRequest, searchSlot } from './rules/slot-search'

/** Runs the search against what is booked, and reads no further than the search comes. `except` is taken for free. */
export async function findSlot(
  tx: ReadTx,
  facilityId: string,
  request: SlotRequest,
  except: string | null = null,
): Promise<SlotAnswer> {
  const search = searchSlot(request)
  let step = search.next()
  while (!step.done) step = search.next(await busySpans(tx, facilityId, step.value, except))
  return step.value
}
