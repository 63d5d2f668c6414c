import * as z from 'zod'
import { formatInstant } from '../kernel/time'
import type { InvitationTable } from './invitation-tables'
import { credentialStates, judgeState } from './services/credential'

const Instant = z.string().describe('ISO 8601 UTC with milliseconds')

/** An invitation of a carrier to the portal, without its link. */
export const CarrierInvitation = z.object({
  id: z.string(),
  tenant: z.string(),
  carrier: z.string().describe('The only carrier whose appointments it shows'),
  email: z.string().nullable().describe('Address that can request further links; null if there is none'),
  state: z.enum(credentialStates),
  createdAt: Instant,
  expiresAt: Instant,
  lastUsedAt: Instant.nullable().describe('To the minute; null before its link was opened'),
  revokedAt: Instant.nullable(),
})
export type CarrierInvitation = z.infer<typeof CarrierInvitation>

export function toCarrierInvitation(tenant: string, row: InvitationTable, now: number): CarrierInvitation {
  const { id, carrier_name: carrier, email, expires_at, revoked_at } = row
  return {
    id,
    tenant,
    carrier,
    email,
    state: judgeState(row, now),
    createdAt: formatInstant(row.created_at),
    expiresAt: formatInstant(expires_at),
    lastUsedAt: row.last_used_at === null ? null : formatInstant(row.last_used_at),
    revokedAt: revoked_at === null ? null : formatInstant(revoked_at),
  }
}
