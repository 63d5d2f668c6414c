import { hint, StudioError, suggest } from '../../kernel'
import { equalsIgnoringCase } from '../../kernel/text/text'
import { isBadRequest, type QueryRunner, type SavedQuery, type Tracker } from '../../tracker'
import { createUpdateError } from '../rules/update-fields'
import { requirePart } from './tracker-part'
import type { TrackerWorkspaceContext } from './workspace-context'

/** Which query: a saved one by its name or ID, or a text in the tracker's language. */
export interface QueryChoice {
  query?: string | undefined
  text?: string | undefined
}

export interface FoundByQuery {
  /** The name of the saved query, or the text. */
  query: string
  language: string
  ids: number[]
  /** Of all that it finds; null if the tracker does not say. */
  total: number | null
}

/** Runs a query in the tracker. Throws `not_found` for a saved query that the token cannot read. */
export async function runTrackerQuery(
  ctx: TrackerWorkspaceContext,
  tracker: Tracker,
  { query, text, limit }: QueryChoice & { limit: number },
): Promise<FoundByQuery> {
  const runner = requirePart(tracker, 'queries')
  if ((query === undefined) === (text === undefined))
    throw createUpdateError([
      { path: 'query', message: `is required, or text with a query in ${runner.language}, and not both` },
    ])
  ctx.progress({ label: 'running the query' })
  const { language } = runner
  if (text !== undefined) {
    const found = await runner.run({ text }, limit, ctx.signal).catch((error: unknown) => {
      // The text is the caller's, so another one is what helps, and not another time.
      throw isBadRequest(error) ? new StudioError('invalid', error.message, { cause: error }) : error
    })
    return { query: text, language, ...found }
  }
  const saved = await findSavedQuery(ctx, runner, query!)
  return { query: saved.name, language, ...(await runner.run({ saved: saved.id }, limit, ctx.signal)) }
}

/** By its ID, its name with its folders, or its last name if only one query has it. */
async function findSavedQuery(ctx: TrackerWorkspaceContext, runner: QueryRunner, wanted: string): Promise<SavedQuery> {
  const all = await runner.list(ctx.signal)
  const exact = all.find(({ id }) => id === wanted) ?? all.find(({ name }) => equalsIgnoringCase(name, wanted))
  if (exact) return exact
  const byEnd = all.filter(({ name }) => equalsIgnoringCase(name.split('/').at(-1)!.trim(), wanted))
  if (byEnd.length === 1) return byEnd[0]!
  const names = byEnd.map(({ name, id }) => `${name} (${id})`).join(', ')
  const advice = hint`List them: ${suggest('queries.list')}`
  if (byEnd.length > 1)
    throw new StudioError('invalid', `"${wanted}" is the name of several saved queries: ${names}.`, { hint: advice })
  throw new StudioError('not_found', `The tracker has no saved query "${wanted}", or your token cannot read it.`, {
    hint: all.length === 0 ? 'It shows no saved queries. Give the query as a text.' : advice,
  })
}
