import { compute, hint, StudioError, suggest } from '../../../kernel'
import { formatInstant } from '../../../kernel/time'
import type { TagChanges, TrackerItem } from '../../../tracker'
import { findFieldsAtRevision } from '../../queries'
import { parseTagChanges } from '../../rules/tag-updates'
import { itemTasks } from '../../rules/tasks'
import {
  changeGivenTexts,
  createUpdateError,
  type GivenFields,
  listGivenTexts,
  separateParent,
} from '../../rules/update-fields'
import { createUpdateResults } from '../../rules/update-plan'
import type { UpdateResults } from '../../schemas'
import type { ImageFile } from '../attachments/image-files'
import { TextImages } from '../attachments/text-images'
import { nameItems } from '../name-items'
import { groupByTracker, openTrackerLink, type TrackerGroup } from '../tracker-link'
import type { TrackerWorkspaceContext } from '../workspace-context'
import { applyUpdates, type UpdateRequest } from './apply-updates'
import { requireTags } from './check-capabilities'
import { checkLinks } from './check-links'
import { checkValues, resolveFields } from './check-updates'

/** What all of the items get. */
interface RequestedUpdates {
  ids: readonly number[]
  given: GivenFields
  /** `+ready`, `-blocked` */
  tags?: readonly string[] | undefined
  /** Images that the texts show. */
  files?: readonly ImageFile[]
  /** Of one item: the revision that the caller saw. */
  seenRev?: number | undefined
  dryRun: boolean
}

/** Sets fields of items in any number of trackers. The items of all of them are checked before the first change is sent. */
export async function updateByFields(
  ctx: TrackerWorkspaceContext,
  { ids, given, tags, files = [], seenRev, dryRun }: RequestedUpdates,
): Promise<UpdateResults> {
  const changes = tags && readTagChanges(tags)
  const plans: Plan[] = []
  if (seenRev !== undefined && ids.length > 1)
    throw createUpdateError([{ path: 'seenRev', message: 'is for one work item' }])
  for (const group of await groupByTracker(ctx, ids)) {
    const images = await TextImages.load(ctx, { itemId: null, texts: listGivenTexts(given), files })
    const addressed = changeGivenTexts(given, (text) => images.withAddresses(text))
    const plan = await checkGroup(ctx, group, addressed, changes ?? null)
    const ofItems = images.pending.length === 0 ? [plan] : await divideByItems(ctx, plan, { given, files })
    for (const one of ofItems) plans.push(seenRev === undefined ? one : await sinceRevision(ctx, one, seenRev))
  }
  const results = await applyUpdates(ctx, plans, { dryRun })
  const byId = new Map(results.map((result) => [result.id, result]))
  const linked = plans.flatMap((plan) => plan.linked)
  const uploads = new Map(plans.flatMap(({ images }) => images?.list() ?? []).map((one) => [one.sha256, one]))
  const nameOf = await nameItems(ctx, [...ids, ...linked.map(({ id }) => id)])
  const answer = createUpdateResults(
    ids.map((id) => byId.get(id)!),
    linked,
    { dryRun, nameOf },
  )
  return files.length === 0 ? answer : { ...answer, uploads: [...uploads.values()] }
}

/** An image belongs to one item, so the texts of each item have addresses of their own. */
async function divideByItems(
  ctx: TrackerWorkspaceContext,
  plan: Plan,
  { given, files }: { given: GivenFields; files: readonly ImageFile[] },
): Promise<Plan[]> {
  const divided: Plan[] = []
  for (const item of plan.items) {
    const images = await TextImages.load(ctx, { itemId: item.id, texts: listGivenTexts(given), files })
    images.requireAccepted(plan.link.tracker)
    divided.push({
      ...plan,
      items: [item],
      missing: [],
      linked: [],
      fields: images.withKnownAddresses(plan.fields),
      images,
    })
  }
  return [...divided, { ...plan, items: [] }]
}

function readTagChanges(tags: readonly string[]): TagChanges {
  const changes = parseTagChanges(tags)
  if ('problems' in changes) throw createUpdateError(changes.problems)
  return changes
}

/** The checked changes of the items of one tracker. */
interface Plan extends UpdateRequest {
  /** The items at the other ends of changed links. */
  linked: TrackerItem[]
}

async function checkGroup(
  ctx: TrackerWorkspaceContext,
  { ids }: TrackerGroup,
  all: GivenFields,
  tags: TagChanges | null,
): Promise<Plan> {
  const { links, given } = separateParent(all)
  const link = await openTrackerLink(ctx, { ids: links?.parentId ? [...ids, links.parentId] : ids })
  if (tags) requireTags(link.tracker)
  const hasFields = Object.keys({ ...given.own, ...given.fields, ...given.updates }).length > 0
  const resolved = hasFields || (links === null && tags === null) ? await resolveFields(ctx, link.tracker, given) : null
  if (tags && resolved?.requested.some(({ field }) => field.property === 'tags'))
    throw createUpdateError([{ path: 'tags', message: 'changes the tags, and the fields replace all of them' }])
  const at = formatInstant(ctx.clock.now())
  const { items, missing } = await link.tracker.getItems(ids, {
    signal: ctx.signal,
    onProgress: (done, total) => ctx.progress({ label: 'reading work items', done, total }),
  })
  const linked = links ? await checkLinks(ctx, link.tracker, [{ items, links }]) : []
  const fields = resolved
    ? await compute(ctx, itemTasks.addHtml, await checkValues(ctx, link.tracker, { items, ...resolved }), items)
    : []
  return { link, linked, items, missing, at, fields, links, tags }
}

/** The plan of a caller who saw an earlier revision of the one item: only what differs from that is set. */
async function sinceRevision(ctx: TrackerWorkspaceContext, plan: Plan, seenRev: number): Promise<Plan> {
  const [item] = plan.items
  if (item === undefined) return plan
  const seen =
    seenRev === item.rev ? item.fields : await ctx.db.read((tx) => findFieldsAtRevision(tx, item.id, seenRev))
  if (seen === null)
    throw new StudioError(
      'conflict',
      `No snapshot of revision ${seenRev} is stored, so it is not known what others have changed.`,
      {
        hint: hint`Read the item again and make the change in its current version: ${suggest('items.get', { id: item.id })}`,
      },
    )
  // Most updates need no editor of stored texts.
  const { editTasks } = await import('./select-edits')
  const edited = await compute(ctx, editTasks.selectEdits, { item, seen, updates: plan.fields })
  return { ...plan, fields: edited, seen }
}
