import type { ResultOf } from '../../../src/catalog'
import { formatDoorNames } from '../../../src/docks/booking/rules/booking-rules'
import { nameChange } from '../../../src/docks/visits/rules/appointment-steps'
import { type Canvas, facts, printableLine, table, wrapText } from '../../terminal/layout'
import { formatDateTimeAt, formatTimeAt } from './appointment'

type Facility = Omit<ResultOf<'facilities.get'>, 'revision'>
type Weekly = { name: string; days: readonly string[]; start: string; end: string; doors: readonly string[] | null }

export function renderFacility(shown: Facility, canvas: Canvas): string {
  const { colors } = canvas
  return [
    `${colors.strong(`${printableLine(shown.code)}  ${printableLine(shown.name)}`)}\n`,
    facts(canvas, [
      ['ID', shown.id],
      ['Deleted', shown.archivedAt === null ? null : formatDateTimeAt(shown.archivedAt, shown.timeZone)],
      ['Time zone', shown.timeZone],
      ...shown.queues.map((queue, i) => [i === 0 ? 'Hours' : '', weeklyText(queue, queue.types)] as const),
      ...shown.breaks.map((pause, i) => [i === 0 ? 'Breaks' : '', weeklyText(pause, null)] as const),
      ...shown.closures.map((closure, i) => [i === 0 ? 'Closed' : '', closureText(closure)] as const),
      ...shown.blockedTimes.map(
        (blocked, i) => [i === 0 ? 'Blocked' : '', blockedText(blocked, shown.timeZone)] as const,
      ),
      ['Length', `${shown.minMinutes} to ${shown.maxMinutes} minutes, ${shown.defaultMinutes} by default`],
      ...shown.lengths.map((rule) => ['', lengthText(rule)] as const),
      ['Starts', `every ${shown.slotMinutes} minutes, at least ${shown.leadMinutes} minutes in advance`],
      ['Buffer', shown.bufferMinutes === 0 ? null : `${shown.bufferMinutes} minutes between appointments at a door`],
      ...shown.limits.map((limit, i) => [i === 0 ? 'Limits' : '', limitText(limit)] as const),
      ...shown.customFields.map((field, i) => [i === 0 ? 'Fields' : '', customFieldText(field)] as const),
      ...shown.reasons.map((list, i) => [i === 0 ? 'Reasons' : '', reasonsText(list)] as const),
      ...shown.carriers.map((carrier, i) => [i === 0 ? 'Carriers' : '', carrierText(carrier)] as const),
      ['On time', `at most ${shown.graceMinutes} minutes before or after the start`],
      ['Free time', `${shown.truckFreeMinutes} minutes for a truck, ${shown.trailerFreeHours} hours for a trailer`],
      ['Reminders', shown.reminderHours === null ? null : `${shown.reminderHours} hours before the start`],
      ['Capacity', shown.capacity === null ? 'one appointment per door' : `${shown.capacity} appointments at once`],
      ['Makes room', shown.makeRoom === 'never' ? null : roomText(shown)],
      ['If full', shown.advanceToNextOpenDay ? 'book the next open day' : 'reject the booking'],
    ]),
    '\n',
    table(canvas, shown.doors, [
      { title: 'DOOR', text: (door) => door.name, shrink: 'cut' },
      { title: 'ACCEPTS', text: acceptsText },
      { title: '', text: (door) => (door.active ? '' : 'not in use'), color: (text) => colors.warn(text) },
    ]),
  ].join('')
}

/** Which appointments move to other doors, and for which bookings. */
function roomText({ makeRoom, moveAnnounced }: Pick<Facility, 'makeRoom' | 'moveAnnounced'>): string {
  const when = makeRoom === 'always' ? 'for every booking that would fail' : 'for bookings that ask for it'
  return moveAnnounced ? `${when}, also where the door was announced` : when
}

/** `pickup, delivery; reefer; up to 162 in` */
function acceptsText({ types, features, maxHeight }: Facility['doors'][number]): string {
  const height = maxHeight === null ? '' : `up to ${maxHeight} in`
  return [types.join(', '), features.join(', '), height].filter(Boolean).join('; ')
}

function weeklyText(weekly: Weekly, types: readonly string[] | null): string {
  const only = [types?.join(', '), weekly.doors?.join(', ')].filter(Boolean).join('; ')
  return printableLine(
    `${weekly.days.join(' ')} ${weekly.start}-${weekly.end} ${weekly.name}${only ? ` (${only})` : ''}`,
  )
}

function closureText({ from, to, reason }: Facility['closures'][number]): string {
  return printableLine(`${from === to ? from : `${from} to ${to}`}${reason ? ` ${reason}` : ''}`)
}

/** `4 appointments per hour for each carrier (delivery; Acme) Forklifts` */
function limitText({ name, max, unit, per, types, carriers, eachCarrier }: Facility['limits'][number]): string {
  const period = per === 'moment' ? 'at once' : `per ${per}`
  const only = [types?.join(', '), carriers?.join(', ')].filter(Boolean).join('; ')
  const words = [`${max} ${unit} ${period}`, eachCarrier && 'for each carrier', only && `(${only})`, name]
  return printableLine(words.filter(Boolean).join(' '))
}

