import * as z from 'zod'
import type { ExtraFlag } from '../../kernel'
import type { FacilityChoice } from './tenant-access'

/** `--facility` on the command line stands for `facilityId` or `facilityCode`. */
export const facilityFlag: ExtraFlag = {
  flag: '--facility <code|uuid>',
  about: 'the facility, by its code or its ID (required)',
  standsFor: ['facilityCode', 'facilityId'],
}

/** Hides the two fields that it stands for. */
export const facilityFieldFlags = { facilityId: false, facilityCode: false } as const

/** What was typed, with the facility as the field that it is. */
export function toFacilityInput(typed: Record<string, unknown>): Record<string, unknown> {
  const { facility, ...input } = typed
  return typeof facility === 'string' ? { ...input, ...parseFacilityName(facility) } : input
}

/** A name that looks like an ID is one: no code may. */
export function parseFacilityName(name: string): FacilityChoice {
  return isFacilityId(name) ? { facilityId: name.toLowerCase() } : { facilityCode: name }
}

export function isFacilityId(name: string): boolean {
  return z.guid().safeParse(name).success
}

/** The refusal where neither is given; it is told together with what else is wrong. */
export const FACILITY_REQUIRED = {
  path: ['facilityId'],
  message: 'is required: the facility, by its ID or its code',
  when: () => true,
}
