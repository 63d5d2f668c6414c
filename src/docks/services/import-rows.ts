import { createHash } from 'node:crypto'
import * as z from 'zod'
import {
  asStudioError,
  type Context,
  detailsOf,
  type ErrorCode,
  familyOf,
  inputError,
  StudioError,
  wordsFor,
} from '../../kernel'
import { DAY_MS } from '../../kernel/time'
import type { ReadTx, StorageContext, WriteTx } from '../../storage'
import { MAX_APPOINTMENT_MS } from '../migrations'
import {
  findDoors,
  findImportedAppointments,
  hasScheduledReference,
  listBusySpansStarting,
  type NewAppointment,
  saveImportedRows,
} from '../queries'
import { explainFullDay } from '../rules/booking-rules'
import { formatDate } from '../rules/calendar-date'
import { type Facility, type FacilityChoice, isFacilityGiven } from '../rules/facility'
import type { BusySpan } from '../rules/occupancy'
import type { ImportRow } from '../rules/parse-import-file'
import { isOverlapping, type Span } from '../rules/spans'
import { dayAt } from '../rules/zoned-time'
import { Booking, CalendarDate, EQUIPMENT_ID_MISMATCH, hasOneEquipmentId, Name } from '../schemas'
import { type BookingSite, bookEarliestSlot, planBooking } from './booking'
import { parseFacilityName } from './facility-options'
import { lockFacility } from './tenant-access'

/** What became of a row: booked when and where it asked for, moved to what was free, booked by an earlier import, or refused. */
export type RowOutcome =
  | { line: number; outcome: 'booked' | 'moved' | 'imported_before'; appointment: NewAppointment }
  | {
      line: number
      outcome: 'refused'
      referenceNumber: string | null
      code: ErrorCode
      message: string
      /** Says more than the message, where the documents fix that one. */
      reason: string | null
    }

/** One run of the import. */
export interface ImportRun {
  id: string
  /** The facility of the rows that name none. */
  defaultFacility: FacilityChoice
  /** Whether rows are booked again whose appointment was completed or cancelled since an earlier import booked it. */
  again: boolean
}

interface ParsedRow {
  line: number
  booking: ImportedBooking & { choice: FacilityChoice }
}

/**
 * Books the rows in one transaction, in their order. A row that is refused changes nothing, and those after it go on. What an earlier
 * import has booked is remembered by its content, so that the same file, or a corrected one, books only what is missing.
 */
export async function importRows(
  ctx: Context & StorageContext,
  tx: WriteTx,
  rows: readonly ImportRow[],
  run: ImportRun,
): Promise<RowOutcome[]> {
  const read = rows.map((row) => readRow(row, run.defaultFacility))
  const sites = await lockSites(ctx, tx, read)
  await findEarlierImports(tx, sites, { rows: read, run })
  const outcomes: RowOutcome[] = []
  for (const row of read) {
    ctx.signal.throwIfAborted()
    outcomes.push('outcome' in row ? row : await importRow(ctx, tx, row, sites.get(keyOf(row.booking.choice))!))
  }
  const held = [...new Set(sites.values())].filter((site): site is LockedSite => !(site instanceof StudioError))
  const booked = held.flatMap((site) => site.booked.map((row) => ({ ...row, importId: run.id })))
  await saveImportedRows(tx, booked, ctx.clock.now())
  return outcomes
}

function readRow(row: ImportRow, elsewhere: FacilityChoice): ParsedRow | RowOutcome {
  try {
    if ('unreadable' in row) throw inputError([{ path: '', message: `The row ${row.unreadable}` }])
    return { line: row.line, booking: parseImportedBooking(row.fields, elsewhere) }
  } catch (error) {
    const reference = 'fields' in row ? row.fields['referenceNumber'] : null
    return toRefusal(row.line, typeof reference === 'string' ? reference : null, error)
  }
}

