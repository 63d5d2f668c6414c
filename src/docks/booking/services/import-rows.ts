import { createHash } from 'node:crypto'
import * as z from 'zod'
import {
  asStudioError,
  type Context,
  detailsOf,
  type ErrorCode,
  familyOf,
  inputError,
  mapErrorFields,
  StudioError,
  wordsFor,
} from '../../../kernel'
import { type DayNumber, formatDate, formatInstant, MINUTE_MS } from '../../../kernel/time'
import type { StorageContext, WriteTx } from '../../../storage'
import { toBookedSpan } from '../../facilities/rules/conflicts'
import { resolveCustomValues } from '../../facilities/rules/custom-fields'
import type { Facility, FacilityChoice } from '../../facilities/rules/facility'
import { parseFacilityName } from '../../facilities/services/facility-options'
import {
  findDoors,
  findImportedAppointments,
  findScheduledReference,
  hasScheduledReference,
  type NewAppointment,
  saveImportedRows,
} from '../../queries'
import type { ImportRow } from '../../rules/import-file'
import { getLocalDay } from '../../rules/zoned-time'
import { isFacilityGiven, Name } from '../../schemas'
import { identifyCaller, lockFacility } from '../../services/tenant-access'
import { explainFullDay } from '../rules/booking-rules'
import { listHashedValues, toStoredLoad } from '../rules/load'
import { EQUIPMENT_ID_MISMATCH, hasOneEquipmentId } from '../rules/load-schemas'
import { resolveReferences, storeReferences } from '../rules/references'
import { parseTime, START_TIME } from '../rules/requested-slot'
import { AppointmentId, AppointmentStatus, bookingFields } from '../schemas'
import { type BookingSite, bookSlot } from './booking'
import { planBooking } from './booking-plan'
import { OccupancyCache } from './occupancy-cache'

/**
 * The outcome of a row: booked as requested, moved to another free slot, booked by an earlier import or never removed since it was
 * exported, exported when it was not scheduled, or refused.
 */
export type RowOutcome =
  | { line: number; outcome: 'booked' | 'moved' | 'imported_before'; appointment: NewAppointment; timeZone: string }
  | { line: number; outcome: 'not_scheduled'; referenceNumber: string }
  | {
      line: number
      outcome: 'refused'
      referenceNumber: string | null
      code: ErrorCode
      message: string
      /** Explains a documented message that is not specific enough. */
      reason: string | null
    }

export interface ImportRun {
  id: string
  /** The facility of rows without a facility. */
  defaultFacility: FacilityChoice
  /** Whether to book rows again whose appointment was completed or cancelled after an earlier import booked it. */
  again: boolean
}

interface ParsedRow {
  line: number
  /** Titles of the fields in a CSV file, by which errors name them. */
  columns: ReadonlyMap<string, string> | undefined
  booking: ImportedBooking & { choice: FacilityChoice }
}

/**
 * Books the rows in one transaction, in their order. A refused row changes nothing and does not stop the others. Rows that an earlier
 * import booked are recognized by their content, so that importing the same file again, or a corrected one, books only the missing rows.
 */
export async function importRows(
  ctx: Context & StorageContext,
  tx: WriteTx,
  rows: readonly ImportRow[],
  run: ImportRun,
): Promise<RowOutcome[]> {
  const read = rows.map((row) => parseRow(row, run.defaultFacility))
  const sites = await lockSites(ctx, tx, read)
  const parsed = read.map((row) =>
    'outcome' in row ? row : resolveTimes(row, sites.get(getChoiceKey(row.booking.choice))!),
  )
  await findEarlierImports(tx, sites, { rows: parsed, run })
  const outcomes: RowOutcome[] = []
  for (const row of parsed) {
    ctx.signal.throwIfAborted()
    outcomes.push('outcome' in row ? row : await importRow(ctx, tx, row, sites.get(getChoiceKey(row.booking.choice))!))
  }
  const locked = [...new Set(sites.values())].filter((site): site is LockedSite => !(site instanceof StudioError))
  const booked = locked.flatMap((site) => site.booked.map((row) => ({ ...row, importId: run.id })))
  await saveImportedRows(tx, booked, ctx.clock.now())
  return outcomes
}

