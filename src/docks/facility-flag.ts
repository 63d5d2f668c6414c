import { z } from 'zod'
import type { ExtraFlag } from '../kernel'

/** `--facility` on the command line stands for `facilityId` or `facilityCode`. */
export const facilityFlag: ExtraFlag = {
  flag: '--facility <code|uuid>',
  about: 'the facility, by its code or its ID (required)',
}

/** Hides the two fields that it stands for. */
export const facilityFieldFlags = { facilityId: false, facilityCode: false } as const

export function withFacility(typed: Record<string, unknown>): Record<string, unknown> {
  const { facility, ...input } = typed
  if (facility === undefined) return input
  return { ...input, ...(z.guid().safeParse(facility).success ? { facilityId: facility } : { facilityCode: facility }) }
}

/** The message where neither is given. */
export const FACILITY_MISSING = 'give facilityId or facilityCode (on the command line: --facility)'
