import type { z } from 'zod'
import type { HttpRequest } from '../services/http-client'
import { mapConcurrently } from '../services/map-concurrently'
import type { RetryingClient } from '../services/retrying-client'
import { isRefusal, TrackerError } from '../services/tracker-error'
import type { ChangePosition, TrackerChanges } from '../tracker'
import { fieldNames } from './field-values'
import type { AdapterParts } from './item-reader'
import { buildProjectPath } from './urls'
import { MAX_QUERY_ROWS, WireLinkChanges, WireQueryResult, WireRevisions } from './wire-schemas'

interface ReadChangesOptions {
  signal: AbortSignal
  maxPages: number
}

/** The positions in the two feeds: of revisions, and of links, because a change of links makes no revision. */
interface FeedTokens {
  revisions: string
  links: string
}

/** The time stamp of a change is older than its entry in the feed, and the `Date` header has whole seconds. */
const CLOCK_MARGIN_MS = 2 * 60_000

/**
 * Reads the IDs of items that may have changed from the two reporting feeds of the project. Null if the feeds are not available, or if they have
 * more than `maxPages` pages.
 */
export async function readChanges(
  { since, after }: ChangePosition,
  { client, metadata, project }: AdapterParts,
  { signal, maxPages }: ReadChangesOptions,
): Promise<TrackerChanges | null> {
  const tokens = after === undefined ? null : parseTokens(after)
  if (after !== undefined && tokens === null) return null
  // Changed items will need the process anyway, and any response shows the tracker's clock.
  if (after === undefined && client.toTrackerTime(0) === null) await metadata.forItems([], signal)
  const from = toFeedStart(since, client)
  const name = await project.get(signal)
  const start = (token: string | undefined): FeedStart =>
    token === undefined ? { startDateTime: from } : { continuationToken: token }
  const changed = new Map<number, number | null>()
  const revisions = new FeedReader(
    {
      path: buildProjectPath(name, '_apis/wit/reporting/workitemrevisions'),
      query: { includeLatestOnly: 'true', includeDeleted: 'true', fields: 'System.Id' },
      start: start(tokens?.revisions),
      shape: WireRevisions,
      onEntry: ({ id, rev, isDeleted, fields }) =>
        changed.set(id, isDeleted === true || fields?.['System.IsDeleted'] === true ? null : rev),
    },
    client,
  )
  const links = new FeedReader(
    {
      path: buildProjectPath(name, '_apis/wit/reporting/workitemlinks'),
      query: {},
      start: start(tokens?.links),
      shape: WireLinkChanges,
      onEntry: ({ sourceId, targetId }) => {
        for (const id of [sourceId, targetId]) if (id != null) changed.set(id, null)
      },
    },
    client,
  )
  try {
    if (!(await revisions.readPage(signal))) return null
    if (!revisions.isAtEnd) {
      // A page does not say how many follow. Counting the changed items takes one request, and saves the pages of a feed that is too long.
      const maxChanges = Math.floor(maxPages / 2) * Math.max(revisions.pageSize, MIN_PAGE_SIZE)
      if (await hasMoreChangesThan(maxChanges, { name, from, client, signal })) return null
    }
    // The first page of links is read early, because without this feed the revisions are useless.
    if (!(await links.readPage(signal))) return null
    for (const feed of [revisions, links]) {
      while (!feed.isAtEnd) {
        if (revisions.pages + links.pages >= maxPages || !(await feed.readPage(signal))) return null
      }
    }
    const position: FeedTokens = { revisions: revisions.token, links: links.token }
    return { changed, position: JSON.stringify(position) }
  } catch (error) {
    if (isRefusal(error)) return null
    throw error
  }
}

/** A filtered page may contain fewer entries or none, although many follow. */
const MIN_PAGE_SIZE = 200

