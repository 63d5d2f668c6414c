import { join } from 'node:path'
import { loadSettings } from '../src/config'
import { startSandbox } from '../src/sandbox'
import { SANDBOX_PORT } from '../src/tracker/sample-site'
import type { StandaloneCommand } from './operation/command-parts'
import { parsePort, untilAborted } from './serve'

export const sandbox: StandaloneCommand = {
  define(command) {
    command.option('--port <n>', 'Port to listen on; 0 picks a free one', parsePort, SANDBOX_PORT)
    return {
      about: [
        'Serves the REST API of Azure DevOps to any tool on this machine. It contains the backlog of a',
        'warehouse-software team: three features (101, 102, 103) with stories, tasks and bugs. Changes are stored in a file.',
        'Commands start the same sandbox by themselves if no tracker is set.',
      ].join('\n'),
      examples: ['studio sandbox', `STUDIO_TRACKER_URL=http://127.0.0.1:${SANDBOX_PORT}/quayside studio import 101`],
      related: ['import', 'demo'],
    }
  },

  async run(command, { terminal, flags, signal }) {
    const settings = loadSettings({ env: terminal.env, cwd: terminal.cwd })
    const { port } = command.opts() as { port: number }
    const running = await startSandbox({ file: join(settings.paths.data, 'sandbox.json'), port })
    if (flags.json)
      terminal.out(`${JSON.stringify({ event: 'listening', url: running.url, project: running.project })}\n`)
    terminal.err(`listening on ${running.url} (project ${running.project})\n`)
    await untilAborted(signal)
    await running.close()
    return 0
  },
}
