import { type Clock, type Context, StudioError } from '../../../kernel'
import { MINUTE_MS } from '../../../kernel/time'
import type { Database } from '../../../storage'
import { claimCheck, endProviderSessions, updateSession } from '../../queries/sessions'
import { insertAttempt, takeAttempt } from '../../queries/sign-in-attempts'
import { listMemberships } from '../../queries/staff'
import { judgePerson, type PeopleRules } from '../../rules/person-claims'
import { endSession, openSession, type Session, type SessionBrowser } from '../console-sessions'
import { hashCredential } from '../verify-credential'
import type { IdentityProvider } from './identity-provider'
import type { TokenSealer } from './seal-tokens'

/** A person has this long to sign in at the provider. */
const ATTEMPT_MS = 10 * MINUTE_MS
const ATTEMPT_SECRET_LENGTH = 40

/** How often the provider is asked whether a person may still be here. */
const CHECK_MS = 2 * MINUTE_MS
/** A session is refused after this long without a confirmation. */
const UNCONFIRMED_MS = 10 * MINUTE_MS

/** The people of an identity provider, who sign in to the console. */
export interface People {
  /** What the button says. */
  label: string
  /** Begins a sign-in. The secret belongs into a cookie of the browser, which then goes to the address. */
  begin(nextPage: string): Promise<{ secret: string; url: string }>
  /** Ends a sign-in with the query that the provider sent the browser back with. An attempt can be ended once. */
  finish(secret: string | null, query: string, browser: SessionBrowser): Promise<{ session: string; nextPage: string }>
  /** The session with the current role; null if the provider no longer vouches for the person. */
  confirm(session: Session): Promise<Session | null>
  /** Where to sign out at the provider too; null if it has no such page or does not answer. */
  endSessionUrl(session: Session): Promise<string | null>
  /** Ends the sessions that a logout token of the provider names. */
  logout(token: string): Promise<void>
}

export function createPeople(options: {
  db: Database
  clock: Clock
  ids: Context['ids']
  provider: IdentityProvider
  sealer: TokenSealer
  rules: PeopleRules & { label: string }
}): People {
  const { db, clock, ids, provider, sealer, rules } = options
  return {
    label: rules.label,
    async begin(nextPage) {
      const { secrets, url } = await provider.begin()
      const secret = ids.secret(ATTEMPT_SECRET_LENGTH)
      const { state, nonce, codeVerifier } = secrets
      const now = clock.now()
      const attempt = { id: hashCredential(secret), state, nonce, code_verifier: codeVerifier, next_page: nextPage }
      await db.write((tx) => insertAttempt(tx, { ...attempt, expires_at: now + ATTEMPT_MS }, now))
      return { secret, url }
    },
    async finish(secret, query, browser) {
      const id = secret === null ? null : hashCredential(secret)
      const attempt = id === null ? null : await db.write((tx) => takeAttempt(tx, id, clock.now()))
      if (attempt === null) throw unknownAttemptError()
      const { state, nonce, code_verifier: codeVerifier, next_page: nextPage } = attempt
      const { subject, session, claims, tokens } = await provider.finish(query, { state, nonce, codeVerifier })
      const verdict = judgePerson(claims, rules)
      if ('refusal' in verdict) throw noAccessError(verdict.refusal)
      const now = clock.now()
      const { name, role, email } = verdict
      const verified = email === null ? null : { email, at: now }
      const isMember = verified !== null && (await db.read((tx) => listMemberships(tx, email!, now))).length > 0
      if (role === null && !isMember) throw noAccessError('Your account has no role in this service.')
      const user = { kind: 'user', name, role, tokenId: null, personId: subject } as const
      const provided = { subject, session, tokens: sealer.seal(tokens), checkedAt: now, confirmedAt: now }
      const credential = { user, expiresAt: null, provider: provided, verified }
      return { session: await openSession(options, credential, browser), nextPage }
    },
    async confirm(session) {
      const { id, user, provider: known } = session
      if (known === null || user === null) return session
      const now = clock.now()
      if (now - known.checkedAt < CHECK_MS) return requireConfirmed(session, now)
      // One call of all processes asks. Others take what is known, for a few minutes.
      const isOurs = await db.write((tx) => claimCheck(tx, { id, previous: known.checkedAt, now }), { locksRows: true })
      if (!isOurs) return requireConfirmed(session, now)
      const tokens = sealer.unseal(known.tokens)
      const confirmed = tokens && (await provider.confirm(known.subject, tokens).catch(returnUnavailable))
      if (confirmed instanceof StudioError) return requireConfirmed(session, now, confirmed)
      const verdict = confirmed && judgePerson(confirmed.claims, rules)
      if (confirmed === null || verdict === null || 'refusal' in verdict) {
        await endSession(db, id, now)
        return null
      }
      const { role, email } = verdict
      const changes = {
        provider_tokens: sealer.seal(confirmed.tokens),
        confirmed_at: now,
        role,
        verified_email: email,
        verified_at: email === null ? null : now,
      }
      await db.write((tx) => updateSession(tx, id, changes), { locksRows: true })
      // The memberships of a session are those of its address.
      const isSameAddress = email === known.email
      const memberships = isSameAddress ? session.memberships : []
      if (role === null && memberships.length === 0) {
        await endSession(db, id, now)
        return null
      }
      const dock = session.dock?.credential.kind === 'member' && !isSameAddress ? null : session.dock
      return { ...session, user: { ...user, role }, dock, memberships }
    },
    async endSessionUrl({ provider: known }) {
      const tokens = known && sealer.unseal(known.tokens)
      return tokens && (await provider.endSessionUrl(tokens.idToken).catch(() => null))
    },
    async logout(token) {
      const now = clock.now()
      const { subject, session, at } = await provider.verifyLogout(token, now)
      // The token has full seconds.
      await db.write((tx) => endProviderSessions(tx, { subject, session, at: at + 999 }, now), { locksRows: true })
    },
  }
}

function returnUnavailable(error: unknown): StudioError {
  if (error instanceof StudioError && error.code === 'unavailable') return error
  throw error
}

/** A provider that does not answer says nothing about a person, but no one stays for long without its word. */
function requireConfirmed(session: Session, now: number, error?: StudioError): Session {
  if (now - session.provider!.confirmedAt < UNCONFIRMED_MS) return session
  throw (
    error ?? new StudioError('unavailable', 'The provider for signing in cannot be reached.', { retryAfterSeconds: 10 })
  )
}

function unknownAttemptError(): StudioError {
  return new StudioError('unauthenticated', 'This sign-in was not begun in this browser, has ended or took too long.', {
    hint: 'Begin again.',
  })
}

function noAccessError(message: string): StudioError {
  return new StudioError('forbidden', message, { hint: 'Ask an administrator of this service for access.' })
}