function parseRow(row: ImportRow, defaultFacility: FacilityChoice): ParsedRow | RowOutcome {
  try {
    if ('rowError' in row) throw inputError([{ path: '', message: `The row ${row.rowError}` }])
    return { line: row.line, columns: row.columns, booking: parseImportedBooking(row.fields, defaultFacility) }
  } catch (error) {
    const reference = 'fields' in row ? row.fields['referenceNumber'] : null
    const columns = 'fields' in row ? row.columns : undefined
    return toRefusal({ line: row.line, columns }, typeof reference === 'string' ? reference : null, error)
  }
}

/** The row with its times as instants, so that it is the same row however they are written. */
function resolveTimes(row: ParsedRow, site: LockedSite | StudioError): ParsedRow | RowOutcome {
  const { startTime, endTime, targetDate, referenceNumber } = row.booking
  if (site instanceof StudioError || startTime == null) return row
  const { timeZone } = site.facility
  try {
    const startAt = parseTime(timeZone, startTime, { date: targetDate ?? null, path: 'startTime' })
    const endAt = endTime == null ? null : parseEndTime(timeZone, endTime, startAt)
    const times = { startTime: formatInstant(startAt), endTime: endAt === null ? null : formatInstant(endAt) }
    return { ...row, booking: { ...row.booking, ...times } }
  } catch (error) {
    return toRefusal(row, referenceNumber, error)
  }
}

/** A time of day is the first one after the start. */
function parseEndTime(timeZone: string, endTime: string, startAt: number): number {
  const day = getLocalDay(timeZone, startAt)
  const parseOn = (date: DayNumber) => parseTime(timeZone, endTime, { date: formatDate(date), path: 'endTime' })
  const endAt = parseOn(day)
  return endAt > startAt ? endAt : parseOn(day + 1)
}

type LockedSite = BookingSite & {
  occupancy: OccupancyCache
  /** Appointments of rows that must not be booked again, by the hash of the row. */
  earlier: Map<string, NewAppointment>
  /** The rows that this import booked. */
  booked: { facilityId: string; rowHash: string; appointmentId: string }[]
}

/**
 * Locks the facilities in a fixed order, so that two imports cannot deadlock. Rows that name a facility by ID and rows that name it by
 * code share one site, so that each sees what the others have booked.
 */
async function lockSites(
  ctx: Context,
  tx: WriteTx,
  rows: readonly (ParsedRow | RowOutcome)[],
): Promise<Map<string, LockedSite | StudioError>> {
  const choices = new Map(
    rows.flatMap((row) => ('booking' in row ? [[getChoiceKey(row.booking.choice), row.booking.choice] as const] : [])),
  )
  const sites = new Map<string, LockedSite | StudioError>()
  const byFacility = new Map<string, LockedSite>()
  for (const key of [...choices.keys()].sort()) {
    const found = await lockSite(ctx, tx, choices.get(key)!)
    const site = found instanceof StudioError ? found : (byFacility.get(found.facility.id) ?? found)
    if (!(site instanceof StudioError)) byFacility.set(site.facility.id, site)
    sites.set(key, site)
  }
  return sites
}

async function lockSite(ctx: Context, tx: WriteTx, choice: FacilityChoice): Promise<LockedSite | StudioError> {
  try {
    const { tenantId, ...facility } = await lockFacility(ctx, tx, choice)
    const occupancy = new OccupancyCache(tx, facility, ctx.clock.now())
    const doors = await findDoors(tx, facility.id)
    return {
      tenantId,
      facility,
      doors,
      occupancy,
      earlier: new Map(),
      booked: [],
      hasScheduled: (numbers) => hasScheduledReference(tx, facility.id, numbers),
      busy: (span) => occupancy.list(span),
    }
  } catch (error) {
    if (error instanceof StudioError && error.code === 'not_found') return error
    throw error
  }
}

