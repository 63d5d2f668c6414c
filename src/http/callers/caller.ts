import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { isIPv6 } from 'node:net'
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js'
import {
  EmailAddress,
  loadConsoleSessions,
  type People,
  type Session,
  type User,
  type VerifyJwt,
  verifyTenantKey,
  verifyToken,
} from '../../access'
import {
  type Access,
  type Actor,
  type Context,
  callerOf,
  type DockCaller,
  hint,
  httpStatusOf,
  inputError,
  isDockAccess,
  StudioError,
  suggestCommand,
} from '../../kernel'
import type { Database } from '../../storage'
import type { Call, Credentials } from '../call'

/** Finds out who sends a request: by its connection and by the headers Authorization and X-API-Key. */
export interface Caller {
  /** Checks each credential that was sent, even where the call needs none; throws for an invalid one. */
  identify(call: Pick<Call, 'peer'>, headers: IncomingHttpHeaders): Promise<Credentials>
  /**
   * The same for a stream that is open, by the secret of its session or its headers: null if the credentials are no longer valid. It
   * counts no failure.
   */
  identifyAgain(sessionSecret: string | null, headers: IncomingHttpHeaders): Promise<Credentials | null>
  /** The actor of a call with that access. `authorize()` decides what it may do. */
  actorFor(call: Call, access: Access): Actor
  /**
   * The session of a browser by the secret in its cookie; null if there is none. That counts as a failed credential, and `ended` is called,
   * also before `limited` is thrown for it.
   */
  findSession(call: Pick<Call, 'peer'>, secret: string, ended: () => void): Promise<Session | null>
  /** Exchanges a token, a JWT, a dock key or a sign-in link for the secret of a new session. Throws for an invalid one. */
  signIn(call: Pick<Call, 'peer'>, credential: string, browser: Browser): Promise<string>
  /**
   * The address to which a link to sign in may be sent; null if it got enough of them. Throws `invalid` for no address, and `limited` for a
   * caller who asks often.
   */
  takeLinkRequest(call: Pick<Call, 'peer'>, email: unknown): Promise<string | null>
  /** Begins a sign-in with the provider. Throws `limited` for an address that begins many. */
  beginPerson(call: Pick<Call, 'peer'>, nextPage: string): Promise<{ secret: string; url: string }>
  /** Ends a sign-in with the provider: the secret of a new session, and the page to open. */
  signInPerson(
    call: Pick<Call, 'peer'>,
    answer: { secret: string | null; query: string; userAgent: string | null },
  ): Promise<{ session: string; nextPage: string }>
  /** Lets a session act for the tenant of one of its memberships. False if it has no such membership. */
  actAs(session: Session, memberId: unknown): Promise<boolean>
  signOut(sessionId: string): Promise<void>
  /** Checks what a request proves itself with, other than a header or a cookie. A refusal counts as a failed credential of its address. */
  checkProof(call: Pick<Call, 'peer'>, proof: string, check: () => Promise<void>): Promise<void>
}

export interface Browser {
  userAgent: string | null
  /** The secret of its session so far, which ends. */
  replaces: string | null
}

