import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { type Finding, ok, problem, warning } from '../../storage'

export interface ListenAddress {
  host: string
  port: number
  /** A Unix socket in place of host and port. */
  socket: string | null
}

/** Checks whether the address of `studio serve` is free, used by a studio server, or used by another program. */
export async function inspectPort(
  { host, port, socket }: ListenAddress,
  { timeoutMs }: { timeoutMs: number },
): Promise<Finding> {
  if (socket !== null)
    return ok('port', existsSync(socket) ? `The socket ${socket} exists.` : `The socket ${socket} is free.`)
  if (port === 0) return ok('port', 'studio serve uses any free port.')
  const shownHost = host.includes(':') ? `[${host}]` : host
  const code = await tryListening(host, port)
  if (code === null) return ok('port', `${shownHost}:${port} is free for studio serve.`)
  if (code === 'EADDRINUSE') {
    const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : shownHost
    if (await isStudioServer(`http://${reachable}:${port}`, timeoutMs))
      return ok('port', `A studio server already listens on ${shownHost}:${port}.`)
    return warning(
      'port',
      `Another program listens on ${shownHost}:${port}.`,
      'Use another port: studio serve --port 0; or set STUDIO_PORT.',
    )
  }
  if (code === 'EACCES')
    return warning(
      'port',
      `You are not allowed to listen on ${shownHost}:${port}.`,
      'Set STUDIO_PORT to a port above 1023.',
    )
  return problem(
    'port',
    `studio serve cannot listen on ${shownHost}:${port} (${code}).`,
    'Set STUDIO_HOST to an address of this machine, such as 127.0.0.1.',
  )
}

/** Returns null if listening succeeds, otherwise the error code. The port is released immediately. */
function tryListening(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)))
  })
}

async function isStudioServer(origin: string, timeoutMs: number): Promise<boolean> {
  try {
    const response = await fetch(`${origin}/api/agent`, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' })
    const answer = (await response.json()) as { agent_friendly?: unknown; server?: { name?: unknown } }
    return answer.agent_friendly === true && typeof answer.server?.name === 'string'
  } catch {
    return false
  }
}