async function importRow(
  ctx: Context,
  tx: WriteTx,
  { line, columns, booking }: ParsedRow,
  site: LockedSite | StudioError,
): Promise<RowOutcome> {
  try {
    if (site instanceof StudioError) throw site
    const { facility } = site
    if (booking.status != null && booking.status !== 'scheduled')
      return { line, outcome: 'not_scheduled', referenceNumber: booking.referenceNumber }
    const rowHash = hashRow(booking)
    const earlier = site.earlier.get(rowHash)
    if (earlier) return { line, outcome: 'imported_before', appointment: earlier, timeZone: facility.timeZone }
    const exported = booking.id && (await findScheduledReference(tx, facility.id, booking.referenceNumber))
    if (exported && exported.id === booking.id) {
      return { line, outcome: 'imported_before', appointment: exported, timeZone: facility.timeZone }
    }
    const values = resolveCustomValues(facility, booking, null)
    const targetDate = resolveTargetDate(booking, facility)
    const startAt = booking.startTime == null ? undefined : Date.parse(booking.startTime)
    const allowedDoors = findNamedDoors(booking, site)
    const now = ctx.clock.now()
    // The start is a preference here: the next free one is accepted too.
    const requested = { ...booking, targetDate, startTime: null, durationMinutes: resolveLength(booking) }
    const plan = planBooking(facility, requested, { now, notBefore: startAt })
    const appointment = await bookSlot(tx, site, {
      booking: { ...booking, ...values },
      plan,
      now,
      id: ctx.ids.uuid(),
      caller: identifyCaller(ctx),
      source: 'import',
      allowedDoors,
    })
    site.booked.push({ facilityId: facility.id, rowHash, appointmentId: appointment.id })
    await site.occupancy.add(toBookedSpan(appointment))
    const isAsRequested =
      startAt === undefined
        ? formatDate(getLocalDay(facility.timeZone, appointment.startAt)) === targetDate
        : appointment.startAt === startAt
    return { line, outcome: isAsRequested ? 'booked' : 'moved', appointment, timeZone: facility.timeZone }
  } catch (error) {
    return toRefusal({ line, columns }, booking.referenceNumber, error)
  }
}

async function findEarlierImports(
  tx: WriteTx,
  sites: Map<string, LockedSite | StudioError>,
  { rows, run }: { rows: readonly (ParsedRow | RowOutcome)[]; run: ImportRun },
): Promise<void> {
  const hashes = new Map<LockedSite, Set<string>>()
  for (const row of rows) {
    const site = 'booking' in row ? sites.get(getChoiceKey(row.booking.choice)) : undefined
    if (!('booking' in row) || !site || site instanceof StudioError) continue
    hashes.set(site, (hashes.get(site) ?? new Set()).add(hashRow(row.booking)))
  }
  for (const [site, siteHashes] of hashes) {
    const found = await findImportedAppointments(tx, { facilityId: site.facility.id, importId: run.id }, [
      ...siteHashes,
    ])
    for (const [rowHash, appointment] of found) {
      if (appointment.status === 'scheduled' || !run.again) site.earlier.set(rowHash, appointment)
    }
  }
}

/** The hash of the fields of a row without its facility. It is the same in every file format and column order. */
function hashRow(booking: ImportedBooking): string {
  const { startTime } = booking
  const [pallets, ...load] = listHashedValues(toStoredLoad(booking))
  const content = [
    booking.type,
    booking.carrierName,
    booking.referenceNumber,
    booking.targetDate ?? null,
    startTime == null ? null : Date.parse(startTime),
    booking.doorName ?? null,
    pallets,
    resolveLength(booking),
    ...load,
  ]
  const references = storeReferences(booking.references)
  if (references !== null) content.push(references)
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url')
}

function findNamedDoors({ doorName }: ImportedBooking, { doors, facility }: BookingSite): BookingSite['doors'] {
  if (doorName == null) return doors
  const named = doors.filter(({ name }) => name === doorName)
  if (named.length > 0) return named
  throw inputError([{ path: 'doorName', message: `there is no door ${doorName} at ${facility.code}` }])
}

