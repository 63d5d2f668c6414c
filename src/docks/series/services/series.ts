import { findTenantId } from '../../../access'
import { type Context, checkpoint, hint, StudioError, suggest, withinTransaction } from '../../../kernel'
import { pluralize } from '../../../kernel/text/text'
import { type DayNumber, formatDate, formatInstant, parseDate } from '../../../kernel/time'
import type { ReadTx, StorageContext, WriteTx } from '../../../storage'
import { computeEarliestStart, resolveMinutes } from '../../booking/rules/booking-rules'
import { toLoad, toStoredLoad } from '../../booking/rules/load'
import { bookSlot, loadSite, replaceAppointment } from '../../booking/services/booking'
import { type BookingPlan, planStarts } from '../../booking/services/booking-plan'
import { findPlace, findRequestedDoors } from '../../booking/services/find-place'
import { resolveReason } from '../../facilities/rules/change-reasons'
import type { Facility } from '../../facilities/rules/facility'
import {
  type AppointmentRecord,
  findAppointment,
  findFacility,
  findSeries,
  listOccurrences,
  listSeriesKeys,
  lockFacilityOf,
  type OccurrenceRecord,
  removeOccurrence,
  type SeriesRecord,
  saveAppointment,
  saveOccurrence,
  updateSeriesTerms,
} from '../../queries'
import { describeClosure } from '../../rules/calendar-date'
import { getLocalDay } from '../../rules/zoned-time'
import {
  createChange,
  identifyCaller,
  requireFacility,
  requireNotDeleted,
  writeAppointments,
} from '../../services/tenant-access'
import { offerFreeSlots } from '../../waitlist/services/waitlist'
import { findOpenDay, findStartOn, isSeriesDay, listSeriesDays, type SeriesTerms } from '../rules/series-dates'
import type { SeriesDetails } from '../schemas'

/** A series whose facility is locked by the transaction. */
export interface LockedSeries {
  tenantId: string
  facility: Facility
  series: SeriesRecord
}

type Ctx = Context & StorageContext

/** Locks the facility of a series of the caller. Throws `not_found`. */
export async function lockSeries(ctx: Ctx, tx: WriteTx, id: string): Promise<LockedSeries> {
  const tenantId = await findTenantId(ctx, tx)
  const locked = tenantId && (await lockKnownSeries(tx, { tenantId, id }))
  if (!locked) return throwNoSeries(id)
  requireNotDeleted(locked.facility)
  return locked
}

/** A series of the caller and its facility. Throws `not_found`. */
export async function requireSeries(ctx: Ctx, tx: ReadTx, id: string): Promise<Omit<LockedSeries, 'tenantId'>> {
  const tenantId = await findTenantId(ctx, tx)
  const series = tenantId && (await findSeries(tx, tenantId, id))
  if (!series) return throwNoSeries(id)
  return { series, facility: await requireFacility(ctx, tx, { facilityId: series.facilityId }) }
}

function throwNoSeries(id: string): never {
  throw new StudioError('not_found', `There is no series ${id}.`, {
    hint: hint`List the series: ${suggest('series.list', { facilityCode: '<code>' })}`,
  })
}

async function lockKnownSeries(tx: WriteTx, { tenantId, id }: { tenantId: string; id: string }) {
  await lockFacilityOf(tx, tenantId, { table: 'series', id })
  const series = await findSeries(tx, tenantId, id)
  const facility = series && (await findFacility(tx, tenantId, { id: series.facilityId }))
  return facility && { tenantId, facility, series }
}

/**
 * Books the dates of series that are due and have no appointment yet, each series in a transaction of its own. Dates that were refused
 * are tried again; a date whose appointment was cancelled is not.
 */
export async function materializeAll(
  ctx: Ctx,
  choice: { tenantId?: string; facilityId?: string },
  { isUpkeep = false } = {},
) {
  const outcomes: (LockedSeries & { tried: OccurrenceRecord[] })[] = []
  for (const key of await ctx.db.read((tx) => listSeriesKeys(tx, choice))) {
    ctx.signal.throwIfAborted()
    const done = await writeAppointments(ctx, async (tx) => {
      const locked = await lockKnownSeries(tx, key)
      if (locked?.facility.archivedAt !== null) return null
      const tried = await materialize(ctx, tx, locked)
      if (isUpkeep && tried.some(({ outcome }) => outcome === 'booked'))
        await ctx.recorder?.note(tx, { id: 'series.materialize', access: { docks: 'clerk' } }, { id: key.id })
      return { ...locked, tried }
    })
    if (done) outcomes.push(done)
  }
  return outcomes
}

