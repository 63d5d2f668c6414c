import { createMcpHandler } from '@modelcontextprotocol/server'
import type { ToolHost } from './run-action'
import { toolServer } from './tool-server'

/** Answers one request of the protocol over HTTP. The caller is already authorized. There is no state between requests. */
export async function answerToolRequest(request: Request, host: ToolHost): Promise<Response> {
  const handler = createMcpHandler(() => toolServer(host))
  return handler.fetch(request)
}
