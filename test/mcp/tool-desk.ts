import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import { onTestFinished } from 'vitest'
import type { Actor, OffersCapability } from '../../src/kernel'
import { type ToolSelection, toolServer } from '../../src/mcp'
import type { Database } from '../../src/storage'
import { openTestWorkspace, type TestWorkspace } from '../items/test-workspace'

export interface ToolDesk {
  desk: TestWorkspace
  client: Client
  /** Calls a tool: its structured answer, or the text of its refusal. */
  call(name: string, args: Record<string, unknown>): Promise<any>
  refusal(name: string, args: Record<string, unknown>): Promise<string>
}

/** An agent at the tools of a workspace in memory (or of a given one). `watched` replaces its database. */
export async function openToolDesk({
  actor = { kind: 'terminal', tenant: 'default' },
  watched,
  isOffered = () => true,
  selection,
  workspace,
}: {
  actor?: Actor
  watched?(db: Database): Database
  isOffered?: OffersCapability
  selection?: ToolSelection
  workspace?: TestWorkspace
} = {}): Promise<ToolDesk> {
  // No model answers there, so that a call for one ends at once.
  const desk = workspace ?? (await openTestWorkspace({ env: { STUDIO_LLM_HOST: 'http://127.0.0.1:9' } }))
  const db = watched ? watched(desk.studio.db) : desk.studio.db
  const server = await toolServer({
    version: '1.0.0',
    isOffered,
    ...(selection && { selection }),
    actorFor: () => actor,
    open: async (call) => ({ context: { ...desk.studio.context(call), db }, done() {} }),
  })
  const client = new Client({ name: 'test', version: '1.0.0' })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await server.connect(theirs)
  await client.connect(ours)
  onTestFinished(() => client.close())
  const textOf = (result: any): string => result.content[0].text
  return {
    desk,
    client,
    async call(name, args) {
      const result = await client.callTool({ name, arguments: { ...args, structured: true } })
      if (result.isError) throw new Error(textOf(result))
      return result.structuredContent
    },
    async refusal(name, args) {
      const result = await client.callTool({ name, arguments: args })
      if (!result.isError) throw new Error(`expected a refusal, got ${textOf(result)}`)
      return textOf(result)
    },
  }
}
