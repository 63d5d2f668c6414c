import * as z from 'zod'
import { equalsIgnoringCase } from '../../kernel/text/text'
import { MINUTE_MS } from '../../kernel/time'
import { MARKER_STAYS, nullOnTrackerError } from '../services/change-result'
import { createWithMarker } from '../services/create-with-marker'
import { WireInstant } from '../services/instants'
import type { CreationOutcome, MarkerRemoval, NewItem, TrackerItem } from '../tracker'
import { toWorkItemId, WireId } from './address'
import { resolveInput } from './item-input'
import type { ItemParts } from './item-reader'
import { sendChange } from './send-steps'

/** How far the clocks may differ: an item that was created this long before it was sent is still found by its marker. */
const CLOCK_TOLERANCE_MS = 10 * MINUTE_MS

/** A comment in the description, which GitLab does not show. */
const formatMarker = (marker: string) => `<!-- studio: ${marker} -->`

const WireCreated = z.object({ workItem: z.object({ id: WireId }) }).transform(({ workItem }) => workItem.id)

/** Sends the new item with a marker in its description. After a lost response the newest items are searched for the marker. */
export function createItem(
  item: NewItem,
  options: { signal: AbortSignal; validateOnly?: boolean },
  parts: ItemParts,
): Promise<CreationOutcome> {
  const { graphql, reader, metadata } = parts
  const { signal } = options
  return createWithMarker(item, options, {
    reader,
    limits: graphql.limits,
    async resolve(parent) {
      const type = (await metadata.get(signal)).types.find(({ name }) => equalsIgnoringCase(name, item.type))
      if (!type) return { problem: `The project has no type "${item.type}".` }
      const resolved = await resolveInput({ type: type.name, fields: item.fields, labels: null }, parts, signal)
      if ('problem' in resolved) return resolved
      const { description: text = '' } = (resolved.input['descriptionWidget'] ?? {}) as { description?: string }
      const description = [text, formatMarker(item.marker)].filter(Boolean).join('\n\n')
      const input = {
        ...resolved.input,
        namespacePath: type.namespace,
        workItemTypeId: type.id,
        descriptionWidget: { description },
        ...(parent && { hierarchyWidget: { parentId: toWorkItemId(parent.id) } }),
      }
      return { input }
    },
    send: (input: Record<string, unknown>) =>
      sendChange({ name: 'workItemCreate', input, select: () => 'workItem { id }' }, WireCreated, graphql, signal),
    find: (verification) => findCreatedItem(item, verification, parts),
  })
}

const WireNewest = z.object({ id: WireId, createdAt: WireInstant, description: z.string().nullish() })

/** The search finds new items late, so the newest items are read, back to the time of creation. */
export async function findCreatedItem(
  { marker, startedAt, type }: NewItem,
  signal: AbortSignal,
  { graphql, metadata, reader }: ItemParts,
): Promise<TrackerItem | null> {
  const since = (graphql.toTrackerTime(startedAt) ?? startedAt) - CLOCK_TOLERANCE_MS
  const known = (await metadata.get(signal)).types.find(({ name }) => equalsIgnoringCase(name, type))
  const place = known && known.namespace !== graphql.address.path ? 'group' : 'project'
  const fields = () => 'id createdAt description'
  const query = { name: 'workItems', args: ', sort: CREATED_DESC', fields, shape: WireNewest, place } as const
  for await (const newest of graphql.readConnection(query, signal)) {
    const found = newest.find(({ description }) => description?.includes(formatMarker(marker)))
    if (found) return reader.readItem(found.id, signal)
    if (newest.some(({ createdAt }) => Date.parse(createdAt) < since)) return null
  }
  return null
}

/** The marker is not visible on the page of the item. */
export async function removeMarker(
  id: number,
  marker: string,
  signal: AbortSignal,
  { graphql, reader }: ItemParts,
): Promise<MarkerRemoval> {
  const remove = async (): Promise<MarkerRemoval> => {
    const wire = (await reader.source.readWires([id], signal)).get(id)
    const text = wire?.widgets.description ?? ''
    if (!text.includes(formatMarker(marker))) return { isGone: true, item: null }
    const description = text.replace(formatMarker(marker), '').trimEnd()
    const input = { id: toWorkItemId(id), descriptionWidget: { description } }
    const sent = await sendChange({ name: 'workItemUpdate', input }, z.unknown(), graphql, signal)
    if (sent.kind !== 'done') return MARKER_STAYS
    return { isGone: true, item: await nullOnTrackerError(reader.readItem(id, signal)) }
  }
  return (await nullOnTrackerError(remove())) ?? MARKER_STAYS
}
