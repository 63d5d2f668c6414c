import * as z from 'zod'
import { capabilitiesOf } from './capabilities'
import { linksOf, SERVICE_DESCRIPTION, SERVICE_NAME } from './handshake'
import type { ServiceFacts } from './service-facts'

/** The document at `/.well-known/agent.json`, from which an agent finds the API and the tools. */
export const AgentCard = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  url: z.url(),
  agent_friendly: z.boolean(),
  interfaces: z.array(
    z.object({
      type: z.enum(['openapi', 'mcp']),
      url: z.url(),
      transport: z.string().nullable().describe('Of the tools: streamable-http'),
      description: z.string(),
    }),
  ),
  authentication: z.object({
    required: z.boolean().describe('For the story API, of whoever asks'),
    schemes: z.array(z.object({ type: z.string(), header: z.string(), for: z.string() })),
  }),
  skills: z.array(
    z.object({ id: z.string(), name: z.string(), description: z.string(), operations: z.array(z.string()) }),
  ),
  links: z.record(z.string(), z.url()),
})
export type AgentCard = z.infer<typeof AgentCard>

export function agentCard(facts: ServiceFacts): AgentCard {
  const links = linksOf(facts.baseUrl)
  return {
    name: SERVICE_NAME,
    version: facts.version,
    description: SERVICE_DESCRIPTION,
    url: `${facts.baseUrl}/`,
    agent_friendly: true,
    interfaces: [
      { type: 'openapi', url: links.openapi_json, transport: null, description: 'The HTTP API' },
      {
        type: 'mcp',
        url: links.mcp,
        transport: 'streamable-http',
        description: 'The same operations as tools; on standard input and output: studio mcp',
      },
    ],
    authentication: {
      required: !facts.isOpen,
      schemes: [
        { type: 'bearer', header: 'Authorization: Bearer <PERSONAL_ACCESS_TOKEN>', for: 'the story API' },
        { type: 'apiKey', header: 'X-API-Key: <TENANT_API_KEY>', for: 'the dock API' },
      ],
    },
    skills: capabilitiesOf(facts.operations).map(({ id, name, description, operations }) => ({
      id,
      name,
      description,
      operations: operations.map((op) => op.id),
    })),
    links,
  }
}