/** The dates from today on that were tried, with their outcomes. */
export async function materialize(ctx: Ctx, tx: WriteTx, locked: LockedSeries): Promise<OccurrenceRecord[]> {
  const { facility, series } = locked
  const now = ctx.clock.now()
  const first = getLocalDay(facility.timeZone, now)
  const known = new Map((await listOccurrences(tx, series.id, formatDate(first))).map((entry) => [entry.date, entry]))
  const tried: OccurrenceRecord[] = []
  const call = withinTransaction(ctx)
  for (const day of listSeriesDays(series.terms, { first, last: first + series.terms.aheadDays })) {
    await checkpoint(call)
    const before = known.get(formatDate(day))
    if (before?.outcome === 'booked' || before?.outcome === 'skipped') continue
    if (findStartOn(facility, series.terms, day) <= now) continue
    const existing = before?.appointmentId ? await findAppointment(tx, locked.tenantId, before.appointmentId) : null
    // The person who moved or cancelled it has decided about the date.
    if (existing && !isUntouched(existing, now)) continue
    tried.push(await placeOnDate(ctx, tx, locked, { day, existing }))
  }
  return tried
}

/** An appointment that can still be moved with its series. */
function isUntouched({ status, step, startAt }: AppointmentRecord, now: number): boolean {
  return status === 'scheduled' && step === null && startAt > now
}

/** Books a date of a series where the series says, or moves its appointment there, and records the outcome, also if there is no place. */
async function placeOnDate(
  ctx: Ctx,
  tx: WriteTx,
  locked: LockedSeries,
  { day, existing, reason }: { day: DayNumber; existing: AppointmentRecord | null; reason?: GivenReason },
): Promise<OccurrenceRecord> {
  const { facility, series } = locked
  const openDay = findOpenDay(facility, series.terms, day)
  const result = { seriesId: series.id, date: formatDate(day), appointmentId: existing?.id ?? null }
  const attempt = async (): Promise<OccurrenceRecord> => {
    if (openDay === null)
      return { ...result, outcome: existing ? 'refused' : 'closed', reason: describeClosure(facility.closures, day) }
    try {
      const place = { startAt: findStartOn(facility, series.terms, openDay), day: openDay, doorId: series.terms.doorId }
      const { id } = await placeAt(ctx, tx, locked, { date: result.date, existing, place, reason })
      const moved =
        openDay === day ? null : `${describeClosure(facility.closures, day)}, so it is on ${formatDate(openDay)}`
      return { ...result, outcome: 'booked', reason: moved, appointmentId: id }
    } catch (error) {
      // An error of the placement is recorded with the date. A wrong reason ends the call.
      if (!(error instanceof StudioError) || error.code === 'internal' || isAboutReason(error)) throw error
      return { ...result, outcome: 'refused', reason: error.message }
    }
  }
  const record = await attempt()
  await saveOccurrence(tx, record)
  return record
}

const isAboutReason = ({ details }: StudioError) => details.some(({ path }) => path === 'reason')

interface SeriesPlace {
  startAt: number | null
  day: DayNumber
  doorId: string | null
}

