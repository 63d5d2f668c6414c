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

/** All names of one address in ten minutes: each right one stores a secret. */
const ALL_OF_PEER = { points: 120, duration: 600 }
/** Wrong names of one address in ten minutes, and with one link in an hour. */
const WRONG_OF_PEER = { points: 10, duration: 600 }
const WRONG_OF_LINK = { points: 60, duration: 3600 }

export function createGateCaller({
  failures,
  ...parts
}: { db: Database; failures: FailedCredentials } & Pick<Context, 'clock' | 'ids'>): GateCaller {
  const { db, clock } = parts
  const all = new RateLimiterMemory(ALL_OF_PEER)
  const wrong = {
    peer: new RateLimiterMemory(WRONG_OF_PEER),
    link: new RateLimiterMemory(WRONG_OF_LINK),
  }
  return {
    openLink: ({ peer }, secret) =>
      failures.check(
        peer,
        secret,
        async () => (await (await loadGateAccess()).openGateLink(db, secret, clock.now())) ?? endedLinkError(),
      ),
    async findTruck({ peer }, link, typed) {
      const network = networkOf(peer)
      // Each name counts before it is looked up, so that many at once are no way around the limits. One address alone does not use up a link.
      await all.consume(network).catch(refuse)
      await wrong.peer.consume(network).catch(refuse)
      await wrong.link.consume(link.id).catch(refuse)
      const found = await (await loadGateAccess()).findTruck(db, link, { typed, now: clock.now() })
      if (found) {
        await wrong.peer.reward(network)
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
