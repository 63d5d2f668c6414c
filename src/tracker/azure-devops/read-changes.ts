import * as z from 'zod'
import { parseJson } from '../../kernel/json'
import { mapConcurrently } from '../services/requests/map-concurrently'
import type { RetryingClient } from '../services/requests/retrying-client'
import { isRefusal } from '../services/requests/tracker-error'
import type { ChangePosition, TrackerChanges } from '../tracker'
import { fieldNames } from './field-values'
import type { AdapterParts } from './item-reader'
import { isTooSlow, queryIds } from './run-query'
import { buildProjectPath } from './urls'
import { MAX_QUERY_ROWS, WireLinkChanges, WireRevisions } from './wire-schemas'

interface ReadChangesOptions {
  signal: AbortSignal
  maxPages: number
}

/** The positions in the two feeds: of revisions, and of links, because a change of links makes no revision. */
const FeedTokens = z.object({ revisions: z.string(), links: z.string() })

/** The time stamp of a change is older than its entry in the feed, and the `Date` header has whole seconds. */
const CLOCK_MARGIN_MS = 2 * 60_000

/**
 * Reads the IDs of items that may have changed from the two reporting feeds of the project. Null if the feeds are not available, or if they have
 * more than `maxPages` pages.
 */
export async function readChanges(
  { since, after }: ChangePosition,
  parts: AdapterParts,
  { signal, maxPages }: ReadChangesOptions,
): Promise<TrackerChanges | null> {
  const { client, metadata, project } = parts
  const tokens = after === undefined ? undefined : FeedTokens.safeParse(parseJson(after)).data
  if (after !== undefined && tokens === undefined) return null
  // Changed items will need the process anyway, and any response shows the tracker's clock.
  if (after === undefined && client.toTrackerTime(0) === null) await metadata.forItems([], signal)
  // If the tracker's clock is unknown, assumes that it agrees with ours.
  const from = new Date((client.toTrackerTime(since) ?? since) - CLOCK_MARGIN_MS).toISOString()
  const name = await project.get(signal)
  const changed = new Map<number, number | null>()
  const revisions = new FeedReader(client, tokens?.revisions, {
    path: buildProjectPath(name, '_apis/wit/reporting/workitemrevisions'),
    query: { includeLatestOnly: 'true', includeDeleted: 'true', fields: 'System.Id,System.IsDeleted' },
    from,
    shape: WireRevisions,
    onEntry: ({ id, rev, fields }) => changed.set(id, fields?.['System.IsDeleted'] === true ? null : rev),
  })
  const links = new FeedReader(client, tokens?.links, {
    path: buildProjectPath(name, '_apis/wit/reporting/workitemlinks'),
    query: {},
    from,
    shape: WireLinkChanges,
    onEntry: ({ sourceId, targetId }) => {
      for (const id of [sourceId, targetId]) if (id != null) changed.set(id, null)
    },
  })
  try {
    if (!(await revisions.readPage(signal))) return null
    if (!revisions.isAtEnd) {
      // A page does not say how many follow. Counting the changed items takes one request, and saves the pages of a feed that is too long.
      const maxChanges = Math.floor(maxPages / 2) * Math.max(revisions.pageSize, MIN_PAGE_SIZE)
      if (await hasMoreChangesThan(maxChanges, from, parts, signal)) return null
    }
    // The first page of links is read early, because without this feed the revisions are useless.
    if (!(await links.readPage(signal))) return null
    for (const feed of [revisions, links]) {
      while (!feed.isAtEnd) {
        if (revisions.pages + links.pages >= maxPages || !(await feed.readPage(signal))) return null
      }
    }
    return { changed, position: JSON.stringify({ revisions: revisions.token, links: links.token }) }
  } catch (error) {
    if (isRefusal(error)) return null
    throw error
  }
}

/** A filtered page may contain fewer entries or none, although many follow. */
const MIN_PAGE_SIZE = 200

/** Whether more than `maxChanges` items changed. The number of changed links is assumed to be similar, so each feed gets half of the pages. */
async function hasMoreChangesThan(maxChanges: number, from: string, parts: AdapterParts, signal: AbortSignal) {
  const limit = Math.min(maxChanges + 1, MAX_QUERY_ROWS)
  const query =
    `SELECT [System.Id] FROM WorkItems WHERE [System.TeamProject] = @project ` +
    `AND [${fieldNames.changedDate}] >= '${from}'`
  try {
    return (await queryIds(query, parts, signal, { $top: limit, timePrecision: 'true' })).length >= limit
  } catch (error) {
    // Reading the items may still succeed although counting them took too long.
    if (isTooSlow(error, signal)) return true
    throw error
  }
}

type FeedPage<Entry> = { values: Entry[]; continuationToken?: string | null; isLastBatch?: boolean | null }

interface Feed<Entry> {
  path: string
  query: Record<string, string>
  /** Where to begin without a token. */
  from: string
  shape: z.ZodType<FeedPage<Entry>>
  onEntry(entry: Entry): unknown
}

/** Reads a feed page by page. `token` is the continuation token after the pages that were read. */
class FeedReader<Entry> {
  isAtEnd = false
  pages = 0
  /** Entries of the latest page. */
  pageSize = 0

  constructor(
    private readonly client: RetryingClient,
    public token: string | undefined,
    private readonly feed: Feed<Entry>,
  ) {}

  /** Returns false if the tracker returns no continuation token. */
  async readPage(signal: AbortSignal): Promise<boolean> {
    const { path, query, from, shape, onEntry } = this.feed
    // The tracker accepts only one of the two.
    const start: Record<string, string> =
      this.token === undefined ? { startDateTime: from } : { continuationToken: this.token }
    const request = { method: 'GET', path, query: { ...query, ...start } } as const
    const { values, continuationToken, isLastBatch } = await this.client.read(request, shape, signal)
    this.pages += 1
    this.pageSize = values.length
    for (const entry of values) onEntry(entry)
    if (!continuationToken) return false
    this.isAtEnd = isLastBatch !== false
    if (!this.isAtEnd && continuationToken === this.token) return false
    this.token = continuationToken
    return true
  }
}

/** The tracker accepts 32,000 characters of query text and returns at most 20,000 rows. */
const MAX_ID_CHARACTERS = 31_000

/**
 * Finds the items that the token can read, because a query omits the others. A query accepts thousands of IDs. Null if the tracker does not
 * support such queries.
 */
export async function findReadableItems(
  ids: readonly number[],
  parts: AdapterParts,
  signal: AbortSignal,
): Promise<Set<number> | null> {
  const bounds = { limit: parts.client.limits.maxConcurrent, signal }
  try {
    const found = await mapConcurrently(createIdLists(ids), bounds, (list, signal) =>
      queryIds(`SELECT [System.Id] FROM WorkItems WHERE [System.Id] IN (${list})`, parts, signal),
    )
    return new Set(found.flat())
  } catch (error) {
    if (isRefusal(error) || isTooSlow(error, signal)) return null
    throw error
  }
}

/** Joins the IDs to lists of the query language, each as long as one query allows. */
function createIdLists(ids: readonly number[]): string[] {
  const lists: string[] = []
  for (const id of ids) {
    const last = lists.at(-1)
    if (last === undefined || last.length + 11 > MAX_ID_CHARACTERS) lists.push(String(id))
    else lists[lists.length - 1] = `${last},${id}`
  }
  return lists
}
