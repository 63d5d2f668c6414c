import { mapConcurrently } from '../services/requests/map-concurrently'
import type { RetryingClient } from '../services/requests/retrying-client'
import { TrackerError } from '../services/requests/tracker-error'
import { createVerificationSignal } from '../services/requests/verification-signal'
import { hasTags } from '../services/update-after-reading'
import type { ItemChange, ItemLink } from '../tracker'
import { fieldNames, parseInstant, parsePerson, parseTags } from './field-values'
import type { AdapterParts, ItemReader } from './item-reader'
import { findRelationIndex } from './relations'
import { batchUpdate, type ChangeResult, createPatch, singleUpdate, type UpdateMethod } from './update-requests'
import type { WireItem } from './wire-schemas'

/** The status of a change. `unchanged`: the item has not changed, so the change may be sent again. */
export type ChangeStatus = ChangeResult | { kind: 'unchanged' | 'unknown' | 'notAttempted'; message: string }

export const INTERRUPTED_BEFORE_SENDING = 'Interrupted before it was sent.'

/** A change whose outcome is unknown, and the reason. */
interface UnconfirmedChange {
  change: ItemChange
  message: string
}

interface SendAttempt {
  statuses: ChangeStatus[]
  /** Whether the changes that left their items unchanged should be sent again. */
  shouldRetry: boolean
}

/**
 * Sends changes and determines their outcome. A change that the tracker may have received is sent again only after the item
 * was read. Every change tests its revision, so even a delayed first request cannot be applied twice.
 */
export class ChangeSender {
  /** True once a change has been, or may have been, applied or judged. */
  #hasBegun = false
  /** Why nothing more is sent. */
  #stopReason: string | null = null
  /** The items just before a change of their links or tags was sent. */
  readonly #present = new Map<ItemChange, WireItem | null>()
  private readonly client: RetryingClient
  private readonly reader: ItemReader

  constructor(
    private readonly parts: AdapterParts,
    private readonly signal: AbortSignal,
  ) {
    this.client = parts.client
    this.reader = parts.reader
  }

  /** Returns a status for each change. Throws an error that concerns all of them only while none has begun. */
  async send(changes: readonly ItemChange[]): Promise<ChangeStatus[]> {
    if (changes.length === 1) return [await this.#sendSingle(changes[0]!)]
    const statuses = await this.#sendWith(batchUpdate, changes)
    const remaining = statuses.flatMap((status, i) => (isUnprocessed(status) ? [i] : []))
    const limit = this.client.limits.maxConcurrent
    // The first is sent ahead, so that an error that concerns all of them shows before several requests are running.
    for (const part of [remaining.slice(0, 1), remaining.slice(1)]) {
      await mapConcurrently(part, { limit, signal: this.signal }, async (i) => {
        statuses[i] = await this.#sendSingle(changes[i]!)
      })
    }
    return statuses
  }

  async #sendSingle(change: ItemChange): Promise<ChangeStatus> {
    const status = (await this.#sendWith(singleUpdate, [change]))[0]!
    return isUnprocessed(status) ? { kind: 'rejected', message: status.message, code: 'tracker_answer' } : status
  }

  async #sendWith(method: UpdateMethod, changes: readonly ItemChange[]): Promise<ChangeStatus[]> {
    const statuses = new Map<ItemChange, ChangeStatus>()
    let pending = changes
    for (let attempt = 1; pending.length > 0; attempt += 1) {
      const result = await this.#attempt(method, pending, attempt)
      for (const [i, change] of pending.entries()) statuses.set(change, result.statuses[i]!)
      pending = result.shouldRetry ? pending.filter((_, i) => result.statuses[i]!.kind === 'unchanged') : []
    }
    return changes.map((change) => statuses.get(change)!)
  }

