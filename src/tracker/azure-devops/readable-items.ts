import { projectPath } from './address'
import type { Client } from './client'
import { isRefusal, TrackerFault } from './fault'
import { inParallel } from './in-parallel'
import type { ProjectName } from './project-name'
import { WireQueried } from './wire'

/** The tracker takes 32,000 characters of query text and names at most 20,000 rows; the rest of the text is short. */
const MOST_CHARACTERS = 31_000

/**
 * Which of the items the token may read. A query leaves out what it may not, and takes thousands of ids at once. Null where the tracker
 * does not answer such queries.
 */
export async function readableItems(
  ids: readonly number[],
  { client, project }: { client: Client; project: ProjectName },
  signal: AbortSignal,
): Promise<Set<number> | null> {
  const path = projectPath(await project.get(signal), '_apis/wit/wiql')
  const bounds = { limit: client.limits.inFlight, signal }
  try {
    const found = await inParallel(idLists(ids), bounds, async (list, signal) => {
      const query = `SELECT [System.Id] FROM WorkItems WHERE [System.Id] IN (${list})`
      const { workItems } = await client.read({ method: 'POST', path, body: { query } }, WireQueried, signal)
      return workItems.map(({ id }) => id)
    })
    return new Set(found.flat())
  } catch (error) {
    if (isRefusal(error) || isTooSlow(error, signal)) return null
    throw error
  }
}

/** The ids as lists of the query language, each as long as one query may be. */
function idLists(ids: readonly number[]): string[] {
  const lists: string[] = []
  for (const id of ids) {
    const last = lists.at(-1)
    if (last === undefined || last.length + 11 > MOST_CHARACTERS) lists.push(String(id))
    else lists[lists.length - 1] = `${last},${id}`
  }
  return lists
}

function isTooSlow(error: unknown, signal: AbortSignal): boolean {
  return error instanceof TrackerFault && error.code === 'tracker_timeout' && !signal.aborted
}