export function createCaller(options: {
  db: Database
  clock: Context['clock']
  ids: Context['ids']
  jwt: VerifyJwt | null
  people: People | null
  failures: FailedCredentials
}): Caller {
  const { db, clock, jwt, people, failures } = options
  /** Each begun sign-in is stored for some minutes. */
  const begun = new RateLimiterMemory({ points: 30, duration: 60 })
  /** By network, and by the address that the mails go to. */
  const linkRequests = new RateLimiterMemory({ points: 20, duration: 900 })
  const linksOf = new RateLimiterMemory({ points: 3, duration: 900 })
  const openSessionOf = async (secret: string) => {
    const { verifySession } = await loadConsoleSessions()
    const session = await verifySession(db, secret, clock.now())
    return session?.provider ? ((await people?.confirm(session)) ?? null) : session
  }
  const caller: Caller = {
    async identify({ peer }, headers) {
      const { authorization, key } = readCredentials(headers)
      return {
        user:
          authorization === undefined
            ? null
            : await failures.check(peer, authorization, () => findUser(authorization, { db, clock, jwt })),
        dock: key === undefined ? null : await failures.check(peer, key, () => findKey(key, { db, clock })),
      }
    },
    async identifyAgain(sessionSecret, headers) {
      if (sessionSecret !== null) return openSessionOf(sessionSecret)
      const { authorization, key } = readCredentials(headers)
      // An issuer that does not answer must not lengthen the time of a token.
      if (authorization !== undefined && (readExpiry(authorization) ?? Number.POSITIVE_INFINITY) <= clock.now())
        return null
      const user = authorization === undefined ? null : await findUser(authorization, { db, clock, jwt })
      const found = key === undefined ? null : await findKey(key, { db, clock })
      return user instanceof StudioError || found instanceof StudioError ? null : { user, dock: found }
    },
    actorFor(call, access) {
      const { user, dock } = call.credentials
      const isForDock = isDockAccess(access) && !(access.serviceAdmins && user?.role === 'admin')
      const sent = isForDock ? (dock ?? user) : (user ?? dock)
      const actor: Actor = sent ?? (call.trust.verdict === 'local' ? { kind: 'local' } : { kind: 'anonymous' })
      call.caller = callerOf(actor)
      return actor
    },
    actAs: async (session, memberId) => (await loadConsoleSessions()).actAsMember(db, session, memberId),
    signOut: async (sessionId) => (await loadConsoleSessions()).endSession(db, sessionId, clock.now()),
    async checkProof({ peer }, proof, check) {
      const verify = async () => {
        try {
          await check()
          return true
        } catch (error) {
          // A database that does not answer is no fault of the sender.
          if (error instanceof StudioError && httpStatusOf(error.code) < 500) return error
          throw error
        }
      }
      await failures.check(peer, proof, verify)
    },
    async findSession({ peer }, secret, ended) {
      try {
        return await failures.check(peer, secret, async () => {
          const session = await openSessionOf(secret)
          if (session === null) ended()
          return session ?? endedSessionError()
        })
      } catch (error) {
        // A browser whose session ended gets the sign-in form.
        if (error instanceof StudioError && error.code === 'unauthenticated') return null
        throw error
      }
    },
    async takeLinkRequest({ peer }, given) {
      const { data: email } = EmailAddress.safeParse(given)
      if (email === undefined) throw inputError([{ path: 'email', message: 'must be an e-mail address' }])
      await linkRequests.consume(networkOf(peer)).catch(() => {
        throw new StudioError('limited', 'Too many links were requested from this address.', { retryAfterSeconds: 900 })
      })
      return linksOf.consume(email).then(
        () => email,
        () => null,
      )
    },
    async beginPerson({ peer }, nextPage) {
      await begun.consume(networkOf(peer)).catch(() => {
        throw new StudioError('limited', 'Too many sign-ins were begun from this address.', { retryAfterSeconds: 60 })
      })
      return people!.begin(nextPage)
    },
    async signInPerson({ peer }, { secret, query, userAgent }) {
      const browser = { address: peer, userAgent, replaces: null }
      return failures.check(peer, secret ?? '', async () => {
        try {
          return await people!.finish(secret, query, browser)
        } catch (error) {
          if (error instanceof StudioError && error.code === 'unauthenticated') return error
          throw error
        }
      })
    },
    async signIn({ peer }, credential, client) {
      const { openSession, redeemSessionLink, SESSION_KIND } = await loadConsoleSessions()
      const browser = { ...client, address: peer }
      if (credential.startsWith(SESSION_KIND))
        return failures.check(
          peer,
          credential,
          async () => (await redeemSessionLink(options, credential, browser)) ?? usedLinkError(),
        )
      if (credential.startsWith('studio_key_')) {
        const { dock } = await caller.identify({ peer }, { 'x-api-key': credential })
        return openSession(options, { dock: dock! }, browser)
      }
      const { user } = await caller.identify({ peer }, { authorization: `Bearer ${credential}` })
      return openSession(options, { user: user!, expiresAt: readExpiry(credential) }, browser)
    },
  }
  return caller
}

function readCredentials({ authorization, 'x-api-key': key }: IncomingHttpHeaders) {
  return { authorization, key: typeof key === 'object' ? key.join(', ') : key }
}

function endedSessionError(): StudioError {
  return new StudioError('unauthenticated', 'This session has ended.')
}

function usedLinkError(): StudioError {
  return new StudioError('unauthenticated', 'This link was used before, or has expired.', {
    hint: hint`Request another one by mail, or create one: ${suggestCommand('sessions.create-link')}`,
  })
}

/** When a JWT that was verified expires; null for any other token. */
function readExpiry(token: string): number | null {
  const [, payload] = token.split('.')
  return payload === undefined ? null : JSON.parse(Buffer.from(payload, 'base64url').toString()).exp * 1000
}

interface Checks {
  db: Database
  clock: Context['clock']
}