/** Books a date, or moves its appointment. Throws the error for a place that is not free. */
async function placeAt(
  ctx: Ctx,
  tx: WriteTx,
  { tenantId, facility, series: { terms } }: LockedSeries,
  {
    date,
    existing,
    place,
    reason,
  }: { date: string; existing: AppointmentRecord | null; place: SeriesPlace; reason?: GivenReason },
): Promise<{ id: string }> {
  const now = ctx.clock.now()
  const own = existing ? { except: [existing.id], replaces: replaceAppointment(existing) } : {}
  const site = await loadSite(tx, { tenantId, facility }, { now, ...own })
  await checkpoint(ctx)
  const plan: BookingPlan = {
    firstDay: place.day,
    lastDay: place.day,
    minutes: resolveMinutes(facility, terms),
    notBefore: computeEarliestStart(facility, now),
    startAt: place.startAt,
    window: null,
  }
  const allowedDoors = findRequestedDoors(site, place.doorId)
  if (!existing) {
    const booking = { ...terms, referenceNumber: `${terms.referencePrefix}-${date}` }
    const origin = { now, id: ctx.ids.uuid(), caller: identifyCaller(ctx), source: 'series' as const }
    return bookSlot(tx, site, { booking, plan, ...origin, allowedDoors })
  }
  const load = { ...toLoad(terms), type: existing.type }
  const slot = await findPlace(site, { load, plan, allowedDoors, preferredDoorId: existing.doorId })
  const { door, from, to } = slot
  const after = { ...takeLoad(existing, terms), doorId: door.id, doorName: door.name, startAt: from, endAt: to }
  await saveChange(ctx, tx, { before: existing, after, reason })
  return existing
}

/** The reason that a person gave, and the facility that may list reasons. */
interface GivenReason {
  facility: Facility
  text: string | null | undefined
}

function takeLoad(existing: AppointmentRecord, terms: SeriesTerms): AppointmentRecord {
  return { ...existing, carrierName: terms.carrierName, ...toStoredLoad(terms) }
}

/** Saves what differs. `reason` is missing if no person asked for the change: the facility then requires none. */
async function saveChange(
  ctx: Ctx,
  tx: WriteTx,
  { before, after, reason }: { before: AppointmentRecord; after: AppointmentRecord; reason?: GivenReason },
): Promise<void> {
  const differs = (Object.keys(after) as (keyof AppointmentRecord)[]).filter((field) => before[field] !== after[field])
  if (differs.length === 0) return
  const isMoved = differs.some((field) => field === 'startAt' || field === 'endAt' || field === 'doorId')
  const kind = after.status === 'cancelled' ? 'cancelled' : isMoved ? 'rescheduled' : 'updated'
  const named = reason && kind !== 'updated' ? resolveReason(reason.facility, kind, reason.text) : null
  await saveAppointment(tx, { before, after }, createChange(ctx, kind, named))
}

/**
 * Changes the terms, and with them the appointments that have not begun: those on dates that are no longer in the series are cancelled,
 * those that are where the old terms say move. One that cannot move stays where it is, which is recorded. One that was moved on its own
 * stays.
 */
export async function changeSeries(
  ctx: Ctx,
  tx: WriteTx,
  locked: LockedSeries,
  { terms, reason }: { terms: SeriesTerms; reason?: GivenReason },
): Promise<void> {
  const { tenantId, facility, series } = locked
  const now = ctx.clock.now()
  const changed = { ...locked, series: { ...series, terms } }
  await updateSeriesTerms(tx, changed.series)
  for (const entry of await listOccurrences(tx, series.id, formatDate(getLocalDay(facility.timeZone, now)))) {
    await checkpoint(ctx)
    const day = parseDate(entry.date)
    const existing = entry.appointmentId ? await findAppointment(tx, tenantId, entry.appointmentId) : null
    if (existing && !isUntouched(existing, now)) continue
    if (!isSeriesDay(terms, day)) {
      if (existing) await saveChange(ctx, tx, { before: existing, after: { ...existing, status: 'cancelled' }, reason })
      await removeOccurrence(tx, entry)
    } else if (existing && (entry.outcome === 'refused' || isPlacedAsIn(facility, series.terms, day, existing))) {
      await placeOnDate(ctx, tx, changed, { day, existing, reason })
    } else if (existing) await saveChange(ctx, tx, { before: existing, after: takeLoad(existing, terms) })
  }
  await materialize(ctx, tx, changed)
  await offerFreeSlots(ctx, tx, locked)
}

function isPlacedAsIn(
  facility: Facility,
  terms: SeriesTerms,
  day: DayNumber,
  { startAt, doorId }: AppointmentRecord,
): boolean {
  const openDay = findOpenDay(facility, terms, day) ?? day
  return startAt === findStartOn(facility, terms, openDay) && (terms.doorId === null || terms.doorId === doorId)
}

