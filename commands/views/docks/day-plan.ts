import type { ResultOf } from '../../../src/catalog'
import { pluralize } from '../../../src/kernel/text/text'
import { type Canvas, table } from '../../terminal/layout'
import { formatDateTimeAt } from './appointment'

type Plan = ResultOf<'facilities.plan'>
type Accepted = ResultOf<'facilities.accept-plan'>
type Move = Plan['moves'][number]

/** The moves of a plan with why, and the appointments for which it has no place. */
export function renderDayPlan(plan: Plan, canvas: Canvas): string {
  const moves = plan.moves.length === 0 ? '' : `${renderMoves(plan.moves, plan.timeZone, canvas)}\n`
  const accept =
    plan.moves.length === 0 ? '' : `Accept it: studio facility accept-plan ${plan.facilityCode}${describeFlags(plan)}\n`
  return `${moves}${renderUnplaced(plan, canvas)}${plan.message} Times in ${plan.timeZone}.\n${accept}`
}

/** What became of each move. */
export function renderAcceptedPlan(report: Accepted, canvas: Canvas): string {
  const { results, timeZone, dryRun, moved, refused } = report
  if (results.length === 0) return `${report.message}\n`
  if (dryRun)
    return `${renderMoves(results, timeZone, canvas)}\n${renderUnplaced(report, canvas)}${report.message} Dry run: nothing was changed. Times in ${timeZone}.\n`
  const { colors } = canvas
  const rows = table(canvas, results, [
    { title: 'REFERENCE', text: ({ referenceNumber }) => referenceNumber, shrink: 'cut' },
    {
      title: '',
      text: ({ outcome }) => outcome,
      color: (text, { outcome }) => (outcome === 'moved' ? colors.good : colors.bad)(text),
    },
    { title: 'NEW PLACE, OR WHY NOT', text: (move) => move.message ?? describePlace(move, timeZone) },
  ])
  const counts = [`${moved} moved`, ...(refused > 0 ? [`${refused} refused`] : [])].join(', ')
  return `${rows}\n${pluralize(results.length, 'appointment')}: ${counts}. Times in ${timeZone}.\n`
}

function renderMoves(moves: readonly Move[], timeZone: string, canvas: Canvas): string {
  return table(canvas, moves, [
    { title: 'REFERENCE', text: ({ referenceNumber }) => referenceNumber, shrink: 'cut' },
    { title: 'BOOKED', text: ({ startTime, doorName }) => `${formatTimeAt(startTime, timeZone)} ${doorName}` },
    { title: 'NEW PLACE', text: (move) => describePlace(move, timeZone) },
    {
      title: 'WHY',
      text: ({ reason, together }) =>
        `${reason}${together.length === 0 ? '' : ` Together with ${together.join(', ')}.`}`,
    },
  ])
}

function describePlace({ startTime, newStartTime, newDoorName, delayMinutes }: Move, timeZone: string): string {
  if (newStartTime === startTime) return newDoorName
  const late = delayMinutes > 0 ? ` (+${delayMinutes} min)` : ''
  return `${formatTimeAt(newStartTime, timeZone)} ${newDoorName}${late}`
}

function renderUnplaced({ unplaced, timeZone }: Pick<Plan, 'unplaced' | 'timeZone'>, canvas: Canvas): string {
  if (unplaced.length === 0) return ''
  const rows = table(canvas, unplaced, [
    { title: 'NO PLACE FOR', text: ({ referenceNumber }) => referenceNumber, shrink: 'cut' },
    { title: 'BOOKED', text: ({ startTime, doorName }) => `${formatTimeAt(startTime, timeZone)} ${doorName}` },
    { title: 'WHY', text: ({ reason }) => reason },
  ])
  return `${rows}\n`
}

function describeFlags({ date, objective }: Plan): string {
  return ` --date ${date}${objective === 'on-time' ? '' : ` --objective ${objective}`}`
}

/** The date of all of them is in the message. */
function formatTimeAt(instant: string, timeZone: string): string {
  return formatDateTimeAt(instant, timeZone).slice('2027-03-01 '.length)
}
