import * as z from 'zod'
import { hint, StudioError, suggest } from '../../../kernel'
import { formatInstant } from '../../../kernel/time'
import type { Capability, ItemLink, LinkKind, TrackerItem } from '../../../tracker'
import { nameTrackerItem } from '../../rules/item-reference'
import { LINK_NAMES, type LinkGroup, type LinkUpdates } from '../../rules/link-updates'
import { createUpdateError } from '../../rules/update-fields'
import { createUpdateResults } from '../../rules/update-plan'
import { ItemId, type UpdateResults } from '../../schemas'
import { nameItems } from '../name-items'
import { openTrackerLink } from '../tracker-link'
import { createItemNotFoundError, type TrackerWorkspaceContext } from '../workspace-context'
import { applyUpdates } from './apply-updates'
import { requireLinkKinds } from './check-capabilities'
import { checkLinks } from './check-links'

const ItemIds = z.array(ItemId).min(1).max(200).optional()

export const LinkInput = z.strictObject({
  id: ItemId,
  parentId: ItemId.optional().describe('The work item above it'),
  childIds: ItemIds.describe('Work items below it'),
  predecessorIds: ItemIds.describe('Work items that must be completed first'),
  successorIds: ItemIds.describe('Work items that must wait for it'),
  relatedIds: ItemIds.describe('Related work items'),
  dryRun: z.boolean().default(false).describe('Send nothing; show the changes of each item'),
})
type LinkInput = z.output<typeof LinkInput>

/** What a field of `LinkInput` needs of the tracker. */
export const linkNeeds = {
  parentId: 'link:parent',
  childIds: 'link:child',
  predecessorIds: 'link:predecessor',
  successorIds: 'link:successor',
  relatedIds: 'link:related',
} as const satisfies Partial<Record<keyof LinkInput, Capability>>

export const linkCli = {
  args: ['id'],
  flags: {
    parentId: { name: 'parent', value: 'id' },
    childIds: { name: 'child', value: 'id' },
    predecessorIds: { name: 'predecessor', value: 'id' },
    successorIds: { name: 'successor', value: 'id' },
    relatedIds: { name: 'related', value: 'id' },
  },
}

/** A link to children changes each of them. A script names the one item that is changed, so only several need `--yes`. */
export function askToChangeLinks(input: Record<string, unknown>): string | null {
  const { id, childIds = [], dryRun, ...links } = input as Partial<LinkInput>
  const count = new Set(childIds).size + (Object.keys(links).length > 0 ? 1 : 0)
  return dryRun || count < 2 ? null : `Change the links of ${count} work items?`
}

/** Adds or removes the links, after all of them were checked. */
export async function changeLinks(
  ctx: TrackerWorkspaceContext,
  input: LinkInput,
  action: 'add' | 'remove',
): Promise<UpdateResults> {
  const { id, parentId, childIds = [], predecessorIds = [], successorIds = [], relatedIds = [], dryRun } = input
  const ends = [id, ...(parentId === undefined ? [] : [parentId]), ...childIds, ...predecessorIds, ...successorIds]
  const link = await openTrackerLink(ctx, { ids: [...ends, ...relatedIds] })
  requireLinkKinds(link.tracker, listRequestedKinds(input))
  const at = formatInstant(ctx.clock.now())
  const { items, missing } = await link.tracker.getItems([id, ...childIds], { signal: ctx.signal })
  if (missing.length > 0) throw createItemNotFoundError(missing[0]!.id)
  const groups = groupLinks(input, items, action)
  const linked = await checkLinks(ctx, link.tracker, groups)
  const requests = groups.map((group) => ({ link, missing: [], at, fields: [], ...group }))
  const results = await applyUpdates(ctx, requests, { dryRun })
  const nameOf = await nameItems(
    ctx,
    [...results, ...linked].map(({ id }) => id),
  )
  return createUpdateResults(results, linked, { dryRun, nameOf })
}

/** The kinds of the links in the input. */
function listRequestedKinds({ parentId, childIds, predecessorIds, successorIds, relatedIds }: LinkInput): LinkKind[] {
  const given = {
    parent: parentId,
    child: childIds,
    predecessor: predecessorIds,
    successor: successorIds,
    related: relatedIds,
  } satisfies Record<LinkKind, unknown>
  return (Object.keys(given) as LinkKind[]).filter((kind) => given[kind] !== undefined)
}

/** The links that are changed on the item, and those that are changed on its children, because a link to a parent belongs to the child. */
function groupLinks(input: LinkInput, items: readonly TrackerItem[], action: 'add' | 'remove'): LinkGroup[] {
  const { id, parentId, childIds = [], predecessorIds = [], successorIds = [], relatedIds = [] } = input
  const toLinks = (kind: ItemLink['kind'], ids: readonly number[]) => [...new Set(ids)].map((id) => ({ kind, id }))
  const others = [
    ...toLinks('predecessor', predecessorIds),
    ...toLinks('successor', successorIds),
    ...toLinks('related', relatedIds),
  ]
  const withParent = (parentId: number | undefined, others: readonly ItemLink[]): LinkUpdates =>
    action === 'add'
      ? { add: others, ...(parentId === undefined ? {} : { parentId }) }
      : { remove: [...toLinks('parent', parentId === undefined ? [] : [parentId]), ...others] }
  if (childIds.includes(id)) {
    throw createUpdateError([
      {
        path: LINK_NAMES.child,
        message: `${nameTrackerItem(items.find((item) => item.id === id)!)} cannot be linked to itself`,
      },
    ])
  }
  const children = items.filter((item) => item.id !== id)
  const groups = [
    ...(parentId !== undefined || others.length > 0
      ? [{ items: items.filter((item) => item.id === id), links: withParent(parentId, others) }]
      : []),
    ...(children.length > 0 ? [{ items: children, links: withParent(id, []) }] : []),
  ]
  if (groups.length > 0) return groups
  const example = { id, parentId: '<id>' }
  throw new StudioError('invalid', `No link of work item ${id} was specified.`, {
    hint: hint`Name a work item at the other end: ${suggest(action === 'add' ? 'items.link' : 'items.unlink', example)}`,
  })
}
