import * as z from 'zod'
import { chunksOf } from '../../kernel/chunks'
import { MINUTE_MS } from '../../kernel/time'
import { nullOnTrackerError } from '../services/change-result'
import { parseItemId } from '../services/item-keys'
import { listTreeLinks } from '../services/list-tree-links'
import { TrackerError } from '../services/tracker-error'
import type { ChangePosition, SearchQuery, SearchResult, TrackerChanges, TreeLink, TypeQuery } from '../tracker'
import { parseIssueKey } from './address'
import { findIdsByKey, type ReadParts } from './issue-reader'
import { toInstant } from './map-issue'
import { MISSING_CODE, REJECTED_CODE } from './response-error'

const WireFound = z.object({ id: z.string(), key: z.string() })
const WireChild = WireFound.extend({ fields: z.looseObject({ parent: WireFound.nullish() }) })
const WireUpdated = WireFound.extend({ fields: z.object({ updated: z.string() }) })

const IDS_PER_QUERY = 500
/** How far the index of the search may be behind. */
const INDEX_DELAY_MS = 5 * MINUTE_MS

/** Quoted text cannot be an operator. */
export function quote(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`
}

function inProject({ client }: ReadParts): string {
  return `project = ${quote(client.project.key)}`
}

/** Finds issues by words; by JQL after `jql:`; or the one issue of a key or an ID. */
export async function searchIssues(
  { text, itemType, limit }: SearchQuery,
  parts: ReadParts,
  signal: AbortSignal,
): Promise<SearchResult> {
  const raw = /^\s*jql:(.*)$/is.exec(text)?.[1]?.trim()
  const ofType = itemType === null ? '' : ` AND issuetype = ${quote(itemType)}`
  const own = raw === undefined ? await findNamedIssue(text, parts, signal) : null
  if (own !== null && itemType === null) return { ids: [own], total: 1, source: 'query', partial: false }
  const { condition, order } = splitOrder(raw ?? '')
  const words = raw === undefined ? ` AND text ~ ${quote(toWords(text))}` : condition && ` AND (${condition})`
  const jql = `${inProject(parts)}${ofType}${words} ${order || 'ORDER BY updated DESC'}`
  return { ...(await findIssues(jql, limit, parts, signal)), source: 'query', partial: false }
}

/** The characters of the text search would be operators. */
function toWords(text: string): string {
  return text.replace(/[^\p{L}\p{N}_@.-]+/gu, ' ').trim() || text
}

function splitOrder(jql: string): { condition: string; order: string } {
  const at = jql.search(/\border\s+by\b/i)
  return at < 0 ? { condition: jql, order: '' } : { condition: jql.slice(0, at).trim(), order: jql.slice(at) }
}

async function findNamedIssue(text: string, { client }: ReadParts, signal: AbortSignal): Promise<number | null> {
  const name = parseIssueKey(text, client.project) ?? parseItemId(text)
  if (name === null) return null
  return [...(await findIdsByKey([String(name)], client, signal)).values()][0] ?? null
}

export async function findByType(
  { types, title, limit }: TypeQuery,
  parts: ReadParts,
  signal: AbortSignal,
): Promise<{ ids: number[]; total: number }> {
  if (types.length === 0) return { ids: [], total: 0 }
  const inTitle = title === null ? '' : ` AND summary ~ ${quote(toWords(title))}`
  const jql = `${inProject(parts)} AND issuetype in (${types.map(quote).join(',')})${inTitle} ORDER BY updated DESC`
  return findIssues(jql, limit, parts, signal)
}

/** Cloud does not count what a query finds, so the total is what was read. */
async function findIssues(jql: string, limit: number, { client }: ReadParts, signal: AbortSignal) {
  const ids: number[] = []
  const pages = client.search({ jql, fields: ['updated'], pageSize: Math.min(limit + 1, 100) }, WireFound, signal)
  for await (const page of pages) {
    ids.push(...page.map(({ id }) => Number(id)))
    if (ids.length > limit) break
  }
  return { ids: ids.slice(0, limit), total: ids.length }
}

/** Reads the trees level by level: one query finds the children of hundreds of issues. */
export async function readTrees(
  rootIds: readonly number[],
  { client, metadata }: ReadParts,
  signal: AbortSignal,
): Promise<Map<number, TreeLink[]>> {
  const { custom, deployment } = await metadata.get(signal)
  const epicLink = deployment === 'server' ? custom.epicLink : null
  const children = new Map<number, number[]>()
  // A query that names an issue that does not exist is rejected.
  const readable = await findIdsByKey(rootIds.map(String), client, signal)
  const idsByKey = new Map(readable)
  for (let level = [...new Set(readable.values())]; level.length > 0; ) {
    const next: number[] = []
    for (const id of level) children.set(id, [])
    for (const chunk of chunksOf(level, IDS_PER_QUERY)) {
      const ids = chunk.join(',')
      const jql = epicLink === null ? `parent in (${ids})` : `parent in (${ids}) OR "Epic Link" in (${ids})`
      const fields = ['parent', ...(epicLink === null ? [] : [epicLink])]
      for await (const page of client.search(
        { jql: `${jql} ORDER BY key ASC`, fields, pageSize: 1000 },
        WireChild,
        signal,
      )) {
        for (const { id, key, fields } of page) {
          idsByKey.set(key, Number(id))
          const epic = epicLink === null ? null : fields[epicLink]
          const parentId = fields.parent ? Number(fields.parent.id) : idsByKey.get(String(epic))
          if (parentId === undefined) continue
          children.get(parentId)?.push(Number(id))
          if (!children.has(Number(id))) next.push(Number(id))
        }
      }
    }
    level = [...new Set(next)].filter((id) => !children.has(id))
  }
  return new Map(rootIds.map((rootId) => [rootId, listTreeLinks(rootId, children)]))
}

/** The index of the search is behind by some seconds, so the position is a time some minutes before. */
export async function readChanges(
  { since, after }: ChangePosition,
  { signal, maxPages }: { signal: AbortSignal; maxPages: number },
  parts: ReadParts,
): Promise<TrackerChanges | null> {
  const { client } = parts
  const from = Number(after ?? 0) || (client.http.toTrackerTime(since) ?? since) - INDEX_DELAY_MS
  const changed = new Map<number, number | null>()
  let newest = from
  let pageCount = 0
  const jql = `${inProject(parts)} AND updated >= ${from} ORDER BY updated ASC`
  for await (const page of client.search({ jql, fields: ['updated'], maxPages: maxPages + 1 }, WireUpdated, signal)) {
    pageCount += 1
    if (pageCount > maxPages) return null
    for (const { id, fields } of page) {
      const at = Date.parse(toInstant(fields.updated))
      newest = Math.max(newest, at)
      changed.set(Number(id), Math.floor(at / 1000))
    }
  }
  return { changed, position: String(Math.max(from, newest - INDEX_DELAY_MS)) }
}

/** Null if Jira rejects the query, because one of the issues does not exist and the version of the server makes that an error. */
export function findReadableItems(
  ids: readonly number[],
  { client }: ReadParts,
  signal: AbortSignal,
): Promise<ReadonlySet<number> | null> {
  const find = async () => {
    const found = new Set<number>()
    for (const chunk of chunksOf(ids, IDS_PER_QUERY)) {
      const jql = `id in (${chunk.join(',')})`
      const pages = client.search({ jql, fields: ['updated'], pageSize: 1000 }, WireFound, signal)
      for await (const page of pages) for (const { id } of page) found.add(Number(id))
    }
    return found
  }
  return nullOnTrackerError(
    find().catch((error: unknown) => {
      const isExpected = error instanceof TrackerError && [REJECTED_CODE, MISSING_CODE].includes(error.trackerCode)
      if (isExpected) return null
      throw error
    }),
  )
}
