import { listProtectedFiles, listSecrets, type ServeFlags } from '../src/config'
import type { ServiceLog } from '../src/http/service-log'
import { StudioError } from '../src/kernel'
import { beginToLoadSqlite, isPostgresAddress, requireUnprotectedFile } from '../src/storage'
import { openStudio, type Studio } from '../src/studio'
import type { StandaloneCommand } from './operation/command-parts'
import type { Invocation } from './start/invocation'
import { getStopSignals } from './start/stop-signals'
import { version } from './start/version'
import { writeNotice } from './terminal/write-message'

export const serve: StandaloneCommand = {
  define(command) {
    command
      .option('--host <address>', 'Address to listen on; any but a local one needs a credential (default: 127.0.0.1)')
      .option('--port <n>', 'Port to listen on; 0 picks a free one (default: 4317)', parsePort)
      .option('--socket <path>', 'Listen on a Unix socket instead, which only this user may use')
      .option('--allow-host <name...>', 'Additional host name that requests may use, such as that of a proxy')
      .option(
        '--trust-proxy <address...>',
        'Proxy whose X-Forwarded-For names the caller: 127.0.0.1, 10.0.0.0/8, or unix for the socket',
      )
      .option(
        '--auth <policy>',
        'Who needs a credential: always means every caller, local means all but callers on this machine (default: local)',
        parseAuth,
      )
      .option('--log <format>', 'Log each request: json, pretty or off (default: off on a terminal, else json)')
      .option('--log-file <path>', 'Log to this file instead of standard error; it is reopened on SIGHUP')
      .option('--metrics', 'Offer /metrics in the Prometheus format')
    return {
      about:
        'Stops on Ctrl-C. The story API answers callers on this machine without a token, and other callers with one. The dock API always requires a key (X-API-Key).',
      examples: ['studio serve', 'studio serve --port 0 --json', 'curl -s http://127.0.0.1:4317/api/health'],
      related: ['token create', 'tenant key create', 'sandbox'],
    }
  },

  async run(command, invocation) {
    const { auth, ...flags } = command.opts() as ServeFlags & { auth?: 'local' | 'always' }
    const tenant = invocation.flags.tenant ?? undefined
    const { env, cwd } = invocation.terminal
    let log: ServiceLog | null = null
    // In a JSON log a notice is a JSON line like the others.
    const onNotice = (text: string) => (log?.isJson ? log.info(text) : writeNotice(invocation, text))
    const studio = openStudio({ env, cwd, flags: { ...flags, tenant }, onNotice, isService: true })
    try {
      if (!isPostgresAddress(studio.settings.db)) beginToLoadSqlite()
      requireForeignFiles(studio)
      log = await logFor(studio, env)
      const local = auth === undefined ? studio.settings.auth.local : auth === 'local'
      return await serveUntilStopped({ studio, log, local }, invocation)
    } finally {
      await studio.close()
      await log?.close()
    }
  },
}

async function serveUntilStopped(
  { studio, log, local }: { studio: Studio; log: ServiceLog; local: boolean },
  invocation: Invocation,
): Promise<number> {
  const { terminal, flags, signal } = invocation
  const { startServer } = await import('../src/http/serve')
  const server = await startServer({ studio, version, local, log })
  const reopen = () => log.reopen()
  // On Windows the signal means that the window is closed, so it stops the service.
  const reopens = !getStopSignals().includes('SIGHUP')
  if (reopens) process.on('SIGHUP', reopen)
  if (flags.json) terminal.out(`${JSON.stringify({ event: 'listening', url: server.url })}\n`)
  terminal.err(`listening on ${server.url}\n`)
  for (const line of server.accessSummary) writeNotice(invocation, `  ${line}`)
  await untilAborted(signal)
  await server.close()
  if (reopens) process.off('SIGHUP', reopen)
  return 0
}

/** Neither the log nor the socket may replace a file of studio. */
function requireForeignFiles({ settings }: Studio): void {
  for (const path of [settings.serve.logFile, settings.serve.socket])
    if (path !== null) requireUnprotectedFile(path, listProtectedFiles(settings))
}

/** On a terminal requests are logged only on demand. */
async function logFor({ settings }: Studio, env: NodeJS.ProcessEnv): Promise<ServiceLog> {
  const { openServiceLog } = await import('../src/http/service-log')
  const { log, logFile } = settings.serve
  const usual = process.stderr.isTTY && logFile === null ? 'off' : 'json'
  return openServiceLog({ format: log ?? usual, file: logFile, secrets: listSecrets(settings, env) })
}

export function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

export function parsePort(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65535) return port
  throw new StudioError('invalid', `--port must be a number between 0 and 65535, not "${text}".`)
}

function parseAuth(text: string): string {
  if (text === 'local' || text === 'always') return text
  throw new StudioError('invalid', `--auth must be local or always, not "${text}".`)
}
