import { createFreeTransitions } from '../../services/parts/transitions'
import { listStates } from '../board/issue-states'
import type { IssueParts } from '../issue-reader'

/** The board of an issue requires nothing for a state. */
export const createTransitionReader = ({ reader, metadata }: IssueParts) =>
  createFreeTransitions(reader, async (_, signal) => listStates((await metadata.get(signal)).board))
