import * as z from 'zod'
import { storableText } from '../../kernel'

const criterion = storableText(1_000).min(1).nullable().optional()

/** The criteria of a filter as a caller gives them. */
export const FilterInput = z.strictObject({
  state: criterion.describe('Only items in this state (any case)'),
  assignedTo: criterion.describe('Only items of this person, by name or account; @me is the configured user'),
  search: criterion.describe('Only items whose ID or texts hold all these words'),
})

export const filterName = storableText(200).trim().min(1).describe('Name of the filter')
