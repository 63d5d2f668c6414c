import { hint, StudioError, suggest } from '../../kernel'
import { DEFAULT_TRACKER_NAME } from '../../kernel/text/item-reference'
import type { Tracker } from '../../tracker'
import { findIdsByReference } from '../queries'
import { createReference, isMeantBy, type ParsedReference, parseReference } from '../rules/item-reference'
import { openTrackerLink } from './tracker-link'
import type { TrackerWorkspaceContext } from './workspace-context'

/** Finds the ID of an item by its reference, such as `#101` or `ABC-7`: first among the cached items, then in the trackers that may have it. */
export async function resolveReference(ctx: TrackerWorkspaceContext, text: string): Promise<number> {
  const digits = /^#?([1-9]\d{0,14})$/.exec(text.trim())?.[1]
  if (digits !== undefined) return Number(digits)
  const parsed = parseReference(text)
  if (parsed === null) throw createFormError(text)
  const cached = await ctx.db.read((tx) => findIdsByReference(tx, parsed))
  if (cached.length === 1) return cached[0]!
  const found = new Map<number, string>()
  for (const name of await listCandidates(ctx, parsed)) {
    const { tracker } = await openTrackerLink(ctx, { name })
    const id = await findByKey(ctx, tracker, parsed.key)
    if (id !== null) found.set(id, name)
  }
  const [[id, name] = []] = found
  if (id === undefined || name === undefined) throw createNotFoundError(ctx, text)
  if (found.size === 1) {
    const reference = createReference({ id, key: parsed.key }, name === DEFAULT_TRACKER_NAME ? null : name)
    if (reference !== null) remember(ctx, id, reference)
    return id
  }
  throw new StudioError('invalid', `${text} is an item in several trackers: ${[...found.values()].join(', ')}.`, {
    hint: `Write the name of the tracker before it: ${[...found.values()][0]}:${parsed.key}`,
  })
}

/** A long-running service forgets the names when there are this many. */
const MAX_REMEMBERED = 10_000

function remember({ givenReferences }: TrackerWorkspaceContext, id: number, reference: string): void {
  if (givenReferences.size >= MAX_REMEMBERED) givenReferences.clear()
  givenReferences.set(id, reference)
}

async function findByKey(ctx: TrackerWorkspaceContext, tracker: Tracker, key: string): Promise<number | null> {
  return [...(await tracker.resolveKeys([key], ctx.signal)).values()][0] ?? null
}

/** The names of the trackers that a reference may mean. */
async function listCandidates(ctx: TrackerWorkspaceContext, { prefix }: ParsedReference): Promise<string[]> {
  const { furtherTrackers } = ctx
  const named = furtherTrackers.filter((tracker) => prefix !== null && isMeantBy(prefix, tracker) === 'name')
  if (named.length > 0 || prefix === DEFAULT_TRACKER_NAME) return [named[0]?.name ?? DEFAULT_TRACKER_NAME]
  const all = [{ name: DEFAULT_TRACKER_NAME, kind: (await ctx.tracker()).kind }, ...furtherTrackers]
  return all.filter((tracker) => prefix === null || isMeantBy(prefix, tracker) !== null).map(({ name }) => name)
}

function createFormError(text: string): StudioError {
  return new StudioError('invalid', `"${text}" is not an ID or the name of a work item.`, {
    hint: 'Write it as 101, ABC-7, gh:owner/repository#12 or jira:ABC-7.',
  })
}

function createNotFoundError({ furtherTrackers }: TrackerWorkspaceContext, text: string): StudioError {
  const names = [DEFAULT_TRACKER_NAME, ...furtherTrackers.map(({ name }) => name)].join(', ')
  return new StudioError(
    'not_found',
    `No tracker of the settings (${names}) has a work item ${text} that you can read.`,
    {
      hint: hint`Search the cached items: ${suggest('search.fast', { q: text })}`,
    },
  )
}
