import type { LinkChange, LinkType, StoredItem } from '../state/state'
import { buildItemHistory, type PlanContext, type Save, toInstant } from './item-history'
import type { DependencyPlan, ItemPlan } from './item-plan'
import { team } from './people'

type Event =
  | { at: string; kind: 'save'; id: number; save: Save }
  | { at: string; kind: 'link'; link: Omit<LinkChange, 'watermark'> }

/** Grows the plans into items with a history, and their links; everything is numbered in the order in which it happened. */
export function buildHistory(
  plans: readonly ItemPlan[],
  dependencies: readonly DependencyPlan[],
  around: Omit<PlanContext, 'place'>,
): { items: StoredItem[]; links: LinkChange[] } {
  const events: Event[] = [
    ...plans.flatMap((plan, place) => listEvents(plan, { ...around, place }, null)),
    ...dependencies.map(createDependencyEvent),
  ]
  events.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))

  const items = new Map<number, StoredItem & { revisions: (Save & { watermark: number })[] }>()
  const links: LinkChange[] = []
  for (const [index, event] of events.entries()) {
    const watermark = index + 1
    if (event.kind === 'link') links.push({ watermark, ...event.link })
    else {
      const item = items.get(event.id) ?? { id: event.id, revisions: [] }
      item.revisions.push({ watermark, ...event.save })
      items.set(event.id, item)
    }
  }
  return { items: [...items.values()].sort((a, b) => a.id - b.id), links }
}

function listEvents(plan: ItemPlan, around: PlanContext, parentId: number | null): Event[] {
  const life = buildItemHistory(plan, around)
  const own: Event[] = life.map((save) => ({ at: save.at, kind: 'save', id: plan.id, save }))
  const { at, by } = life[0]!
  if (parentId !== null) own.push(createLinkEvent('System.LinkTypes.Hierarchy', parentId, plan.id, { at, by }))
  const below = {
    area: plan.area,
    writtenOn: plan.writtenOn ?? around.writtenOn,
    ...(plan.type === 'Feature' || !plan.sprint ? {} : { sprint: plan.sprint }),
  }
  return [...own, ...(plan.children ?? []).flatMap((child, place) => listEvents(child, { ...below, place }, plan.id))]
}

function createDependencyEvent({ predecessor, successor, day, by, comment }: DependencyPlan): Event {
  const stamp = { at: toInstant(day, successor).toISOString(), by: team[by].uniqueName }
  return createLinkEvent('System.LinkTypes.Dependency', predecessor, successor, {
    ...stamp,
    ...(comment ? { comment } : {}),
  })
}

function createLinkEvent(
  type: LinkType,
  source: number,
  target: number,
  stamp: { at: string; by: string; comment?: string },
): Event {
  return { at: stamp.at, kind: 'link', link: { ...stamp, type, source, target, active: true } }
}