/** Converts an error about the row to an outcome. All other errors, such as those of the database, end the whole import. */
function toRefusal(
  { line, columns }: Pick<ParsedRow, 'line' | 'columns'>,
  referenceNumber: string | null,
  error: unknown,
): RowOutcome {
  const known = mapErrorFields(asStudioError(error), { nameOf: (path) => columns?.get(path) ?? path, hint: '' })
  if (!['invalid', 'not_found', 'conflict'].includes(familyOf(known.code))) throw error
  return {
    line,
    outcome: 'refused',
    referenceNumber,
    code: known.code,
    message: known.message,
    reason: explainFullDay(known),
  }
}

/** The length in minutes that a row gives, by itself or by its start and its end. */
function resolveLength({ durationMinutes, startTime, endTime }: ImportedBooking): number | null {
  if (durationMinutes != null) return durationMinutes
  if (startTime == null || endTime == null) return null
  const minutes = (Date.parse(endTime) - Date.parse(startTime)) / MINUTE_MS
  if (Number.isInteger(minutes)) return minutes
  throw inputError([{ path: 'endTime', message: 'must be whole minutes after startTime' }])
}

const getChoiceKey = ({ facilityId, facilityCode }: FacilityChoice) => `${facilityId ?? ''} ${facilityCode ?? ''}`

/** A time at the facility or an instant. Spreadsheets leave out the zero of an hour and add seconds. */
const ImportedTime = z
  .string()
  .transform((text) =>
    text
      .trim()
      .replace(/^(\d{4}-\d\d-\d\d[T ])?(\d:)/, (_, date: string | undefined, hour: string) => `${date ?? ''}0${hour}`)
      .replace(/(:\d\d):00$/, '$1'),
  )
  .pipe(z.string().regex(START_TIME, 'must be a time such as 06:00, 2027-03-01T06:00 or 2027-03-01T06:00:00-06:00'))

/** A booking of another system, which may specify the start and the door. */
const ImportedBooking = z
  .strictObject({
    ...bookingFields,
    facility: Name.nullish(),
    startTime: ImportedTime.nullish(),
    endTime: ImportedTime.nullish(),
    doorName: Name.nullish(),
    id: AppointmentId.nullish(),
    status: AppointmentStatus.nullish(),
  })
  .refine(({ targetDate, startTime }) => targetDate != null || startTime != null, {
    path: ['targetDate'],
    message: 'is required unless startTime is given',
    when: () => true,
  })
  .refine(hasOneEquipmentId, EQUIPMENT_ID_MISMATCH)
type ImportedBooking = z.output<typeof ImportedBooking>

/** Throws `invalid` with all invalid fields. */
function parseImportedBooking(
  fields: Record<string, unknown>,
  defaultFacility: FacilityChoice,
): ImportedBooking & { choice: FacilityChoice } {
  const parsed = ImportedBooking.safeParse(fields, { error: wordsFor, reportInput: true })
  if (!parsed.success) throw inputError(detailsOf(parsed.error))
  const { facility, facilityId, facilityCode } = parsed.data
  // Another installation knows the facility of an exported row by its code only.
  const isExported = parsed.data.id != null && facilityCode != null
  const resolved = resolveReferences(parsed.data)
  const named = facility ? parseFacilityName(facility) : { facilityId: isExported ? null : facilityId, facilityCode }
  const choice = isFacilityGiven(named) ? named : defaultFacility
  if (!isFacilityGiven(choice))
    throw inputError([{ path: 'facilityCode', message: 'is required unless --facility is given' }])
  return { ...resolved, choice }
}

/** The target date of the row, or the date of its start at the facility. They must agree. */
function resolveTargetDate({ targetDate, startTime }: ImportedBooking, { timeZone }: Facility): string {
  const startDate = startTime == null ? null : formatDate(getLocalDay(timeZone, Date.parse(startTime)))
  if (startDate !== null && targetDate != null && startDate !== targetDate) {
    throw inputError([{ path: 'startTime', message: `is on ${startDate} at the facility, not on ${targetDate}` }])
  }
  return targetDate ?? startDate!
}
