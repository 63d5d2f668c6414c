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
export interface Surroundings {
  area: Area
  sprint?: Sprint
  writtenOn: string
  /** Where it stands among those below the same item, from 0. */
  place: number
}

const DAY_MS = 86_400_000

/**
 * The life of an item up to the state that its plan names: written, refined, planned, worked on, done. All instants follow
 * from the plan and the id, so every run has the same.
 */
export function lifeOf(plan: ItemPlan, around: Surroundings): Save[] {
  const sprint = plan.sprint ?? around.sprint ?? null
  const worker = plan.assignee ?? 'hannah'
  const { written, refined, planned, begun } = paceOf(plan, sprint, around)
  const saves = [
    { ...save(written, 'hannah', firstFields(plan, around)), ...extrasOf(plan, written) },
    save(refined, 'priya', refinedFields(plan)),
    save(planned, 'hannah', plannedFields(plan, sprint)),
    save(shifted(begun, 0.1), worker, plan.blocked ? { 'Microsoft.VSTS.CMMI.Blocked': 'Yes' } : {}),
    save(shifted(begun, 0.2), worker, hoursSpent(plan)),
    ...statesOnTheWay(plan, begun, worker).map(({ state, at, by }) =>
      save(at, by, stateFields(plan, state, { at, by })),
    ),
    ...(plan.comments ?? []).map(({ day, by, text }) =>
      save(instant(day, plan.id + 200), by, { 'System.History': text }),
    ),
  ]
  return saves.filter(({ set }) => Object.keys(set).length > 0).sort((a, b) => (a.at < b.at ? -1 : 1))
}

/** Stories are written long before; tasks when their iteration is planned. Both one after another, as they stand in the plan. */
function paceOf(plan: ItemPlan, sprint: Sprint | null, around: Surroundings) {
  const planning = sprint && shifted(instant(sprints[sprint].start, plan.id + 50), -3)
  const begun = sprint
    ? shifted(instant(sprints[sprint].start, plan.id + 90), plan.id % 3)
    : shifted(instant(around.writtenOn, plan.id), 14)
  if (plan.type === 'Task') {
    const together = Math.floor(plan.id / 10)
    const meeting = sprint ? instant(sprints[sprint].start, together) : shifted(instant(around.writtenOn, together), 10)
    const written = shifted(meeting, -3 + around.place / 100)
    return { written, refined: shifted(written, 0.02), planned: shifted(written, 0.1), begun }
  }
  const written = plan.writtenOn
    ? instant(plan.writtenOn, plan.id)
    : shifted(instant(around.writtenOn, plan.id), (around.place + 1) / 2)
  return { written, refined: shifted(written, 3), planned: planning ?? shifted(written, 5), begun }
}

function firstFields(plan: ItemPlan, around: Surroundings): Fields {
  return {
    'System.WorkItemType': plan.type,
    'System.Title': plan.title,
    'System.State': 'New',
    'System.Reason': 'New',
    'System.AreaPath': areas[plan.type === 'Task' ? around.area : plan.area],
    'System.IterationPath': areas.root,
    ...findType(plan.type)!.defaults,
    ...given('Microsoft.VSTS.Common.Priority', plan.priority),
    ...given('Microsoft.VSTS.Common.Severity', plan.severity),
    ...given('Microsoft.VSTS.Common.Activity', plan.activity),
    ...given('Microsoft.VSTS.Scheduling.OriginalEstimate', plan.hours?.[0]),
    ...given('Microsoft.VSTS.Scheduling.RemainingWork', plan.hours?.[0]),
    ...given(plan.type === 'Bug' ? 'Microsoft.VSTS.TCM.ReproSteps' : 'System.Description', plan.text),
  }
}

function refinedFields(plan: ItemPlan): Fields {
  return {
    ...given('Microsoft.VSTS.Scheduling.StoryPoints', plan.points),
    ...given('Microsoft.VSTS.Common.AcceptanceCriteria', plan.criteria),
    ...given('System.Tags', plan.tags),
  }
}

function plannedFields(plan: ItemPlan, sprint: Sprint | null): Fields {
  return {
    ...given('System.IterationPath', sprint ? sprints[sprint].path : undefined),
    ...given('System.AssignedTo', plan.assignee && team[plan.assignee].uniqueName),
  }
}

function stateFields(plan: ItemPlan, state: string, { at, by }: { at: Date; by: Member }): Fields {
  const stamp = { at: at.toISOString(), by: team[by].uniqueName }
  const following = Object.entries(followStateChange(findType(plan.type)!, state, stamp))
  return { 'System.State': state, ...Object.fromEntries(following.filter(([, value]) => value !== null)) }
}

function hoursSpent({ hours, state }: ItemPlan): Fields {
  if (!hours || state === 'New' || state === 'Removed') return {}
  return {
    'Microsoft.VSTS.Scheduling.RemainingWork': hours[1],
    'Microsoft.VSTS.Scheduling.CompletedWork': hours[2],
  }
}

/** A story is closed by the product owner, a task by who did it. */
function statesOnTheWay(
  { state, type }: ItemPlan,
  begun: Date,
  worker: Member,
): { state: string; at: Date; by: Member }[] {
  if (state === 'New') return []
  if (state === 'Removed') return [{ state, at: shifted(begun, 2), by: 'hannah' }]
  const active = { state: 'Active', at: begun, by: worker }
  if (state === 'Active') return [active]
  if (type === 'Task') return [active, { state, at: shifted(begun, 1.6), by: worker }]
  const resolved = { state: 'Resolved', at: shifted(begun, 4), by: worker }
  return state === 'Resolved' ? [active, resolved] : [active, resolved, { state, at: shifted(begun, 6), by: 'hannah' }]
}

/** What comes with the first save and is no field. */
function extrasOf({ markdown, hyperlinks }: ItemPlan, written: Date): Partial<Save> {
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

function given(name: string, value: FieldValue | undefined): Fields {
  return value === undefined ? {} : { [name]: value }
}

function save(at: Date, by: Member, set: Fields): Save {
  return { at: at.toISOString(), by: team[by].uniqueName, set }
}

/** In the working hours of the day, on a minute and a second that follow from `salt`. */
export function instant(day: string, salt: number): Date {
  return new Date(Date.parse(`${day}T07:30:00.000Z`) + ((salt * 37) % 480) * 60_000 + ((salt * 7_919) % 60_000))
}

function shifted(at: Date, days: number): Date {
  return new Date(at.getTime() + days * DAY_MS)
}
