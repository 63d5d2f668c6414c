import type { TransitionReader } from '../../tracker'
import type { AdapterParts } from '../item-reader'

/** A type lists which state may follow which. What a state requires is in the rules of the process, which the tracker shows to nobody else. */
export function createTransitionReader({ metadata, reader }: AdapterParts): TransitionReader {
  return {
    async list(itemId, signal) {
      const { type, state: present } = await reader.readItem(itemId, signal)
      const [states, { categoryOf }] = await Promise.all([
        metadata.listTransitions(type, present, signal),
        metadata.forItems([type], signal),
      ])
      return states.map((state) => ({ state, category: categoryOf(type, state), name: null, required: [] }))
    },
  }
}
