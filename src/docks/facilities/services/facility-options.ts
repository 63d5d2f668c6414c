import type { CliBinding, ExtraFlag } from '../../../kernel'
import { parseSlotId, SLOT_ID } from '../../booking/rules/requested-slot'
import { bookingFlags } from '../../booking/services/booking-flags'
import { isFacilityId } from '../../schemas'
import type { FacilityChoice } from '../rules/facility'
import { parseCustomField, parseReasons } from '../rules/parse-fields'
import { parseClosure, parseHours, parseLength, parseLimit } from '../rules/parse-hours'

/** `--facility` on the command line replaces `facilityId` and `facilityCode`. */
export const facilityFlag: ExtraFlag = {
  flag: '--facility <code|uuid>',
  about: 'The facility, by its code or its ID (required)',
  standsFor: ['facilityCode', 'facilityId'],
}

/** Hides the flags of these two fields. */
export const facilityFieldFlags = { facilityId: false, facilityCode: false } as const

/** The flags of hours that are blocked or unblocked. */
export const blockedTimeFlags = {
  from: { value: 'time' },
  to: { value: 'time' },
  doors: { name: 'door', value: 'name' },
} as const

/** The flags of `seriesFields`. */
export const seriesFlags = {
  ...bookingFlags,
  startTime: { name: 'at', value: 'HH:MM' },
  lastDate: { name: 'until', value: 'YYYY-MM-DD' },
} as const

/** Converts `facility` to the input field for an ID or a code. */
export function toFacilityInput(typed: Record<string, unknown>): Record<string, unknown> {
  const { facility, ...input } = typed
  return typeof facility === 'string' ? { ...input, ...parseFacilityName(facility) } : input
}

/** The same for a request with a place, of which a slot says the type too. */
export function toPlaceInput(typed: Record<string, unknown>): Record<string, unknown> {
  const input = toFacilityInput(typed)
  const { slotId, type } = input
  const isKnown = typeof slotId === 'string' && SLOT_ID.test(slotId)
  return isKnown && type === undefined ? { ...input, type: parseSlotId(slotId).type } : input
}

/** A name in the form of an ID is an ID, because codes must not have that form. */
export function parseFacilityName(name: string): FacilityChoice {
  return isFacilityId(name) ? { facilityId: name.toLowerCase() } : { facilityCode: name }
}

/** The command-line binding that all door commands share. */
export const doorCli = { extraFlags: [facilityFlag], toInput: toFacilityInput }
export const doorFieldFlags = { ...facilityFieldFlags, name: { value: 'name' } } as const

/** The flags for the fields of a facility, for the commands that create and change it. */
export const facilityFieldsAsFlags: NonNullable<CliBinding['flags']> = {
  timeZone: { value: 'name' },
  queues: false,
  breaks: false,
  closures: false,
  blockedTimes: false,
  limits: false,
  lengths: false,
  carriers: false,
  customFields: false,
  reasons: false,
  bufferMinutes: { value: 'minutes' },
  doors: false,
  minMinutes: { value: 'minutes' },
  maxMinutes: { value: 'minutes' },
  defaultMinutes: { value: 'minutes' },
  slotMinutes: { value: 'minutes' },
  leadMinutes: { value: 'minutes' },
  graceMinutes: { value: 'minutes' },
  truckFreeMinutes: { value: 'minutes' },
  trailerFreeHours: { value: 'hours' },
  makeRoom: { value: 'when' },
  capacity: { about: 'Maximum number of concurrent appointments; 0 for the number of doors' },
  reminderHours: {
    value: 'hours',
    about: 'Remind the contacts and webhooks of an appointment this many hours before its start; 0 for never',
  },
}

export const hoursFlags: readonly ExtraFlag[] = [
  {
    flag: '--queue <hours>',
    about: 'Weekly hours for appointments: "mon-fri 06:00-18:00"; can be repeated',
    standsFor: ['queues'],
    repeatable: true,
  },
  {
    flag: '--break <hours>',
    about: 'Weekly hours without appointments: "mon-fri 12:00-12:30"; can be repeated',
    standsFor: ['breaks'],
    repeatable: true,
  },
  {
    flag: '--closure <dates>',
    about: 'A closed date, or first..last, and the reason; can be repeated',
    standsFor: ['closures'],
    repeatable: true,
  },
  {
    flag: '--limit <limit>',
    about:
      '"4 appointments per hour", "60 pallets per day", "2 at once for delivery: Forklifts"; or "none"; can be repeated',
    standsFor: ['limits'],
    repeatable: true,
  },
  {
    flag: '--length <rule>',
    about:
      'Length by load: "floor-loaded: 60 + 3 per pallet", "pickup up to 10 pallets: 45"; or "none"; the first that applies counts; can be repeated',
    standsFor: ['lengths'],
    repeatable: true,
  },
  {
    flag: '--custom-field <field>',
    about:
      'A field of its appointments: "temperature: required number", "seal: text for delivery", "lane: choice of cold, dry", "note: site text"; or "none"; can be repeated',
    standsFor: ['customFields'],
    repeatable: true,
  },
  {
    flag: '--reason <list>',
    about:
      'Reasons for a change: "cancelled: Weather, No driver", "no_show: required: Lost, Late"; or "none"; can be repeated',
    standsFor: ['reasons'],
    repeatable: true,
  },
]

/**
 * Converts only the given flags, so that the other fields come from the file or stay unchanged. A flag cannot be null: `--capacity 0` removes
 * the limit, and `--reminder-hours 0` the reminders.
 */
export function toFacilityFields(typed: Record<string, unknown>): Record<string, unknown> {
  const {
    queue,
    break: breakHours,
    closure,
    limit,
    length,
    door,
    customField,
    reason,
    ...input
  } = typed as Record<string, unknown> & {
    [repeated in 'queue' | 'break' | 'closure' | 'limit' | 'length' | 'door' | 'customField' | 'reason']?: string[]
  }
  for (const field of ['capacity', 'reminderHours']) if (input[field] === '0') input[field] = null
  if (queue) input['queues'] = queue.map((text) => parseHours(text, '--queue'))
  if (breakHours) input['breaks'] = breakHours.map((text) => parseHours(text, '--break'))
  if (closure) input['closures'] = closure.map((text) => parseClosure(text, '--closure'))
  const parseAll = <Parsed>(texts: string[], parse: (text: string) => Parsed) =>
    texts.filter((text) => text !== 'none').map(parse)
  if (limit) input['limits'] = parseAll(limit, (text) => parseLimit(text, '--limit'))
  if (length) input['lengths'] = parseAll(length, (text) => parseLength(text, '--length'))
  if (customField) input['customFields'] = parseAll(customField, (text) => parseCustomField(text, '--custom-field'))
  if (reason) input['reasons'] = parseAll(reason, (text) => parseReasons(text, '--reason'))
  if (door) input['doors'] = door.map((name) => ({ name }))
  return input
}
