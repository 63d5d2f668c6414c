import * as z from 'zod'
import { linksOf } from './handshake'
import type { ServiceFacts } from './service-facts'

const Link = z.object({ href: z.url(), type: z.string().optional(), title: z.string().optional() })

export const Linkset = z.object({
  linkset: z.array(
    z.object({
      anchor: z.url(),
      item: z.array(Link).optional(),
      'service-desc': z.array(Link).optional(),
      'service-doc': z.array(Link).optional(),
      'service-meta': z.array(Link).optional(),
      status: z.array(Link).optional(),
    }),
  ),
})

export function apiCatalog({ baseUrl }: ServiceFacts): z.infer<typeof Linkset> {
  const links = linksOf(baseUrl)
  const api = `${baseUrl}/`
  return {
    linkset: [
      {
        anchor: links.api_catalog,
        item: [
          { href: api, title: 'The HTTP API' },
          { href: links.mcp, title: 'Tools for agents (MCP)' },
        ],
      },
      {
        anchor: api,
        'service-desc': [
          { href: links.openapi_json, type: 'application/json' },
          { href: links.openapi_yaml, type: 'application/yaml' },
        ],
        'service-doc': [
          { href: links.docs, type: 'text/html' },
          { href: links.llms_txt, type: 'text/markdown' },
          { href: links.llms_full_txt, type: 'text/markdown' },
        ],
        'service-meta': [
          { href: links.agent_json, type: 'application/json' },
          { href: `${baseUrl}/api/agent`, type: 'application/json' },
        ],
        status: [{ href: `${baseUrl}/api/health`, type: 'application/json' }],
      },
    ],
  }
}
