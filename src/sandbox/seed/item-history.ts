import { DAY_MS } from '../../kernel/time'
import { followStateChange } from '../change/state-change'
import { findType } from '../process/item-types'
import type { FieldValue, Revision } from '../state/state'
import type { ItemPlan } from './item-plan'
import { type Member, team } from './people'
import { type Area, areas, type Sprint, sprints } from './places'

/** A save that is yet to get its place among all the others. */
export type Save = Omit<Revision, 'watermark'>

type Fields = Record<string, FieldValue | null>

/** What an item takes from above where its plan says nothing. */
export interface PlanContext {
  area: Area
  sprint?: Sprint
  writtenOn: string
  /** Where it stands among those below the same item, from 0. */
  place: number
}

/**
 * The life of an item up to the state that its plan names: written, refined, planned, worked on, done. All instants follow
 * from the plan and the id, so every run has the same.
 */
export function buildItemHistory(plan: ItemPlan, around: PlanContext): Save[] {
  const sprint = plan.sprint ?? around.sprint ?? null
  const worker = plan.assignee ?? 'hannah'
  const { written, refined, planned, begun } = scheduleItem(plan, sprint, around)
  const saves = [
    { ...createSave(written, 'hannah', createFirstFields(plan, around)), ...createExtras(plan, written) },
    createSave(refined, 'priya', createRefinedFields(plan)),
    createSave(planned, 'hannah', createPlannedFields(plan, sprint)),
    createSave(addDays(begun, 0.1), worker, plan.blocked ? { 'Microsoft.VSTS.CMMI.Blocked': 'Yes' } : {}),
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

/** Stories are written long before; tasks when their iteration is planned. Both one after another, as they stand in the plan. */
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
    ...setIfDefined('Microsoft.VSTS.Common.Priority', plan.priority),
    ...setIfDefined('Microsoft.VSTS.Common.Severity', plan.severity),
    ...setIfDefined('Microsoft.VSTS.Common.Activity', plan.activity),
    ...setIfDefined('Microsoft.VSTS.Scheduling.OriginalEstimate', plan.hours?.[0]),
    ...setIfDefined('Microsoft.VSTS.Scheduling.RemainingWork', plan.hours?.[0]),
    ...setIfDefined(plan.type === 'Bug' ? 'Microsoft.VSTS.TCM.ReproSteps' : 'System.Description', plan.text),
  }
}

function createRefinedFields(plan: ItemPlan): Fields {
  return {
    ...setIfDefined('Microsoft.VSTS.Scheduling.StoryPoints', plan.points),
    ...setIfDefined('Microsoft.VSTS.Common.AcceptanceCriteria', plan.criteria),
    ...setIfDefined('System.Tags', plan.tags),
  }
}

function createPlannedFields(plan: ItemPlan, sprint: Sprint | null): Fields {
  return {
    ...setIfDefined('System.IterationPath', sprint ? sprints[sprint].path : undefined),
    ...setIfDefined('System.AssignedTo', plan.assignee && team[plan.assignee].uniqueName),
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

/** A story is closed by the product owner, a task by who did it. */
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

/** What comes with the first save and is no field. */
function createExtras({ markdown, hyperlinks }: ItemPlan, written: Date): Partial<Save> {
  const extras: { formats?: Record<string, string>; resources?: Save['resources'] } = {}
  if (markdown) {
    extras.formats = { 'System.Description': 'Markdown', 'Microsoft.VSTS.Common.AcceptanceCriteria': 'markdown' }
  }
  if (hyperlinks) {
    const authorizedDate = written.toISOString()
    extras.resources = hyperlinks.map(({ url, comment }) => ({
      rel: 'Hyperlink',
      url,
      attributes: { authorizedDate, comment },
    }))
  }
  return extras
}

function setIfDefined(name: string, value: FieldValue | undefined): Fields {
  return value === undefined ? {} : { [name]: value }
}

function createSave(at: Date, by: Member, set: Fields): Save {
  return { at: at.toISOString(), by: team[by].uniqueName, set }
}

/** In the working hours of the day, on a minute and a second that follow from `salt`. */
export function toInstant(day: string, salt: number): Date {
  return new Date(Date.parse(`${day}T07:30:00.000Z`) + ((salt * 37) % 480) * 60_000 + ((salt * 7_919) % 60_000))
}

function addDays(at: Date, days: number): Date {
  return new Date(at.getTime() + days * DAY_MS)
}
