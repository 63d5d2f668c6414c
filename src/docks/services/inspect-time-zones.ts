import { type Database, type Finding, ok, problem, warning } from '../../storage'
import { listTimeZones } from '../queries'
import { toCanonicalTimeZone } from '../rules/zoned-time'

export interface TimeZoneData {
  /** `2025b`; null where Node does not say. */
  version: string | null
  /** All languages and calendars are there, not English alone. */
  isFull: boolean
}

/** What this Node brings along. */
export function readTimeZoneData(): TimeZoneData {
  const january = new Intl.DateTimeFormat('de', { month: 'long', timeZone: 'UTC' }).format(0)
  return { version: process.versions['tz'] ?? null, isFull: january === 'Januar' }
}

const UPDATE = 'Install a newer Node.js: it brings newer time zone data.'

/** What `studio doctor` says of time zone data, and of the zones that facilities use; `db` is null where it is not to be looked into. */
export async function inspectTimeZones(data: TimeZoneData, db: Database | null, now: number): Promise<Finding[]> {
  const about = 'time zones'
  const findings: Finding[] = []
  const year = Number(data.version?.slice(0, 4))
  const message = `Data ${data.version ?? 'of unknown age'}, ${data.isFull ? 'all' : 'few'} languages (ICU ${process.versions['icu'] ?? 'missing'}).`
  const isOld = Number.isInteger(year) && year < new Date(now).getUTCFullYear() - 1
  if (!data.isFull) findings.push(warning(about, message, 'Use a Node.js that is built with all of ICU.'))
  else if (isOld) findings.push(warning(about, `${message} Rules that have changed since are not in it.`, UPDATE))
  else findings.push(ok(about, message))
  if (db === null) return findings
  const zones = await db.read(listTimeZones)
  const unknown = zones.filter(({ timeZone }) => toCanonicalTimeZone(timeZone) === null)
  findings.push(
    ...unknown.map(({ timeZone, codes }) =>
      problem(about, `Nothing is known of ${timeZone}, the zone of ${codes.join(', ')}.`, UPDATE),
    ),
  )
  if (unknown.length === 0 && zones.length > 0)
    findings.push(ok(about, `Known: ${zones.map(({ timeZone }) => timeZone).join(', ')}, which facilities use.`))
  return findings
}
