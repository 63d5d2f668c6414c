import { asStudioError, type Context, type ErrorCode, familyOf, inputError, StudioError } from '../kernel'
import type { StorageContext, WriteTx } from '../storage'
import { type ImportedBooking, readImportedBooking, targetDateOf } from './imported-booking'
import { OccupancyInMemory } from './occupancy-in-memory'
import { placeBooking, planBooking, type Site } from './place-booking'
import { doorsOf, hasScheduledReference, type NewAppointment } from './queries'
import { dateOfDay } from './rules/calendar-date'
import type { ImportRow } from './rules/import-rows'
import { dayAt } from './rules/local-time'
import { type FacilityChoice, requireHeldFacility } from './tenant-scope'

/** What became of a row: booked when and where it asked for, moved to what was free, or refused. */
export type RowOutcome =
  | { line: number; outcome: 'booked' | 'moved'; appointment: NewAppointment }
  | { line: number; outcome: 'refused'; referenceNumber: string | null; code: ErrorCode; message: string }

interface Read {
  line: number
  booking: ImportedBooking & { choice: FacilityChoice }
}

/** Books the rows in one transaction, in their order. A row that is refused changes nothing, and those after it go on. */
export async function importRows(
  ctx: Context & StorageContext,
  tx: WriteTx,
  rows: readonly ImportRow[],
  elsewhere: FacilityChoice,
): Promise<RowOutcome[]> {
  const read = rows.map((row) => readRow(row, elsewhere))
  const sites = await holdSites(ctx, tx, read)
  const outcomes: RowOutcome[] = []
  for (const row of read) {
    ctx.signal.throwIfAborted()
    outcomes.push('outcome' in row ? row : await importRow(ctx, tx, row, sites.get(keyOf(row.booking.choice))!))
  }
  return outcomes
}

function readRow(row: ImportRow, elsewhere: FacilityChoice): Read | RowOutcome {
  try {
    if ('unreadable' in row) throw inputError([{ path: '', message: `The row ${row.unreadable}` }])
    return { line: row.line, booking: readImportedBooking(row.fields, elsewhere) }
  } catch (error) {
    const reference = 'fields' in row ? row.fields['referenceNumber'] : null
    return refused(row.line, typeof reference === 'string' ? reference : null, error)
  }
}

type HeldSite = Site & { occupancy: OccupancyInMemory }

/**
 * Always in the same order: two imports must not wait for each other. A facility is one site, whether rows call it by its ID or
 * by its code: two would not see what the other has taken.
 */
async function holdSites(
  ctx: Context,
  tx: WriteTx,
  rows: readonly (Read | RowOutcome)[],
): Promise<Map<string, HeldSite | StudioError>> {
  const choices = new Map(
    rows.flatMap((row) => ('booking' in row ? [[keyOf(row.booking.choice), row.booking.choice] as const] : [])),
  )
  const sites = new Map<string, HeldSite | StudioError>()
  const byFacility = new Map<string, HeldSite>()
  for (const key of [...choices.keys()].sort()) {
    const found = await holdSite(ctx, tx, choices.get(key)!)
    const site = found instanceof StudioError ? found : (byFacility.get(found.facility.id) ?? found)
    if (!(site instanceof StudioError)) byFacility.set(site.facility.id, site)
    sites.set(key, site)
  }
  return sites
}

async function holdSite(ctx: Context, tx: WriteTx, choice: FacilityChoice): Promise<HeldSite | StudioError> {
  try {
    const { tenantId, ...facility } = await requireHeldFacility(ctx, tx, choice)
    const occupancy = new OccupancyInMemory(tx, facility.id)
    const doors = await doorsOf(tx, facility.id)
    return {
      tenantId,
      facility,
      doors,
      occupancy,
      hasScheduled: (referenceNumber) => hasScheduledReference(tx, facility.id, referenceNumber),
      busy: (span) => occupancy.within(span),
    }
  } catch (error) {
    if (error instanceof StudioError && error.code === 'not_found') return error
    throw error
  }
}

async function importRow(
  ctx: Context,
  tx: WriteTx,
  { line, booking }: Read,
  site: HeldSite | StudioError,
): Promise<RowOutcome> {
  try {
    if (site instanceof StudioError) throw site
    const { facility } = site
    const targetDate = targetDateOf(booking, facility)
    const startAt = booking.startTime == null ? undefined : Date.parse(booking.startTime)
    const among = doorsFor(booking, site)
    const now = ctx.clock.now()
    const wanted = { ...booking, targetDate }
    const plan = planBooking(facility, wanted, { now, notBefore: startAt })
    const appointment = await placeBooking(tx, site, { wanted, plan, now, id: ctx.ids.uuid(), among })
    await site.occupancy.add({ doorId: appointment.doorId, from: appointment.startAt, to: appointment.endAt })
    const asAsked =
      startAt === undefined
        ? dateOfDay(dayAt(facility.timeZone, appointment.startAt)) === targetDate
        : appointment.startAt === startAt
    return { line, outcome: asAsked ? 'booked' : 'moved', appointment }
  } catch (error) {
    return refused(line, booking.referenceNumber, error)
  }
}

function doorsFor({ doorName }: ImportedBooking, { doors, facility }: Site): Site['doors'] {
  if (doorName == null) return doors
  const named = doors.filter(({ name }) => name === doorName)
  if (named.length > 0) return named
  throw inputError([{ path: 'doorName', message: `there is no door ${doorName} at ${facility.code}` }])
}

/** Only what the domain refuses: a fault of the database ends the whole import. */
function refused(line: number, referenceNumber: string | null, error: unknown): RowOutcome {
  const known = asStudioError(error)
  if (!['invalid', 'not_found', 'conflict'].includes(familyOf(known.code))) throw error
  return { line, outcome: 'refused', referenceNumber, code: known.code, message: known.message }
}

const keyOf = ({ facilityId, facilityCode }: FacilityChoice) => `${facilityId ?? ''} ${facilityCode ?? ''}`
