import { StudioError } from '../../../kernel'
import { toArgument } from '../../../kernel/text/item-reference'
import type { ItemLink, LinkKind, Tracker, TrackerItem } from '../../../tracker'
import { findParentProblem } from '../../rules/hierarchy'
import { nameTrackerItem } from '../../rules/item-reference'
import { LINK_NAMES, type LinkGroup, planLinks } from '../../rules/link-updates'
import { createUpdateError } from '../../rules/update-fields'
import { nameItems } from '../name-items'
import type { TrackerWorkspaceContext } from '../workspace-context'
import { requireLinkKinds } from './check-capabilities'
import { findCircles } from './find-circles'

/**
 * Checks new links before anything is sent: the other ends exist, no item is linked to itself, the tracker has links of the kind, no parent is of a lower level than its
 * child, and no circle of parents or of predecessors would arise. Throws `not_found` or `invalid`. Returns the items at the other ends of
 * all links that change, as far as they can be read.
 */
export async function checkLinks(
  ctx: TrackerWorkspaceContext,
  tracker: Tracker,
  groups: readonly LinkGroup[],
): Promise<TrackerItem[]> {
  requireLinkKinds(tracker, groups.flatMap(listKinds))
  const others = await readOtherEnds(ctx, tracker, groups)
  const byId = new Map(others.map((item) => [item.id, item]))
  const details = groups.flatMap(({ items, links }) =>
    items.flatMap((item) => planLinks(item, links).add.flatMap((link) => checkLink(item, link, byId) ?? [])),
  )
  if (details.length > 0) throw createUpdateError(details)
  const circles = await findCircles(ctx, tracker, { groups, others })
  const [first] = circles
  if (!first) return others
  throw createUpdateError(
    circles.map(({ problem }) => problem),
    first.advice,
  )
}

/** The kinds of the links that change. */
function listKinds({ links }: LinkGroup): LinkKind[] {
  const given = [...(links.add ?? []), ...(links.remove ?? [])].map(({ kind }) => kind)
  return links.parentId === undefined ? given : [...given, 'parent']
}

async function readOtherEnds(
  ctx: TrackerWorkspaceContext,
  tracker: Tracker,
  groups: readonly LinkGroup[],
): Promise<TrackerItem[]> {
  const plans = groups.flatMap(({ items, links }) => items.map((item) => planLinks(item, links)))
  const added = new Set(plans.flatMap(({ add }) => add.map(({ id }) => id)))
  const ids = new Set([...added, ...plans.flatMap(({ remove }) => remove.map(({ id }) => id))])
  const { items, missing } = await tracker.getItems([...ids], { signal: ctx.signal })
  const unreadable = missing.filter(({ id }) => added.has(id)).map(({ id }) => id)
  if (unreadable.length === 0) return items
  const nameOf = await nameItems(ctx, unreadable)
  throw new StudioError(
    'not_found',
    `The tracker has no work item ${unreadable.map((id) => toArgument(nameOf(id))).join(', ')}, or your token cannot read it. Nothing was sent.`,
    { hint: 'Specify another work item.' },
  )
}

function checkLink(item: TrackerItem, { kind, id }: ItemLink, others: ReadonlyMap<number, TrackerItem>) {
  const path = LINK_NAMES[kind]
  if (id === item.id) return { path, message: `${nameTrackerItem(item)} cannot be linked to itself` }
  const problem = kind === 'parent' ? findParentProblem(item, others.get(id)!) : null
  return problem === null ? null : { path, message: problem }
}
