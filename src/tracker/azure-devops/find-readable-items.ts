import { mapConcurrently } from '../services/map-concurrently'
import type { RetryingClient } from '../services/retrying-client'
import { isRefusal, TrackerError } from '../services/tracker-error'
import type { ProjectResolver } from './project-resolver'
import { buildProjectPath } from './urls'
import { WireQueryResult } from './wire-schemas'

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
