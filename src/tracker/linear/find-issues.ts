import * as z from 'zod'
import { parseItemId } from '../services/item-keys'
import { createPageShape, nodes } from '../services/requests/graphql-pages'
import { mapConcurrently } from '../services/requests/map-concurrently'
import { isRefusal } from '../services/requests/tracker-error'
import { UNTYPED } from '../services/type-labels'
import type { SearchQuery, SearchResult, TypeQuery } from '../tracker'
import { parseIdentifier } from './address'
import type { IssueParts } from './issue-reader'
import { type Arguments, type LinearClient, MAX_PAGE_SIZE } from './linear-client'

const WireNumber = z.object({ number: z.int(), trashed: z.boolean().nullish() })

/** Searches with the words of the user, as the search of Linear does. */
export async function searchIssues(
  { text, itemType, limit }: SearchQuery,
  parts: IssueParts,
  signal: AbortSignal,
): Promise<SearchResult> {
  const { linear } = parts
  const filter = linear.filterIssues(itemType === null ? {} : await filterTypes([itemType], parts, signal))
  const args: Arguments = {
    term: ['String!', text],
    filter: ['IssueFilter', filter],
    first: ['Int', Math.min(limit, MAX_PAGE_SIZE)],
  }
  const select = 'searchIssues(term: $term, filter: $filter, first: $first) { nodes { number trashed } totalCount }'
  const shape = z.object({ searchIssues: nodes(WireNumber).extend({ totalCount: z.number() }) })
  const { searchIssues: page } = await linear.ask(select, args, shape, signal)
  return { ids: toNumbers(page.nodes), total: page.totalCount, source: 'search', partial: false }
}

/** Pages of numbers that are counted. Linear has no total of a list. */
const MAX_COUNTED_PAGES = 4

export async function findByType(
  { types, title, limit }: TypeQuery,
  parts: IssueParts,
  signal: AbortSignal,
): Promise<{ ids: number[]; total: number }> {
  const filter = parts.linear.filterIssues({
    ...(await filterTypes(types, parts, signal)),
    ...(title === null ? {} : { title: { containsIgnoreCase: title } }),
  })
  const ids = await readNumbers(filter, { maxPages: MAX_COUNTED_PAGES, minimum: limit }, parts.linear, signal)
  return { ids: ids.slice(0, limit), total: ids.length }
}

/** The numbers of issues that a filter finds, the last updated first, of so many pages, or of more for a minimum of them. */
async function readNumbers(
  filter: Record<string, unknown>,
  { maxPages, minimum }: { maxPages: number; minimum: number },
  linear: LinearClient,
  signal: AbortSignal,
): Promise<number[]> {
  const args: Arguments = { filter: ['IssueFilter', filter], orderBy: ['PaginationOrderBy', 'updatedAt'] }
  const ids: number[] = []
  let pages = 0
  for await (const page of linear.readList(
    { name: 'issues', args, fields: 'number trashed', shape: WireNumber },
    signal,
  )) {
    ids.push(...toNumbers(page))
    pages += 1
    if (pages >= maxPages && ids.length >= minimum) break
  }
  return ids
}

export function toNumbers(issues: readonly z.output<typeof WireNumber>[]): number[] {
  return issues.filter(({ trashed }) => !trashed).map(({ number }) => number)
}

/** A page of numbers of a connection with the alias `list`. */
export const WireNumbers = createPageShape(WireNumber)

/** The part of a filter for types. An issue has no type if none of its labels means one. */
async function filterTypes(types: readonly string[], { metadata, mapping }: IssueParts, signal: AbortSignal) {
  const known = await metadata.get(signal)
  const ids = types.flatMap((type) => metadata.listTypeLabels(known, type).map(({ id }) => id))
  const all = known.labels.filter(({ name }) => mapping.typeLabels.findType(name) !== null).map(({ id }) => id)
  const typed = { labels: { some: { id: { in: ids } } } }
  return types.includes(UNTYPED) ? { or: [typed, { labels: { every: { id: { nin: all } } } }] } : typed
}

/** Each takes a request. */
const MAX_LOOKED_UP = 10

const WirePlace = z.object({
  issue: z.object({
    identifier: z.string(),
    trashed: z.boolean().nullish(),
    archivedAt: z.string().nullish(),
    url: z.string(),
  }),
})

/** Finds an issue of any team by an identifier that it has or had. Null if there is none that the token can read. */
async function findByIdentifier(identifier: string, linear: LinearClient, signal: AbortSignal) {
  const select = 'issue(id: $id) { identifier trashed archivedAt url }'
  const asked = linear.ask(select, { id: ['String!', identifier] }, WirePlace, signal)
  return asked.then(
    ({ issue }) => ({ ...issue, present: parseIdentifier(issue.identifier) }),
    (error: unknown) => {
      if (isRefusal(error)) return null
      throw error
    },
  )
}

/** An issue that came from another team is also found by the identifier that it had there. */
export async function resolveKeys(
  keys: readonly string[],
  linear: LinearClient,
  signal: AbortSignal,
): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  const others: string[] = []
  for (const key of keys) {
    const id = parseItemId(key)
    const identifier = parseIdentifier(key)
    if (id !== null) found.set(key, id)
    else if (identifier?.key === linear.team.key) found.set(key, identifier.number)
    else if (identifier) others.push(key)
  }
  const options = { limit: linear.limits.maxConcurrent, signal }
  await mapConcurrently(others.slice(0, MAX_LOOKED_UP), options, async (key) => {
    const { present } = (await findByIdentifier(key.trim().toUpperCase(), linear, signal)) ?? {}
    if (present?.key === linear.team.key) found.set(key, present.number)
  })
  return found
}

/** An absent issue is in the trash, or it was moved to another team. */
export async function explainAbsence(
  ids: readonly number[],
  linear: LinearClient,
  signal: AbortSignal,
): Promise<Map<number, string>> {
  const reasons = new Map<number, string>()
  const { key } = linear.team
  const options = { limit: linear.limits.maxConcurrent, signal }
  await mapConcurrently(ids.slice(0, MAX_LOOKED_UP), options, async (id) => {
    const issue = await findByIdentifier(`${key}-${id}`, linear, signal)
    if (!issue?.present) return
    if (issue.present.key !== key) reasons.set(id, `It was moved to another team: ${issue.identifier}, ${issue.url}`)
    else if (issue.trashed)
      reasons.set(id, `Deleted on ${(issue.archivedAt ?? '').slice(0, 10) || 'an unknown day'}; it is in the trash.`)
  })
  return reasons
}