  async #attempt(method: UpdateMethod, changes: readonly ItemChange[], attempt: number): Promise<SendAttempt> {
    const obstacle = this.#stopReason ?? (this.signal.aborted ? INTERRUPTED_BEFORE_SENDING : null)
    if (obstacle !== null) return { statuses: markNotAttempted(changes, obstacle), shouldRetry: false }
    const { response, error } = await this.#request(method, changes, attempt)
    const isJudged =
      error === null || (response !== null && response.status >= 400 && !method.senderErrors.has(error.code))
    if (response !== null && isJudged) {
      const results = method.parseResults(response, changes)
      return { statuses: await this.#confirmResults(changes, results), shouldRetry: false }
    }
    if (error!.effect === 'none') return { statuses: this.#stopUnsent(changes, error!), shouldRetry: false }
    this.#hasBegun = true
    const statuses = await this.#resolve(changes.map((change) => ({ change, message: error!.message })))
    const shouldRetry = response?.status === 503 && attempt < this.client.limits.maxAttempts
    if (shouldRetry) return { statuses, shouldRetry }
    this.#stopReason = `Not sent after: ${error!.message}`
    return {
      statuses: statuses.map((status) => (status.kind === 'unchanged' ? { ...status, kind: 'unknown' } : status)),
      shouldRetry,
    }
  }

  async #request(method: UpdateMethod, changes: readonly ItemChange[], attempt: number) {
    try {
      if (attempt > 1) await this.client.pause(attempt - 1, this.signal)
      await this.#readPresent(changes)
      const { base } = this.parts.address
      const patches = changes.map((change) => ({
        id: change.id,
        operations: createPatch(change, { present: this.#present.get(change) ?? null, base }),
      }))
      return await this.client.write(method.createRequest(patches), this.signal)
    } catch (error) {
      if (error instanceof TrackerError) return { response: null, error }
      throw error
    }
  }

  /**
   * A removal names a position in the list of relations. A change of links makes no revision, so only the list as it is now is safe. Tags are
   * removed by sending those that remain.
   */
  async #readPresent(changes: readonly ItemChange[]): Promise<void> {
    const ofParts = changes.filter(({ links, tags }) => links !== undefined || tags !== undefined)
    if (ofParts.length === 0) return
    const ids = [...new Set(ofParts.map(({ id }) => id))]
    const found = await this.reader.readWireItems(ids, this.signal).catch((error: unknown) => {
      if (!(error instanceof TrackerError)) throw error
      const { code, message, hint } = error
      throw new TrackerError(code, message, { hint: hint ?? undefined, cause: error, effect: 'none' })
    })
    const wires = new Map(found.map(({ id, wire }) => [id, wire]))
    for (const change of ofParts) this.#present.set(change, wires.get(change.id) ?? null)
  }

  /** If another user changed the links between reading and sending, a position may have meant another link. */
  #checkRemovals(change: ItemChange, result: ChangeResult): ChangeStatus {
    if (result.kind !== 'applied' || !change.links || change.links.remove.length === 0) return result
    const now = result.wire?.relations
    if (!now) return { kind: 'failed', message: 'The response of the tracker does not contain the links.' }
    const left = change.links.remove.filter((link) => findRelationIndex(now, link) >= 0)
    if (left.length === 0) return result
    const lost = (this.#present.get(change)?.relations ?? []).filter(
      ({ rel, url }) => !now.some((one) => one.rel === rel && one.url === url),
    )
    const message =
      `Another user changed the links at the same moment. The item still has the link to ${left.map(({ id }) => `#${id}`).join(', ')}. ` +
      `Check in the tracker whether these links are missing: ${lost.map(({ url }) => url).join(', ') || 'none'}.`
    return { kind: 'unknown', message }
  }

  /** Nothing of the request was applied, and nothing that follows would be. */
  #stopUnsent(changes: readonly ItemChange[], error: TrackerError): ChangeStatus[] {
    if (this.signal.aborted) return markNotAttempted(changes, INTERRUPTED_BEFORE_SENDING)
    if (!this.#hasBegun) throw error
    this.#stopReason = `Not sent after: ${error.message}`
    return markNotAttempted(changes, this.#stopReason)
  }

  /** Reads the items of changes on which the tracker failed, and leaves all other results as they are. */
  async #confirmResults(changes: readonly ItemChange[], results: readonly ChangeResult[]): Promise<ChangeStatus[]> {
    if (results.some((result) => result.kind !== 'notProcessed')) this.#hasBegun = true
    const statuses = results.map((result, i) => this.#checkRemovals(changes[i]!, result))
    const failed = statuses.flatMap((status, i) => (status.kind === 'failed' ? [{ i, message: status.message }] : []))
    const resolved = await this.#resolve(failed.map(({ i, message }) => ({ change: changes[i]!, message })))
    for (const [at, { i }] of failed.entries()) statuses[i] = resolved[at]!
    return statuses
  }

  /** Reads the items and compares. If that fails too, the outcome stays unknown. */
  async #resolve(unconfirmed: readonly UnconfirmedChange[]): Promise<ChangeStatus[]> {
    if (unconfirmed.length === 0) return []
    const ids = [...new Set(unconfirmed.map(({ change }) => change.id))]
    const signal = createVerificationSignal(this.signal, this.client.limits)
    const found = await this.reader.readWireItems(ids, signal).catch((error: unknown) => {
      if (error instanceof TrackerError) return []
      throw error
    })
    const wires = new Map(found.map(({ id, wire }) => [id, wire]))
    return unconfirmed.map((entry) => resolveStatus(entry, wires.get(entry.change.id) ?? null))
  }
}

