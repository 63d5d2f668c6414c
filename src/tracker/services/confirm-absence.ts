import { StudioError } from '../../kernel'
import type { DeletionOutcome, Tracker } from '../tracker'
import type { MissingItem } from '../tracker-item'
import { AsyncMemo } from './async-memo'
import { isPossibleId } from './item-keys'
import { systemTiming, type Timing } from './requests/rate-limiter'

/** Pages of one call come faster than a token expires. */
const CONFIRMED_FOR_MS = 5_000

/**
 * The same tracker, which believes that something is absent only if the tracker still knows the credential. Trackers answer an expired
 * token as anyone, with "not found" or an empty list, and all cached items would seem to be gone.
 */
export function confirmAbsence(
  tracker: Tracker,
  { hasToken, timing: { now } = systemTiming }: { hasToken: boolean; timing: Timing | undefined },
): Tracker {
  const {
    checkCredential,
    getItem,
    getItems,
    readItems,
    getShape,
    getTree,
    findReadableItems,
    findCreatedItem,
    listComments,
  } = tracker
  const confirmed = new AsyncMemo(checkCredential, { ms: CONFIRMED_FOR_MS, now })
  const confirm = async (signal: AbortSignal) => {
    if (hasToken) await confirmed.get(signal)
  }

  async function confirmMissing(missing: readonly MissingItem[], signal: AbortSignal): Promise<void> {
    if (missing.some(({ id, isMalformed }) => !isMalformed && isPossibleId(id))) await confirm(signal)
  }

  async function confirmNotFound<Value>(id: number, reading: Promise<Value>, signal: AbortSignal): Promise<Value> {
    return reading.catch(async (error: unknown) => {
      if (error instanceof StudioError && error.code === 'not_found' && isPossibleId(id)) await confirm(signal)
      throw error
    })
  }

  /** What is gone already counts as deleted, so this is a claim of absence too. */
  async function confirmDeleted(deleting: Promise<DeletionOutcome>, signal: AbortSignal): Promise<DeletionOutcome> {
    const outcome = await deleting
    if (outcome.status !== 'deleted') return outcome
    try {
      await confirm(signal)
      return outcome
    } catch (error) {
      if (!(error instanceof StudioError)) throw error
      return { status: 'unknown', message: error.message }
    }
  }

  const { deletion, commentEditing } = tracker.parts
  const parts: Tracker['parts'] = {
    ...tracker.parts,
    ...(deletion && {
      deletion: { delete: (change, signal) => confirmDeleted(deletion.delete(change, signal), signal) },
    }),
    ...(commentEditing && {
      commentEditing: {
        edit: (change, signal) => commentEditing.edit(change, signal),
        delete: (change, signal) => confirmDeleted(commentEditing.delete(change, signal), signal),
      },
    }),
  }
  return Object.assign(tracker, {
    parts,
    checkCredential: confirm,
    getItem: (id, signal) => confirmNotFound(id, getItem(id, signal), signal),
    getShape: (id, signal) => confirmNotFound(id, getShape(id, signal), signal),
    getTree: (rootId, signal) => confirmNotFound(rootId, getTree(rootId, signal), signal),
    listComments: (id, options) => confirmNotFound(id, listComments(id, options), options.signal),
    async getItems(ids, options) {
      const read = await getItems(ids, options)
      await confirmMissing(read.missing, options.signal)
      return read
    },
    async *readItems(ids, options) {
      for await (const page of readItems(ids, options)) {
        await confirmMissing(page.missing, options.signal)
        yield page
      }
    },
    async findReadableItems(ids, signal) {
      const readable = await findReadableItems(ids, signal)
      if (readable !== null && ids.some((id) => !readable.has(id))) await confirm(signal)
      return readable
    },
    async findCreatedItem(item, signal) {
      const found = await findCreatedItem(item, signal)
      if (found === null) await confirm(signal)
      return found
    },
  } satisfies Partial<Tracker>)
}
