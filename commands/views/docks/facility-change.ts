import type { ResultOf } from '../../../src/catalog'
import { pluralize } from '../../../src/kernel/text/text'
import { type Canvas, table } from '../../terminal/layout'
import { formatDateTimeAt } from './appointment'
import { renderFacility } from './facility'
import { renderOccurrencesWithoutPlace } from './series'

type Change = ResultOf<'facilities.update'>
type Conflict = Change['conflicts'][number]

const reasons: Record<Conflict['reason'], string> = {
  door_removed: 'the door was removed',
  door_inactive: 'the door is not in use',
  door_type: 'the door does not accept this type',
  requirements: 'the door cannot take this load',
  closure: 'the facility is closed',
  blocked: 'the time is blocked',
  outside_hours: 'outside operating hours',
  break: 'during a break',
  capacity: 'over capacity',
  buffer: 'too close to another appointment',
  limit: 'over a limit of the facility',
}

/** The changed facility, and the appointments that conflict with the change. */
export function renderFacilityChange(change: Change, canvas: Canvas): string {
  const { colors } = canvas
  const head = change.dryRun
    ? `Dry run: nothing was changed.${change.changed ? ' It would be:' : ' Nothing would change.'}\n`
    : change.changed
      ? `${colors.good('✓')} Changed.\n`
      : 'Nothing changed: the facility already has these values.\n'
  const { conflicts } = change
  const after =
    conflicts.length === 0 ? '' : `\n${colors.warn(conflictLine(change))}\n${conflictTable(conflicts, canvas)}`
  return `${head}\n${renderFacility(change.facility, canvas)}${after}${holdsLine(change, canvas)}`
}

function conflictLine({ conflicts, dryRun }: Change): string {
  const [verb, them] = conflicts.length === 1 ? ['conflicts', 'it'] : ['conflict', 'them']
  const what = `${pluralize(conflicts.length, 'scheduled appointment')} ${dryRun ? 'would conflict' : verb} with this change`
  return `${what}. Reschedule or cancel ${them}:`
}

function holdsLine({ releasedHolds, dryRun }: Change, { colors }: Canvas): string {
  if (releasedHolds.length === 0) return ''
  const slots = releasedHolds.map(
    ({ startTime, timeZone, doorName, carrierName }) =>
      `  ${formatDateTimeAt(startTime, timeZone)}  ${doorName}${carrierName === null ? '' : `  ${carrierName}`}\n`,
  )
  const count = pluralize(releasedHolds.length, 'hold')
  return `\n${colors.warn(`${count} ${dryRun ? 'would end' : 'ended'} with this change:`)}\n${slots.join('')}`
}

export function renderConflicts(list: ResultOf<'facilities.conflicts'>, canvas: Canvas): string {
  if (list.length === 0) return 'No appointment conflicts with its facility.\n'
  const conflicts = list.filter((entry): entry is Conflict => entry.appointment !== null)
  const occurrences = list.flatMap(({ occurrence }) => occurrence ?? [])
  const moves = `${pluralize(conflicts.length, 'appointment')}. Move one: studio reschedule <id> --date <YYYY-MM-DD>\n`
  const places = `${pluralize(occurrences.length, 'date')} of series. Place one: studio series move <id> <date> --at <time>\n`
  return [
    conflicts.length > 0 && `${conflictTable(conflicts, canvas)}\n${moves}`,
    occurrences.length > 0 && `${renderOccurrencesWithoutPlace(occurrences, canvas)}\n${places}`,
  ]
    .filter((part) => part !== false)
    .join('\n')
}

function conflictTable(list: readonly Conflict[], canvas: Canvas): string {
  return table(canvas, list, [
    { title: 'START', text: ({ appointment }) => formatDateTimeAt(appointment.startTime, appointment.timeZone) },
    { title: 'DOOR', text: ({ appointment }) => appointment.doorName },
    { title: 'CARRIER', text: ({ appointment }) => appointment.carrierName, shrink: 'cut' },
    { title: 'REFERENCE', text: ({ appointment }) => appointment.referenceNumber },
    { title: 'WHY', text: ({ reason }) => reasons[reason], color: (text) => canvas.colors.warn(text) },
    { title: 'ID', text: ({ appointment }) => appointment.id, below: true },
  ])
}