/** Books or moves one date elsewhere: at a start, at a door, or at the first free slot of another date. Throws the error for a place that is not free. */
export async function moveOccurrence(
  ctx: Ctx,
  tx: WriteTx,
  locked: LockedSeries,
  {
    date,
    targetDate,
    startTime,
    doorId,
    reason,
  }: {
    date: string
    targetDate?: string | null
    startTime?: string | null
    doorId?: string | null
    reason?: string | null
  },
): Promise<void> {
  const { facility, series } = locked
  const existing = await requireChangeable(ctx, tx, locked, date)
  // A time of day alone is on the date itself.
  const sameDate = startTime == null || startTime.length === 5 ? date : null
  const starts = planStarts(facility, { targetDate: targetDate ?? sameDate, startTime }, ctx.clock.now())
  const sameTime = targetDate == null ? findStartOn(facility, series.terms, starts.firstDay) : null
  const place = { startAt: starts.startAt ?? sameTime, day: starts.firstDay, doorId: doorId ?? null }
  const { id } = await placeAt(ctx, tx, locked, { date, existing, place, reason: { facility, text: reason } })
  await saveOccurrence(tx, { seriesId: series.id, date, outcome: 'booked', reason: null, appointmentId: id })
  await offerFreeSlots(ctx, tx, locked)
}

/** Cancels the appointment of a date, if it has one, and books none there in the future. */
export async function skipOccurrence(
  ctx: Ctx,
  tx: WriteTx,
  locked: LockedSeries,
  { date, reason: given }: { date: string; reason: string | null | undefined },
): Promise<void> {
  const existing = await requireChangeable(ctx, tx, locked, date)
  const reason = resolveReason(locked.facility, 'cancelled', given)
  if (existing) {
    const after = { ...existing, status: 'cancelled' as const }
    await saveChange(ctx, tx, { before: existing, after, reason: { facility: locked.facility, text: reason } })
  }
  const record = { seriesId: locked.series.id, date, outcome: 'skipped' as const, reason }
  await saveOccurrence(tx, { ...record, appointmentId: existing?.id ?? null })
  await offerFreeSlots(ctx, tx, locked)
}

/** The appointment of a date that can still be changed; null if it has none, or a cancelled one. */
async function requireChangeable(ctx: Ctx, tx: WriteTx, { tenantId, series }: LockedSeries, date: string) {
  const showSeries = hint`Show the dates: ${suggest('series.get', { id: series.id })}`
  if (!isSeriesDay(series.terms, parseDate(date)))
    throw new StudioError('not_found', `The series has no appointment on ${date}.`, { hint: showSeries })
  const [entry] = await listOccurrences(tx, series.id, date)
  if (entry?.date !== date || entry.appointmentId === null || entry.status === 'cancelled') return null
  const existing = await findAppointment(tx, tenantId, entry.appointmentId)
  if (existing && isUntouched(existing, ctx.clock.now())) return existing
  throw new StudioError('invalid_state', `The appointment of ${date} has begun or is completed.`, { hint: showSeries })
}

/** The series with its dates from today on. */
export async function presentSeries(
  tx: ReadTx,
  { facility, series: { id, terms } }: Omit<LockedSeries, 'tenantId'>,
  now: number,
): Promise<SeriesDetails> {
  const entries = await listOccurrences(tx, id, formatDate(getLocalDay(facility.timeZone, now)))
  return {
    id,
    facilityId: facility.id,
    facilityCode: facility.code,
    timeZone: facility.timeZone,
    ...terms,
    occurrences: entries.map(({ seriesId: _, startAt, endAt, ...entry }) => ({
      ...entry,
      startTime: startAt === null ? null : formatInstant(startAt),
      endTime: endAt === null ? null : formatInstant(endAt),
    })),
  }
}

/** The answer of a change of a series. */
export async function answerWithSeries(ctx: Ctx, tx: ReadTx, id: string, verb: string) {
  const locked = await requireSeries(ctx, tx, id)
  const data = await presentSeries(tx, locked, ctx.clock.now())
  const count = (outcome: string) => data.occurrences.filter((entry) => entry.outcome === outcome).length
  const refused = count('refused') === 0 ? '' : `, ${count('refused')} without a place`
  const message = `${verb}: ${pluralize(count('booked'), 'date')} booked${refused}.`
  return { status: 'success' as const, message, data }
}
