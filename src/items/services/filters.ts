import * as z from 'zod'
import { type CliBinding, hint, StudioError, storableText, suggest } from '../../kernel'
import { equalsIgnoringCase } from '../../kernel/text'
import type { ReadTx } from '../../storage'
import { findWorkingFilter, listCachedItems, listFilters } from '../queries'
import { matchesFilter, toCriteria } from '../rules/item-filter'
import type { FilterCriteria, SavedFilter, WorkingFilter } from '../schemas'

const criterion = storableText(1_000).min(1).nullable().optional()

/** The criteria of a filter in an input. */
export const FilterInput = z.strictObject({
  state: criterion.describe('Only items in this state (any case)'),
  assignedTo: criterion.describe('Only items of this person, by name or account; @me is the configured user'),
  search: criterion.describe('Only items whose ID or texts contain all these words'),
})

/** `FilterInput` as flags. */
export const criteriaFlags = {
  flags: { criteria: false },
  extraFlags: [
    { flag: '--state <text>', about: 'only items in this state (any case)', standsFor: ['criteria'] },
    { flag: '--assigned-to <name>', about: 'only items of this person; @me is STUDIO_USER' },
    { flag: '--search <words>', about: 'only items whose ID or texts contain all these words' },
  ],
  toInput({ state, assignedTo, search, ...typed }) {
    const criteria = Object.fromEntries(
      Object.entries({ state, assignedTo, search }).filter(([, given]) => given !== undefined),
    )
    return Object.keys(criteria).length > 0 ? { ...typed, criteria } : typed
  },
} satisfies Partial<CliBinding>

/** The name of the working filter in an input. */
const WORKING_FILTER = 'working'

/** The criteria of a saved filter by ID or name, or of the working filter. */
export async function loadFilterCriteria(tx: ReadTx, idOrName: string): Promise<FilterCriteria> {
  if (idOrName.toLowerCase() === WORKING_FILTER) return (await findWorkingFilter(tx))?.criteria ?? toCriteria({})
  return (await requireFilter(tx, idOrName)).criteria
}

export async function requireFilter(tx: ReadTx, idOrName: string): Promise<SavedFilter> {
  const filters = await listFilters(tx)
  const found =
    filters.find(({ id }) => String(id) === idOrName) ?? filters.find(({ name }) => equalsIgnoringCase(name, idOrName))
  if (found) return found
  throw new StudioError('not_found', `There is no saved filter ${idOrName}.`, {
    hint: hint`List the saved filters: ${suggest('filters.list')}`,
  })
}

/** The working filter with the number of items that pass it: none for `@me` if no user is configured. */
export async function loadWorkingFilter(tx: ReadTx, user: string | null): Promise<WorkingFilter> {
  const { criteria, updatedAt } = (await findWorkingFilter(tx)) ?? { criteria: toCriteria({}), updatedAt: null }
  if (isMe(criteria.assignedTo) && user === null) return { criteria, itemCount: 0, updatedAt }
  const resolved = resolveMe(criteria, user)
  const items = (await listCachedItems(tx)).filter((item) => matchesFilter(item, resolved))
  return { criteria, itemCount: items.length, updatedAt }
}

/** Replaces `@me` by the configured user. */
export function resolveMe(criteria: FilterCriteria, user: string | null): FilterCriteria {
  if (!isMe(criteria.assignedTo)) return criteria
  if (user !== null) return { ...criteria, assignedTo: user }
  throw new StudioError('invalid', 'The person that @me means is not configured.', {
    hint: 'Set STUDIO_USER to your name or account in the tracker.',
    details: [{ path: 'assignedTo', message: '@me requires STUDIO_USER to be set' }],
  })
}

function isMe(name: string | null): boolean {
  return name?.toLowerCase() === '@me'
}