type LockedSite = BookingSite & {
  occupancy: OccupancyCache
  /** What is not to be booked again, by the hash of the row. */
  earlier: Map<string, NewAppointment>
  /** What this run has booked. */
  booked: { facilityId: string; rowHash: string; appointmentId: string }[]
}

/**
 * Always in the same order: two imports must not wait for each other. A facility is one site, whether rows call it by its ID or
 * by its code: two would not see what the other has taken.
 */
async function lockSites(
  ctx: Context,
  tx: WriteTx,
  rows: readonly (ParsedRow | RowOutcome)[],
): Promise<Map<string, LockedSite | StudioError>> {
  const choices = new Map(
    rows.flatMap((row) => ('booking' in row ? [[keyOf(row.booking.choice), row.booking.choice] as const] : [])),
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
    const occupancy = new OccupancyCache(tx, facility.id)
    const doors = await findDoors(tx, facility.id)
    return {
      tenantId,
      facility,
      doors,
      occupancy,
      earlier: new Map(),
      booked: [],
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
  { line, booking }: ParsedRow,
  site: LockedSite | StudioError,
): Promise<RowOutcome> {
  try {
    if (site instanceof StudioError) throw site
    const { facility } = site
    const rowHash = hashRow(booking)
    const earlier = site.earlier.get(rowHash)
    if (earlier) return { line, outcome: 'imported_before', appointment: earlier }
    const targetDate = resolveTargetDate(booking, facility)
    const startAt = booking.startTime == null ? undefined : Date.parse(booking.startTime)
    const among = findNamedDoors(booking, site)
    const now = ctx.clock.now()
    const wanted = { ...booking, targetDate }
    const plan = planBooking(facility, wanted, { now, notBefore: startAt })
    const appointment = await bookEarliestSlot(tx, site, { wanted, plan, now, id: ctx.ids.uuid(), among })
    site.booked.push({ facilityId: facility.id, rowHash, appointmentId: appointment.id })
    await site.occupancy.add({ doorId: appointment.doorId, from: appointment.startAt, to: appointment.endAt })
    const asAsked =
      startAt === undefined
        ? formatDate(dayAt(facility.timeZone, appointment.startAt)) === targetDate
        : appointment.startAt === startAt
    return { line, outcome: asAsked ? 'booked' : 'moved', appointment }
  } catch (error) {
    return toRefusal(line, booking.referenceNumber, error)
  }
}

async function findEarlierImports(
  tx: WriteTx,
  sites: Map<string, LockedSite | StudioError>,
  { rows, run }: { rows: readonly (ParsedRow | RowOutcome)[]; run: ImportRun },
): Promise<void> {
  const hashes = new Map<LockedSite, Set<string>>()
  for (const row of rows) {
    const site = 'booking' in row ? sites.get(keyOf(row.booking.choice)) : undefined
    if (!('booking' in row) || !site || site instanceof StudioError) continue
    hashes.set(site, (hashes.get(site) ?? new Set()).add(hashRow(row.booking)))
  }
  for (const [site, ofSite] of hashes) {
    const found = await findImportedAppointments(tx, { facilityId: site.facility.id, importId: run.id }, [...ofSite])
    for (const [rowHash, appointment] of found) {
      if (appointment.status === 'scheduled' || !run.again) site.earlier.set(rowHash, appointment)
    }
  }
}

/** Of what the row asks for, the facility apart: the same in every form of file, and in every order of the columns. */
function hashRow(booking: ImportedBooking): string {
  const { startTime, equipmentId, trailerId } = booking
  const content = [
    booking.type,
    booking.carrierName,
    booking.referenceNumber,
    booking.targetDate ?? null,
    startTime == null ? null : Date.parse(startTime),
    booking.doorName ?? null,
    booking.palletCount ?? null,
    booking.durationMinutes ?? null,
    booking.weight ?? null,
    booking.loadDescription ?? null,
    equipmentId ?? trailerId ?? null,
  ]
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url')
}

function findNamedDoors({ doorName }: ImportedBooking, { doors, facility }: BookingSite): BookingSite['doors'] {
  if (doorName == null) return doors
  const named = doors.filter(({ name }) => name === doorName)
  if (named.length > 0) return named
  throw inputError([{ path: 'doorName', message: `there is no door ${doorName} at ${facility.code}` }])
}

/** Only what the domain refuses: a fault of the database ends the whole import. */
function toRefusal(line: number, referenceNumber: string | null, error: unknown): RowOutcome {
  const known = asStudioError(error)
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

const keyOf = ({ facilityId, facilityCode }: FacilityChoice) => `${facilityId ?? ''} ${facilityCode ?? ''}`

/** A booking that another system has made already: it may say when and at which door. */
const ImportedBooking = z
  .strictObject({
    ...Booking.shape,
    facility: Name.nullish(),
    targetDate: CalendarDate.nullish(),
    startTime: z.iso.datetime({ offset: true, error: 'must be an instant, as 2027-03-01T06:00:00-06:00' }).nullish(),
    doorName: Name.nullish(),
  })
  .refine(({ targetDate, startTime }) => targetDate != null || startTime != null, {
    path: ['targetDate'],
    message: 'is required, or startTime',
    when: () => true,
  })
  .refine(hasOneEquipmentId, EQUIPMENT_ID_MISMATCH)
type ImportedBooking = z.output<typeof ImportedBooking>

/** Throws `invalid`, field by field. `elsewhere` is the facility of the rows that name none. */
function parseImportedBooking(
  fields: Record<string, unknown>,
  elsewhere: FacilityChoice,
): ImportedBooking & { choice: FacilityChoice } {
  const parsed = ImportedBooking.safeParse(fields, { error: wordsFor, reportInput: true })
  if (!parsed.success) throw inputError(detailsOf(parsed.error))
  const { facility, facilityId, facilityCode } = parsed.data
  const named = facility ? parseFacilityName(facility) : { facilityId, facilityCode }
  const choice = isFacilityGiven(named) ? named : elsewhere
  if (!isFacilityGiven(choice)) throw inputError([{ path: 'facilityCode', message: 'is required, or --facility' }])
  return { ...parsed.data, choice }
}

/** The date that it is for: its own, else the one at the facility on which it starts. They must agree. */
function resolveTargetDate({ targetDate, startTime }: ImportedBooking, { timeZone }: Facility): string {
  const started = startTime == null ? null : formatDate(dayAt(timeZone, Date.parse(startTime)))
  if (started !== null && targetDate != null && started !== targetDate) {
    throw inputError([{ path: 'startTime', message: `is on ${started} at the facility, not on ${targetDate}` }])
  }
  return targetDate ?? started!
}

/**
 * What is taken at a facility, read once a day of UTC and cached for a transaction that has locked the facility: an import
 * asks for the same days many times.
 */
class OccupancyCache {
  readonly #days = new Map<number, Promise<BusySpan[]>>()

  constructor(
    private readonly tx: ReadTx,
    private readonly facilityId: string,
  ) {}

  async within(span: Span): Promise<BusySpan[]> {
    const first = dayOf(span.from - MAX_APPOINTMENT_MS)
    const found: BusySpan[] = []
    for (let day = first; day <= dayOf(span.to - 1); day++) {
      for (const busy of await this.#starting(day)) if (isOverlapping(busy, span)) found.push(busy)
    }
    return found
  }

  async add(busy: BusySpan): Promise<void> {
    const known = await this.#days.get(dayOf(busy.from))
    known?.push(busy)
  }

  #starting(day: number): Promise<BusySpan[]> {
    const known = this.#days.get(day)
    if (known) return known
    const read = listBusySpansStarting(this.tx, this.facilityId, { from: day * DAY_MS, to: (day + 1) * DAY_MS })
    this.#days.set(day, read)
    return read
  }
}

const dayOf = (instant: number) => Math.floor(instant / DAY_MS)
