import * as z from 'zod'
import { equalsIgnoringCase } from '../../kernel/text/text'
import { UNTYPED } from '../services/type-labels'
import type { SearchQuery, SearchResult, TypeQuery } from '../tracker'
import type { IssueParts } from './issue-reader'

const WireSearch = z.object({
  repository: z.object({ nameWithOwner: z.string() }).nullable(),
  search: z.object({
    issueCount: z.int(),
    nodes: z.array(z.object({ number: z.int().optional(), updatedAt: z.string().default('') }).nullable()),
  }),
})

/** The search does not know a renamed repository by its old name, so its present name is read too. */
const SEARCH = `query($owner: String!, $name: String!, $query: String!, $first: Int!) {
  repository(owner: $owner, name: $name) { nameWithOwner } search(type: ISSUE, query: $query, first: $first) {
  issueCount nodes { ... on Issue { number updatedAt } } } }`

const MAX_PAGE_SIZE = 100

export async function searchIssues(
  { text, itemType, limit }: SearchQuery,
  parts: IssueParts,
  signal: AbortSignal,
): Promise<SearchResult> {
  // Quoted words cannot be qualifiers, which could search other repositories.
  const words = text.split(/\s+/).filter(Boolean).map(quote).join(' ')
  const filters = itemType === null ? [''] : await listTypeFilters(itemType, parts, signal)
  const { found, total } = await runSearches(
    filters.map((filter) => `${words} ${filter}`),
    parts,
    { limit, signal },
  )
  return { ids: found.slice(0, limit).map(({ number }) => number), total, source: 'search', partial: false }
}

export async function findByType(
  { types, title, limit }: TypeQuery,
  parts: IssueParts,
  signal: AbortSignal,
): Promise<{ ids: number[]; total: number }> {
  const filters = new Set<string>()
  for (const type of types) for (const one of await listTypeFilters(type, parts, signal)) filters.add(one)
  const inTitle = title === null ? '' : `${quote(title)} in:title`
  const queries = [...filters].map((filter) => `${inTitle} ${filter} sort:updated-desc`)
  const { found, total } = await runSearches(queries, parts, { limit, signal })
  const inOrder = [...found].sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))
  return { ids: inOrder.slice(0, limit).map(({ number }) => number), total }
}

/** The qualifiers that find the issues of a type: by the type of the organization, and by labels. Each needs a search of its own. */
async function listTypeFilters(
  type: string,
  { metadata, mapping }: IssueParts,
  signal: AbortSignal,
): Promise<string[]> {
  const known = await metadata.get(signal)
  if (type === UNTYPED) {
    const labels = known.labels.filter(({ name }) => mapping.typeLabels.findType(name) !== null)
    const isTyped = known.issueTypes.length > 0 ? 'no:type' : ''
    return [`${isTyped} ${labels.map(({ name }) => `-label:${quote(name)}`).join(' ')}`]
  }
  const ofOrganization = known.issueTypes.filter(({ name }) => name.toLowerCase() === type.toLowerCase())
  const labels = metadata.listTypeLabels(known, type)
  return [
    ...ofOrganization.map(({ name }) => `type:${quote(name)}`),
    ...(labels.length > 0 ? [`label:${labels.map(({ name }) => quote(name)).join(',')}`] : []),
  ]
}

async function runSearches(
  queries: readonly string[],
  { graphql, mapping }: IssueParts,
  { limit, signal }: { limit: number; signal: AbortSignal },
): Promise<{ found: { number: number; updatedAt: string }[]; total: number }> {
  const { owner, name } = mapping
  let fullName = `${owner}/${name}`
  const search = async (query: string, isRenamed = false): Promise<z.output<typeof WireSearch>['search']> => {
    const variables = {
      owner,
      name,
      query: `repo:${fullName} is:issue ${query}`.replace(/\s+/g, ' ').trim(),
      first: Math.min(limit, MAX_PAGE_SIZE),
    }
    const { repository, search: answer } = await graphql.query(() => ({ query: SEARCH, variables }), WireSearch, signal)
    const present = repository?.nameWithOwner ?? fullName
    if (isRenamed || equalsIgnoringCase(present, fullName)) return answer
    fullName = present
    return search(query, true)
  }
  const found = new Map<number, { number: number; updatedAt: string }>()
  let total = 0
  for (const query of queries) {
    const { issueCount, nodes } = await search(query)
    // An issue that an earlier search has found counts once.
    total += issueCount - nodes.filter((node) => found.has(node?.number ?? 0)).length
    for (const node of nodes)
      if (node?.number !== undefined) found.set(node.number, { number: node.number, updatedAt: node.updatedAt })
  }
  return { found: [...found.values()], total }
}

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, ' ').trim()}"`
}
