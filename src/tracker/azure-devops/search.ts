import type { SearchAnswer, SearchQuery } from '../tracker'
import { type Address, projectPath } from './address'
import type { Client } from './client'
import { TrackerFault } from './fault'
import { fieldNames, numberValue } from './field-values'
import type { ProjectName } from './project-name'
import { WireQueried, WireSearched } from './wire'

export interface SearchSources {
  address: Address
  client: Client
  project: ProjectName
}

/** The tracker's own search, which ranks; a query where it has none, fails, or has not indexed the project yet. */
export async function searchItems(
  query: SearchQuery,
  sources: SearchSources,
  signal: AbortSignal,
): Promise<SearchAnswer> {
  const searched = await bySearch(query, sources, signal).catch((error: unknown) => {
    if (error instanceof TrackerFault && error.code !== 'interrupted') return null
    throw error
  })
  return searched ?? byQuery(query, sources, signal)
}

async function bySearch(
  { text, itemType, limit }: SearchQuery,
  { address, client, project }: SearchSources,
  signal: AbortSignal,
): Promise<SearchAnswer | null> {
  const name = await project.get(signal)
  const filters = { 'System.TeamProject': [name], ...(itemType === null ? {} : { 'System.WorkItemType': [itemType] }) }
  const { count, results, infoCode } = await client.read(
    {
      method: 'POST',
      base: searchBase(address),
      path: projectPath(name, '_apis/search/workitemsearchresults'),
      body: { searchText: text, $skip: 0, $top: limit, filters, includeFacets: false },
    },
    WireSearched,
    signal,
  )
  const ids = results.flatMap(({ fields }) => idIn(fields))
  const partial = (infoCode ?? 0) !== 0
  if (partial && ids.length === 0) return null
  return { ids: [...new Set(ids)], total: Math.max(count ?? 0, ids.length), source: 'search', partial }
}

/** Names come in lower case, and every value is a text. */
function idIn(fields: Record<string, unknown>): number[] {
  const id = Object.entries(fields).find(([name]) => name.toLowerCase() === 'system.id')?.[1]
  const number = numberValue(id)
  return number === null ? [] : [number]
}

/** More rows than that the tracker refuses to name. */
const MOST_ROWS = 20_000

async function byQuery(
  { text, itemType, limit }: SearchQuery,
  { client, project }: SearchSources,
  signal: AbortSignal,
): Promise<SearchAnswer> {
  const name = await project.get(signal)
  const words = quoted(text)
  const places = [fieldNames.title, fieldNames.description, fieldNames.reproSteps, fieldNames.tags]
  const conditions = [
    '[System.TeamProject] = @project',
    ...(itemType === null ? [] : [`[${fieldNames.type}] = ${quoted(itemType)}`]),
    `(${places.map((field) => `[${field}] ${field === fieldNames.tags ? 'CONTAINS' : 'CONTAINS WORDS'} ${words}`).join(' OR ')})`,
  ]
  const query = `SELECT [System.Id] FROM WorkItems WHERE ${conditions.join(' AND ')} ORDER BY [${fieldNames.changedDate}] DESC`
  const { workItems } = await client.read(
    { method: 'POST', path: projectPath(name, '_apis/wit/wiql'), query: { $top: MOST_ROWS }, body: { query } },
    WireQueried,
    signal,
  )
  const ids = workItems.map(({ id }) => id)
  return { ids: ids.slice(0, limit), total: ids.length, source: 'query', partial: ids.length >= MOST_ROWS }
}

/** A text of the query language; a quote in it is written twice. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** The hosted service searches on a host of its own; a server of one's own answers at its one address. */
export function searchBase({ base }: Address): string {
  const url = new URL(base)
  if (url.protocol !== 'https:') return base
  if (url.host === 'dev.azure.com') return base.replace('//dev.azure.com', '//almsearch.dev.azure.com')
  const [, organization] = /^([^.]+)\.visualstudio\.com$/.exec(url.host) ?? []
  return organization === undefined
    ? base
    : base.replace(`//${url.host}`, `//${organization}.almsearch.visualstudio.com`)
}
