import * as z from 'zod'
import { mapValues } from '../../kernel/json'
import { type Capability, capabilitiesOf } from './capabilities'
import { curlLine } from './example-call'
import type { ServiceFacts } from './service-facts'

const Address = z.url()

/** The addresses of the descriptions and of the tools. */
const linkPaths = {
  llms_txt: '/llms.txt',
  llms_full_txt: '/llms-full.txt',
  openapi_json: '/openapi.json',
  openapi_yaml: '/openapi.yaml',
  docs: '/docs',
  agent_json: '/.well-known/agent.json',
  prompt_context: '/api/agent/prompt-context',
  api_catalog: '/.well-known/api-catalog',
  mcp: '/mcp',
}

const Endpoint = z.object({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: z.string(),
  description: z.string(),
})

const CapabilitySchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  endpoints: z.array(Endpoint),
})

export const Handshake = z.object({
  status: z.literal('online'),
  agent_friendly: z.boolean(),
  // An enum of one value, not a constant: generators of clients copy a constant between quotation marks without escaping its apostrophe.
  declaration: z.enum(["Yes, I'll play nicely"]),
  friendly_greeting: z.string(),
  server: z.object({
    name: z.string(),
    version: z.string(),
    description: z.string(),
    organization: z.string().nullable().describe('Of the tracker; that of the sandbox where none is set'),
    project: z.string().nullable().describe("The tracker's project; null where none is set"),
    default_user: z.string().nullable().describe('Who @me is; null if none is configured'),
    llm_host: z.string().nullable(),
    llm_model: z.string().nullable().describe('Null where the first that is installed is taken'),
  }),
  capabilities: z.array(CapabilitySchema),
  related_capabilities: z
    .array(CapabilitySchema)
    .describe('What the service offers beside the story studio: docks, health'),
  links: z.object({
    ...mapValues(linkPaths, () => Address),
    mcp: Address.describe('The same operations as tools, over streamable HTTP'),
  }),
  quickstart: z.record(z.string(), z.string()).describe('Lines for a shell, by what they try'),
  antigravity_guide: z.object({
    instruction: z.string(),
    direct_api_ready: z.boolean().describe('True where whoever asks can call the story API without a credential'),
    auth_type: z.string(),
    header_example: z.string(),
    docs: Address,
  }),
})
export type Handshake = z.infer<typeof Handshake>

export const SERVICE_NAME = 'Story Studio'
export const SERVICE_DESCRIPTION =
  'A local workspace for the work items of a tracker: import, search, clean drafts, safe batch updates, reports, a language model, and a scheduler for loading docks.'

export function linksOf(baseUrl: string): Record<keyof typeof linkPaths, string> {
  return mapValues(linkPaths, (path) => baseUrl + path)
}

/** The credential header for a shell; null if the caller needs none. */
export function credentialFor({ isOpen }: ServiceFacts): string | null {
  return isOpen ? null : 'Authorization: Bearer $STUDIO_TOKEN'
}

export function handshake(facts: ServiceFacts): Handshake {
  const capabilities = capabilitiesOf(facts.operations)
  const documented = capabilities.filter(({ isRelated }) => !isRelated)
  const links = linksOf(facts.baseUrl)
  return {
    status: 'online',
    agent_friendly: true,
    declaration: "Yes, I'll play nicely",
    friendly_greeting:
      'Hello! Everything here is described: read llms_txt first, or openapi_json. Each error says how to fix it; operations that change many things accept dryRun.',
    server: {
      name: SERVICE_NAME,
      version: facts.version,
      description: SERVICE_DESCRIPTION,
      organization: facts.organization,
      project: facts.project,
      default_user: facts.user,
      llm_host: facts.llm.host,
      llm_model: facts.llm.model,
    },
    capabilities: documented.map(shownCapability),
    related_capabilities: capabilities.filter(({ isRelated }) => isRelated).map(shownCapability),
    links,
    quickstart: quickstartOf(documented, facts),
    antigravity_guide: {
      instruction: facts.isOpen
        ? 'Call the endpoints directly. Callers on this machine need no credential. The dock endpoints always require X-API-Key.'
        : 'Send the header with every call. Ask a person to create the token with: studio token create. The dock endpoints require X-API-Key.',
      direct_api_ready: facts.isOpen,
      auth_type: 'bearer',
      header_example: 'Authorization: Bearer <PERSONAL_ACCESS_TOKEN>',
      docs: links.docs,
    },
  }
}

function shownCapability({ id, name, description, operations }: Capability): Handshake['capabilities'][number] {
  const endpoints = operations.map((op) => ({
    method: op.http!.method.toUpperCase() as 'GET',
    path: op.http!.path,
    description: op.summary,
  }))
  return { id, name, description, endpoints }
}

/** A first call for each capability: a read without an ID, preferably one that needs no other host. */
function quickstartOf(capabilities: readonly Capability[], facts: ServiceFacts): Record<string, string> {
  const lines: [string, string][] = [['handshake', `curl -s '${facts.baseUrl}/api/agent'`]]
  for (const { id, operations } of capabilities) {
    const calls = operations.filter((op) => op.http!.method === 'get' && !op.http!.path.includes('{'))
    const first = calls.find((op) => op.errors.length === 0) ?? calls[0]
    const line = first && curlLine(first, facts.baseUrl, credentialFor(facts))
    if (line) lines.push([id, line])
  }
  return Object.fromEntries(lines)
}
