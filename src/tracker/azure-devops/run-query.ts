import type { z } from 'zod'
import { TrackerError } from '../services/requests/tracker-error'
import type { AdapterParts } from './item-reader'
import { buildProjectPath } from './urls'
import { WireQueryResult } from './wire-schemas'

type QuerySource = Pick<AdapterParts, 'client' | 'project'>

/** Runs a query in the tracker's query language. */
export async function runQuery<Shape extends z.ZodType>(
  text: string,
  shape: Shape,
  { client, project }: QuerySource,
  signal: AbortSignal,
  query?: Record<string, string | number>,
): Promise<z.output<Shape>> {
  const path = buildProjectPath(await project.get(signal), '_apis/wit/wiql')
  return client.read({ method: 'POST', path, query, body: { query: text } }, shape, signal)
}

/** A text as a value of a query. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** The IDs that a query of items finds. */
export async function queryIds(
  text: string,
  parts: QuerySource,
  signal: AbortSignal,
  query?: Record<string, string | number>,
): Promise<number[]> {
  const { workItems } = await runQuery(text, WireQueryResult, parts, signal, query)
  return workItems.map(({ id }) => id)
}

/** Whether the tracker gave up a request, although the caller still waits. */
export function isTooSlow(error: unknown, signal: AbortSignal): boolean {
  return error instanceof TrackerError && error.code === 'tracker_timeout' && !signal.aborted
}
