import { createMcpHandler } from '@modelcontextprotocol/server'
import { loadActions } from './actions'
import type { ToolHost } from './run-action'
import { parseToolSelection, type ToolSelection } from './tool-selection'
import { toolServer } from './tool-server'

/** Answers one request of the protocol over HTTP. The caller is already authorized. There is no state between requests. */
export async function answerToolRequest(request: Request, host: ToolHost): Promise<Response> {
  const handler = createMcpHandler(() => toolServer(host))
  return handler.fetch(request)
}

/** The tools that the address asks for: `?tools=search,drafts&read-only`. */
export async function parseToolQuery(query: Record<string, string>): Promise<ToolSelection> {
  const readOnly = query['read-only'] !== undefined && query['read-only'] !== 'false'
  return parseToolSelection({ tools: query['tools'] ?? null, readOnly }, await loadActions())
}
