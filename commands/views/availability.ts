import type { z } from 'zod'
import type { showAvailability } from '../../src/docks/operations/show-availability'
import { formatDoorNames } from '../../src/docks/rules/booking-errors'
import { type Canvas, fold, printableLine, table } from '../layout'

type Availability = z.infer<typeof showAvailability.output>

export function renderAvailability(shown: Availability, canvas: Canvas): string {
  const { colors } = canvas
  const head = `${colors.strong(`${printableLine(shown.facilityCode)}  ${shown.date}`)}  ${shown.minutes} minutes, ${shown.timeZone}\n\n`
  const rows =
    shown.slots.length === 0
      ? 'Nothing is free.\n'
      : table(
          shown.slots,
          [
            { title: 'START', text: (slot) => slot.localTime },
            { title: 'TYPE', text: (slot) => slot.type },
            { title: 'FREE DOORS', text: (slot) => String(slot.freeDoors), align: 'right' },
            { title: 'FIRST', text: (slot) => slot.doorName, shrink: 'cut' },
          ],
          canvas,
        )
  const reasons = shown.reasons.map(({ type, doors, message }) =>
    fold(`${type}, ${printableLine(formatDoorNames(doors))}: ${message}`, canvas.width),
  )
  return `${head}${rows}${reasons.length ? `\n${reasons.join('\n')}\n` : ''}`
}
