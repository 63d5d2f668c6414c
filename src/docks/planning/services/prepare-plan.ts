import { createHash } from 'node:crypto'
import { serialize } from 'node:v8'
import { type Context, computeElsewhere, inputError, withinTransaction } from '../../../kernel'
import { pluralize } from '../../../kernel/text/text'
import { formatDate, formatInstant, MINUTE_MS, parseDate } from '../../../kernel/time'
import type { StorageContext } from '../../../storage'
import { PLACEMENT_TEXTS } from '../../booking/rules/booking-rules'
import { parseFacilityName } from '../../facilities/services/facility-options'
import type { AppointmentRecord } from '../../queries'
import { formatDateWithWeekday } from '../../rules/calendar-date'
import { formatLocalTime, getLocalDay } from '../../rules/zoned-time'
import { requireFacility, type TenantFacility } from '../../services/tenant-access'
import { costPlan, type DayProblem, type PlanCost, type PlanObjective, rankedCosts } from '../rules/day-problem'
import { findObstacle, groupMoves } from '../rules/explain-moves'
import type { DayPlanAnswer, PlanMove } from '../schemas'
import type { PlannedDay } from '../solver/plan-day'
import { planningTasks } from '../solver/tasks'
import { type LoadedDay, loadDay } from './load-day'

export interface PlanRequest {
  id: string
  date?: string | undefined
  objective: PlanObjective
}

/** A plan that was made, and the day for which it was made. */
export interface PreparedPlan extends PlannedDay {
  facility: TenantFacility
  loaded: LoadedDay
  date: string
  objective: PlanObjective
  /** The moves that need each other, as numbers of tasks. */
  groups: number[][]
  /** Whether only some of its moves are meant. */
  isPart: boolean
}

/** Searching and solving end after this time. They need less on most days. */
const TIME_LIMIT_MS = 4_000

/** Reads the day, and plans it on another thread. Throws `not_found`, and `invalid` for a date that is over. */
export async function preparePlan(
  ctx: Context & StorageContext,
  { id, date, objective }: PlanRequest,
): Promise<PreparedPlan> {
  const now = ctx.clock.now()
  const { facility, loaded } = await ctx.db.read(async (tx) => {
    const facility = await requireFacility(ctx, tx, parseFacilityName(id))
    const today = getLocalDay(facility.timeZone, now)
    const day = date === undefined ? today : parseDate(date)
    if (day < today) throw inputError([{ path: 'date', message: `must not be before ${formatDate(today)}` }])
    const loaded = await loadDay(withinTransaction(ctx), tx, facility, { day, now })
    if (!loaded) throw inputError([{ path: 'date', message: `is a date that ${facility.timeZone} skipped` }])
    return { facility, loaded: { ...loaded, day } }
  })
  const planned = await planOnce(ctx, loaded.problem, objective)
  const groups = groupMoves(loaded.problem, planned.plan)
  return { ...planned, facility, loaded, date: formatDate(loaded.day), objective, groups, isPart: false }
}

/** The last plans, by what they are made of. */
const lastPlans = new Map<string, PlannedDay>()
const MAX_PLANS = 20

/** Plans a day; the same day as before gets the same plan, also if the time ended before it was certain. So a plan that was shown can be accepted. */
async function planOnce(
  ctx: Context & StorageContext,
  problem: DayProblem,
  objective: PlanObjective,
): Promise<PlannedDay> {
  // Starts that share their doors are written once.
  const key = createHash('sha256').update(serialize(problem)).update(objective).digest('base64')
  const planned =
    lastPlans.get(key) ??
    (await computeElsewhere(ctx, planningTasks.planDay, problem, { objective, timeLimitMs: TIME_LIMIT_MS }))
  lastPlans.delete(key)
  lastPlans.set(key, planned)
  if (lastPlans.size > MAX_PLANS) lastPlans.delete([...lastPlans.keys()][0]!)
  return planned
}

export function presentPlan(prepared: PreparedPlan): DayPlanAnswer {
  const { facility, loaded, plan, cost, least, objective, date } = prepared
  const moves = prepared.groups.flat().map((task) => presentMove(prepared, task))
  const unplaced = [...plan.keys()].filter((task) => plan[task] === null)
  const main = rankedCosts[objective][1]!
  return {
    ...{ facilityCode: facility.code, timeZone: facility.timeZone, date, objective },
    generatedAt: formatInstant(loaded.now),
    appointments: loaded.tasks.length,
    moves: moves.sort((a, b) => (a.newStartTime < b.newStartTime ? -1 : a.newStartTime > b.newStartTime ? 1 : 0)),
    unplaced: unplaced.map((task) => {
      const { id, referenceNumber, carrierName, startAt, doorName } = loaded.tasks[task]!.record
      const reason = explainUnplaced(prepared, task)
      return { ...{ id, referenceNumber, carrierName, doorName, reason }, startTime: formatInstant(startAt) }
    }),
    delayMinutes: cost.delay,
    least: least && {
      ...{ value: least.main, unplaced: least.unplaced },
      percentAbove: measureDistance(cost[main], least.main),
    },
    message: summarize(prepared, moves),
  }
}

function measureDistance(value: number, least: number): number | null {
  if (value <= least) return 0
  return least === 0 ? null : Math.ceil((1000 * (value - least)) / least) / 10
}

