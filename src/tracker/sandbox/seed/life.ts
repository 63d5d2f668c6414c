import { followStateChange } from '../change/state-change'
import { findType, type ItemType } from '../process/types'
import type { FieldValue, Revision } from '../state/state'
import type { ItemPlan } from './item-plan'
import { type Member, team } from './people'
import { areas, type Sprint, sprints } from './places'

/** A save that is yet to get its place among all the others. */
export type Save = Omit<Revision, 'watermark'>

const DAY_MS = 86_400_000

/** Where the iteration of an item is from, where it names none itself. */
export interface Surroundings {
  area: ItemPlan['area']
  sprint?: Sprint
  /** The day on which the feature above was written. */
  bornOn: string
}

/**
 * The life of an item up to the state that its plan names: written, refined, planned, worked on, done. All instants follow
 * from the plan and the id, so that every run has the same.
 */
export function lifeOf(plan: ItemPlan, around: Surroundings): Save[] {
  const type = findType(plan.type)!
  const sprint = plan.sprint ?? around.sprint
  const born = plan.type === 'Task' && sprint ? instant(sprints[sprint].start, -3, plan.id) : instant(around.bornOn, plan.id % 5, plan.id)
  const begun = sprint ? instant(sprints[sprint].start, plan.id % 3, plan.id + 90) : instant(around.bornOn, 14, plan.id)
  const worker: Member = plan.assignee ?? 'hannah'

  const saves: Save[] = [saveOf(born, 'hannah', written(plan, type, around))]
  if (plan.type !== 'Task') saves.push(saveOf(shifted(born, 5), 'priya', refined(plan)))
  if (sprint) saves.push(saveOf(plan.type === 'Task' ? shifted(born, 0.1) : instant(sprints[sprint].start, -3, plan.id), 'hannah', planned(plan, sprint)))
  for (const [state, at, by] of statesOnTheWay(plan, begun, worker)) {
    const on = at.toISOString()
    saves.push(saveOf(at, by, { 'System.State': state, ...followStateChange(type, state, { at: on, by: team[by].uniqueName }) }))
  }
  if (plan.hours && plan.state !== 'New') saves.push(saveOf(shifted(begun, 1.5), worker, hoursSpent(plan.hours)))
  for (const { day, by, text } of plan.comments ?? []) saves.push(saveOf(instant(day, 0, plan.id + 200), by, { 'System.History': text }))
  return saves.filter((save) => Object.keys(save.set).length > 0).sort((a, b) => (a.at < b.at ? -1 : 1)).map((save, at) => (at === 0 ? firstSave(plan, save) : save))
}

function written(plan: ItemPlan, type: ItemType, around: Surroundings): Record<string, FieldValue | null> {
  const { text } = plan
  return {
    'System.WorkItemType': plan.type,
    'System.Title': plan.title,
    'System.State': 'New',
    'System.Reason': 'New',
    'System.AreaPath': areas[plan.type === 'Task' ? around.area : plan.area],
    'System.IterationPath': 'Harbor',
    ...type.defaults,
    ...(plan.priority ? { 'Microsoft.VSTS.Common.Priority': plan.priority } : {}),
    ...(plan.severity ? { 'Microsoft.VSTS.Common.Severity': plan.severity } : {}),
    ...(plan.activity ? { 'Microsoft.VSTS.Common.Activity': plan.activity } : {}),
    ...(plan.hours ? { 'Microsoft.VSTS.Scheduling.OriginalEstimate': plan.hours[0], 'Microsoft.VSTS.Scheduling.RemainingWork': plan.hours[0] } : {}),
    ...(text ? { [plan.type === 'Bug' ? 'Microsoft.VSTS.TCM.ReproSteps' : 'System.Description']: text } : {}),
  }
}

function refined(plan: ItemPlan): Record<string, FieldValue | null> {
  return {
    ...(plan.points === undefined ? {} : { 'Microsoft.VSTS.Scheduling.StoryPoints': plan.points }),
    ...(plan.criteria ? { 'Microsoft.VSTS.Common.AcceptanceCriteria': plan.criteria } : {}),
    ...(plan.tags ? { 'System.Tags': plan.tags } : {}),
  }
}

function planned(plan: ItemPlan, sprint: Sprint): Record<string, FieldValue | null> {
  return {
    'System.IterationPath': sprints[sprint].path,
    ...(plan.assignee ? { 'System.AssignedTo': team[plan.assignee].uniqueName } : {}),
    ...(plan.type === 'Task' && plan.tags ? { 'System.Tags': plan.tags } : {}),
  }
}

/** A story is closed by the product owner, a task by who did it. */
function statesOnTheWay(plan: ItemPlan, begun: Date, worker: Member): [string, Date, Member][] {
  const { state, type } = plan
  if (state === 'New') return []
  if (state === 'Removed') return [['Removed', shifted(begun, 2), 'hannah']]
  const way: [string, Date, Member][] = [['Active', begun, worker]]
  if (state === 'Active') return way
  if (type === 'Task') return [...way, ['Closed', shifted(begun, 1.6), worker]]
  way.push(['Resolved', shifted(begun, 4), worker])
  return state === 'Resolved' ? way : [...way, ['Closed', shifted(begun, 6), 'hannah']]
}

function hoursSpent([, remaining, completed]: readonly [number, number, number]): Record<string, FieldValue> {
  return {
    'Microsoft.VSTS.Scheduling.RemainingWork': remaining,
    'Microsoft.VSTS.Scheduling.CompletedWork': completed,
  }
}

/** The texts' format, the blocked mark of a fresh plan and its web links come with the first save. */
function firstSave(plan: ItemPlan, save: Save): Save {
  return {
    ...save,
    ...(plan.markdown
      ? { formats: { 'System.Description': 'Markdown', 'Microsoft.VSTS.Common.AcceptanceCriteria': 'markdown' } }
      : {}),
    ...(plan.hyperlinks
      ? {
          resources: plan.hyperlinks.map(({ url, comment }) => ({
            rel: 'Hyperlink',
            url,
            attributes: { authorizedDate: save.at, comment },
          })),
        }
      : {}),
  }
}

function saveOf(at: Date, by: Member, set: Record<string, FieldValue | null>): Save {
  return { at: at.toISOString(), by: team[by].uniqueName, set }
}

/** In working hours of the day, on a minute and a second that follow from `salt`. */
function instant(day: string, daysLater: number, salt: number): Date {
  const start = Date.parse(`${day}T07:30:00.000Z`) + daysLater * DAY_MS
  return new Date(start + ((salt * 37) % 480) * 60_000 + ((salt * 7919) % 60_000))
}

function shifted(at: Date, days: number): Date {
  return new Date(at.getTime() + days * DAY_MS)
}
