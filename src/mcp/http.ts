import { createMcpHandler } from '@modelcontextprotocol/server'
import type { ToolHost } from './run-action'
import { toolServer } from './tool-server'

/** One request of the protocol over HTTP. Who may send it has been decided before; nothing is kept from one request to the next. */
export async function answerToolRequest(request: Request, host: ToolHost): Promise<Response> {
  const handler = createMcpHandler(() => toolServer(host))
  return handler.fetch(request)
}
