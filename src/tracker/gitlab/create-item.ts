import * as z from 'zod'
import { equalsIgnoringCase } from '../../kernel/text/text'
import { nullOnTrackerError } from '../services/change-result'
import { WireInstant } from '../services/instants'
import { createWithMarker } from '../services/parts/create-with-marker'
import { addMarker, findMarked, removeTextMarker } from '../services/parts/text-marker'
import type { CreationOutcome, MarkerRemoval, NewItem, TrackerItem } from '../tracker'
import { toWorkItemId, WireId } from './address'
import { resolveInput } from './item-input'
import type { ItemParts } from './item-reader'
import { sendChange } from './send-steps'

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
      const input = {
        ...resolved.input,
        namespacePath: type.namespace,
        workItemTypeId: type.id,
        descriptionWidget: { description: addMarker(text, item.marker) },
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

export async function findCreatedItem(
  item: NewItem,
  signal: AbortSignal,
  { graphql, metadata, reader }: ItemParts,
): Promise<TrackerItem | null> {
  const known = (await metadata.get(signal)).types.find(({ name }) => equalsIgnoringCase(name, item.type))
  const place = known && known.namespace !== graphql.address.path ? 'group' : 'project'
  const fields = () => 'id createdAt description'
  const query = { name: 'workItems', args: ', sort: CREATED_DESC', fields, shape: WireNewest, place } as const
  const pages = graphql.readConnection(query, signal)
  const found = await findMarked(pages, item, ({ description }) => description, graphql)
  return found && reader.readItem(found.id, signal)
}

export function removeMarker(
  id: number,
  marker: string,
  signal: AbortSignal,
  { graphql, reader }: ItemParts,
): Promise<MarkerRemoval> {
  return removeTextMarker(
    marker,
    async () => (await reader.source.readWires([id], signal)).get(id)?.widgets.description,
    async (description) => {
      const input = { id: toWorkItemId(id), descriptionWidget: { description } }
      const sent = await sendChange({ name: 'workItemUpdate', input }, z.unknown(), graphql, signal)
      if (sent.kind !== 'done') return sent
      return { kind: 'done', data: await nullOnTrackerError(reader.readItem(id, signal)) }
    },
  )
}
