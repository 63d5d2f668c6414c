import { type Capability, callOf, capabilitiesOf } from './capabilities'
import { linksOf, SERVICE_DESCRIPTION, SERVICE_NAME } from './handshake'
import type { ServiceFacts } from './service-facts'

/** The service in the format of llmstxt.org: a title, a summary, important notes and lists of links. */
export function llmsText(facts: ServiceFacts): string {
  const links = linksOf(facts.baseUrl)
  return [
    `# ${SERVICE_NAME}`,
    '',
    `> ${SERVICE_DESCRIPTION}`,
    '',
    'Important notes:',
    '',
    '- The story API answers callers on its own machine without a credential; others send `Authorization: Bearer <PERSONAL_ACCESS_TOKEN>`.',
    "- The dock API always wants a tenant's key: `X-API-Key: <TENANT_API_KEY>`.",
    '- Bodies and answers are JSON; an absent value is `null`; instants are ISO 8601 UTC with milliseconds.',
    '- An error body is `{status, code, message, hint, details, requestId}`; `hint` says how to fix it.',
    '',
    '## Documentation',
    '',
    link('Every call in one text', links.llms_full_txt, 'parameters, fields, errors and an example for each'),
    link('OpenAPI 3.1 description', links.openapi_json, `also as YAML: ${links.openapi_yaml}`),
    link('Handshake', `${facts.baseUrl}/api/agent`, 'capabilities, links and first calls as JSON'),
    link(
      'Tools for agents',
      links.mcp,
      'the same operations over MCP (streamable HTTP); `studio mcp` on standard input and output',
    ),
    '',
    ...capabilitiesOf(facts.operations).flatMap((part) => section(part, links.docs)),
    '## Optional',
    '',
    link('API page', links.docs, 'every call, to be tried in a browser'),
    link('Prompt context', links.prompt_context, 'a snippet for the prompt of an agent elsewhere'),
    link('Agent card', links.agent_json, 'the service for agents that look for it'),
    link('API catalog', links.api_catalog, 'the descriptions as a link set (RFC 9727)'),
    '',
  ].join('\n')
}

function section(part: Capability, docs: string): string[] {
  if (part.operations.length === 0) return []
  return [
    `## ${part.name}`,
    '',
    part.description,
    '',
    ...part.operations.map((op) => link(callOf(op), `${docs}#/${encodeURIComponent(part.name)}/${op.id}`, op.summary)),
    '',
  ]
}

function link(name: string, url: string, notes: string): string {
  return `- [${name}](${url}): ${notes}`
}
