import type { z } from 'zod'
import type { listConflicts } from '../../src/docks/operations/list-conflicts'
import type { updateFacility } from '../../src/docks/operations/update-facility'
import { pluralize } from '../../src/kernel/text'
import { type Canvas, table } from '../layout'
import { formatDateTimeAt } from './clock'
import { renderFacility } from './facility'

type Change = z.infer<typeof updateFacility.output>
type Conflict = z.infer<typeof listConflicts.output>[number]

const reasons: Record<Conflict['reason'], string> = {
  door_removed: 'the door is gone',
  door_inactive: 'the door is not in use',
  door_type: 'the door does not take the type',
  closure: 'the facility is closed',
  outside_hours: 'outside the hours',
  break: 'in a break',
  capacity: 'more than the capacity',
}

/** The facility as it is now, or would be, and what stands in conflict with it. */
export function renderFacilityChange(change: Change, canvas: Canvas): string {
  const { colors } = canvas
  const head = change.dryRun
    ? `Dry run: nothing was changed.${change.changed ? ' It would be:' : ' It is so already.'}\n`
    : change.changed
      ? `${colors.good('✓')} Changed.\n`
      : 'It was so already.\n'
  const { conflicts: renderConflicts } = change
  const after =
    renderConflicts.length === 0
      ? ''
      : `\n${colors.warn(conflictLine(change))}\n${conflictTable(renderConflicts, canvas)}`
  return `${head}\n${renderFacility(change.facility, canvas)}${after}`
}

function conflictLine({ conflicts, dryRun }: Change): string {
  const isOne = conflicts.length === 1
  const [stand, stay] = dryRun ? ['would stand', 'would stay'] : isOne ? ['stands', 'stays'] : ['stand', 'stay']
  const them = isOne ? 'it' : 'them'
  return `${pluralize(conflicts.length, 'scheduled appointment')} ${stand} in conflict, and ${stay} until somebody moves ${them}:`
}

export function conflicts(list: readonly Conflict[], canvas: Canvas): string {
  if (list.length === 0) return 'No appointment is in conflict with its facility.\n'
  return `${conflictTable(list, canvas)}\n${pluralize(list.length, 'appointment')}. Move one: studio reschedule <id> --date <YYYY-MM-DD>\n`
}

function conflictTable(list: readonly Conflict[], canvas: Canvas): string {
  return table(
    list,
    [
      { title: 'START', text: ({ appointment }) => formatDateTimeAt(appointment.startTime, appointment.timeZone) },
      { title: 'DOOR', text: ({ appointment }) => appointment.doorName },
      { title: 'CARRIER', text: ({ appointment }) => appointment.carrierName, shrink: 'cut' },
      { title: 'REFERENCE', text: ({ appointment }) => appointment.referenceNumber },
      { title: 'WHY', text: ({ reason }) => reasons[reason], color: (text) => canvas.colors.warn(text) },
      { title: 'ID', text: ({ appointment }) => appointment.id },
    ],
    canvas,
  )
}
