import type { IncomingHttpHeaders } from 'node:http'
import { type User, type VerifyJwt, verifyTenantKey, verifyToken } from '../access'
import { type Access, type Actor, type Clock, hint, StudioError, suggestCommand } from '../kernel'
import type { Database } from '../storage'
import type { Call, Credentials } from './call'
import type { FailedCredentials } from './failed-credentials'

/** Finds out who sends a request: by its connection and by the headers Authorization and X-API-Key. */
export interface Caller {
  /** Checks each credential that was sent, also where the call needs none; throws for an invalid one. */
  identify(call: Pick<Call, 'peer'>, headers: IncomingHttpHeaders): Promise<Credentials>
  /** The actor of a call with that access. `authorize()` decides what it may do. */
  actorFor(call: Call, access: Access): Actor
}

export function createCaller(options: {
  db: Database
  clock: Clock
  jwt: VerifyJwt | null
  failures: FailedCredentials
}): Caller {
  const { db, clock, jwt, failures } = options
  return {
    async identify({ peer }, { authorization, 'x-api-key': sentKey }) {
      const key = typeof sentKey === 'object' ? sentKey.join(', ') : sentKey
      return {
        user:
          authorization === undefined
            ? null
            : await failures.check(peer, authorization, () => findUser(authorization, { db, clock, jwt })),
        key: key === undefined ? null : await failures.check(peer, key, () => findKey(key, { db, clock })),
      }
    },
    actorFor(call, access) {
      const { user, key } = call.credentials
      const sent = access === 'tenant' ? (key ?? user) : (user ?? key)
      const actor: Actor = sent ?? (call.trust.verdict === 'local' ? { kind: 'local' } : { kind: 'nobody' })
      call.caller = formatName(actor)
      return actor
    },
  }
}

interface Checks {
  db: Database
  clock: Clock
}

async function findUser(
  authorization: string,
  { db, clock, jwt }: Checks & { jwt: VerifyJwt | null },
): Promise<User | StudioError> {
  const token = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization)?.[1]
  if (token === undefined) return invalidCredential('The header Authorization must be: Bearer <token>.')
  if (token.startsWith('studio_key_')) return invalidCredential('A dock key goes into the header X-API-Key.')
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

async function findKey(key: string, { db, clock }: Checks): Promise<NonNullable<Credentials['key']> | StudioError> {
  const found = await verifyTenantKey(db, key, clock.now())
  if (found) return { kind: 'tenant-key', ...found }
  return new StudioError('unauthenticated', 'The key in X-API-Key is not valid.', {
    hint: hint`Create a key: ${suggestCommand('tenants.create-key')}`,
  })
}

/** For the log: never the credential, nor a part of it. */
function formatName(actor: Actor): string {
  if (actor.kind === 'user') return actor.tokenId === null ? `jwt ${actor.name}` : `token ${actor.tokenId}`
  return actor.kind === 'tenant-key' ? `key ${actor.keyId}` : actor.kind
}
