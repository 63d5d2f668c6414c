/** RFC 9727 names the profile, RFC 9264 the format. */
const LINKSET_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'

/** What a route needs to know of a document before the first call loads what writes it. */
export interface ListedDocument {
  path: string
  /** The name in generated clients, in the form of an operation's id. */
  id: string
  summary: string
  mediaType: string
  /** True if a remote caller needs a credential. */
  guarded?: true
}

export const documentList = [
  {
    path: '/api/agent',
    id: 'agent.handshake',
    summary: 'Greet an agent: what the service is, what it can do, and where it is described',
    mediaType: 'application/json',
  },
  {
    path: '/api/agent/prompt-context',
    id: 'agent.prompt-context',
    summary: 'Give a snippet for the prompt of an agent elsewhere',
    mediaType: 'text/plain',
  },
  {
    path: '/llms.txt',
    id: 'agent.llms-text',
    summary: 'Describe the service for language models, with links',
    mediaType: 'text/markdown',
  },
  {
    path: '/llms-full.txt',
    id: 'agent.llms-full-text',
    summary: 'Describe every call for language models, in one text',
    mediaType: 'text/markdown',
  },
  {
    path: '/openapi.json',
    id: 'openapi.json',
    summary: 'Describe the API as OpenAPI 3.1.0',
    mediaType: 'application/json',
  },
  {
    path: '/openapi.yaml',
    id: 'openapi.yaml',
    summary: 'Describe the API as OpenAPI 3.1.0, in YAML',
    mediaType: 'application/yaml',
  },
  {
    path: '/docs',
    id: 'docs.page',
    summary: 'Show the API as a page on which it can be tried',
    mediaType: 'text/html',
  },
  {
    path: '/.well-known/agent.json',
    id: 'agent.card',
    summary: 'Tell agents what the service is and how it is reached',
    mediaType: 'application/json',
  },
  {
    path: '/.well-known/api-catalog',
    id: 'agent.api-catalog',
    summary: 'List the descriptions of the API (RFC 9727)',
    mediaType: LINKSET_TYPE,
    guarded: true,
  },
] as const satisfies readonly ListedDocument[]
