import { inputError } from '../../../kernel'
import { formatDate, formatInstant } from '../../../kernel/time'
import { parseTime } from '../../booking/rules/requested-slot'
import { getLocalDay } from '../../rules/zoned-time'
import type { BlockedTime } from './facility'

/** Blocks hours of some doors. Hours that touch those of the same doors with the same reason are joined with them. */
export function addBlockedTime(blocked: readonly BlockedTime[], added: BlockedTime): BlockedTime[] {
  const joins = (other: BlockedTime) =>
    other.from <= added.to &&
    added.from <= other.to &&
    other.reason === added.reason &&
    JSON.stringify(other.doors) === JSON.stringify(added.doors)
  const joined = [added, ...blocked.filter(joins)]
  const from = joined.map((one) => one.from).sort()[0]!
  const to = joined
    .map((one) => one.to)
    .sort()
    .at(-1)!
  return sortByStart([...blocked.filter((other) => !joins(other)), { ...added, from, to }])
}

/** Unblocks hours at some of the doors of a facility; `doors` is null for all of them. */
export function removeBlockedTime(
  blocked: readonly BlockedTime[],
  { from, to, doors }: Pick<BlockedTime, 'from' | 'to' | 'doors'>,
  allDoors: readonly string[],
): BlockedTime[] {
  const left = blocked.flatMap((entry) => {
    const [first, last] = [max(entry.from, from), min(entry.to, to)]
    const others = doors === null ? [] : (entry.doors ?? allDoors).filter((name) => !doors.includes(name))
    if (first >= last || others.length === (entry.doors ?? allDoors).length) return [entry]
    return [
      { ...entry, to: first },
      { ...entry, from: first, to: last, doors: others },
      { ...entry, from: last },
    ].filter((part) => part.from < part.to && part.doors?.length !== 0)
  })
  return sortByStart(left)
}

/** Forgets a removed door. Hours that were blocked at that door alone are removed. */
export function removeDoorFrom(blocked: readonly BlockedTime[], door: string): BlockedTime[] {
  return blocked
    .map((entry) => ({ ...entry, doors: entry.doors?.filter((name) => name !== door) ?? null }))
    .filter(({ doors }) => doors?.length !== 0)
}

/** The instants of times of the form `START_TIME`: one without a date is today, and an end without one is on the date of the start. */
export function resolveBlockedSpan(
  timeZone: string,
  typed: { from?: string | undefined; to?: string | undefined },
  now: number,
): Pick<BlockedTime, 'from' | 'to'> {
  const getDate = (instant: number) => formatDate(getLocalDay(timeZone, instant))
  const from = typed.from === undefined ? now : parseTime(timeZone, typed.from, { date: getDate(now), path: 'from' })
  const to = typed.to === undefined ? END_OF_TIME : parseTime(timeZone, typed.to, { date: getDate(from), path: 'to' })
  if (to <= from) throw inputError([{ path: 'to', message: `must be after ${formatInstant(from)}` }])
  return { from: formatInstant(from), to: formatInstant(to) }
}

const END_OF_TIME = Date.parse('9999-12-31T23:59:59.999Z')

/** Instants in ISO 8601 UTC with milliseconds are ordered as texts. */
const max = (a: string, b: string) => (a > b ? a : b)
const min = (a: string, b: string) => (a < b ? a : b)

function sortByStart(blocked: BlockedTime[]): BlockedTime[] {
  return blocked.sort((a, b) => (a.from < b.from ? -1 : Number(a.from > b.from)))
}