/** `60 minutes + 3 per pallet (delivery; floor-loaded; up to 10 pallets)` */
function lengthText(rule: Facility['lengths'][number]): string {
  const { types, requirements, maxPallets, maxPieces, minutes, minutesPerPallet, minutesPerPiece } = rule
  const only = [
    types?.join(', '),
    requirements.join(', '),
    maxPallets !== null && `up to ${maxPallets} pallets`,
    maxPieces !== null && `up to ${maxPieces} pieces`,
  ]
  const each = [minutesPerPallet && `${minutesPerPallet} per pallet`, minutesPerPiece && `${minutesPerPiece} per piece`]
  const loads = only.filter(Boolean).join('; ')
  return printableLine(
    [`${minutes} minutes`, ...each.filter(Boolean)].join(' + ') + (loads ? ` (${loads})` : ' (all loads)'),
  )
}

/** `temperature: number, required, for delivery` */
function customFieldText({
  name,
  label,
  kind,
  choices,
  required,
  types,
  seenBy,
}: Facility['customFields'][number]): string {
  const words = [
    kind === 'choice' ? `choice of ${choices.join(', ')}` : kind,
    required && 'required',
    types && `for ${types.join(' and ')}`,
    seenBy === 'site' && 'not shown to carriers',
  ]
  return printableLine(`${name}${label === null ? '' : ` (${label})`}: ${words.filter(Boolean).join(', ')}`)
}

/** `no-show, required: Lost, Late` */
function reasonsText({ change, choices, required }: Facility['reasons'][number]): string {
  return printableLine(`${nameChange(change)}${required ? ', required' : ''}: ${choices.join(', ')}`)
}

/** `Blue Freight: 14 days ahead, 5 per day, cancel until 1440 minutes before` */
function carrierText(carrier: Facility['carriers'][number]): string {
  const limits = [
    carrier.daysAhead !== null && `${carrier.daysAhead} days ahead`,
    carrier.perDay !== null && `${carrier.perDay} per day`,
    carrier.changeCutoffMinutes > 0 && `change until ${carrier.changeCutoffMinutes} minutes before`,
    carrier.makeRoom && 'may make room',
    carrier.cancelCutoffMinutes > 0 && `cancel until ${carrier.cancelCutoffMinutes} minutes before`,
  ].filter(Boolean)
  return printableLine(`${carrier.name}${limits.length > 0 ? `: ${limits.join(', ')}` : ''}`)
}

function blockedText({ from, to, doors, reason }: Facility['blockedTimes'][number], timeZone: string): string {
  const where = doors ? ` (${doors.join(', ')})` : ''
  return printableLine(
    `${formatDateTimeAt(from, timeZone)} to ${formatDateTimeAt(to, timeZone)}${reason ? ` ${reason}` : ''}${where}`,
  )
}

export function renderFacilities(list: readonly Facility[], canvas: Canvas): string {
  if (list.length === 0) return 'No facilities here. Create one: studio facility create --help\n'
  return table(canvas, list, [
    { title: 'CODE', text: (entry) => entry.code },
    { title: 'NAME', text: (entry) => entry.name, shrink: 'cut' },
    { title: 'TIME ZONE', text: (entry) => entry.timeZone },
    { title: 'DOORS', text: (entry) => String(entry.doors.length), align: 'right' },
    { title: 'ID', text: (entry) => entry.id, below: true },
  ])
}

type Doors = ResultOf<'doors.list'>

export function renderDoors(list: Doors, canvas: Canvas): string {
  return table(canvas, list, [
    { title: '#', text: (door) => String(door.position), align: 'right' },
    { title: 'DOOR', text: (door) => door.name, shrink: 'cut' },
    { title: 'ACCEPTS', text: acceptsText },
    { title: '', text: (door) => (door.active ? '' : 'not in use'), color: (text) => canvas.colors.warn(text) },
    { title: 'ID', text: (door) => door.id, below: true },
  ])
}

const ROOM_ENDED = '\nThe search for room ended before it had tried all starts.\n'

type Availability = ResultOf<'facilities.availability'>
type Slot = Availability['slots'][number]

export function renderAvailability(shown: Availability, canvas: Canvas): string {
  const { colors } = canvas
  const head = `${colors.strong(`${printableLine(shown.facilityCode)}  ${shown.date}`)}  ${shown.minutes === null ? '' : `${shown.minutes} minutes, `}${shown.timeZone}\n\n`
  const rows =
    shown.slots.length === 0
      ? 'No slot is free.\n'
      : table(canvas, shown.slots, [
          { title: 'START', text: (slot) => slot.localTime },
          ...(shown.minutes === null
            ? [{ title: 'END', text: (slot: Slot) => formatTimeAt(slot.endTime, shown.timeZone) }]
            : []),
          { title: 'TYPE', text: (slot) => slot.type },
          ...(shown.slots.some(({ moves = 0 }) => moves > 0)
            ? [{ title: 'MOVES', text: ({ moves }: Slot) => (moves ? String(moves) : ''), align: 'right' as const }]
            : []),
          { title: 'FREE', text: (slot) => String(slot.freeDoors), align: 'right' },
          { title: 'FIRST', text: (slot) => slot.doorName, shrink: 'cut' },
          { title: 'SLOT', text: (slot) => slot.slotId },
        ])
  const reasons = shown.reasons.map(({ type, doors, message }) =>
    wrapText(`${type}, ${printableLine(formatDoorNames(doors))}: ${message}`, canvas.width),
  )
  return `${head}${rows}${reasons.length ? `\n${reasons.join('\n')}\n` : ''}${shown.roomComplete === false ? ROOM_ENDED : ''}`
}
