import { loadPortalSessions, type PortalSession } from '../../access'
import { type Context, StudioError } from '../../kernel'
import type { Database } from '../../storage'
import type { Call } from '../call'
import type { FailedCredentials } from './caller'

/** Finds out which carrier has the portal open in a browser. Wrong secrets count as failed credentials of their address. */
export interface PortalCaller {
  /** The session by the secret in the cookie; null if it has ended. Then `ended` is called, also before `limited` is thrown for it. */
  findSession(call: Pick<Call, 'peer'>, secret: string, ended: () => void): Promise<PortalSession | null>
  /** Exchanges the secret of a link for that of a new session. `replaces` is the session of the browser, which ends. */
  signIn(call: Pick<Call, 'peer'>, link: string, options: { replaces: string | null }): Promise<string>
  signOut(sessionId: string): Promise<void>
}

export function createPortalCaller({
  failures,
  ...parts
}: { db: Database; failures: FailedCredentials } & Pick<Context, 'clock' | 'ids'>): PortalCaller {
  const { db, clock } = parts
  return {
    async findSession({ peer }, secret, ended) {
      try {
        return await failures.check(peer, secret, async () => {
          const { verifyPortalSession } = await loadPortalSessions()
          const session = await verifyPortalSession(db, secret, clock.now())
          if (session === null) ended()
          return session ?? new StudioError('unauthenticated', 'This session has ended.')
        })
      } catch (error) {
        // The browser gets the page Sign in.
        if (error instanceof StudioError && error.code === 'unauthenticated') return null
        throw error
      }
    },
    async signIn({ peer }, link, options) {
      const { redeemInvitationLink } = await loadPortalSessions()
      return failures.check(
        peer,
        link,
        async () => (await redeemInvitationLink(parts, link, options)) ?? new StudioError('unauthenticated', USED_LINK),
      )
    },
    async signOut(sessionId) {
      const { endPortalSession } = await loadPortalSessions()
      await endPortalSession(db, sessionId, clock.now())
    },
  }
}

const USED_LINK = 'This link was used before, has expired or was revoked.'