/** Whether more than `maxChanges` items changed. The number of changed links is assumed to be similar, so each feed gets half of the pages. */
async function hasMoreChangesThan(
  maxChanges: number,
  { name, from, client, signal }: { name: string; from: string; client: RetryingClient; signal: AbortSignal },
): Promise<boolean> {
  const limit = Math.min(maxChanges + 1, MAX_QUERY_ROWS)
  const query =
    `SELECT [System.Id] FROM WorkItems WHERE [System.TeamProject] = @project ` +
    `AND [${fieldNames.changedDate}] >= '${from}'`
  const request: HttpRequest = {
    method: 'POST',
    path: buildProjectPath(name, '_apis/wit/wiql'),
    query: { $top: limit, timePrecision: 'true' },
    body: { query },
  }
  try {
    const { workItems } = await client.read(request, WireQueryResult, signal)
    return workItems.length >= limit
  } catch (error) {
    // Reading the items may still succeed although counting them took too long.
    if (error instanceof TrackerError && error.code === 'tracker_timeout' && !signal.aborted) return true
    throw error
  }
}

/** The tracker accepts only one of the two. */
type FeedStart = { continuationToken: string } | { startDateTime: string }

type FeedPage<Entry> = { values: Entry[]; continuationToken?: string | null; isLastBatch?: boolean | null }

interface Feed<Entry> {
  path: string
  query: Record<string, string>
  start: FeedStart
  shape: z.ZodType<FeedPage<Entry>>
  onEntry(entry: Entry): unknown
}

/** Reads a feed page by page. */
class FeedReader<Entry> {
  readonly #feed: Feed<Entry>
  readonly #client: RetryingClient
  #next: FeedStart
  isAtEnd = false
  pages = 0
  /** Entries of the latest page. */
  pageSize = 0

  constructor(feed: Feed<Entry>, client: RetryingClient) {
    this.#feed = feed
    this.#client = client
    this.#next = feed.start
  }

  /** The continuation token after the pages that were read. */
  get token(): string {
    return 'continuationToken' in this.#next ? this.#next.continuationToken : ''
  }

  /** Returns false if the tracker returns no continuation token. */
  async readPage(signal: AbortSignal): Promise<boolean> {
    const { path, query, shape, onEntry } = this.#feed
    const request: HttpRequest = { method: 'GET', path, query: { ...query, ...this.#next } }
    const { values, continuationToken, isLastBatch } = await this.#client.read(request, shape, signal)
    this.pages += 1
    this.pageSize = values.length
    for (const entry of values) onEntry(entry)
    if (!continuationToken) return false
    this.isAtEnd = isLastBatch !== false
    if (!this.isAtEnd && continuationToken === this.token) return false
    this.#next = { continuationToken }
    return true
  }
}

/** If the tracker's clock is unknown, assumes that it agrees with ours. */
function toFeedStart(since: number, client: RetryingClient): string {
  return new Date((client.toTrackerTime(since) ?? since) - CLOCK_MARGIN_MS).toISOString()
}

function parseTokens(position: string): FeedTokens | null {
  try {
    const { revisions, links } = JSON.parse(position) as Partial<FeedTokens>
    return typeof revisions === 'string' && typeof links === 'string' ? { revisions, links } : null
  } catch {
    return null
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
  { client, project }: AdapterParts,
  signal: AbortSignal,
): Promise<Set<number> | null> {
  const path = buildProjectPath(await project.get(signal), '_apis/wit/wiql')
  const bounds = { limit: client.limits.maxConcurrent, signal }
  try {
    const found = await mapConcurrently(createIdLists(ids), bounds, async (list, signal) => {
      const query = `SELECT [System.Id] FROM WorkItems WHERE [System.Id] IN (${list})`
      const { workItems } = await client.read({ method: 'POST', path, body: { query } }, WireQueryResult, signal)
      return workItems.map(({ id }) => id)
    })
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

function isTooSlow(error: unknown, signal: AbortSignal): boolean {
  return error instanceof TrackerError && error.code === 'tracker_timeout' && !signal.aborted
}
