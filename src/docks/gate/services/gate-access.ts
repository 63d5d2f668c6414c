import {
  findByHash,
  formatCredential,
  hashCredential,
  parsePublicPrefix,
  recordUse,
  SECRET_LENGTH,
} from '../../../access'
import type { Context, DockCaller } from '../../../kernel'
import { HOUR_MS } from '../../../kernel/time'
import type { Database } from '../../../storage'
import { findAppointment, listAppointments } from '../../queries'
import { findLiveGateLink, findLiveGateLinks, type GateLinkRecord, updateGateLink } from '../queries/gate-links'
import { findGateVisit, insertGateVisit, listWaitingTrucks } from '../queries/gate-visits'
import { findExpectedTruck, isHere, spanOfToday } from '../rules/expected-truck'
import { type GateVisitState, judgeVisit } from '../rules/visit-state'

export const GATE_LINK_KIND = 'studio_gat_'
const VISIT_KIND = 'studio_vis_'

/** How long the page of a driver can read its visit. */
const VISIT_MS = 24 * HOUR_MS

/** A link that was opened: what its page shows, and who calls with it. */
export interface OpenGateLink {
  id: string
  facilityName: string
  isKiosk: boolean
  caller: DockCaller
}

/** The link with that secret; null if it is unknown, revoked or expired, or if its facility is deleted. */
export async function openGateLink(db: Database, secret: string, now: number): Promise<OpenGateLink | null> {
  const prefix = parsePublicPrefix(GATE_LINK_KIND, secret)
  if (prefix === null) return null
  const link = findByHash(await db.read((tx) => findLiveGateLinks(tx, { prefix, now })), secret)
  if (!link) return null
  await recordUse(db, link, now, updateGateLink)
  return { id: link.id, facilityName: link.facilityName, isKiosk: link.is_kiosk === 1, caller: toCaller(link) }
}

function toCaller({ id, tenant_id: tenantId, facility_id: facilityId, name }: GateLinkRecord): DockCaller {
  const credential = { kind: 'gate-link', id, name: `gate link ${name}` } as const
  return { kind: 'dock', tenantId, role: 'gate', carrier: null, facilityId, credential }
}

/**
 * The appointment of today that a driver names; null if there is none. It reads the same rows for every name, so that the time of the answer
 * does not say whether a reference exists on another date, at another facility or for another tenant.
 */
export async function findTruck(
  db: Database,
  { id }: OpenGateLink,
  { typed, now }: { typed: string; now: number },
): Promise<{ id: string; isHere: boolean } | null> {
  return db.read(async (tx) => {
    const link = await findLiveGateLink(tx, { id, now })
    if (!link) return null
    const filter = { facilityId: link.facility_id, starting: spanOfToday(now), referenceNumber: null, status: null }
    const found = findExpectedTruck(await listAppointments(tx, filter), { typed, now, timeZone: link.timeZone })
    return found && { id: found.id, isHere: isHere(found) }
  })
}

/** Gives the page of a driver who has checked in the secret that reads the visit. */
export async function openGateVisit(
  { db, clock, ids }: Pick<Context, 'clock' | 'ids'> & { db: Database },
  { id: link_id }: OpenGateLink,
  appointmentId: string,
): Promise<string> {
  const secret = formatCredential(VISIT_KIND, ids.secret(SECRET_LENGTH))
  const now = clock.now()
  const visit = { hash: hashCredential(secret), link_id, appointment_id: appointmentId, expires_at: now + VISIT_MS }
  await db.write((tx) => insertGateVisit(tx, visit, now))
  return secret
}

/** The visit with that secret; null if it is unknown or has expired, or if its link can no longer be opened. */
export async function readGateVisit(db: Database, secret: string, now: number): Promise<GateVisitState | null> {
  if (parsePublicPrefix(VISIT_KIND, secret) === null) return null
  return db.read(async (tx) => {
    const visit = await findGateVisit(tx, hashCredential(secret), now)
    const link = visit && (await findLiveGateLink(tx, { id: visit.link_id, now }))
    if (!link) return null
    const appointment = await findAppointment(tx, link.tenant_id, visit.appointment_id)
    if (appointment === null) return { kind: 'left' }
    const isWaiting = appointment.step === 'checked_in'
    return judgeVisit(appointment, isWaiting ? await listWaitingTrucks(tx, link.facility_id, spanOfToday(now)) : [])
  })
}
