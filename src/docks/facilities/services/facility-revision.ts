import { createHash } from 'node:crypto'
import * as z from 'zod'
import { hint, StudioError, suggest } from '../../../kernel'
import { nameFacility } from '../rules/facility'
import { Facility, type FacilityWithDoors } from '../schemas'

export const FacilityRevision = z
  .string()
  .describe('Changes with the facility and its doors. Send it as ifRevision, so that you overwrite no change of others')

export const IfRevision = z
  .string()
  .max(100)
  .optional()
  .describe('The revision that your change is based on: if the facility was changed since, nothing is saved')

export function computeRevision(facility: FacilityWithDoors): string {
  const content = JSON.stringify(Facility.parse(facility))
  return createHash('sha256').update(content).digest('base64url').slice(0, 16)
}

/** Throws `stale_revision`. */
export function requireRevision(facility: FacilityWithDoors, ifRevision: string | undefined): void {
  if (ifRevision === undefined) return
  const revision = computeRevision(facility)
  if (revision === ifRevision) return
  throw new StudioError(
    'stale_revision',
    `The facility ${facility.code} was changed since you last read it. Nothing was saved.`,
    {
      hint: hint`Read it again, then repeat your change with its new revision: ${suggest('facilities.get', { id: nameFacility(facility) })}`,
      details: [{ path: 'ifRevision', message: `is now ${revision}`, was: ifRevision, now: revision }],
    },
  )
}
