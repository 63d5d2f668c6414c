import type { z } from 'zod'
import type { ChangePosition, TrackerChanges } from '../tracker'
import { projectPath } from './address'
import type { Ask } from './answer'
import type { Client } from './client'
import { isRefusal } from './fault'
import type { Metadata } from './metadata'
import type { ProjectName } from './project-name'
import { WireLinkChanges, WireRevisions } from './wire'

export interface ChangeSources {
  client: Client
  metadata: Metadata
  project: ProjectName
}

interface Bounds {
  signal: AbortSignal
  mostPages: number
}

/** Where to go on in each of the two feeds: of saves, and of links, whose change makes no revision. */
interface Tokens {
  revisions: string
  links: string
}

/** A save is stamped when it begins and seen in the feed when it is done; clocks and stamps are whole seconds besides. */
const MARGIN_MS = 2 * 60_000

/** Items that may have changed, out of the two reporting feeds of the project; null where they cannot tell. */
export async function readChanges(
  position: ChangePosition,
  { client, metadata, project }: ChangeSources,
  bounds: Bounds,
): Promise<TrackerChanges | null> {
  const tokens = 'after' in position ? tokensIn(position.after) : null
  if ('after' in position && tokens === null) return null
  // Items that differ will need the process anyway, and any answer tells what the tracker's clock shows.
  if ('since' in position && client.onTrackersClock(0) === null) await metadata.forItems([], bounds.signal)
  const since = 'since' in position ? startOf(position.since, client) : undefined
  const below = projectPath(await project.get(bounds.signal), '_apis/wit/reporting')
  const changed = new Map<number, number | null>()
  try {
    const query = { includeLatestOnly: 'true', includeDeleted: 'true', fields: 'System.Id' }
    const revisions = await follow(
      { path: `${below}/workitemrevisions`, query, start: tokens?.revisions, since },
      { client, shape: WireRevisions, ...bounds },
      ({ id, rev, isDeleted, fields }) =>
        changed.set(id, isDeleted === true || fields?.['System.IsDeleted'] === true ? null : rev),
    )
    if (revisions === null) return null
    const links = await follow(
      { path: `${below}/workitemlinks`, query: {}, start: tokens?.links, since },
      { client, shape: WireLinkChanges, ...bounds },
      ({ sourceId, targetId }) => {
        for (const id of [sourceId, targetId]) if (id != null) changed.set(id, null)
      },
    )
    return links === null ? null : { changed, position: JSON.stringify({ revisions, links } satisfies Tokens) }
  } catch (error) {
    if (isRefusal(error)) return null
    throw error
  }
}

interface Feed {
  path: string
  query: Record<string, string>
  start?: string
  since?: string
}

type FeedPage<Entry> = { values: Entry[]; continuationToken?: string | null; isLastBatch?: boolean | null }

/** Reads a feed to its end and gives the token to go on with; null where it does not end in time, or gives none. */
async function follow<Entry>(
  { path, query, start, since }: Feed,
  { client, shape, signal, mostPages }: Bounds & { client: Client; shape: z.ZodType<FeedPage<Entry>> },
  take: (entry: Entry) => unknown,
): Promise<string | null> {
  let token = start
  for (let page = 1; page <= mostPages; page += 1) {
    // The tracker refuses both together.
    const from: Record<string, string> = token !== undefined ? { continuationToken: token } : { startDateTime: since! }
    const ask: Ask = { method: 'GET', path, query: { ...query, ...from } }
    const { values, continuationToken, isLastBatch } = await client.read(ask, shape, signal)
    for (const entry of values) take(entry)
    if (!continuationToken) return null
    if (isLastBatch !== false) return continuationToken
    if (continuationToken === token) return null
    token = continuationToken
  }
  return null
}

/** Where the tracker does not tell the time, the clocks are taken to agree. */
function startOf(since: number, client: Client): string {
  return new Date((client.onTrackersClock(since) ?? since) - MARGIN_MS).toISOString()
}

function tokensIn(position: string): Tokens | null {
  try {
    const { revisions, links } = JSON.parse(position) as Partial<Tokens>
    return typeof revisions === 'string' && typeof links === 'string' ? { revisions, links } : null
  } catch {
    return null
  }
}
