import * as z from 'zod'
import { createPageShape, PAGE_INFO } from '../../services/requests/graphql-pages'
import { TrackerError } from '../../services/requests/tracker-error'
import type { QueryResult, QueryRunner, SavedQuery } from '../../tracker'
import type { IssueParts } from '../issue-reader'
import { presentNodes } from '../present-nodes'

const WireFound = z.object({ number: z.int(), repository: z.object({ id: z.string() }) })
const WireRepository = z.object({ id: z.string(), nameWithOwner: z.string() })

const WireSearch = z.object({
  repository: WireRepository.nullable(),
  search: createPageShape(WireFound.partial().nullable()).and(z.object({ issueCount: z.int() })),
})
const SEARCH = `query($owner: String!, $name: String!, $query: String!, $first: Int!, $after: String) {
  repository(owner: $owner, name: $name) { id nameWithOwner }
  search(type: ISSUE, query: $query, first: $first, after: $after) {
    issueCount nodes { ... on Issue { number repository { id } } } ${PAGE_INFO} } }`

const WireView = z.object({ id: z.string(), name: z.string(), number: z.int(), filter: z.string().nullish() })
const WireViews = z.object({
  owner: z.object({ projectV2: z.object({ url: z.string(), views: presentNodes(WireView) }).nullish() }),
})
const WireItems = z.object({
  id: z.string(),
  owner: z.object({
    projectV2: z
      .object({
        items: createPageShape(z.object({ content: WireFound.partial().nullish() }).nullable()).and(
          z.object({ totalCount: z.int() }),
        ),
      })
      .nullish(),
  }),
})

const MAX_PAGE_SIZE = 100
/** A query may find many issues of other repositories before those of this one. */
const MAX_PAGES = 10

interface FoundPage {
  found: { number?: number | undefined; repository?: { id: string } | undefined }[]
  repositoryId: string
  total: number
  next: string | null
}

/** GitHub stores no searches for its API, so the saved queries are the views of the board that have a filter. */
export function createQueryRunner(parts: IssueParts): QueryRunner {
  const { graphql, mapping } = parts
  const { owner, name } = mapping

  async function list(signal: AbortSignal): Promise<SavedQuery[]> {
    if (mapping.board === null) return []
    const select = () =>
      `owner { ... on ProjectV2Owner { projectV2(number: ${mapping.board}) { url views(first: 100) { nodes { id name number filter } } } } }`
    const { owner: found } = await graphql.queryRepository({ select }, WireViews, signal)
    const { url = '', views = { nodes: [] } } = found.projectV2 ?? {}
    return views.nodes.flatMap(({ id, name: title, number, filter }) =>
      filter?.trim() ? [{ id, name: title, text: filter, url: `${url}/views/${number}` }] : [],
    )
  }

  async function searchPage(text: string, fullName: string, first: number, after: string | null, signal: AbortSignal) {
    const variables = { owner, name, query: `repo:${fullName} is:issue ${text}`, first, after }
    return graphql.query(() => ({ query: SEARCH, variables }), WireSearch, signal)
  }

  async function runSearch(text: string, limit: number, signal: AbortSignal): Promise<QueryResult> {
    let fullName = `${owner}/${name}`
    return collect(limit, async (after, first): Promise<FoundPage> => {
      let { repository, search } = await searchPage(text, fullName, first, after, signal)
      // The search does not know a renamed repository by its old name.
      if (repository !== null && repository.nameWithOwner.toLowerCase() !== fullName.toLowerCase()) {
        fullName = repository.nameWithOwner
        ;({ repository, search } = await searchPage(text, fullName, first, after, signal))
      }
      const found = search.entries.flatMap((entry) => entry ?? [])
      return { found, repositoryId: repository?.id ?? '', total: search.issueCount, next: search.next }
    })
  }

  async function runFilter(filter: string, limit: number, signal: AbortSignal): Promise<QueryResult> {
    const select = () =>
      `id owner { ... on ProjectV2Owner { projectV2(number: ${mapping.board}) { items(first: $first, after: $after, query: $query) { ` +
      `totalCount nodes { content { ... on Issue { number repository { id } } } } ${PAGE_INFO} } } } }`
    const declarations = '$first: Int!, $after: String, $query: String'
    return collect(limit, async (after, first): Promise<FoundPage> => {
      const query = { select, declarations, variables: { first, after, query: filter } }
      const { id, owner: found } = await graphql.queryRepository(query, WireItems, signal)
      const items = found.projectV2?.items ?? { entries: [], next: null, totalCount: 0 }
      const contents = items.entries.map((entry) => entry?.content ?? {})
      return { found: contents, repositoryId: id, total: items.totalCount, next: items.next }
    })
  }

  return {
    language: 'GitHub search',
    list,
    async run(query, limit, signal) {
      if ('text' in query) return runSearch(query.text.replace(/\s+/g, ' ').trim(), limit, signal)
      const view = (await list(signal)).find(({ id }) => id === query.saved)
      if (view) return runFilter(view.text!, limit, signal)
      throw new TrackerError('not_found', `The project board has no view "${query.saved}" with a filter.`)
    },
  }
}

/** Finds issues of this repository alone. The total is unknown if there are others among them. */
async function collect(
  limit: number,
  readPage: (after: string | null, first: number) => Promise<FoundPage>,
): Promise<QueryResult> {
  const ids = new Set<number>()
  let hasOthers = false
  let total = 0
  let after: string | null = null
  for (let pages = 1; pages <= MAX_PAGES; pages += 1) {
    const page: FoundPage = await readPage(after, Math.min(MAX_PAGE_SIZE, Math.max(limit, 1)))
    total = page.total
    for (const { number, repository } of page.found) {
      if (number !== undefined && repository?.id === page.repositoryId) ids.add(number)
      else hasOthers = true
    }
    if (page.next === null || page.next === after || ids.size >= limit) break
    after = page.next
  }
  return { ids: [...ids].slice(0, limit), total: hasOthers ? null : total }
}
