import type { StateCategory, TrackerItem, TransitionReader } from '../../tracker'
import type { ItemReader } from '../item-reader'

/** For trackers in which an item may go from any state into any other one of its type, and nothing is required for it. */
export function createFreeTransitions(
  reader: Pick<ItemReader<unknown>, 'readItem'>,
  listStates: (
    item: TrackerItem,
    signal: AbortSignal,
  ) => Promise<readonly { name: string; category: StateCategory | null }[]>,
): TransitionReader {
  return {
    async list(itemId, signal) {
      const item = await reader.readItem(itemId, signal)
      return (await listStates(item, signal)).flatMap(({ name, category }) =>
        name === item.state ? [] : [{ state: name, category, name: null, required: [] }],
      )
    },
  }
}
