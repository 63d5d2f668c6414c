import { omitUndefined } from '../../kernel/json'
import { DAY_MS } from '../../kernel/time'
import { followStateChange } from '../change/change-item'
import { findType } from '../process/item-types'
import type { FieldValue, LinkChange, LinkType, Revision, StoredItem } from '../state/state'
import { createFileLink, createPullRequestLink, type FilePlan } from './files'
import { type Area, areas, type Member, type Sprint, sprints, team } from './project'

/** An item of the sample backlog as `backlog.json` has it; its history is built from it. */
export interface ItemPlan {
  id: number
  type: 'Feature' | 'User Story' | 'Task' | 'Bug'
  title: string
  /** The final state of its history. */
  state: 'New' | 'Active' | 'Resolved' | 'Closed' | 'Removed'
  area: Area
  /** The creation date. Default: that of its feature. */
  writtenOn?: string
  /** Absent if not planned yet. */
  sprint?: Sprint
  assignee?: Member
  points?: number
  priority?: 1 | 2 | 3 | 4
  tags?: string
  /** HTML. A bug has it in its repro steps. */
  text?: string
  /** HTML. */
  criteria?: string
  /** The long texts are Markdown. */
  markdown?: true
  /** Sets the tracker's blocked field. */
  blocked?: true
  severity?: '1 - Critical' | '2 - High' | '3 - Medium' | '4 - Low'
  /** Estimated, remaining and completed, in hours. */
  hours?: readonly [number, number, number]
  activity?: 'Deployment' | 'Design' | 'Development' | 'Documentation' | 'Requirements' | 'Testing'
  comments?: readonly { day: string; by: Member; text: string }[]
  /** HTML. What its author says of it when it is created. */
  firstComment?: string
  /** Links to web pages. */
  hyperlinks?: readonly { url: string; comment: string }[]
  files?: readonly FilePlan[]
  pullRequests?: readonly number[]
  children?: readonly ItemPlan[]
}

/** `predecessor` must be done before `successor`. */
export interface DependencyPlan {
  predecessor: number
  successor: number
  day: string
  by: Member
  comment?: string
}

/** A save before watermarks are assigned. */
type Save = Omit<Revision, 'watermark'>

type Fields = Record<string, FieldValue | null | undefined>

/** The defaults that an item inherits from its parent. */
interface PlanContext {
  area: Area
  sprint?: Sprint
  writtenOn: string
  /** Its position among its siblings, from 0. */
  place: number
}

/**
 * The saves of an item up to the state in its plan: created, refined, planned, started, completed. All times are derived from
 * the plan and the ID, so that every run has the same history.
 */
function buildItemHistory(plan: ItemPlan, around: PlanContext): Save[] {
  const sprint = plan.sprint ?? around.sprint ?? null
  const worker = plan.assignee ?? 'hannah'
  const { written, refined, planned, begun } = scheduleItem(plan, sprint, around)
  const saves = [
    { ...createSave(written, 'hannah', createFirstFields(plan, around)), ...createExtras(plan, written) },
    createSave(refined, 'priya', {
      'Microsoft.VSTS.Scheduling.StoryPoints': plan.points,
      'Microsoft.VSTS.Common.AcceptanceCriteria': plan.criteria,
      'System.Tags': plan.tags,
    }),
    createSave(planned, 'hannah', {
      'System.IterationPath': sprint ? sprints[sprint].path : undefined,
      'System.AssignedTo': plan.assignee && team[plan.assignee].uniqueName,
    }),
    createSave(addDays(begun, 0.1), worker, { 'Microsoft.VSTS.CMMI.Blocked': plan.blocked && 'Yes' }),
    createSave(addDays(begun, 0.2), worker, createHoursFields(plan)),
    ...listStateChanges(plan, begun, worker).map(({ state, at, by }) =>
      createSave(at, by, createStateFields(plan, state, { at, by })),
    ),
    ...(plan.comments ?? []).map(({ day, by, text }) =>
      createSave(toInstant(day, plan.id + 200), by, { 'System.History': text }),
    ),
  ]
  return saves.filter(({ set }) => Object.keys(set).length > 0).sort((a, b) => (a.at < b.at ? -1 : 1))
}

/** Stories are created long before their iteration, tasks when it is planned. Siblings are created one after another. */
function scheduleItem(plan: ItemPlan, sprint: Sprint | null, around: PlanContext) {
  const planning = sprint && addDays(toInstant(sprints[sprint].start, plan.id + 50), -3)
  const begun = sprint
    ? addDays(toInstant(sprints[sprint].start, plan.id + 90), plan.id % 3)
    : addDays(toInstant(around.writtenOn, plan.id), 14)
  if (plan.type === 'Task') {
    const together = Math.floor(plan.id / 10)
    const meeting = sprint
      ? toInstant(sprints[sprint].start, together)
      : addDays(toInstant(around.writtenOn, together), 10)
    const written = addDays(meeting, -3 + around.place / 100)
    return { written, refined: addDays(written, 0.02), planned: addDays(written, 0.1), begun }
  }
  const written = plan.writtenOn
    ? toInstant(plan.writtenOn, plan.id)
    : addDays(toInstant(around.writtenOn, plan.id), (around.place + 1) / 2)
  return { written, refined: addDays(written, 3), planned: planning ?? addDays(written, 5), begun }
}

