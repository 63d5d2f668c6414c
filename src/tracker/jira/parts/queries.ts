import * as z from 'zod'
import { type Page, readPages } from '../../services/requests/pages'
import { TrackerError } from '../../services/requests/tracker-error'
import type { QueryRunner, SavedQuery } from '../../tracker'
import type { ReadParts } from '../issue-reader'
import { findIssues, restrictToProject } from '../search-issues'

const WireFilter = z.object({
  id: z.string(),
  name: z.string(),
  jql: z.string().nullish(),
  viewUrl: z.string().nullish(),
})
type WireFilter = z.output<typeof WireFilter>
const WireFilters = z.object({ values: z.array(WireFilter), isLast: z.boolean().default(true) })

/** Large sites have many thousands of filters. */
const MAX_PAGES = 20

/** Runs filters and JQL. Data Center lists only the filters that are favourites of the account. */
export function createQueryRunner(parts: ReadParts): QueryRunner {
  const { client } = parts
  return {
    language: 'JQL',
    async list(signal) {
      const found = new Map<string, SavedQuery>()
      const add = (filters: readonly WireFilter[]) => {
        for (const filter of filters) if (!found.has(filter.id)) found.set(filter.id, mapFilter(filter))
      }
      add(await client.get('/filter/favourite', {}, z.array(WireFilter), signal))
      if ((await client.deployment(signal)) !== 'cloud') return [...found.values()]
      const readPage = async (cursor: string | null): Promise<Page<WireFilter>> => {
        const startAt = Number(cursor ?? 0)
        const query = { expand: 'jql,viewUrl', orderBy: 'name', startAt, maxResults: 100 }
        const { values, isLast } = await client.get('/filter/search', query, WireFilters, signal)
        return { entries: values, next: isLast || values.length === 0 ? null : String(startAt + values.length) }
      }
      for await (const filters of readPages(readPage, MAX_PAGES)) add(filters)
      return [...found.values()]
    },
    async run(query, limit, signal) {
      const text = 'text' in query ? query.text : await readJql(query.saved, parts, signal)
      const { ids, isComplete } = await findIssues(restrictToProject(text, parts), limit, parts, signal)
      return { ids, total: isComplete ? ids.length : null }
    },
  }
}

function mapFilter({ id, name, jql, viewUrl }: WireFilter): SavedQuery {
  return { id, name, text: jql ?? null, url: viewUrl ?? null }
}

async function readJql(id: string, { client }: ReadParts, signal: AbortSignal): Promise<string> {
  const missing = new TrackerError('not_found', `Jira has no filter "${id}", or your token cannot read it.`)
  if (!/^\d{1,15}$/.test(id)) throw missing
  const filter = await client.get(`/filter/${id}`, {}, WireFilter, signal).catch(async (error: unknown) => {
    // Jira rejects the number of a filter that it does not have.
    const isMissing = error instanceof TrackerError && ['not_found', 'tracker_answer'].includes(error.code)
    throw isMissing ? missing : error
  })
  return filter.jql ?? ''
}
