import { StudioError } from '../../../kernel'
import { type Weekday, weekdays } from './facility'

export interface ParsedHours {
  days: Weekday[]
  start: string
  end: string
}

/** Parses `mon-fri 06:00-18:00`. The days may also be `sat,sun` or `daily`. An end at or before the start is on the next day. */
export function parseHours(text: string, flag: string): ParsedHours {
  const match = /^(\S+)\s+(\d{1,2}:\d{2})\s*-\s*(\d{1,2}:\d{2})$/.exec(text.trim())
  const days = match && parseDays(match[1]!.toLowerCase())
  if (!match || !days) {
    throw new StudioError('invalid', `${flag} ${JSON.stringify(text)} has an unknown format.`, {
      hint: `Write the days, then the hours: ${flag} "mon-fri 06:00-18:00", ${flag} "sat,sun 22:00-02:00" or ${flag} "daily 00:00-24:00".`,
    })
  }
  return { days, start: match[2]!.padStart(5, '0'), end: match[3]!.padStart(5, '0') }
}

function parseDays(text: string): Weekday[] | null {
  if (text === 'daily') return [...weekdays]
  const parts = text.split(',').map((part) => parseDayRange(part))
  if (parts.some((part) => part === null)) return null
  return weekdays.filter((day) => parts.some((part) => part!.includes(day)))
}

/** Parses `mon`, `mon-fri` or, across the end of the week, `sat-mon`. */
function parseDayRange(text: string): Weekday[] | null {
  const [first, last, ...more] = text.split('-').map((name) => weekdays.indexOf(name as Weekday))
  if (first === undefined || more.length > 0 || first < 0 || (last !== undefined && last < 0)) return null
  const count = last === undefined ? 1 : ((last - first + 7) % 7) + 1
  return Array.from({ length: count }, (_, index) => weekdays[(first + index) % 7]!)
}

/** Parses `2026-12-24` or `2026-12-24..2026-12-26 Christmas`. */
export function parseClosure(text: string, flag: string): { from: string; to: string; reason: string | null } {
  const match = /^(\d{4}-\d{2}-\d{2})(?:\.\.(\d{4}-\d{2}-\d{2}))?(?:\s+(\S.*))?$/s.exec(text.trim())
  if (!match) {
    throw new StudioError('invalid', `${flag} ${JSON.stringify(text)} has an unknown format.`, {
      hint: `Write one date or a range, then the reason: ${flag} "2026-12-24..2026-12-26 Christmas".`,
    })
  }
  return { from: match[1]!, to: match[2] ?? match[1]!, reason: match[3] ?? null }
}

/** Parses `4 appointments per hour`, `60 pallets per day per carrier` or `2 at once for delivery: Forklifts`. */
export function parseLimit(text: string, flag: string): Record<string, unknown> {
  const match =
    /^(\d{1,6})(?: (appointment|pallet)s?)? (per hour|per day|at once)( per carrier)?(?: for (pickup|delivery))?(?:: ?(\S.*))?$/s.exec(
      text.trim(),
    )
  if (!match) {
    throw new StudioError('invalid', `${flag} ${JSON.stringify(text)} has an unknown format.`, {
      hint: `Write how many, of what, and when: ${flag} "4 appointments per hour", ${flag} "60 pallets per day per carrier" or ${flag} "2 at once for delivery: Forklifts".`,
    })
  }
  const [, max, unit, per, eachCarrier, type, name] = match
  return {
    max: Number(max),
    unit: unit === 'pallet' ? 'pallets' : 'appointments',
    per: per === 'per hour' ? 'hour' : per === 'per day' ? 'day' : 'moment',
    eachCarrier: eachCarrier !== undefined,
    types: type === undefined ? null : [type],
    ...(name === undefined ? {} : { name }),
  }
}

/** Parses `floor-loaded: 60 + 3 per pallet`, `delivery reefer up to 10 pallets: 45` or `all: 30 + 0.5 per piece`. */
export function parseLength(text: string, flag: string): Record<string, unknown> {
  const colon = text.indexOf(':')
  const limit = / up to (\d{1,6}) (pallet|piece)s?$/.exec(text.slice(0, Math.max(0, colon)))
  const words = text
    .slice(0, limit?.index ?? Math.max(0, colon))
    .split(' ')
    .filter((word) => word !== '')
  const match = /^(\d{1,4})(?: \+ (\d{1,4}(?:\.\d{1,3})?) per (pallet|piece))?$/.exec(text.slice(colon + 1).trim())
  if (!match || words.length === 0 || words.includes('up')) {
    throw new StudioError('invalid', `${flag} ${JSON.stringify(text)} has an unknown format.`, {
      hint: `Write the loads, then the minutes: ${flag} "floor-loaded: 60 + 3 per pallet", ${flag} "pickup up to 10 pallets: 45" or ${flag} "all: 30 + 0.5 per piece".`,
    })
  }
  const [, minutes, each, per] = match
  const types: string[] = words.filter((word) => word === 'pickup' || word === 'delivery')
  return {
    types: types.length === 0 ? null : types,
    requirements: words.filter((word) => word !== 'all' && !types.includes(word)),
    ...(limit ? { [limit[2] === 'pallet' ? 'maxPallets' : 'maxPieces']: Number(limit[1]) } : {}),
    minutes: Number(minutes),
    ...(each === undefined ? {} : { [per === 'pallet' ? 'minutesPerPallet' : 'minutesPerPiece']: Number(each) }),
  }
}
