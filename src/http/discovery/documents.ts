import { type Json, type JsonSchema, jsonSchemaOf } from '../../kernel/input/json-schema'
import type { Root } from '../../kernel/input/lift-repeats'
import { AgentCard, agentCard } from './agent-card'
import { apiCatalog, Linkset } from './api-catalog'
import { docsPage } from './docs-page'
import { documentList, type ListedDocument } from './document-list'
import { documentedAt, markAddedFields } from './documented-api'
import { Handshake, handshake } from './handshake'
import { llmsFullText } from './llms-full-text'
import { llmsText } from './llms-text'
import { documentErrorResponses, headersOf, notModified, parameterRef } from './openapi-parts'
import { promptContext } from './prompt-context'
import type { ServiceFacts } from './service-facts'

interface DocumentWriter {
  /** The schema of an answer in JSON or YAML. Any other answer is a text. */
  schema?(): JsonSchema
  write(facts: ServiceFacts): string | Promise<string>
}

/** A document in which the service describes itself to every caller. */
export type DiscoveryDocument = ListedDocument & DocumentWriter

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

/** What writes each document. */
const writers: Readonly<Record<(typeof documentList)[number]['path'], DocumentWriter>> = {
  '/api/agent': {
    schema: () => jsonSchemaOf(Handshake, 'output'),
    write: (facts) => json(handshake(facts)),
  },
  '/api/agent/prompt-context': {
    write: promptContext,
  },
  '/llms.txt': {
    write: llmsText,
  },
  '/llms-full.txt': {
    write: llmsFullText,
  },
  '/openapi.json': {
    schema: () => ({ type: 'object' }),
    write: (facts) => json(facts.openApi()),
  },
  '/openapi.yaml': {
    schema: () => ({ type: 'object' }),
    async write(facts) {
      const { yamlText } = await import('./yaml-text')
      return yamlText(facts.openApi())
    },
  },
  '/docs': {
    write: docsPage,
  },
  '/.well-known/agent.json': {
    schema: () => jsonSchemaOf(AgentCard, 'output'),
    write: (facts) => json(agentCard(facts)),
  },
  '/.well-known/api-catalog': {
    schema: () => jsonSchemaOf(Linkset, 'output'),
    write: (facts) => json(apiCatalog(facts)),
  },
}

export const discoveryDocuments: readonly DiscoveryDocument[] = documentList.map((listed) => ({
  ...listed,
  ...writers[listed.path],
}))

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
