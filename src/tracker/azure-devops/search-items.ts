import { TrackerError } from '../services/requests/tracker-error'
import type { SearchQuery, SearchResult, TypeQuery } from '../tracker'
import { fieldNames, parseNumber } from './field-values'
import type { AdapterParts } from './item-reader'
import { queryIds, quoteText } from './run-query'
import { buildProjectPath, buildSearchBase } from './urls'
import { MAX_QUERY_ROWS, WireSearchResult } from './wire-schemas'

/** Uses the tracker's ranked search, or a query if the search is missing, fails or has not indexed the project yet. */
export async function searchItems(query: SearchQuery, parts: AdapterParts, signal: AbortSignal): Promise<SearchResult> {
  const searched = await searchWithIndex(query, parts, signal).catch((error: unknown) => {
    if (error instanceof TrackerError && error.code !== 'interrupted') return null
    throw error
  })
  return searched ?? searchWithQuery(query, parts, signal)
}

async function searchWithIndex(
  { text, itemType, limit }: SearchQuery,
  { address, client, project }: AdapterParts,
  signal: AbortSignal,
): Promise<SearchResult | null> {
  const name = await project.get(signal)
  const filters = { 'System.TeamProject': [name], ...(itemType === null ? {} : { 'System.WorkItemType': [itemType] }) }
  const { count, results, infoCode } = await client.read(
    {
      method: 'POST',
      base: buildSearchBase(address),
      path: buildProjectPath(name, '_apis/search/workitemsearchresults'),
      body: { searchText: text, $skip: 0, $top: limit, filters, includeFacets: false },
    },
    WireSearchResult,
    signal,
  )
  const ids = results.flatMap(({ fields }) => readId(fields))
  const partial = (infoCode ?? 0) !== 0
  if (partial && ids.length === 0) return null
  return { ids: [...new Set(ids)], total: Math.max(count ?? 0, ids.length), source: 'search', partial }
}

/** The search returns field names in lower case, and all values as texts. */
function readId(fields: Record<string, unknown>): number[] {
  const id = Object.entries(fields).find(([name]) => name.toLowerCase() === 'system.id')?.[1]
  const number = parseNumber(id)
  return number === null ? [] : [number]
}

async function searchWithQuery(
  { text, itemType, limit }: SearchQuery,
  parts: AdapterParts,
  signal: AbortSignal,
): Promise<SearchResult> {
  const words = quoteText(text)
  const places = [fieldNames.title, fieldNames.description, fieldNames.reproSteps, fieldNames.tags]
  const conditions = [
    '[System.TeamProject] = @project',
    ...(itemType === null ? [] : [`[${fieldNames.type}] = ${quoteText(itemType)}`]),
    `(${places.map((field) => `[${field}] ${field === fieldNames.tags ? 'CONTAINS' : 'CONTAINS WORDS'} ${words}`).join(' OR ')})`,
  ]
  const query = `SELECT [System.Id] FROM WorkItems WHERE ${conditions.join(' AND ')} ORDER BY [${fieldNames.changedDate}] DESC`
  const ids = await queryIds(query, parts, signal, { $top: MAX_QUERY_ROWS })
  return { ids: ids.slice(0, limit), total: ids.length, source: 'query', partial: ids.length >= MAX_QUERY_ROWS }
}

export async function findByType(
  { types, title, limit }: TypeQuery,
  parts: AdapterParts,
  signal: AbortSignal,
): Promise<{ ids: number[]; total: number }> {
  const conditions = [
    '[System.TeamProject] = @project',
    `[${fieldNames.type}] IN (${types.map(quoteText).join(', ')})`,
    ...(title === null ? [] : [`[${fieldNames.title}] CONTAINS ${quoteText(title)}`]),
  ]
  const query = `SELECT [System.Id] FROM WorkItems WHERE ${conditions.join(' AND ')} ORDER BY [${fieldNames.changedDate}] DESC`
  const ids = await queryIds(query, parts, signal, { $top: MAX_QUERY_ROWS })
  return { ids: ids.slice(0, limit), total: ids.length }
}
