import type { ResultOf } from '../../src/catalog'
import { pluralize } from '../../src/kernel/text'
import { type Canvas, printableLine } from '../layout'
import { formatDateTimeAt } from './appointment'

type Change = ResultOf<'appointments.history'>[number]

/** One line for each change, and one below it for each field that changed. */
export function renderAppointmentHistory(changes: readonly Change[], canvas: Canvas): string {
  if (changes.length === 0) return 'No changes are recorded.\n'
  const lines = changes.map((change) => renderChange(change, canvas))
  return `${lines.join('')}\n${pluralize(changes.length, 'change')}, times in ${changes[0]!.timeZone}\n`
}

function renderChange(change: Change, { colors }: Canvas): string {
  const { kind, at, timeZone, by, note, source, changes } = change
  const origin = source === null ? '' : ` from ${source === 'hold' ? 'a hold' : 'an imported file'}`
  const head = `${formatDateTimeAt(at, timeZone)}  ${colors.strong(kind.replaceAll('_', ' '))}${origin}, by ${printableLine(by)}\n`
  const fields = changes
    .filter(({ field }) => field !== 'doorId')
    .map(({ field, before, after }) => {
      const [from, to] = [before, after].map((value) => formatValue(field, value, timeZone))
      return `    ${field}: ${from} ${colors.faint('→')} ${to}\n`
    })
  return `${head}${note === null ? '' : `    ${printableLine(note)}\n`}${fields.join('')}`
}

function formatValue(field: string, value: unknown, timeZone: string): string {
  if (value === null || value === undefined) return '(empty)'
  return field.endsWith('Time') ? formatDateTimeAt(String(value), timeZone) : printableLine(String(value))
}
