import * as z from 'zod'
import { chunksOf } from '../../../kernel/work/chunks'
import { isRefusal, TrackerError } from '../../services/requests/tracker-error'
import type { QueryRunner, SavedQuery } from '../../tracker'
import type { AdapterParts } from '../item-reader'
import { queryIds, runQuery } from '../run-query'
import { buildProjectPath } from '../urls'
import { MAX_QUERY_ROWS } from '../wire-schemas'
import { isGuid } from './attachment-address'

/** The tracker answers at most two levels of folders. */
const MAX_DEPTH = 2
const MAX_QUERIES = 2_000
const MAX_REQUESTS = 100
/** IDs in the text of one query, which may have 32,000 characters. */
const IDS_PER_QUERY = 2_500

interface WireQuery {
  id: string
  name: string
  isFolder?: boolean | null
  hasChildren?: boolean | null
  isDeleted?: boolean | null
  wiql?: string | null
  children?: unknown[] | null
}
const WireQuery: z.ZodType<WireQuery> = z.looseObject({
  id: z.string().refine(isGuid),
  name: z.string(),
  isFolder: z.boolean().nullish(),
  hasChildren: z.boolean().nullish(),
  isDeleted: z.boolean().nullish(),
  wiql: z.string().nullish(),
  children: z.array(z.unknown()).nullish(),
})
const WireQueries = z.looseObject({ value: z.array(z.unknown()) })

const WireEnd = z.looseObject({ id: z.int() }).nullish()
/** A flat query finds items; a query of links finds pairs of them. */
const WireResult = z.looseObject({
  workItems: z.array(z.looseObject({ id: z.int() })).nullish(),
  workItemRelations: z.array(z.looseObject({ source: WireEnd, target: WireEnd })).nullish(),
})

export function createQueryRunner(parts: AdapterParts, webBase: string): QueryRunner {
  const { client, project } = parts

  async function readQueries(rest: string, signal: AbortSignal): Promise<unknown> {
    const path = buildProjectPath(await project.get(signal), `_apis/wit/queries${rest}`)
    return client.read({ method: 'GET', path, query: { $depth: MAX_DEPTH, $expand: 'wiql' } }, z.unknown(), signal)
  }

  return {
    language: 'WIQL',

    async list(signal) {
      const name = await project.get(signal)
      const queries: SavedQuery[] = []
      const seen = new Set<string>()
      let requests = 1
      const add = async (entry: unknown, folder: string): Promise<void> => {
        const { data: query } = WireQuery.safeParse(entry)
        // A folder that contains itself would never end.
        if (!query || query.isDeleted === true || seen.has(query.id) || queries.length >= MAX_QUERIES) return
        seen.add(query.id)
        const path = `${folder}${query.name}`
        if (query.isFolder !== true) {
          const url = `${webBase}${buildProjectPath(name, `_queries/query/${query.id}/`)}`
          queries.push({ id: query.id, name: path, text: query.wiql ?? null, url })
          return
        }
        for (const child of await listChildren(query)) await add(child, `${path}/`)
      }
      const listChildren = async ({ id, children, hasChildren }: WireQuery): Promise<readonly unknown[]> => {
        if (children?.length || hasChildren !== true || requests >= MAX_REQUESTS) return children ?? []
        requests += 1
        // A folder that may not be read shows nothing.
        const folder = await readQueries(`/${id}`, signal).catch((error: unknown) => {
          if (isRefusal(error)) return null
          throw error
        })
        return WireQuery.safeParse(folder).data?.children ?? []
      }
      for (const root of WireQueries.parse(await readQueries('', signal)).value) await add(root, '')
      return queries
    },

    async run(query, limit, signal) {
      if ('saved' in query && !isGuid(query.saved))
        throw new TrackerError('not_found', `The tracker has no saved query with the ID ${query.saved}.`)
      const result =
        'text' in query
          ? await runQuery(query.text, WireResult, parts, signal, { $top: MAX_QUERY_ROWS })
          : await client.read(
              {
                method: 'GET',
                path: buildProjectPath(await project.get(signal), `_apis/wit/wiql/${query.saved}`),
                query: { $top: MAX_QUERY_ROWS },
              },
              WireResult,
              signal,
            )
      const found = listIds(result)
      const ids = await selectOfProject(found, signal)
      return { ids: ids.slice(0, limit), total: found.length >= MAX_QUERY_ROWS ? null : ids.length }
    },
  }

  /** A query may search the whole organization. */
  async function selectOfProject(ids: readonly number[], signal: AbortSignal): Promise<number[]> {
    const own = new Set<number>()
    for (const chunk of chunksOf(ids, IDS_PER_QUERY)) {
      const condition = `[System.TeamProject] = @project AND [System.Id] IN (${chunk.join(',')})`
      for (const id of await queryIds(`SELECT [System.Id] FROM WorkItems WHERE ${condition}`, parts, signal))
        own.add(id)
    }
    return ids.filter((id) => own.has(id))
  }
}

/** Each item once, in the order of the result. */
function listIds({ workItems, workItemRelations }: z.output<typeof WireResult>): number[] {
  const ends = (workItemRelations ?? []).flatMap(({ source, target }) => [source, target])
  return [...new Set([...(workItems ?? []), ...ends].flatMap((end) => (end ? [end.id] : [])))]
}
