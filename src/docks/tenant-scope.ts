import { tenantOf } from '../access'
import { type Context, StudioError } from '../kernel'
import type { ReadTx } from '../storage'
import { type AppointmentRecord, findAppointment, findFacility } from './queries'
import type { Facility } from './rules/facility'

/** What a caller names must be its own tenant's: another tenant's and none at all get the same answer. */

export interface FacilityChoice {
  facilityId?: string | null
  facilityCode?: string | null
}

/** The facility that the caller names by ID, by code, or by both where they agree. Throws `not_found`. */
export async function requireFacility(
  ctx: Pick<Context, 'actor'>,
  tx: ReadTx,
  { facilityId, facilityCode }: FacilityChoice,
): Promise<Facility & { tenantId: string }> {
  const tenantId = await tenantOf(ctx, tx)
  const facility =
    tenantId && (await findFacility(tx, tenantId, { id: facilityId ?? undefined, code: facilityCode ?? undefined }))
  if (facility) return { ...facility, tenantId: tenantId! }
  const name = [facilityCode, facilityId].filter(Boolean).join(' with the ID ')
  throw new StudioError('not_found', `There is no facility ${name}.`, {
    hint: 'See which there are: studio facility list',
  })
}

/** Throws `not_found`. */
export async function requireAppointment(
  ctx: Pick<Context, 'actor'>,
  tx: ReadTx,
  id: string,
): Promise<{ appointment: AppointmentRecord; tenantId: string }> {
  const tenantId = await tenantOf(ctx, tx)
  const appointment = tenantId && (await findAppointment(tx, tenantId, id))
  if (appointment) return { appointment, tenantId: tenantId! }
  throw new StudioError('not_found', `There is no appointment ${id}.`, {
    hint: 'Look it up by its reference: studio appointment list --facility <code> --reference <reference>',
  })
}
