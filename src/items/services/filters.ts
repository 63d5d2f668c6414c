import * as z from 'zod'
import { type CliBinding, type ExtraFlag, type Hint, hint, StudioError, storableText, suggest } from '../../kernel'
import { equalsIgnoringCase } from '../../kernel/text/text'
import type { ReadTx } from '../../storage'
import type { Capability } from '../../tracker'
import { findWorkingFilter, listFiltersAndViews, listViews } from '../queries'
import { CRITERIA, toCriteria, usesMe } from '../rules/item-filter'
import { type FilterCriteria, type SavedFilter, type SavedView, takesReferences, type WorkingFilter } from '../schemas'
import { findIdsOfItems } from './find-items'
import type { WorkspaceContext } from './workspace-context'

/** Several values may also come as a list, as from a flag that is repeated, and an ID as a number. */
function criterion(about: string, form = storableText(1_000).min(1)) {
  const toText = (given: unknown) =>
    Array.isArray(given) ? given.join(',') : typeof given === 'number' ? String(given) : given
  return z.preprocess(toText, form).optional().describe(about)
}

function isId(text: string): boolean {
  return /^\d{1,15}$/.test(text.trim())
}

/** The criteria of a filter as fields of an input. Several values are separated by commas. */
export const criteriaFields = {
  state: criterion('Only items in these states or categories (open, done, InProgress…)'),
  assignedTo: criterion('Only items of these people, by a part of the name, or account; @me is the configured user'),
  search: criterion('Only items whose ID or texts contain all these words'),
  type: criterion('Only items of these types or levels (task, story, feature, epic)'),
  area: criterion('Only items in these areas and below; a part of the path is enough'),
  iteration: criterion(
    'Only items in these iterations and below; a part of the path is enough, and @current is the current iteration',
  ),
  tag: criterion('Only items with all these tags'),
  parent: criterion(
    'Only children of these items, by ID or reference',
    storableText(1_000).refine((ids) => ids.split(',').every(isId), 'must be IDs or references separated by commas'),
  ),
}
takesReferences(criteriaFields.parent.unwrap())

type Criterion = ReturnType<typeof criterion>
const entries = Object.entries(criteriaFields).map(([name, field]) => [name, field.unwrap().nullable().optional()])

/** The criteria of a filter in an input, without what `criteriaFields` says about each. */
export const FilterInput = z
  .strictObject(
    Object.fromEntries(entries) as Record<
      keyof typeof criteriaFields,
      z.ZodOptional<z.ZodNullable<ReturnType<Criterion['unwrap']>>>
    >,
  )
  .describe('Like the filters of items.list')

/** What a criterion needs of the tracker. */
export const criteriaNeeds = { area: 'property:areaPath' } as const satisfies Record<string, Capability>

/** The same for criteria that are an object in the input. */
export const filterNeeds = { 'criteria.area': criteriaNeeds.area } as const

const flagNames = CRITERIA.map((name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`))

/** `FilterInput` as flags. */
export const criteriaFlags = {
  flags: { criteria: false },
  extraFlags: CRITERIA.map((name, i): ExtraFlag => {
    const about = criteriaFields[name].description!
    return {
      flag: `--${flagNames[i]} <${name === 'search' ? 'words' : 'text'}>`,
      about: about.replace('the configured user', 'STUDIO_USER'),
      repeatable: name !== 'search',
      ...(i === 0 && { standsFor: ['criteria'] }),
    }
  }),
  toInput(typed) {
    const criteria = Object.fromEntries(
      CRITERIA.flatMap((name) => (typed[name] === undefined ? [] : [[name, String(typed[name])]])),
    )
    const others = Object.fromEntries(Object.entries(typed).filter(([name]) => !(name in criteriaFields)))
    return Object.keys(criteria).length > 0 ? { ...others, criteria } : others
  },
} satisfies Partial<CliBinding>

/** The flags that mean that criteria are given. */
export const CRITERIA_FLAGS: readonly string[] = flagNames

/** A view in an input. */
export const ViewName = z.string().min(1).max(200).describe('A saved view, by ID or name')

/** The name of the working filter in an input. */
const WORKING_FILTER = 'working'

/** The criteria of a saved filter or view by ID or name, or of the working filter. */
export async function loadFilterCriteria(tx: ReadTx, idOrName: string): Promise<FilterCriteria> {
  if (idOrName.toLowerCase() === WORKING_FILTER) return (await findWorkingFilter(tx))?.criteria ?? toCriteria({})
  return (await requireFilter(tx, idOrName)).criteria
}

/** A saved filter or view; `list` decides which there are. */
export async function requireFilter(tx: ReadTx, idOrName: string, list = listFiltersAndViews): Promise<SavedFilter> {
  const hints = hint`List the saved filters and views: ${suggest('filters.list')}, ${suggest('views.list')}`
  return findSaved(await list(tx), idOrName) ?? refuse(`There is no saved filter or view ${idOrName}.`, hints)
}

export async function requireView(tx: ReadTx, idOrName: string): Promise<SavedView> {
  const hints = hint`List the saved views: ${suggest('views.list')}`
  return findSaved(await listViews(tx), idOrName) ?? refuse(`There is no saved view ${idOrName}.`, hints)
}

function findSaved<Saved extends SavedFilter>(all: readonly Saved[], idOrName: string): Saved | undefined {
  return all.find(({ id }) => String(id) === idOrName) ?? all.find(({ name }) => equalsIgnoringCase(name, idOrName))
}

function refuse(message: string, hints: Hint): never {
  throw new StudioError('not_found', message, { hint: hints })
}

/** Filters and views have one namespace, because a filter can be named where a view can. */
export async function requireFreeName(tx: ReadTx, name: string): Promise<void> {
  const taken = (await listFiltersAndViews(tx)).find((saved) => equalsIgnoringCase(saved.name, name))
  if (!taken) return
  const [kind, removal] =
    'columns' in taken
      ? ['view', suggest('views.delete', { view: taken.id })]
      : ['filter', suggest('filters.delete', { id: taken.id })]
  throw new StudioError('conflict', `A ${kind} named ${taken.name} already exists.`, {
    hint: hint`Choose another name, or delete that ${kind} first: ${removal}`,
  })
}

/** The working filter with the number of items that pass it: none for `@me` if no user is configured. */
export async function loadWorkingFilter(tx: ReadTx, ctx: WorkspaceContext): Promise<WorkingFilter> {
  const { criteria, updatedAt } = (await findWorkingFilter(tx)) ?? { criteria: toCriteria({}), updatedAt: null }
  if (usesMe(criteria) && ctx.user === null) return { criteria, itemCount: 0, updatedAt }
  return { criteria, itemCount: (await findIdsOfItems(tx, criteria, ctx)).length, updatedAt }
}

/** The cached items that a saved filter or view finds now, or the working filter. */
export function findIdsByFilter(ctx: WorkspaceContext, idOrName: string): Promise<number[]> {
  return ctx.db.read(async (tx) => findIdsOfItems(tx, await loadFilterCriteria(tx, idOrName), ctx))
}
