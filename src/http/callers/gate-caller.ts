import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js'
import { type GateVisitState, loadGateAccess, type OpenGateLink } from '../../docks'
import { type Context, StudioError } from '../../kernel'
import type { Database } from '../../storage'
import type { Call } from '../call'
import { type FailedCredentials, networkOf } from './caller'

type Peer = Pick<Call, 'peer'>

/** Drivers who check in with a link. Wrong secrets count as failed credentials of their address. */
export interface GateCaller {
  /** Throws `unauthenticated` for a link that is unknown, revoked or expired. */
  openLink(call: Peer, secret: string): Promise<OpenGateLink>
  /**
   * The appointment of today that the driver names; null if there is none. Throws `limited` for a link or an address with many wrong names, so
   * that no one guesses references.
   */
  findTruck(call: Peer, link: OpenGateLink, typed: string): Promise<{ id: string; isHere: boolean } | null>
  /** The secret of the visit, for the page of a driver who has checked in. */
  openVisit(link: OpenGateLink, appointmentId: string): Promise<string>
  /** Throws `unauthenticated` for a visit that is unknown or has expired, or whose link was revoked. */
  readVisit(call: Peer, secret: string): Promise<GateVisitState>
}

/** All names of one caller in ten minutes: each right one stores a secret. */
const ALL = { points: 120, duration: 600 }

/** Wrong names of one address in ten minutes, and with one link in an hour: the link hangs at the gate, so anyone has it. */
const WRONG_OF_PHONES = { caller: { points: 10, duration: 600 }, link: { points: 60, duration: 3600 } }

/**
 * Wrong names at a kiosk in a minute, and in an hour. All drivers share it, so they wait for a moment only; no one else has its link, and one
 * driver types at a time.
 */
const WRONG_OF_KIOSK = { caller: { points: 10, duration: 60 }, link: { points: 200, duration: 3600 } }

export function createGateCaller({
  failures,
  ...parts
}: { db: Database; failures: FailedCredentials } & Pick<Context, 'clock' | 'ids'>): GateCaller {
  const { db, clock } = parts
  const all = new RateLimiterMemory(ALL)
  const wrongOfPhones = createLimiters(WRONG_OF_PHONES)
  const wrongOfKiosk = createLimiters(WRONG_OF_KIOSK)
  return {
    openLink: ({ peer }, secret) =>
      failures.check(
        peer,
        secret,
        async () => (await (await loadGateAccess()).openGateLink(db, secret, clock.now())) ?? endedLinkError(),
      ),
    async findTruck({ peer }, link, typed) {
      // A kiosk is a caller of its own: the phones in its network, which may be guesses of others, do not use its limits up.
      const caller = link.isKiosk ? link.id : networkOf(peer)
      const wrong = link.isKiosk ? wrongOfKiosk : wrongOfPhones
      // Each name counts before it is looked up, so that many at once are no way around the limits. One address alone does not use up a link.
      await all.consume(caller).catch(refuse)
      await wrong.caller.consume(caller).catch(refuse)
      await wrong.link.consume(link.id).catch(refuse)
      const found = await (await loadGateAccess()).findTruck(db, link, { typed, now: clock.now() })
      if (found) {
        await wrong.caller.reward(caller)
        await wrong.link.reward(link.id)
      }
      return found
    },
    openVisit: async (link, appointmentId) => (await loadGateAccess()).openGateVisit(parts, link, appointmentId),
    readVisit: ({ peer }, secret) =>
      failures.check(
        peer,
        secret,
        async () => (await (await loadGateAccess()).readGateVisit(db, secret, clock.now())) ?? endedLinkError(),
      ),
  }
}

function createLimiters({ caller, link }: typeof WRONG_OF_PHONES) {
  return { caller: new RateLimiterMemory(caller), link: new RateLimiterMemory(link) }
}

function endedLinkError(): StudioError {
  return new StudioError('unauthenticated', 'This link has expired or was revoked.')
}

function refuse(reason: unknown): never {
  // The limiter rejects with what it has counted; anything else is an error.
  if (reason instanceof Error) throw reason
  const { msBeforeNext } = reason as { msBeforeNext: number }
  throw new StudioError('limited', 'Too many numbers were tried.', {
    retryAfterSeconds: Math.max(1, msBeforeNext / 1000),
  })
}
