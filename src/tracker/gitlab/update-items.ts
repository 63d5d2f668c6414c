import type { Step } from '../services/requests/graphql-mutations'
import {
  type FieldValue,
  hasLink,
  type ItemWriter,
  isSameValue,
  updateAfterReading,
} from '../services/update-after-reading'
import type { ChangeOutcome, ItemChange, ItemLink, ReadOptions, TrackerItem } from '../tracker'
import { toWorkItemId } from './address'
import { resolveInput } from './item-input'
import type { ItemParts } from './item-reader'
import { fieldNames, mapItem } from './map-item'
import { unescapeQuickActions } from './quick-actions'
import { sendChanges } from './send-steps'
import type { WireItem } from './wire-item'

/** Few, because GitLab ends a request after 30 seconds. */
const BATCH_SIZE = 10

/** Sends several changes in one request. GitLab does not test revisions. */
export function updateItems(
  changes: readonly ItemChange[],
  options: ReadOptions,
  parts: ItemParts,
): Promise<ChangeOutcome[]> {
  const writer: ItemWriter<WireItem> = {
    reader: parts.reader,
    limits: parts.graphql.limits,
    batchSize: BATCH_SIZE,
    async send(batch, wires, signal) {
      const plans = []
      for (const change of batch) plans.push(await planChange(change, wires, parts, signal))
      const steps = plans.map((plan) => ('steps' in plan ? plan.steps : []))
      const sent = await sendChanges(steps, parts.graphql, signal)
      return plans.map((plan, i) => ('problem' in plan ? { kind: 'rejected', message: plan.problem } : sent[i]!))
    },
    hasValue,
  }
  return updateAfterReading(changes, options, writer)
}

async function planChange(
  { id, fields, links, tags }: ItemChange,
  wires: ReadonlyMap<number, WireItem>,
  parts: ItemParts,
  signal: AbortSignal,
): Promise<{ steps: Step[] } | { problem: string }> {
  const item = mapItem(wires.get(id)!)
  const resolved = await resolveInput({ type: item.type, fields, tags, labels: item.tags }, parts, signal)
  if ('problem' in resolved) return resolved
  const { input } = resolved
  const steps: Step[] = Object.keys(input).length > 0 ? [update(id, input)] : []
  const add = (links?.add ?? []).filter((link) => !hasLink(item, link))
  // An item has one parent, which a new one replaces.
  const isReplaced = add.some(({ kind }) => kind === 'parent')
  for (const link of links?.remove ?? [])
    if (link.kind !== 'parent' || !isReplaced) steps.push(...listLinkSteps('remove', item, link, wires))
  for (const link of add) steps.push(...listLinkSteps('add', item, link, wires))
  return { steps }
}

const update = (id: number, input: Record<string, unknown>): Step => {
  return { name: 'workItemUpdate', input: { id: toWorkItemId(id), ...input } }
}

const LINK_TYPES = { predecessor: 'BLOCKED_BY', successor: 'BLOCKS', related: 'RELATED' } as const

function listLinkSteps(
  action: 'add' | 'remove',
  item: TrackerItem,
  link: ItemLink,
  wires: ReadonlyMap<number, WireItem>,
): Step[] {
  const { kind, id: otherId } = link
  if (kind === 'parent' || kind === 'child') {
    const [child, parentId] = kind === 'parent' ? [item, otherId] : [mapItem(wires.get(otherId)!), item.id]
    if (action === 'remove' && child.parentId !== parentId) return []
    return [update(child.id, { hierarchyWidget: { parentId: action === 'add' ? toWorkItemId(parentId) : null } })]
  }
  const input = { id: toWorkItemId(item.id), workItemsIds: [toWorkItemId(otherId)] }
  if (action === 'add') return [{ name: 'workItemAddLinkedItems', input: { ...input, linkType: LINK_TYPES[kind] } }]
  return hasLink(item, link) ? [{ name: 'workItemRemoveLinkedItems', input }] : []
}

function hasValue(item: TrackerItem, name: string, value: FieldValue): boolean {
  if (name === fieldNames.assignee) return isSameValue(item.assignedTo?.uniqueName, value, 'person')
  if (name === fieldNames.state || name === fieldNames.iteration || name === fieldNames.milestone)
    return String(item.fields[name] ?? '').toLowerCase() === String(value ?? '').toLowerCase()
  if (name === fieldNames.description) return isSameValue(item.fields[name], unescapeQuickActions(String(value ?? '')))
  const isList = name === fieldNames.labels || name.startsWith('customField/')
  return isSameValue(item.fields[name], value, isList ? 'tags' : 'other')
}
