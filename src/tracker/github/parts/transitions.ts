import type { TransitionReader } from '../../tracker'
import { listStates } from '../board/issue-states'
import type { IssueParts } from '../issue-reader'

/** An issue may go from any state into any other one. Its board requires nothing for it. */
export function createTransitionReader({ reader, metadata }: IssueParts): TransitionReader {
  return {
    async list(itemId, signal) {
      const { state: present } = await reader.readItem(itemId, signal)
      const { board } = await metadata.get(signal)
      return listStates(board).flatMap(({ name, category }) =>
        name === present ? [] : [{ state: name, category, name: null, required: [] }],
      )
    },
  }
}
