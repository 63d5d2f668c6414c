import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { DrainingStdio } from './draining-stdio'
import type { ToolHost } from './run-action'
import { toolServer } from './tool-server'

/** Serves the protocol on standard input and output, until the client ends its input and has its answers, or the signal is aborted. */
export async function serveTools(host: ToolHost, signal: AbortSignal): Promise<void> {
  const transport = new DrainingStdio()
  const handle = serveStdio(() => toolServer(host), { transport })
  const aborted = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
    if (signal.aborted) resolve()
  })
  await Promise.race([transport.drained, aborted])
  await handle.close()
}
