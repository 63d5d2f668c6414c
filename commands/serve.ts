import { Command } from 'commander'
import { type Log, StudioError, silentLog } from '../src/kernel'
import { openStudio } from '../src/studio'
import { dressCommand } from './help'
import type { Invocation } from './invocation'
import type { OwnCommand } from './own-commands'
import { version } from './version'

export const serve: OwnCommand = {
  build() {
    const command = new Command('serve')
      .description('Serve the HTTP API on this machine')
      .option('--host <address>', 'address to listen on, of this machine alone (default: 127.0.0.1)')
      .option('--port <n>', 'port to listen on; 0 picks a free one (default: 4317)', portNumber)
      .option('--auth <policy>', 'local: callers on this machine need no credential; always: all do', policy, 'local')
    return dressCommand(command, {
      about:
        'Stops on Ctrl-C. The story API answers callers on this machine; the dock API always wants its key (X-API-Key).',
      examples: ['studio serve', 'studio serve --port 0 --json', 'curl -s http://127.0.0.1:4317/api/health'],
      related: ['tenant key create', 'sandbox'],
    })
  },

  async run(command, invocation) {
    const { startServer } = await import('../src/http/serve')
    const flags = command.opts() as { host?: string; port?: number; auth: 'local' | 'always' }
    const studio = openStudio({
      env: invocation.terminal.env,
      cwd: invocation.terminal.cwd,
      flags: { host: flags.host, port: flags.port, tenant: invocation.flags.tenant ?? undefined },
      onNotice: (text) => say(invocation, text),
      log: faultLog(invocation),
    })
    try {
      const { host, port } = studio.settings.serve
      const server = await startServer({ studio, host, port, version, alwaysAuthenticate: flags.auth === 'always' })
      if (invocation.flags.json) invocation.terminal.out(`${JSON.stringify({ event: 'listening', url: server.url })}\n`)
      invocation.terminal.err(`listening on ${server.url}\n`)
      await untilAborted(invocation.signal)
      await server.close()
      return 0
    } finally {
      await studio.close()
    }
  },
}

function say(invocation: Invocation, text: string): void {
  if (!invocation.flags.quiet) invocation.terminal.err(`${text}\n`)
}

/** Faults of ours, a line of JSON each, so that a 500 can be understood afterwards. */
function faultLog({ terminal }: Invocation): Log {
  const write = (message: string, facts: Record<string, unknown> = {}) => {
    const { cause, ...rest } = facts
    const stack = cause instanceof Error ? cause.stack : undefined
    terminal.err(`${JSON.stringify({ level: 'error', time: new Date().toISOString(), message, ...rest, stack })}\n`)
  }
  return { ...silentLog, error: write }
}

export function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

export function portNumber(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65535) return port
  throw new StudioError('invalid', `--port must be a number between 0 and 65535, not "${text}".`)
}

function policy(text: string): string {
  if (text === 'local' || text === 'always') return text
  throw new StudioError('invalid', `--auth must be local or always, not "${text}".`)
}