function isUnprocessed(status: ChangeStatus): status is Extract<ChangeStatus, { message: string }> {
  return status.kind === 'notProcessed' || status.kind === 'unchanged'
}

function markNotAttempted(changes: readonly ItemChange[], message: string): ChangeStatus[] {
  return changes.map(() => ({ kind: 'notAttempted', message }))
}

function resolveStatus({ change, message }: UnconfirmedChange, wire: WireItem | null): ChangeStatus {
  if (wire === null) return { kind: 'unknown', message: `${message} The item could not be read afterwards.` }
  const revision = `revision ${wire.rev}`
  switch (resolveUnknownOutcome(change, wire)) {
    case 'applied':
      return { kind: 'applied', wire }
    case 'unchanged':
      return { kind: 'unchanged', message: `${message} The item still has ${revision}.` }
    case 'overtaken':
      return { kind: 'conflict', message: `${message} The item now has ${revision}, made by another change.` }
    case 'unclear':
      return {
        kind: 'unknown',
        message: `${message} The item now has ${revision}, and it is not clear which change made it.`,
      }
  }
}

/**
 * Whether a change without a response was applied, judged by the current item.
 * `unchanged`: the item is as it was. `overtaken`: another change came first, so this one can no longer be applied.
 * `unclear`: the item has changed, but it is not clear by which change.
 */
type ResolvedOutcome = 'applied' | 'unchanged' | 'overtaken' | 'unclear'

export function resolveUnknownOutcome(change: ItemChange, now: WireItem): ResolvedOutcome {
  const { add = [], remove = [] } = change.links ?? {}
  const hasLink = (link: ItemLink) => findRelationIndex(now.relations ?? [], link) >= 0
  const comparisons = [
    ...Object.entries(change.fields).map(([name, value]) => compareField(name, value, now.fields)),
    ...add.map((link) => toComparison(hasLink(link))),
    ...remove.map((link) => toComparison(!hasLink(link))),
    toComparison(hasTags({ tags: parseTags(now.fields[fieldNames.tags]) }, change.tags)),
  ]
  if (comparisons.every((comparison) => comparison === 'same')) return 'applied'
  if (now.rev <= change.rev) return 'unchanged'
  // Our change would have made exactly this revision, so a different value shows that another change made it.
  const notOurs = now.rev === change.rev + 1 && comparisons.includes('different')
  return notOurs ? 'overtaken' : 'unclear'
}

type Comparison = 'same' | 'different' | 'unclear'

/** The tracker rewrites long texts and the case of known names, so for these only a match is conclusive. */
function compareField(
  name: string,
  requested: string | number | boolean | null,
  fields: Record<string, unknown>,
): Comparison {
  const found = fields[name]
  if (requested === null || requested === '') return toComparison(isEmpty(found))
  if (isEmpty(found)) return 'different'
  if (name === fieldNames.tags) return toComparison(normalizeTags(found) === normalizeTags(requested))
  if (typeof found === 'object' || name === fieldNames.assignedTo) return toComparison(isSamePerson(found, requested))
  const [foundText, requestedText] = [String(found).trim(), String(requested).trim()]
  if (foundText === requestedText) return 'same'
  const instant = parseInstant(requestedText)
  if (instant !== null && instant === parseInstant(foundText)) return 'same'
  const isUnclear =
    foundText.toLowerCase() === requestedText.toLowerCase() || isLongText(foundText) || isLongText(requestedText)
  return isUnclear ? 'unclear' : 'different'
}

function toComparison(isSame: boolean): Comparison {
  return isSame ? 'same' : 'different'
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

function normalizeTags(value: unknown): string {
  return parseTags(value)
    .map((tag) => tag.toLowerCase())
    .sort()
    .join(';')
}

function isSamePerson(found: unknown, requested: string | number | boolean): boolean {
  const person = parsePerson(found)
  const other = parsePerson(requested)
  const names = [person?.uniqueName, person?.displayName].map((name) => name?.toLowerCase())
  return [other?.uniqueName, other?.displayName].some((name) => name != null && names.includes(name.toLowerCase()))
}

function isLongText(text: string): boolean {
  return /[<\n]|&[a-z#]/i.test(text)
}
