import { findTenantId } from '../../access'
import { type Context, hint, StudioError, suggest } from '../../kernel'
import type { ReadTx, StorageContext, WriteTx } from '../../storage'
import { toConstraintError } from '../booking/queries/constraints'
import { hideSiteFields } from '../booking/rules/load'
import { restrictToCarrier } from '../carriers/rules/carriers'
import { type Facility, type FacilityChoice, nameFacility } from '../facilities/rules/facility'
import {
  type AppointmentChange,
  type AppointmentRecord,
  type ChangeCaller,
  type FacilityKey,
  findAppointment,
  findFacility,
  findFacilityForUpdate,
  findHold,
  lockFacilityOf,
  recallFacility,
  type SlotHoldRecord,
} from '../queries'
import type { ChangeKind } from '../visits/rules/appointment-steps'

type Caller = Pick<Context, 'actor' | 'clock'>

/**
 * The facility with the ID and the code, even if it is deleted. For a carrier it has the carrier's own limits. Throws `not_found` also if
 * it belongs to another tenant or does not admit the carrier.
 */
export async function requireFacility(ctx: Caller, tx: ReadTx, choice: FacilityChoice): Promise<TenantFacility> {
  return resolveFacility(ctx, choice, await findTenantId(ctx, tx), (tenantId, key) => findFacility(tx, tenantId, key))
}

/** Locks the facility: until the transaction ends, no other transaction can change its appointments. Throws `not_found` if it is deleted. */
export async function lockFacility(ctx: Caller, tx: WriteTx, choice: FacilityChoice): Promise<TenantFacility> {
  return requireNotDeleted(await lockAnyFacility(ctx, tx, choice))
}

/**
 * Locks the facility, and reads more of it with `load`, which is sent along with the lock if the facility was seen before. The server runs
 * it when it has the lock. The result counts only if the facility is still the same; otherwise `load` runs again.
 */
export async function lockFacilityAndLoad<Loaded>(
  ctx: Caller,
  tx: WriteTx,
  choice: FacilityChoice,
  load: (facility: TenantFacility) => Promise<Loaded>,
): Promise<Loaded> {
  const tenantId = await findTenantId(ctx, tx)
  let found: Facility | null = null
  const locking = resolveFacility(ctx, choice, tenantId, async (tenant, key) => {
    found = await findFacilityForUpdate(tx, tenant, key)
    return found
  })
  const seen = tenantId && recallFacility(tenantId, toKey(choice))
  const expected = seen ? restrictToCaller(ctx, seen) : null
  const loading = expected && load({ ...expected, tenantId: tenantId! })
  loading?.catch(() => {})
  const facility = requireNotDeleted(await locking)
  return loading && found === seen ? loading : load(facility)
}

/** Like `lockFacility`, for a facility that may be deleted. */
export async function lockAnyFacility(ctx: Caller, tx: WriteTx, choice: FacilityChoice): Promise<TenantFacility> {
  return resolveFacility(ctx, choice, await findTenantId(ctx, tx), (tenantId, key) =>
    findFacilityForUpdate(tx, tenantId, key),
  )
}

/** The facility as the caller may use it; null if the caller is a carrier that it does not admit. */
export function restrictToCaller<Found extends Facility>(ctx: Caller, facility: Found): Found | null {
  const carrier = getCarrier(ctx)
  return carrier === null ? facility : restrictToCarrier(facility, carrier, ctx.clock.now())
}

/** The carrier that the caller is bound to; null for a caller who acts for the tenant. */
export function getCarrier({ actor }: Pick<Context, 'actor'>): string | null {
  return actor.kind === 'dock' ? actor.carrier : null
}

/** The carrier of a request, by default that of the caller. Throws `forbidden` if the caller is another carrier. */
export function resolveCarrier<Name extends string | null | undefined>(
  ctx: Pick<Context, 'actor'>,
  requested: Name,
): Name | string {
  const own = getCarrier(ctx)
  if (own === null || requested === own) return requested
  if (requested == null) return own
  throw new StudioError('forbidden', `This key is only for appointments of ${own}.`, {
    hint: `Send ${own} as carrierName.`,
  })
}

/** Throws `not_found` if the facility is deleted. */
export function requireNotDeleted<Found extends Facility>(facility: Found): Found {
  if (facility.archivedAt === null) return facility
  throw new StudioError('not_found', `The facility ${facility.code} is deleted.`, {
    hint: hint`Restore it: ${suggest('facilities.restore', { id: nameFacility(facility) })}`,
  })
}

/** Locks the facility of a record of the tenant, if there is one. Throws `not_found` if it is deleted. */
export async function lockFacilityOfRecord(
  tx: WriteTx,
  tenantId: string | null,
  record: Parameters<typeof lockFacilityOf>[2],
): Promise<void> {
  const facility = tenantId && (await lockFacilityOf(tx, tenantId, record))
  if (facility) requireNotDeleted(facility)
}

export type TenantFacility = Facility & { tenantId: string }

