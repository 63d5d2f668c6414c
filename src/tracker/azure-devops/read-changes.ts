import type { z } from 'zod'
import type { HttpRequest } from '../services/http-client'
import { mapConcurrently } from '../services/map-concurrently'
import type { RetryingClient } from '../services/retrying-client'
import { isRefusal, TrackerError } from '../services/tracker-error'
import type { ChangePosition, TrackerChanges } from '../tracker'
import { fieldNames } from './field-values'
import type { ProcessMetadata } from './process-metadata'
import type { ProjectResolver } from './project-resolver'
import { buildProjectPath } from './urls'
import { MAX_QUERY_ROWS, WireLinkChanges, WireQueryResult, WireRevisions } from './wire-schemas'

interface ChangeSources {
  client: RetryingClient
  metadata: ProcessMetadata
  project: ProjectResolver
}

interface ReadChangesOptions {
  signal: AbortSignal
  mostPages: number
}

/** Where to go on in each of the two feeds: of saves, and of links, whose change makes no revision. */
interface FeedTokens {
  revisions: string
  links: string
}

/** A save is stamped when it begins and seen in the feed when it is done; clocks and stamps are whole seconds besides. */
const CLOCK_MARGIN_MS = 2 * 60_000

/**
 * Reads which items may have changed from the two reporting feeds of the project; null where they cannot tell, or where reading them
 * to their ends would take more than `mostPages` answers.
 */
export async function readChanges(
  { since, after }: ChangePosition,
  { client, metadata, project }: ChangeSources,
  { signal, mostPages }: ReadChangesOptions,
): Promise<TrackerChanges | null> {
  const tokens = after === undefined ? null : parseTokens(after)
  if (after !== undefined && tokens === null) return null
  // Items that differ will need the process anyway, and any answer tells what the tracker's clock shows.
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
      take: ({ id, rev, isDeleted, fields }) =>
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
      take: ({ sourceId, targetId }) => {
        for (const id of [sourceId, targetId]) if (id != null) changed.set(id, null)
      },
    },
    client,
  )
  try {
    if (!(await revisions.readPage(signal))) return null
    if (!revisions.isAtEnd) {
      // A page does not say how many follow. Counting the changed items takes one request, and saves the pages of a feed that is too long.
      const most = Math.floor(mostPages / 2) * Math.max(revisions.pageSize, MIN_PAGE_SIZE)
      if (await hasMoreChangesThan(most, { name, from, client, signal })) return null
    }
    // Before the rest of the revisions, as a tracker without this feed makes them useless.
    if (!(await links.readPage(signal))) return null
    for (const feed of [revisions, links]) {
      while (!feed.isAtEnd) {
        if (revisions.pages + links.pages >= mostPages || !(await feed.readPage(signal))) return null
      }
    }
    const position: FeedTokens = { revisions: revisions.token, links: links.token }
    return { changed, position: JSON.stringify(position) }
  } catch (error) {
    if (isRefusal(error)) return null
    throw error
  }
}

/** A filtered page may hold fewer entries, or none at all, although many follow. */
const MIN_PAGE_SIZE = 200

/** Whether more than `most` items of the project were changed. The changes of links are assumed to be as many, so each feed gets half of the pages. */
async function hasMoreChangesThan(
  most: number,
  { name, from, client, signal }: { name: string; from: string; client: RetryingClient; signal: AbortSignal },
): Promise<boolean> {
  const limit = Math.min(most + 1, MAX_QUERY_ROWS)
  const query =
    `SELECT [System.Id] FROM WorkItems WHERE [System.TeamProject] = @project ` +
    `AND [${fieldNames.changedDate}] >= '${from}'`
  const ask: HttpRequest = {
    method: 'POST',
    path: buildProjectPath(name, '_apis/wit/wiql'),
    query: { $top: limit, timePrecision: 'true' },
    body: { query },
  }
  try {
    const { workItems } = await client.read(ask, WireQueryResult, signal)
    return workItems.length >= limit
  } catch (error) {
    // Reading the items may still succeed where counting them took too long.
    if (error instanceof TrackerError && error.code === 'tracker_timeout' && !signal.aborted) return true
    throw error
  }
}

/** The tracker refuses both together. */
type FeedStart = { continuationToken: string } | { startDateTime: string }

type FeedPage<Entry> = { values: Entry[]; continuationToken?: string | null; isLastBatch?: boolean | null }

interface Feed<Entry> {
  path: string
  query: Record<string, string>
  start: FeedStart
  shape: z.ZodType<FeedPage<Entry>>
  take(entry: Entry): unknown
}

/** Reads a feed page by page. */
class FeedReader<Entry> {
  readonly #feed: Feed<Entry>
  readonly #client: RetryingClient
  #next: FeedStart
  isAtEnd = false
  /** How many were read. */
  pages = 0
  /** Entries of the latest page. */
  pageSize = 0

  constructor(feed: Feed<Entry>, client: RetryingClient) {
    this.#feed = feed
    this.#client = client
    this.#next = feed.start
  }

  /** With which to go on after the pages that were read. */
  get token(): string {
    return 'continuationToken' in this.#next ? this.#next.continuationToken : ''
  }

  /** False where the tracker gives no way to go on. */
  async readPage(signal: AbortSignal): Promise<boolean> {
    const { path, query, shape, take } = this.#feed
    const ask: HttpRequest = { method: 'GET', path, query: { ...query, ...this.#next } }
    const { values, continuationToken, isLastBatch } = await this.#client.read(ask, shape, signal)
    this.pages += 1
    this.pageSize = values.length
    for (const entry of values) take(entry)
    if (!continuationToken) return false
    this.isAtEnd = isLastBatch !== false
    if (!this.isAtEnd && continuationToken === this.token) return false
    this.#next = { continuationToken }
    return true
  }
}

/** Where the tracker does not tell the time, the clocks are taken to agree. */
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

/** The tracker takes 32,000 characters of query text and names at most 20,000 rows; the rest of the text is short. */
const MAX_ID_CHARACTERS = 31_000

/**
 * Which of the items the token may read. A query leaves out what it may not, and takes thousands of ids at once. Null where the tracker
 * does not answer such queries.
 */
export async function findReadableItems(
  ids: readonly number[],
  { client, project }: { client: RetryingClient; project: ProjectResolver },
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

/** The ids as lists of the query language, each as long as one query may be. */
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
