import { once } from 'node:events'
import { lstat, unlink } from 'node:fs/promises'
import type { Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { errorCodeOf, StudioError } from '../../kernel'

/** Linux has room for 107 bytes, macOS and the BSDs for 103. */
const MAX_SOCKET_PATH_BYTES = process.platform === 'linux' ? 107 : 103

/** Where a server listens: an address of this machine, or a Unix socket. */
export interface Listener {
  /** Undefined on a Unix socket. */
  address: string | undefined
  port: number
  url: string
}

/** Connections that wait to be accepted; the system may allow fewer. A client that finds no room tries again after seconds. */
const BACKLOG = 4096

export async function listenAt(server: Server, host: string, port: number): Promise<Listener> {
  await listening(
    server,
    () => server.listen({ port, host, backlog: BACKLOG }),
    (error) => addressError(error, host, port),
  )
  const bound = server.address() as AddressInfo
  // A server listens at no other host that has a colon: no name has one.
  const shown = host.includes(':') ? `[${host}]` : host
  return { address: bound.address, port: bound.port, url: `http://${shown}:${bound.port}` }
}

/**
 * Only this user may use the socket, from its creation on. A socket that a killed server left behind is replaced; any other file at the
 * path is left unchanged.
 */
export async function listenOnSocket(server: Server, path: string): Promise<Listener> {
  // Node would truncate a longer path silently and listen at another one.
  if (Buffer.byteLength(path) > MAX_SOCKET_PATH_BYTES) throw unusableSocket(path)
  const listen = () => {
    const mask = process.umask(0o177)
    try {
      server.listen({ path, backlog: BACKLOG })
    } finally {
      process.umask(mask)
    }
  }
  const inWords = (error: NodeJS.ErrnoException) => socketError(error, path)
  try {
    await listening(server, listen)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw inWords(error as Error)
    if (!(await isSocket(path))) throw notASocket(path)
    if (await answers(path)) throw inWords(error as Error)
    await unlink(path).catch(() => {})
    await listening(server, listen, inWords)
  }
  return { address: undefined, port: 0, url: `unix:${path}` }
}

/** Starts to listen; an error is thrown as `toReported` makes it. */
async function listening(server: Server, listen: () => void, toReported = (error: Error): unknown => error) {
  const isListening = once(server, 'listening')
  listen()
  await isListening.catch((error) => {
    throw toReported(error)
  })
}

/** False for a link to a socket, because the file at the path itself would be removed. */
async function isSocket(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null)
  return found?.isSocket() ?? false
}

/** Whether a server accepts connections there. */
async function answers(path: string): Promise<boolean> {
  const socket = connect(path)
  try {
    await once(socket, 'connect')
    return true
  } catch (error) {
    return errorCodeOf(error) !== 'ECONNREFUSED'
  } finally {
    socket.destroy()
  }
}

function notASocket(path: string): StudioError {
  return new StudioError('invalid', `${path} exists and is not a socket. It was not changed.`, {
    hint: 'Use another path: --socket <path>',
  })
}

function socketError(error: NodeJS.ErrnoException, path: string): unknown {
  if (error.code === 'EADDRINUSE')
    return new StudioError('unavailable', `Another server already listens on ${path}.`, {
      hint: 'Stop it, or use another path: --socket <path>',
      cause: error,
    })
  return unusableSocket(path, error)
}

function unusableSocket(path: string, cause?: Error): StudioError {
  return new StudioError('invalid', `No socket can be created at ${path}.`, {
    hint: `Use a path of at most ${MAX_SOCKET_PATH_BYTES} bytes in a folder of this user: --socket <path>`,
    cause,
  })
}

function addressError(cause: NodeJS.ErrnoException, host: string, port: number): unknown {
  switch (cause.code) {
    case 'EADDRINUSE':
      return new StudioError('unavailable', `Port ${port} is taken.`, {
        hint: 'Use another one: --port 0 picks a free one.',
        cause,
      })
    case 'EACCES':
      return new StudioError('invalid', `You are not allowed to listen on port ${port}.`, {
        hint: 'Use a port above 1023: --port 4317',
        cause,
      })
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StudioError('invalid', `${host} is not an address of this machine.`, {
        hint: 'Use --host 127.0.0.1',
        cause,
      })
    default:
      return cause
  }
}
