import { type Log, silentLog } from '../src/kernel'
import { loadActions, parseToolSelection } from '../src/mcp'
import { openStudio } from '../src/studio'
import type { StandaloneCommand } from './operation/command-parts'
import type { Invocation } from './start/invocation'
import { version } from './start/version'
import { writeNotice } from './terminal/write-message'

export const mcp: StandaloneCommand = {
  define(command) {
    command
      .option('--tools <topics>', 'Only the tools of these topics, such as search,drafts')
      .option('--read-only', 'Only tools that change nothing')
    return {
      about: [
        'Speaks the Model Context Protocol on standard input and output, and exits when its client disconnects. Agents start this command; you do not run it yourself.',
        'The tools can do what you can do on the command line, except administer tokens, tenants and facilities.',
        'The same tools are available over HTTP to callers with a token: POST /mcp of studio serve.',
        'Each tool fills the context of a model, so a client can choose: over HTTP with /mcp?tools=search,drafts&read-only.',
      ].join('\n'),
      examples: ['studio mcp', 'studio mcp --tools search,drafts --read-only', 'studio mcp --tenant north'],
      related: ['agent', 'serve', 'token create'],
    }
  },

  async run(command, invocation) {
    const { terminal, flags, signal } = invocation
    const { serveTools } = await import('../src/mcp/stdio')
    const { tools = null, readOnly = false } = command.opts() as { tools?: string; readOnly?: boolean }
    const selection = parseToolSelection({ tools, readOnly }, await loadActions())
    const studio = openStudio({
      env: terminal.env,
      cwd: terminal.cwd,
      flags: { tenant: flags.tenant ?? undefined },
      onNotice: (text) => writeNotice(invocation, text),
      log: faultLog(invocation),
      surface: 'mcp',
      isService: true,
    })
    const actor = { kind: 'terminal', tenant: studio.settings.tenant } as const
    try {
      await serveTools(
        {
          version,
          isOffered: await studio.loadCapabilityTest(),
          selection,
          actorFor: () => actor,
          open: async (call) => ({ context: studio.context(call), done() {} }),
        },
        signal,
      )
      return 0
    } finally {
      await studio.close()
    }
  },
}

/** Standard output is the protocol's alone. */
function faultLog({ terminal }: Invocation): Log {
  const write = (message: string, { cause, ...facts }: Record<string, unknown> = {}) => {
    const stack = cause instanceof Error ? cause.stack : undefined
    terminal.err(`${JSON.stringify({ level: 'error', time: new Date().toISOString(), message, ...facts, stack })}\n`)
  }
  return { ...silentLog, error: write }
}
