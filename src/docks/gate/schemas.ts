import * as z from 'zod'
import { credentialStates, judgeState } from '../../access'
import { formatInstant } from '../../kernel/time'
import { Instant } from '../schemas'
import type { GateLinkRecord } from './queries/gate-links'

/** A link with which drivers check in at a facility, without its secret. */
export const GateLink = z.object({
  id: z.string(),
  facilityId: z.string(),
  facilityCode: z.string(),
  facilityName: z.string(),
  name: z.string(),
  kiosk: z.boolean().describe('Whether its page is on a screen that drivers share'),
  state: z.enum(credentialStates),
  createdAt: Instant,
  expiresAt: Instant.nullable().describe('Null if it does not expire'),
  lastUsedAt: Instant.nullable().describe('To the minute; null before the first use'),
  revokedAt: Instant.nullable(),
})

export function presentGateLink(link: GateLinkRecord, now: number): z.output<typeof GateLink> {
  const { expires_at, last_used_at, revoked_at } = link
  return {
    id: link.id,
    facilityId: link.facility_id,
    facilityCode: link.facilityCode,
    facilityName: link.facilityName,
    name: link.name,
    kiosk: link.is_kiosk === 1,
    state: judgeState(link, now),
    createdAt: formatInstant(link.created_at),
    expiresAt: formatOptional(expires_at),
    lastUsedAt: formatOptional(last_used_at),
    revokedAt: formatOptional(revoked_at),
  }
}

const formatOptional = (epochMs: number | null) => (epochMs === null ? null : formatInstant(epochMs))
