import { type Json, type JsonSchema, jsonSchemaOf } from '../../kernel/input/json-schema'
import type { Root } from '../../kernel/input/lift-repeats'
import { AgentCard, agentCard } from './agent-card'
import { apiCatalog, LINKSET_TYPE, Linkset } from './api-catalog'
import { docsPage } from './docs-page'
import { documentedAt, markAddedFields } from './documented-api'
import { Handshake, handshake } from './handshake'
import { llmsFullText } from './llms-full-text'
import { llmsText } from './llms-text'
import { documentErrorResponses, headersOf, notModified, parameterRef } from './openapi-parts'
import { promptContext } from './prompt-context'
import type { ServiceFacts } from './service-facts'

/** A document in which the service describes itself to every caller. */
export interface DiscoveryDocument {
  path: string
  /** The name in generated clients, in the form of an operation's id. */
  id: string
  summary: string
  mediaType: string
  /** The schema of an answer in JSON or YAML. Any other answer is a text. */
  schema?(): JsonSchema
  /** True if a remote caller needs a credential. */
  guarded?: true
  write(facts: ServiceFacts): string | Promise<string>
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

export const discoveryDocuments: readonly DiscoveryDocument[] = [
  {
    path: '/api/agent',
    id: 'agent.handshake',
    summary: 'Greet an agent: what the service is, what it can do, and where it is described',
    mediaType: 'application/json',
    schema: () => jsonSchemaOf(Handshake, 'output'),
    write: (facts) => json(handshake(facts)),
  },
  {
    path: '/api/agent/prompt-context',
    id: 'agent.prompt-context',
    summary: 'Give a snippet for the prompt of an agent elsewhere',
    mediaType: 'text/plain',
    write: promptContext,
  },
  {
    path: '/llms.txt',
    id: 'agent.llms-text',
    summary: 'Describe the service for language models, with links',
    mediaType: 'text/markdown',
    write: llmsText,
  },
  {
    path: '/llms-full.txt',
    id: 'agent.llms-full-text',
    summary: 'Describe every call for language models, in one text',
    mediaType: 'text/markdown',
    write: llmsFullText,
  },
  {
    path: '/openapi.json',
    id: 'openapi.json',
    summary: 'Describe the API as OpenAPI 3.1.0',
    mediaType: 'application/json',
    schema: () => ({ type: 'object' }),
    write: (facts) => json(facts.openApi()),
  },
  {
    path: '/openapi.yaml',
    id: 'openapi.yaml',
    summary: 'Describe the API as OpenAPI 3.1.0, in YAML',
    mediaType: 'application/yaml',
    schema: () => ({ type: 'object' }),
    async write(facts) {
      const { yamlText } = await import('./yaml-text')
      return yamlText(facts.openApi())
    },
  },
  {
    path: '/docs',
    id: 'docs.page',
    summary: 'Show the API as a page on which it can be tried',
    mediaType: 'text/html',
    write: docsPage,
  },
  {
    path: '/.well-known/agent.json',
    id: 'agent.card',
    summary: 'Tell agents what the service is and how it is reached',
    mediaType: 'application/json',
    schema: () => jsonSchemaOf(AgentCard, 'output'),
    write: (facts) => json(agentCard(facts)),
  },
  {
    path: '/.well-known/api-catalog',
    id: 'agent.api-catalog',
    summary: 'List the descriptions of the API (RFC 9727)',
    mediaType: LINKSET_TYPE,
    schema: () => jsonSchemaOf(Linkset, 'output'),
    guarded: true,
    write: (facts) => json(apiCatalog(facts)),
  },
]

/** A document in OpenAPI, by method. */
export function describeDocument(document: DiscoveryDocument, roots: Root[]): Record<string, Json> {
  const documented = documentedAt('GET', document.path)
  const schema = markAddedFields(document.schema?.() ?? { type: 'string' }, documented)
  if (document.schema) roots.push({ id: document.id, schema })
  const mediaType = document.mediaType.split(';')[0]!
  return {
    get: {
      operationId: document.id,
      summary: document.summary,
      tags: ['The service'],
      ...(documented ? {} : { 'x-extension': true }),
      parameters: [parameterRef('IfNoneMatch')],
      security: document.guarded ? [{ bearer: [] }, {}] : [{}, { bearer: [] }],
      responses: {
        '200': {
          description: document.summary,
          headers: headersOf({ hasVersion: true }),
          content: { [mediaType]: { schema } },
        },
        '304': notModified,
        ...documentErrorResponses,
      },
    },
  }
}
