import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type CallFacts, findClientAddress, type IsTrustedProxy, judgeLocalTrust, type TrustVerdict } from '../access'
import type { Credentials } from './caller'

/** What is known of one request beside its handler. */
export interface Call {
  requestId: string
  method: string
  /** Without its query, which may hold what should not be written down. */
  path: string
  trust: TrustVerdict
  /** The socket's own address, or what a trusted proxy says of its client; `socket` on a Unix socket. */
  peer: string
  /** Whom the credentials that came with it stand for; each was checked. */
  credentials: Credentials
  /** The pattern that answered: `/api/stories/{id}`; null where none fits. */
  route: string | null
  /** Whom the credentials stand for, or why none was needed. */
  caller: string | null
  /** Of the refusal, where it was one. */
  code: string | null
  /** The whole answer, where it holds as long as the database is of this version. */
  lasting: { version: object; headers: Record<string, string>; text: string } | null
}

/** What the server knows of itself, and the socket of a call does not tell: a bind to every interface looks local there. */
export interface Place {
  /** Undefined on a Unix socket. */
  address: string | undefined
  port: number
  allowedHosts: readonly string[]
  authAlways: boolean
  /** Proxies whose X-Forwarded-For is believed. */
  isTrustedProxy: IsTrustedProxy
}

export function callOf(incoming: IncomingMessage, place: Place): Call {
  const facts = factsOf(incoming, place)
  return {
    requestId: requestIdOf(incoming.headers['x-request-id']),
    method: facts.method,
    path: pathOf(facts.target),
    trust: judgeLocalTrust(facts),
    peer: peerOf(incoming, place),
    credentials: NO_CREDENTIALS,
    route: null,
    caller: null,
    code: null,
    lasting: null,
  }
}

/** Who is counted and logged as the caller. Whether a call is local is for the socket alone to say. */
function peerOf({ socket, headers }: IncomingMessage, { isTrustedProxy }: Place): string {
  const forwardedFor = headers['x-forwarded-for'] as string | undefined
  return findClientAddress(socket.remoteAddress, forwardedFor, isTrustedProxy) ?? 'socket'
}

const NO_CREDENTIALS: Credentials = { user: null, key: null }

function factsOf(incoming: IncomingMessage, place: Place): CallFacts {
  return {
    listenerAddress: place.address,
    listenerPort: place.port,
    allowedHosts: place.allowedHosts,
    authAlways: place.authAlways,
    peerAddress: incoming.socket.remoteAddress,
    hosts: headerValues(incoming.rawHeaders, 'host'),
    target: incoming.url ?? '',
    method: incoming.method ?? 'GET',
    headers: incoming.headers,
  }
}

function pathOf(target: string): string {
  const end = target.search(/[?#]/)
  return end < 0 ? target : target.slice(0, end)
}

function headerValues(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]!.toLowerCase() === name) values.push(rawHeaders[i + 1]!)
  return values
}

function requestIdOf(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : randomUUID()
}
