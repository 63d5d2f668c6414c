import { type Database, type Finding, ok, problem, warning } from '../../../storage'
import { listTimeZones } from '../../queries'
import { toCanonicalTimeZone } from '../../rules/zoned-time'

export interface TimeZoneData {
  /** `2025b`; null if Node does not report it. */
  version: string | null
  /** Whether it includes all languages and calendars, not only English. */
  isFull: boolean
}

/** The data that this Node includes. */
export function readTimeZoneData(): TimeZoneData {
  const january = new Intl.DateTimeFormat('de', { month: 'long', timeZone: 'UTC' }).format(0)
  return { version: process.versions['tz'] ?? null, isFull: january === 'Januar' }
}

const UPDATE = 'Install a newer Node.js, which includes newer time zone data.'

/** Checks the time zone data and, unless `db` is null, the zones that facilities use. */
export async function inspectTimeZones(data: TimeZoneData, db: Database | null, now: number): Promise<Finding[]> {
  const about = 'time zones'
  const findings: Finding[] = []
  const year = Number(data.version?.slice(0, 4))
  const message = `Time zone data ${data.version ?? 'of an unknown version'} with ${data.isFull ? 'all' : 'few'} languages (ICU ${process.versions['icu'] ?? 'missing'}).`
  const isOld = Number.isInteger(year) && year < new Date(now).getUTCFullYear() - 1
  if (!data.isFull) findings.push(warning(about, message, 'Install a build of Node.js with full ICU.'))
  else if (isOld) findings.push(warning(about, `${message} It lacks changes since then.`, UPDATE))
  else findings.push(ok(about, message))
  if (db === null) return findings
  const zones = await db.read(listTimeZones)
  const unknown = zones.filter(({ timeZone }) => toCanonicalTimeZone(timeZone) === null)
  findings.push(
    ...unknown.map(({ timeZone, codes }) =>
      problem(about, `The time zone data lacks ${timeZone}, the zone of ${codes.join(', ')}.`, UPDATE),
    ),
  )
  if (unknown.length === 0 && zones.length > 0)
    findings.push(ok(about, `Facilities use ${zones.map(({ timeZone }) => timeZone).join(', ')}.`))
  return findings
}