async function findUser(
  authorization: string,
  { db, clock, jwt }: Checks & { jwt: VerifyJwt | null },
): Promise<User | StudioError> {
  const token = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization)?.[1]
  if (token === undefined) return invalidCredential('The header Authorization must be: Bearer <token>.')
  if (token.startsWith('studio_key_')) return invalidCredential('Send a dock key in the header X-API-Key.')
  const found = await (token.startsWith('studio_pat_') || jwt === null
    ? verifyToken(db, token, clock.now())
    : jwt(token, clock.now()))
  return found.kind === 'user' ? found : invalidCredential(found.reason)
}

function invalidCredential(message: string): StudioError {
  return new StudioError('unauthenticated', message, {
    hint: hint`Create a token: ${suggestCommand('tokens.create', { name: '<name>' })}`,
  })
}

async function findKey(key: string, { db, clock }: Checks): Promise<DockCaller | StudioError> {
  const found = await verifyTenantKey(db, key, clock.now())
  if (found) return found
  return new StudioError('unauthenticated', 'The key in X-API-Key is not valid.', {
    hint: hint`Create a key: ${suggestCommand('tenants.create-key')}`,
  })
}

const FAILURES = 10
const WITHIN_SECONDS = 60
const TRUSTED_AT_ONCE = 1_000

/** For an address over the limit: how many credentials that are not known as good are looked up concurrently. */
const LOOKUPS_AT_ONCE = 4

/**
 * Counts the credentials that were not good by the address they came from, on this machine too. Past the limit the address gets 429
 * for further ones until the minute is over. A valid credential is accepted all the same, since many callers share an address behind a
 * proxy: it is looked up before the count is held against it. Those look-ups are bounded, so that a flood costs little.
 */
export class FailedCredentials {
  readonly #limiter = new RateLimiterMemory({ points: FAILURES, duration: WITHIN_SECONDS })
  readonly #trusted = new Set<string>()
  readonly #lookups = new Map<string, number>()

  /** What `verify` finds. Throws its refusal, or `limited` where the address has sent too many that were not good. */
  async check<Found>(peer: string, secret: string, verify: () => Promise<Found | StudioError>): Promise<Found> {
    const wait = await this.#secondsToWait(peer)
    const found =
      wait === null || this.#trusted.has(digest(secret)) ? await verify() : await this.#bounded(peer, verify)
    if (found === null) throw limited(1)
    if (found instanceof StudioError) {
      if (wait !== null) throw limited(wait)
      await this.#note(peer)
      throw found
    }
    this.#trust(secret)
    return found
  }

  /** Null where the address may still fail. */
  async #secondsToWait(peer: string): Promise<number | null> {
    const counted = await this.#limiter.get(networkOf(peer))
    if (!counted || counted.consumedPoints < FAILURES) return null
    return Math.max(1, counted.msBeforeNext / 1000)
  }

  /** Null where too many look-ups for this address are under way. */
  async #bounded<Found>(peer: string, verify: () => Promise<Found>): Promise<Found | null> {
    const network = networkOf(peer)
    const underWay = this.#lookups.get(network) ?? 0
    if (underWay >= LOOKUPS_AT_ONCE) return null
    this.#lookups.set(network, underWay + 1)
    try {
      return await verify()
    } finally {
      const left = this.#lookups.get(network)! - 1
      if (left > 0) this.#lookups.set(network, left)
      else this.#lookups.delete(network)
    }
  }

  async #note(peer: string): Promise<void> {
    await this.#limiter.penalty(networkOf(peer))
  }

  #trust(secret: string): void {
    const known = digest(secret)
    if (this.#trusted.delete(known) || this.#trusted.size < TRUSTED_AT_ONCE) this.#trusted.add(known)
    else {
      const [oldest] = this.#trusted
      this.#trusted.delete(oldest!)
      this.#trusted.add(known)
    }
  }
}

function limited(retryAfterSeconds: number): StudioError {
  return new StudioError('limited', 'Too many requests with invalid credentials came from this address.', {
    hint: 'Fix the credential, and try again after the time in Retry-After.',
    retryAfterSeconds,
  })
}

/** An IPv6 address counts as its network of 64 bits, of which one caller has all addresses. */
export function networkOf(peer: string): string {
  if (!peer.includes(':')) return peer // Node's pattern for IPv6 takes milliseconds to compile
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(peer)
  if (mapped) return mapped[1]!
  const address = peer.replace(/%.*/s, '')
  if (!isIPv6(address)) return peer
  const [head, tail] = address.split('::') as [string, string | undefined]
  const groupsOf = (text: string | undefined) => (text ? text.split(':') : [])
  const [before, after] = [groupsOf(head), groupsOf(tail)]
  const gap = tail === undefined ? [] : Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0')
  return [...before, ...gap, ...after]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('base64')
}