function presentMove(prepared: PreparedPlan, task: number): PlanMove {
  const { loaded, plan, groups } = prepared
  const { record } = loaded.tasks[task]!
  const { id, referenceNumber, carrierName, type, startAt, endAt, doorName } = record
  const place = plan[task]!
  const group = groups.find((members) => members.includes(task))!
  return {
    ...{ id, referenceNumber, carrierName, type, doorName },
    startTime: formatInstant(startAt),
    newStartTime: formatInstant(place.start),
    newEndTime: formatInstant(place.start + endAt - startAt),
    newDoorName: loaded.doors[place.door]!.name,
    delayMinutes: Math.round(Math.max(0, place.start - startAt) / MINUTE_MS),
    reason: explainMove(prepared, task),
    together: group.filter((other) => other !== task).map((other) => loaded.tasks[other]!.record.referenceNumber),
  }
}

/** Why it cannot stay where it is booked, or for whom it leaves. */
function explainMove({ facility, loaded, plan, objective }: PreparedPlan, task: number): string {
  const { timeZone } = facility
  const { record, expectedAt, conflict } = loaded.tasks[task]!
  if (expectedAt !== null)
    return `Its truck is late, and is expected at ${formatLocalTime(timeZone, expectedAt)} at the earliest.`
  if (conflict !== null) return `${record.doorName}: ${PLACEMENT_TEXTS[conflict]}.`
  const obstacle = findObstacle(loaded.problem, plan, task)
  if (obstacle !== null && 'fixed' in obstacle) {
    const { to } = loaded.problem.fixed[obstacle.fixed]!
    return `${record.doorName} is taken until ${formatLocalTime(timeZone, to)} by ${nameStay(loaded.fixed[obstacle.fixed]!, loaded.now)}.`
  }
  if (obstacle !== null)
    return `It leaves ${record.doorName} to ${loaded.tasks[obstacle.task]!.record.referenceNumber}.`
  return objective === 'few-doors' ? 'It needs no door of its own.' : 'It makes room in a limit of the facility.'
}

function nameStay(record: AppointmentRecord | null, now: number): string {
  if (record === null) return 'a slot that is held'
  return record.endAt <= now ? `${record.referenceNumber}, which stays longer than booked` : record.referenceNumber
}

function explainUnplaced({ loaded }: PreparedPlan, task: number): string {
  const { expectedAt, conflict } = loaded.tasks[task]!
  if (loaded.problem.tasks[task]!.places.length > 0) return 'No door that can take it has room on the rest of the date.'
  if (expectedAt !== null) return 'Its truck is late, and no hours are left for it.'
  return conflict === null ? 'No hours are left for it.' : `No other place: ${PLACEMENT_TEXTS[conflict]}.`
}

const measureNames: Record<keyof PlanCost, (value: number) => string> = {
  unplaced: (value) => `${pluralize(value, 'appointment')} without a place`,
  delay: (value) => `${pluralize(value, 'minute')} of delay by weight`,
  moves: (value) => pluralize(value, 'move'),
  doors: (value) => pluralize(value, 'door'),
}

function summarize({ cost, least, objective, date, loaded, isPart }: PreparedPlan, moves: readonly PlanMove[]): string {
  const day = formatDateWithWeekday(parseDate(date))
  if (moves.length === 0 && cost.unplaced === 0)
    return loaded.tasks.length === 0
      ? `No appointment of ${day} can still move.`
      : `Nothing needs to change on ${day}: ${pluralize(loaded.tasks.length, 'appointment')} can stay where they are.`
  const keptDoors = moves.filter(({ startTime, newStartTime }) => startTime === newStartTime).length
  const counted = `${pluralize(moves.length, 'move')} on ${day}: ${keptDoors} to another door at the booked time, ${moves.length - keptDoors} to another time, with ${measureNames.delay(cost.delay)}.`
  const without = cost.unplaced === 0 ? '' : ` ${pluralize(cost.unplaced, 'appointment')} find no place.`
  return isPart ? counted : `${counted}${without} ${judgePlan({ cost, least, objective })}`
}

function judgePlan({ cost, least, objective }: Pick<PreparedPlan, 'cost' | 'least' | 'objective'>): string {
  const key = rankedCosts[objective][1]!
  if (least === null) return 'How far it is from the best plan is not known.'
  if (cost.unplaced > least.unplaced)
    return `A better plan may exist: at least ${measureNames.unplaced(least.unplaced)}, and ${measureNames[key](least.main)}.`
  if (cost[key] <= least.main) return 'No plan is better by this objective.'
  const percent = measureDistance(cost[key], least.main)
  return percent === null
    ? `A better plan may exist: the least is ${measureNames[key](least.main)}.`
    : `It is at most ${percent} % above the least possible.`
}

/** Only these moves. What the whole plan is worth says nothing of them. */
export function takePart(prepared: PreparedPlan, groups: number[][]): PreparedPlan {
  const { problem } = prepared.loaded
  const chosen = new Set(groups.flat())
  const plan = prepared.plan.map((place, task) =>
    chosen.has(task) || place === null ? place : problem.tasks[task]!.home,
  )
  return { ...prepared, plan, groups, cost: costPlan(problem, plan), least: null, isPart: true }
}

/** What decides the outcome of accepting it. */
export function listPlanFacts({ loaded, plan, groups }: PreparedPlan): unknown[] {
  return groups.flat().map((task) => {
    const { id, startAt, doorId, sequence } = loaded.tasks[task]!.record
    const place = plan[task]!
    return [id, startAt, doorId, sequence, place.start, loaded.doors[place.door]!.id]
  })
}
