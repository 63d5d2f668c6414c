import { findTenantId } from '../../../access'
import { type Context, hint, inputError, StudioError, suggest } from '../../../kernel'
import type { ReadTx, WriteTx } from '../../../storage'
import { chooseFacility, type FacilityChoice } from '../../facilities/rules/facility'
import { findTrailer, listTrailers, listTrailersWithNumber, type TrailerRecord } from '../../queries'
import { lockFacility, requireFacility, type TenantFacility } from '../../services/tenant-access'
import { presentTrailer, type Trailer } from '../schemas'

/** How a call names a trailer: by its ID, or by the number of one that is in a yard. */
export interface TrailerChoice extends FacilityChoice {
  id: string
}

/** Throws `not_found`, or `invalid` if trailers with the number are in several yards. */
export async function requireTrailer(
  ctx: Pick<Context, 'actor' | 'clock'>,
  tx: ReadTx,
  { id: name, ...choice }: TrailerChoice,
): Promise<TrailerRecord> {
  const tenantId = await findTenantId(ctx, tx)
  const isFacilityNamed = choice.facilityId != null || choice.facilityCode != null
  const facility = isFacilityNamed ? await requireFacility(ctx, tx, choice) : null
  const known = tenantId && (await findTrailer(tx, tenantId, name.toLowerCase()))
  const found = known ? [known] : await listWithNumber()
  const [trailer, other] = found.filter(({ facilityId }) => facility === null || facilityId === facility.id)
  if (other !== undefined) {
    const codes = found.map(({ facilityCode }) => facilityCode).join(' and ')
    throw inputError([
      { path: 'facilityCode', message: `is required: trailers with the number ${name} are at ${codes}` },
    ])
  }
  if (trailer) return trailer
  const where = facility === null ? 'in a yard' : `in the yard of ${facility.code}`
  throw new StudioError('not_found', `There is no trailer ${name} ${where}.`, {
    hint: hint`List the trailers: ${suggest('yard.list', facility ? chooseFacility(facility) : { facilityCode: '<code>' })}`,
  })

  /** A deleted facility is meant only by a call that names it. */
  async function listWithNumber(): Promise<TrailerRecord[]> {
    if (facility !== null) return listTrailers(tx, { facilityId: facility.id, isPresent: true, number: name })
    return tenantId === null ? [] : listTrailersWithNumber(tx, tenantId, name)
  }
}

/** The trailer after a change, as an answer has it. */
export async function readTrailer(ctx: Pick<Context, 'actor' | 'clock'>, tx: ReadTx, id: string): Promise<Trailer> {
  return presentTrailer(await requireTrailer(ctx, tx, { id }), ctx.clock.now())
}

/** The trailer with its facility locked: until the transaction ends, no other transaction can change the yard. */
export async function lockTrailer(
  ctx: Pick<Context, 'actor' | 'clock'>,
  tx: WriteTx,
  choice: TrailerChoice,
): Promise<{ trailer: TrailerRecord; facility: TenantFacility }> {
  const { id, facilityId } = await requireTrailer(ctx, tx, choice)
  const facility = await lockFacility(ctx, tx, { facilityId })
  // Another caller may have changed it before it was locked.
  return { trailer: await requireTrailer(ctx, tx, { id }), facility }
}

/** The same for a trailer that is in the yard. Throws `invalid_state` if it has left. */
export async function lockPresentTrailer(ctx: Pick<Context, 'actor' | 'clock'>, tx: WriteTx, choice: TrailerChoice) {
  const locked = await lockTrailer(ctx, tx, choice)
  const { id, number, facilityCode, leftAt } = locked.trailer
  if (leftAt === null) return locked
  throw new StudioError('invalid_state', `The trailer ${number} has left ${facilityCode}.`, {
    hint: hint`If it is back, record its arrival: ${suggest('yard.arrive')}. If it did not leave, undo the step: ${suggest('yard.undo', { id })}`,
  })
}
