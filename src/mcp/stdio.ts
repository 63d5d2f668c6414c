import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { ToolHost } from './run-action'
import { toolServer } from './tool-server'

/** The protocol on standard input and output. Resolves when the client has gone, or the signal says so. */
export async function serveTools(host: ToolHost, signal: AbortSignal): Promise<void> {
  const handle = serveStdio(() => toolServer(host))
  await new Promise<void>((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
    if (signal.aborted) resolve()
  })
  await handle.close()
}