function createFirstFields(plan: ItemPlan, around: PlanContext): Fields {
  return {
    'System.WorkItemType': plan.type,
    'System.Title': plan.title,
    'System.State': 'New',
    'System.Reason': 'New',
    'System.AreaPath': areas[plan.type === 'Task' ? around.area : plan.area],
    'System.IterationPath': areas.root,
    ...findType(plan.type)!.defaults,
    ...omitUndefined({
      'Microsoft.VSTS.Common.Priority': plan.priority,
      'Microsoft.VSTS.Common.Severity': plan.severity,
      'Microsoft.VSTS.Common.Activity': plan.activity,
      'Microsoft.VSTS.Scheduling.OriginalEstimate': plan.hours?.[0],
      'Microsoft.VSTS.Scheduling.RemainingWork': plan.hours?.[0],
      'System.History': plan.firstComment,
      [plan.type === 'Bug' ? 'Microsoft.VSTS.TCM.ReproSteps' : 'System.Description']: plan.text,
    }),
  }
}

function createStateFields(plan: ItemPlan, state: string, { at, by }: { at: Date; by: Member }): Fields {
  const stamp = { at: at.toISOString(), by: team[by].uniqueName }
  const following = Object.entries(followStateChange(findType(plan.type)!, state, stamp))
  return { 'System.State': state, ...Object.fromEntries(following.filter(([, value]) => value !== null)) }
}

function createHoursFields({ hours, state }: ItemPlan): Fields {
  if (!hours || state === 'New' || state === 'Removed') return {}
  return {
    'Microsoft.VSTS.Scheduling.RemainingWork': hours[1],
    'Microsoft.VSTS.Scheduling.CompletedWork': hours[2],
  }
}

/** A story is closed by the product owner, a task by its assignee. */
function listStateChanges(
  { state, type }: ItemPlan,
  begun: Date,
  worker: Member,
): { state: string; at: Date; by: Member }[] {
  if (state === 'New') return []
  if (state === 'Removed') return [{ state, at: addDays(begun, 2), by: 'hannah' }]
  const active = { state: 'Active', at: begun, by: worker }
  if (state === 'Active') return [active]
  if (type === 'Task') return [active, { state, at: addDays(begun, 1.6), by: worker }]
  const resolved = { state: 'Resolved', at: addDays(begun, 4), by: worker }
  return state === 'Resolved' ? [active, resolved] : [active, resolved, { state, at: addDays(begun, 6), by: 'hannah' }]
}

/** The parts of the first save that are no fields. */
function createExtras(
  { markdown, hyperlinks = [], files = [], pullRequests = [] }: ItemPlan,
  written: Date,
): Partial<Save> {
  const formats = { 'System.Description': 'Markdown', 'Microsoft.VSTS.Common.AcceptanceCriteria': 'markdown' }
  const authorizedDate = written.toISOString()
  const resources = [
    ...hyperlinks.map(({ url, comment }) => ({ rel: 'Hyperlink', url, attributes: { authorizedDate, comment } })),
    ...files.map(createFileLink),
    ...pullRequests.map((number) => createPullRequestLink(number, authorizedDate)),
  ]
  return { ...(markdown ? { formats } : {}), ...(resources.length > 0 ? { resources } : {}) }
}

function createSave(at: Date, by: Member, set: Fields): Save {
  return { at: at.toISOString(), by: team[by].uniqueName, set: omitUndefined(set) as Save['set'] }
}

/** A time in the working hours of the day that is derived from `salt`. */
function toInstant(day: string, salt: number): Date {
  return new Date(Date.parse(`${day}T07:30:00.000Z`) + ((salt * 37) % 480) * 60_000 + ((salt * 7_919) % 60_000))
}

function addDays(at: Date, days: number): Date {
  return new Date(at.getTime() + days * DAY_MS)
}

type Event = { at: string; id: number; save: Save } | { at: string; link: Omit<LinkChange, 'watermark'> }

/** Builds items with a history and their links from the plans. Watermarks follow the order of time. */
export function buildHistory(
  plans: readonly ItemPlan[],
  dependencies: readonly DependencyPlan[],
  around: Omit<PlanContext, 'place'>,
): { items: StoredItem[]; links: LinkChange[] } {
  const events: Event[] = [
    ...plans.flatMap((plan, place) => listEvents(plan, { ...around, place }, null)),
    ...dependencies.map(createDependencyEvent),
  ]
  events.sort((a, b) => Date.parse(a.at) - Date.parse(b.at))

  const items = new Map<number, Revision[]>()
  const links: LinkChange[] = []
  for (const [index, event] of events.entries()) {
    const watermark = index + 1
    if ('link' in event) links.push({ watermark, ...event.link })
    else items.set(event.id, [...(items.get(event.id) ?? []), { watermark, ...event.save }])
  }
  return { items: [...items].map(([id, revisions]) => ({ id, revisions })).sort((a, b) => a.id - b.id), links }
}

function listEvents(plan: ItemPlan, around: PlanContext, parentId: number | null): Event[] {
  const life = buildItemHistory(plan, around)
  const own: Event[] = life.map((save) => ({ at: save.at, id: plan.id, save }))
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
  const at = toInstant(day, successor).toISOString()
  const stamp = omitUndefined({ at, by: team[by].uniqueName, comment })
  return createLinkEvent('System.LinkTypes.Dependency', predecessor, successor, stamp)
}

function createLinkEvent(
  type: LinkType,
  source: number,
  target: number,
  stamp: { at: string; by: string; comment?: string },
): Event {
  return { at: stamp.at, link: { ...stamp, type, source, target, active: true } }
}
