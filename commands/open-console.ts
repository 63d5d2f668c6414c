import { loadOperation } from '../src/catalog'
import { loadSettings } from '../src/config'
import { StudioError } from '../src/kernel'
import type { StandaloneCommand } from './operation/command-parts'
import { executeHere } from './operation/with-studio'
import type { Invocation } from './start/invocation'
import { isWebPage, showPage } from './terminal/open-page'

/** `studio console`: opens the console of a running service, signed in as the user of this terminal. */
export const openConsole: StandaloneCommand = {
  define(command) {
    command
      .option('--url <address>', 'Address of the service (default: where studio serve listens)')
      .option('--print', 'Print the link and open nothing')
    return {
      about:
        'Opens the console of the service in $BROWSER or the default browser. The link signs the browser in. It works once, within ten minutes. Without a browser, such as over SSH, the command prints the link.',
      examples: ['studio console', 'studio console --url https://studio.example.com --print'],
      related: ['serve', 'session link', 'session list'],
    }
  },

  async run(command, invocation) {
    const { url, print } = command.opts() as { url?: string; print?: true }
    const service = url === undefined ? await findService(invocation) : parseService(url)
    const create = await loadOperation('sessions.create-link')
    const { path } = (await executeHere(create, {}, invocation)) as { path: string }
    await showPage({ url: `${service}${path}`, print }, invocation)
    return 0
  },
}

/** Where `studio serve` listens by the settings. Throws if it does not answer. */
async function findService({ terminal }: Invocation): Promise<string> {
  const { host, port, socket } = loadSettings({ env: terminal.env, cwd: terminal.cwd }).serve
  if (socket !== null)
    throw new StudioError('invalid', 'The service listens on a socket, which a browser cannot open.', {
      hint: 'Name the address of its proxy: studio console --url <address>',
    })
  const name = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? (host.includes(':') ? `[${host}]` : host)
  const service = `http://${name}:${port}`
  const answer = await fetch(`${service}/api/health`, { signal: AbortSignal.timeout(ANSWER_MS) }).catch(() => null)
  if (answer?.ok) return service
  throw new StudioError('unavailable', `No service answers at ${service}.`, {
    hint: 'Start it in another terminal: studio serve. Then run studio console again.',
  })
}

const ANSWER_MS = 3_000

function parseService(url: string): string {
  if (isWebPage(url)) return new URL(url).origin
  throw new StudioError('invalid', `--url must be a web address, not "${url}".`)
}
