import { hint, StudioError, suggest } from '../../kernel'
import type { ReadTx } from '../../storage'
import { findWorkingFilter, listCachedItems, listFilters } from '../queries'
import { toCriteria } from '../rules/filter-criteria'
import { type ItemFilter, matchesFilter } from '../rules/item-filter'
import type { FilterCriteria, SavedFilter, WorkingFilter } from '../schemas'

/** The word for the working filter, where a filter is named. */
export const WORKING_FILTER = 'working'

/** The criteria of the working filter, or of a saved one by its ID or name. */
export async function loadFilterCriteria(tx: ReadTx, named: string): Promise<FilterCriteria> {
  if (named.toLowerCase() === WORKING_FILTER) return (await findWorkingFilter(tx))?.criteria ?? toCriteria({})
  return (await requireFilter(tx, named)).criteria
}

export async function requireFilter(tx: ReadTx, named: string): Promise<SavedFilter> {
  const filters = await listFilters(tx)
  const found =
    filters.find(({ id }) => String(id) === named) ??
    filters.find(({ name }) => name.toLowerCase() === named.toLowerCase())
  if (found) return found
  throw new StudioError('not_found', `There is no saved filter ${named}.`, {
    hint: hint`See which there are: ${suggest('filters.list')}`,
  })
}

/** The working filter with the number of items that pass it; of `@me` none do while nobody has said who that is. */
export async function loadWorkingFilter(tx: ReadTx, user: string | null): Promise<WorkingFilter> {
  const { criteria, updatedAt } = (await findWorkingFilter(tx)) ?? { criteria: toCriteria({}), updatedAt: null }
  const wanted = isMe(criteria.assignedTo) && user === null ? null : toItemFilter(criteria, user)
  const items = wanted ? (await listCachedItems(tx)).filter((item) => matchesFilter(item, wanted)) : []
  return { criteria, itemCount: items.length, updatedAt }
}

/** Criteria as a test of items takes them, with the user in the place of `@me`. */
export function toItemFilter({ state, assignedTo, search }: FilterCriteria, user: string | null): ItemFilter {
  const person = isMe(assignedTo) ? requireUser(user) : assignedTo
  return { state: state ?? undefined, assignedTo: person ?? undefined, search: search ?? undefined }
}

function isMe(name: string | null): boolean {
  return name?.toLowerCase() === '@me'
}

function requireUser(user: string | null): string {
  if (user !== null) return user
  throw new StudioError('invalid', 'Nobody has said who @me is.', {
    hint: 'Set STUDIO_USER to your name or account in the tracker.',
    details: [{ path: 'assignedTo', message: '@me needs STUDIO_USER' }],
  })
}
