import { readFileSync } from 'node:fs'
import type { Server, Socket } from 'node:net'
import type { IsTrustedProxy } from '../call'
import { networkOf } from '../callers/caller'

/** File handles that connections of callers do not take: for the files of the database, and for connections to other servers. */
const RESERVED_HANDLES = 64

/**
 * How many connections the service accepts at once, so that idle ones cannot take the handles that calls need. Node closes further ones.
 * Infinite where the system does not say how many handles the process may have.
 */
export function findConnectionLimit(handles = readHandleLimit()): number {
  return handles - Math.min(RESERVED_HANDLES, Math.floor((handles * 3) / 4))
}

/** One address may hold that many connections however few there are: a browser opens several. */
const MIN_SHARE = 16

/** The number of connections that one address may hold, so that others are left for other addresses. Infinite if the limit of all is. */
function findShare(limit: number): number {
  return Math.min(limit, Math.max(MIN_SHARE, Math.floor(limit / 2)))
}

/** Which limit closed a connection. */
export type ConnectionLimit = 'total' | 'address'

export interface ConnectionLimits {
  /** How many connections the service accepts at once. */
  limit: number
  /** A trusted proxy has connections for many clients, so only the limit of all applies to it. */
  isTrustedProxy: IsTrustedProxy
  /** Called for each connection that is closed because of a limit. */
  refused(limit: ConnectionLimit): void
}

/** Closes connections beyond those that the service accepts, and beyond the share of one address, before they send anything. */
export function limitConnections(server: Server, { limit, isTrustedProxy, refused }: ConnectionLimits): void {
  server.maxConnections = limit
  server.on('drop', () => refused('total'))
  const share = findShare(limit)
  const held = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket
    // A peer on the Unix socket is this user or a proxy.
    if (remoteAddress === undefined || isTrustedProxy(remoteAddress)) return
    const network = networkOf(remoteAddress)
    const count = held.get(network) ?? 0
    if (count >= share) {
      refused('address')
      socket.destroy()
      return
    }
    held.set(network, count + 1)
    socket.once('close', () => {
      const left = held.get(network)! - 1
      if (left > 0) held.set(network, left)
      else held.delete(network)
    })
  })
}

function readHandleLimit(): number {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return Number(limit ?? Number.POSITIVE_INFINITY)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