async function resolveFacility(
  ctx: Caller,
  { facilityId, facilityCode }: FacilityChoice,
  tenantId: string | null,
  find: (tenantId: string, key: FacilityKey) => Promise<Facility | null>,
): Promise<TenantFacility> {
  const found = tenantId && (await find(tenantId, toKey({ facilityId, facilityCode })))
  const facility = found && restrictToCaller(ctx, found)
  if (facility) return { ...facility, tenantId: tenantId! }
  const name = [facilityCode, facilityId].filter(Boolean).join(' with the ID ')
  throw new StudioError('not_found', `There is no facility ${name}.`, {
    hint: hint`List the facilities: ${suggest('facilities.list')}`,
  })
}

const toKey = ({ facilityId, facilityCode }: FacilityChoice): FacilityKey => ({
  id: facilityId ?? undefined,
  code: facilityCode ?? undefined,
})

/** Throws `conflict` if a facility of the tenant has the code. */
export async function requireFreeCode(tx: ReadTx, tenantId: string, code: string): Promise<void> {
  const existing = await findFacility(tx, tenantId, { code })
  if (!existing) return
  const choice = { id: nameFacility(existing) }
  throw existing.archivedAt === null
    ? new StudioError('conflict', `A facility with the code ${code} already exists.`, {
        hint: hint`Show it: ${suggest('facilities.get', choice)}`,
      })
    : new StudioError('conflict', `A deleted facility has the code ${code}.`, {
        hint: hint`Choose another code, or restore that facility: ${suggest('facilities.restore', choice)}`,
      })
}

/** Throws `not_found`. */
export async function requireAppointment(
  ctx: Pick<Context, 'actor'>,
  tx: ReadTx,
  id: string,
): Promise<{ appointment: AppointmentRecord; tenantId: string }> {
  const tenantId = await findTenantId(ctx, tx)
  const appointment = tenantId && (await findAppointment(tx, tenantId, id))
  if (appointment && isOwn(ctx, appointment) && isAtGate(ctx, appointment))
    return { appointment: showTo(ctx, appointment), tenantId: tenantId! }
  throw new StudioError('not_found', `There is no appointment ${id}.`, {
    hint: hint`Find it by its reference: ${suggest('appointments.list', { facilityCode: '<code>', referenceNumber: '<reference>' })}`,
  })
}

/** Whether the caller may see an appointment or a hold of the tenant: a carrier sees its own ones. */
export function isOwn(ctx: Pick<Context, 'actor'>, { carrierName }: { carrierName: string | null }): boolean {
  const carrier = getCarrier(ctx)
  return carrier === null || carrier === carrierName
}

/** Whether the caller is no gate link, or the link of the facility. */
function isAtGate({ actor }: Pick<Context, 'actor'>, { facilityId }: { facilityId: string }): boolean {
  return actor.kind !== 'dock' || actor.facilityId === undefined || actor.facilityId === facilityId
}

/** The appointment as the caller sees it. Saving it does not change what the caller does not see. */
export function showTo(ctx: Pick<Context, 'actor'>, appointment: AppointmentRecord): AppointmentRecord {
  return getCarrier(ctx) === null ? appointment : hideSiteFields(appointment)
}

/** Locks the facility of the appointment: until the transaction ends, no other transaction can change its appointments. */
export async function lockAppointment(
  ctx: Pick<Context, 'actor'>,
  tx: WriteTx,
  id: string,
): Promise<{ appointment: AppointmentRecord; tenantId: string }> {
  const tenantId = await findTenantId(ctx, tx)
  await lockFacilityOfRecord(tx, tenantId, { table: 'appointment', id })
  return requireAppointment(ctx, tx, id)
}

/** The hold and its tenant, with the facility locked. Throws `not_found`. */
export async function lockHold(
  ctx: Pick<Context, 'actor'>,
  tx: WriteTx,
  id: string,
): Promise<{ hold: SlotHoldRecord; tenantId: string }> {
  const tenantId = await findTenantId(ctx, tx)
  await lockFacilityOfRecord(tx, tenantId, { table: 'slot_hold', id })
  const hold = tenantId && (await findHold(tx, tenantId, id))
  if (hold && isOwn(ctx, hold)) return { hold, tenantId: tenantId! }
  throw new StudioError('not_found', `There is no hold ${id}: it was confirmed, released or has expired.`, {
    hint: hint`List the holds: ${suggest('holds.list', { facilityCode: '<code>' })}`,
  })
}

/** Who makes a change, as it is recorded. */
export function identifyCaller({ actor }: Pick<Context, 'actor'>): ChangeCaller {
  return actor.kind === 'dock'
    ? { id: actor.credential.id, name: actor.credential.name }
    : { id: actor.kind, name: null }
}

/** A change by the caller, now. */
export function createChange(
  ctx: Pick<Context, 'actor' | 'clock'>,
  kind: ChangeKind,
  reason: string | null = null,
): AppointmentChange {
  const details = reason === null ? null : { reason }
  return { kind, at: ctx.clock.now(), caller: identifyCaller(ctx), details }
}

/** Runs a change of a facility or its appointments. `work` must first call `lockFacility`, `lockAppointment` or `lockHold`. */
export async function writeAppointments<R>(
  ctx: StorageContext & Pick<Context, 'log'>,
  work: (tx: WriteTx) => Promise<R>,
): Promise<R> {
  try {
    return await ctx.db.write(work, { locksRows: true })
  } catch (error) {
    const constraintError = toConstraintError(error)
    if (constraintError) ctx.log.warn('a database constraint refused an appointment', { cause: error })
    throw constraintError ?? error
  }
}
