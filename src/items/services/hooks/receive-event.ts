import { createHash } from 'node:crypto'
import { type Context, hint, StudioError, suggestCommand } from '../../../kernel'
import { parseJson } from '../../../kernel/json'
import { DEFAULT_TRACKER_NAME } from '../../../kernel/text/item-reference'
import { formatInstant } from '../../../kernel/time'
import type { StorageContext } from '../../../storage'
import type { TrackerContext } from '../../../tracker'
import { getHookFormat, type HookRequest, hasProof, isAuthentic } from '../../../tracker/hook-formats'
import { findTrackerHook, saveReportedItems } from '../../queries'

/** Events that a process remembers, so that one that is sent again costs nothing. */
const MAX_REMEMBERED = 10_000

export type HookContext = Pick<Context & StorageContext & TrackerContext, 'db' | 'clock' | 'describeTracker'>

/** Takes the events of trackers. An event only says which items are to be read again. */
export class HookReceiver {
  /** Digests of the last events, the oldest first. */
  readonly #seen = new Set<string>()

  constructor(
    private readonly ctx: HookContext,
    private readonly onReport: () => void,
  ) {}

  readonly hasProof = hasProof
  readonly createRefusal = createRefusal

  /** Whether the request comes from the tracker. False if there is no tracker of this name. */
  async isAuthentic(tracker: string, request: HookRequest): Promise<boolean> {
    const isKnown = this.ctx.describeTracker(tracker) !== null
    const hook = isKnown ? await this.ctx.db.read((tx) => findTrackerHook(tx, tracker)) : null
    return hook !== null && isAuthentic(request, hook.secret)
  }

  /** Saves which items an authentic event is about before it returns. */
  async accept(tracker: string, { body, header }: HookRequest): Promise<void> {
    const digest = createHash('sha256').update(tracker).update('\n').update(body).digest('base64')
    if (this.#seen.has(digest)) return
    const keys = getHookFormat(this.ctx.describeTracker(tracker)!.kind).listKeys(
      parseEvent(body, header('content-type')),
    )
    const at = formatInstant(this.ctx.clock.now())
    await this.ctx.db.write((tx) => saveReportedItems(tx, tracker, keys, at), { locksRows: true })
    this.#remember(digest)
    if (keys.length > 0) this.onReport()
  }

  #remember(digest: string): void {
    this.#seen.add(digest)
    if (this.#seen.size <= MAX_REMEMBERED) return
    const [oldest] = this.#seen
    this.#seen.delete(oldest!)
  }
}

/** JSON, or a form whose field `payload` is JSON, as GitHub sends it unless it is asked for JSON. */
function parseEvent(body: Uint8Array, contentType: string | null): unknown {
  const text = Buffer.from(body).toString()
  const isForm = contentType?.startsWith('application/x-www-form-urlencoded')
  const event = parseJson(isForm ? (new URLSearchParams(text).get('payload') ?? '') : text)
  if (event === undefined) throw new StudioError('invalid', 'The event is not JSON.')
  return event
}

function createRefusal(): StudioError {
  return new StudioError('unauthenticated', 'This address accepts only events that prove the secret of the tracker.', {
    hint: hint`Show what to enter in the tracker: ${suggestCommand('tracker.hooks', { tracker: DEFAULT_TRACKER_NAME })}`,
  })
}
