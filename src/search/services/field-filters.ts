import { findIdsByFields, readFieldTest, type WorkspaceContext } from '../../items'
import { findNearest } from '../../kernel/text/nearest-text'
import { normalizeText } from '../../kernel/text/normalize-text'
import type { FieldFilter, Filter } from '../rules/filters'
import type { ParsedQuery } from '../rules/parse-query'
import type { EntityType } from './search-index'

/** Whether a name is a field of the tracker. Reads their names only if the query may ask for items without one. */
export async function findFieldNames(
  ctx: Pick<WorkspaceContext, 'db'>,
  query: string,
): Promise<(name: string) => boolean> {
  return /no:/i.test(query) ? ctx.db.read(readFieldTest) : () => false
}

interface ResolvedQuery {
  query: ParsedQuery
  /** Of which type the results are: only work items have fields of the tracker. */
  only: EntityType | undefined
}

/**
 * Replaces conditions on fields of the tracker by the work items that meet them. Several values of one field are alternatives, and all fields
 * must match. Throws `invalid` for a name that no field has.
 */
export async function resolveFieldFilters(
  ctx: Omit<WorkspaceContext, 'sanitizeAlso'>,
  query: ParsedQuery,
  type: EntityType | undefined,
): Promise<ResolvedQuery> {
  const { fields } = query
  if (fields.length === 0) return { query, only: type }
  const found = await ctx.db.read((tx) => findIdsByFields(tx, fields))
  const hints = fields.flatMap((field, at) => describeNothing(field, found[at]!))
  const wantedIds = intersect([...groupWanted(fields, found), ...listExplicitIds(query.filters)])
  const others = query.filters.filter(({ qualifier, negated }) => qualifier !== 'id' || negated)
  const isOfOtherType = type !== undefined && type !== 'devops'
  const wanted = isOfOtherType ? new Set<number>() : wantedIds
  const filters: Filter[] = [
    ...others,
    ...(wanted === null ? [] : [{ qualifier: 'id' as const, value: null, negated: false, ids: wanted }]),
    ...fields.flatMap(({ negated }, at): Filter[] =>
      negated ? [{ qualifier: 'id', value: null, negated, ids: found[at]!.ids }] : [],
    ),
  ]
  return { query: { ...query, filters, fields: [], hints: [...query.hints, ...hints] }, only: type ?? 'devops' }
}

type FoundItems = Awaited<ReturnType<typeof findIdsByFields>>[number]

/** The items that have one of the values of a field, for each field. */
function groupWanted(fields: readonly FieldFilter[], found: readonly FoundItems[]): Set<number>[] {
  const groups = new Map<string, Set<number>>()
  for (const [at, { name, negated }] of fields.entries()) {
    if (negated) continue
    const group = groups.get(normalizeText(name)) ?? new Set()
    for (const id of found[at]!.ids) group.add(id)
    groups.set(normalizeText(name), group)
  }
  return [...groups.values()]
}

/** The IDs that the query names are alternatives. */
function listExplicitIds(filters: readonly Filter[]): Set<number>[] {
  const ids = filters.flatMap(({ qualifier, negated, value }) =>
    qualifier === 'id' && !negated && value !== null ? [Number(value.replace('#', ''))] : [],
  )
  return ids.length === 0 ? [] : [new Set(ids)]
}

function intersect(sets: readonly Set<number>[]): Set<number> | null {
  const [first, ...others] = sets
  if (first === undefined) return null
  return new Set([...first].filter((id) => others.every((other) => other.has(id))))
}

function describeNothing({ value }: FieldFilter, { ids, name, known }: FoundItems): string[] {
  if (value === null || ids.size > 0) return []
  const near = findNearest(value, known, 3)
  return [`No cached work item has the ${name} "${value}".${near === null ? '' : ` Did you mean "${near}"?`}`]
}
