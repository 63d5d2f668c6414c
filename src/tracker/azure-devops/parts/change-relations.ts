import { nullOnTrackerError, readChangeResult, toOutcome } from '../../services/change-result'
import { createVerificationSignal } from '../../services/requests/verification-signal'
import type { Rejection } from '../../tracker'
import { type AdapterParts, selectWireItems } from '../item-reader'
import { PATCH_CONTENT_TYPE, parseChangeResult } from '../update-requests'
import type { WireItem, WireRelation } from '../wire-schemas'

/** How often a change is sent again because another user has changed the item between reading and sending. */
const MAX_CONFLICTS = 5

interface RelationChange {
  itemId: number
  /** The operations that make the change; null if the item is as requested. */
  plan(relations: readonly WireRelation[]): RelationOperation[] | null
}

export type RelationOperation =
  | { op: 'add'; path: '/relations/-'; value: WireRelation }
  | { op: 'remove'; path: `/relations/${number}` }

type RelationOutcome =
  | { status: 'done'; relations: readonly WireRelation[] }
  | ({ status: 'rejected' } & Rejection)
  | { status: 'unknown'; message: string }

/**
 * Changes the relations of an item once. Every request tests the revision that was read just before, so even a delayed one cannot be applied
 * twice. After a lost response the item is read. Throws only if nothing was changed.
 */
export async function changeRelations(
  { itemId, plan }: RelationChange,
  signal: AbortSignal,
  parts: AdapterParts,
): Promise<RelationOutcome> {
  const { client, reader } = parts
  for (let conflicts = 0; ; conflicts += 1) {
    const before = await reader.readWire(itemId, signal)
    const operations = plan(before.relations ?? [])
    if (operations === null) return { status: 'done', relations: before.relations ?? [] }
    const request = {
      method: 'PATCH',
      path: `/_apis/wit/workitems/${itemId}`,
      query: { $expand: 'relations' },
      contentType: PATCH_CONTENT_TYPE,
      body: [{ op: 'test', path: '/rev', value: before.rev }, ...operations],
    } as const
    const sent = await readChangeResult<WireItem | null>(client.write(request, signal), (response) => {
      const result = parseChangeResult(response.status, response.json)
      if (result.kind === 'applied') return { kind: 'done', data: result.wire }
      if (result.kind === 'rejected') return result
      if (result.kind === 'conflict') return { kind: 'rejected', message: result.message, isConflict: true }
      return { kind: 'unknown', message: result.message }
    })
    if (sent.kind === 'refused') throw sent.error
    if (sent.kind === 'rejected' && 'isConflict' in sent && conflicts < MAX_CONFLICTS) continue
    if (sent.kind === 'rejected') return toOutcome(sent)
    const found = sent.kind === 'done' ? sent.data : null
    const after = found?.relations ? found : await readAfter(itemId, signal, parts)
    const relations = after?.relations ?? []
    if (after !== null && plan(relations) === null) return { status: 'done', relations }
    const message = sent.kind === 'unknown' ? sent.message : 'The response of the tracker does not show the change.'
    return { status: 'unknown', message }
  }
}

async function readAfter(
  itemId: number,
  signal: AbortSignal,
  { client, reader }: AdapterParts,
): Promise<WireItem | null> {
  const verification = createVerificationSignal(signal, client.limits)
  const read = await nullOnTrackerError(reader.readWireItems([itemId], verification))
  return selectWireItems(read ?? [])[0] ?? null
}
