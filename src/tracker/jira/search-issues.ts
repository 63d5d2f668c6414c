import * as z from 'zod'
import { MINUTE_MS } from '../../kernel/time'
import { nullOnTrackerError } from '../services/change-result'
import { parseItemId } from '../services/item-keys'
import { isBalanced, maskQuotedText, quote } from '../services/quoted-text'
import { TrackerError } from '../services/requests/tracker-error'
import type { ChangePosition, SearchQuery, SearchResult, TrackerChanges, TypeQuery } from '../tracker'
import { parseIssueKey } from './address'
import { findIdsByKey, IDS_PER_QUERY, LARGEST_PAGE, type ReadParts, readByIds } from './issue-reader'
import { toRevision, WireIssue } from './map-issue'
import { resolveIssueKeys } from './resolve-keys'

const WireId = z.object({ id: z.string() })
const WireUpdated = WireId.extend({ fields: WireIssue.shape.fields.pick({ updated: true }) })

/** How far the index of the search may be behind. */
const INDEX_DELAY_MS = 5 * MINUTE_MS

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
  const named = raw === undefined && itemType === null ? await findNamed(text, parts, signal) : []
  if (named.length > 0) return { ids: named, total: 1, source: 'query', partial: false }
  const condition = raw === undefined ? `text ~ ${quote(toWords(text))}` : raw
  const jql = restrictToProject(condition, parts, { further: ofType, order: 'ORDER BY updated DESC' })
  const { ids, total } = await findIssues(jql, limit, parts, signal)
  return { ids, total, source: 'query', partial: false }
}

/** The one issue with the key or the ID, if the text is one. */
async function findNamed(text: string, { client }: ReadParts, signal: AbortSignal): Promise<number[]> {
  const key = parseIssueKey(text)
  if (key?.startsWith(`${client.project.key}-`)) return [...(await resolveIssueKeys([key], client, signal)).values()]
  const id = parseItemId(text)
  return id === null ? [] : [...(await findIdsByKey([id], client, signal)).values()]
}

/** The characters of the text search would be operators. */
function toWords(text: string): string {
  return text.replace(/[^\p{L}\p{N}_@.-]+/gu, ' ').trim() || text
}

/** The same query, which finds issues of the project alone. Keeps its order, or has the given one. */
export function restrictToProject(
  jql: string,
  parts: ReadParts,
  { further = '', order: usual = '' }: { further?: string; order?: string } = {},
): string {
  const { condition, order } = splitOrder(jql)
  return `${inProject(parts)}${further}${condition && ` AND (${condition})`} ${order || usual}`.trim()
}

function splitOrder(jql: string): { condition: string; order: string } {
  const masked = maskQuotedText(jql)
  const at = masked.search(/\border\s+by\b|$/i)
  // What leaves its parentheses would also leave the project.
  if (isBalanced(masked.slice(0, at))) return { condition: jql.slice(0, at).trim(), order: jql.slice(at) }
  throw new TrackerError('invalid', 'A parenthesis or a quote of the JQL does not match.')
}

export async function findByType(
  { types, title, limit }: TypeQuery,
  parts: ReadParts,
  signal: AbortSignal,
): Promise<{ ids: number[]; total: number }> {
  if (types.length === 0) return { ids: [], total: 0 }
  const inTitle = title === null ? '' : ` AND summary ~ ${quote(toWords(title))}`
  const jql = `${inProject(parts)} AND issuetype in (${types.map(quote).join(',')})${inTitle} ORDER BY updated DESC`
  const { ids, total } = await findIssues(jql, limit, parts, signal)
  return { ids, total }
}

/** Cloud does not count what a query finds, so the total is what was read. */
export async function findIssues(jql: string, limit: number, { client }: ReadParts, signal: AbortSignal) {
  const ids: number[] = []
  const pages = client.search({ jql, fields: ['id'], pageSize: Math.min(limit + 1, LARGEST_PAGE) }, WireId, signal)
  for await (const page of pages) {
    ids.push(...page.map(({ id }) => Number(id)))
    if (ids.length > limit) break
  }
  return { ids: ids.slice(0, limit), total: ids.length, isComplete: ids.length <= limit }
}

/** The index of the search is behind by some seconds, so the position is a time some minutes before. */
export async function readChanges(
  { since, after }: ChangePosition,
  { signal, maxPages }: { signal: AbortSignal; maxPages: number },
  parts: ReadParts,
): Promise<TrackerChanges | null> {
  const { client, metadata } = parts
  // Changed issues will need the fields anyway, and any response shows the tracker's clock.
  if (after === undefined && client.http.toTrackerTime(0) === null) await metadata.forReading(signal)
  // If the tracker's clock is unknown, assumes that it agrees with ours.
  const from = Number(after ?? 0) || (client.http.toTrackerTime(since) ?? since) - INDEX_DELAY_MS
  const changed = new Map<number, number | null>()
  let newest = from
  let pageCount = 0
  // In the order of the keys, an issue that is updated meanwhile keeps its place, so that no page skips another issue.
  const jql = `${inProject(parts)} AND updated >= ${from} ORDER BY key ASC`
  for await (const page of client.search({ jql, fields: ['updated'], maxPages: maxPages + 1 }, WireUpdated, signal)) {
    pageCount += 1
    if (pageCount > maxPages) return null
    for (const { id, fields } of page) {
      const rev = toRevision(fields.updated)
      newest = Math.max(newest, rev)
      changed.set(Number(id), rev)
    }
  }
  return { changed, position: String(Math.max(from, newest - INDEX_DELAY_MS)) }
}

/** The issues that the token can read. */
export async function findReadableItems(
  ids: readonly number[],
  { client }: ReadParts,
  signal: AbortSignal,
): Promise<ReadonlySet<number> | null> {
  const selection = { fields: ['id'], size: IDS_PER_QUERY }
  const found = await nullOnTrackerError(readByIds(ids, selection, WireId, client, signal))
  return found && new Set(found.map(({ id }) => Number(id)))
}
