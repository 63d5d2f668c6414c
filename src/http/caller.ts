import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { judgeLocalTrust, verifyTenantKey } from '../access'
import { type Access, type Actor, type Clock, StudioError } from '../kernel'
import type { Database } from '../storage'
import type { Variables } from './app'

type AppContext = Context<{ Variables: Variables }>

/** Finds out who sends a request. */
export interface Caller {
  /** Refuses what nobody may send: a Host or an Origin that is not ours. */
  admit(c: AppContext): void
  /** Who it is for a call of that kind. */
  actorFor(c: AppContext, access: Access): Promise<Actor>
}

/** By the facts of the connection and, for docks, the tenant's key. */
export function socketCaller(options: {
  db: Database
  clock: Clock
  /** What the server is bound to, which the socket of a call does not tell: a bind to every interface looks local there. */
  boundAddress(): string
  alwaysAuthenticate: boolean
}): Caller {
  const judge = (c: AppContext) =>
    judgeLocalTrust({ ...factsOf(c), listenerAddress: options.boundAddress(), authAlways: options.alwaysAuthenticate })
  return {
    admit(c) {
      const judged = judge(c)
      if (judged.verdict === 'refused') throw new StudioError('forbidden', judged.reason)
    },
    async actorFor(c, access) {
      const key = c.req.header('x-api-key')
      if (key !== undefined) return keyActor(key, options)
      if (access === 'tenant') throw missingKey()
      return judge(c).verdict === 'local' ? { kind: 'local' } : { kind: 'nobody' }
    },
  }
}

function factsOf(c: AppContext) {
  const { incoming } = c.env as unknown as HttpBindings
  return {
    listenerPort: incoming.socket.localPort ?? 0,
    peerAddress: incoming.socket.remoteAddress ?? '',
    hosts: headerValues(incoming.rawHeaders, 'host'),
    target: incoming.url ?? '',
    headers: incoming.headers,
    method: incoming.method ?? 'GET',
  }
}

function headerValues(rawHeaders: readonly string[], name: string): string[] {
  return rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]!.toLowerCase() === name)
}

async function keyActor(key: string, { db, clock }: { db: Database; clock: Clock }): Promise<Actor> {
  const found = await verifyTenantKey(db, key, clock.now())
  if (!found)
    throw new StudioError('unauthenticated', 'The key in X-API-Key is not valid.', {
      hint: 'Make a key: studio tenant key create',
    })
  return { kind: 'tenant-key', ...found }
}

function missingKey(): StudioError {
  return new StudioError('unauthenticated', 'This call needs the header X-API-Key.', {
    hint: 'Make a key: studio tenant key create',
  })
}
