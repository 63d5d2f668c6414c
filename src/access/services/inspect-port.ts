import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { type Finding, ok, problem, warning } from '../../storage'

export interface ListenAddress {
  host: string
  port: number
  /** A Unix socket in place of host and port. */
  socket: string | null
}

/** What `studio doctor` says of where `studio serve` would listen: free, ours already, or somebody else's. */
export async function inspectPort(
  { host, port, socket }: ListenAddress,
  { mostMs }: { mostMs: number },
): Promise<Finding> {
  if (socket !== null)
    return ok('port', existsSync(socket) ? `The socket ${socket} is there.` : `The socket ${socket} is free.`)
  if (port === 0) return ok('port', 'studio serve takes any free one.')
  const shownHost = host.includes(':') ? `[${host}]` : host
  const code = await tryListening(host, port)
  if (code === null) return ok('port', `${shownHost}:${port} is free for studio serve.`)
  if (code === 'EADDRINUSE') {
    const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : shownHost
    if (await isStudioServer(`http://${reachable}:${port}`, mostMs))
      return ok('port', `A studio serves on ${shownHost}:${port} already.`)
    return warning(
      'port',
      `${shownHost}:${port} is taken by another program.`,
      'Take another: studio serve --port 0; or set STUDIO_PORT.',
    )
  }
  if (code === 'EACCES')
    return warning('port', `${shownHost}:${port} is not yours to listen on.`, 'Set STUDIO_PORT to one above 1023.')
  return problem(
    'port',
    `studio serve cannot listen on ${shownHost}:${port} (${code}).`,
    'Set STUDIO_HOST to an address of this machine, as 127.0.0.1.',
  )
}

/** Null where it goes; else what the system says. The port is given back at once. */
function tryListening(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)))
  })
}

async function isStudioServer(origin: string, mostMs: number): Promise<boolean> {
  try {
    const response = await fetch(`${origin}/api/agent`, { signal: AbortSignal.timeout(mostMs), redirect: 'error' })
    const answer = (await response.json()) as { agent_friendly?: unknown; server?: { name?: unknown } }
    return answer.agent_friendly === true && typeof answer.server?.name === 'string'
  } catch {
    return false
  }
}
