import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { loadAllOperations } from '../../src/catalog'
import { loadSettings } from '../../src/config'
import { AgentCard } from '../../src/http/discovery/agent-card'
import { Linkset } from '../../src/http/discovery/api-catalog'
import { callOf } from '../../src/http/discovery/capabilities'
import { documentedApi } from '../../src/http/discovery/documented-api'
import { discoveryDocuments } from '../../src/http/discovery/documents'
import { factsHere } from '../../src/http/discovery/facts-here'
import { Handshake } from '../../src/http/discovery/handshake'
import type { ServiceFacts } from '../../src/http/discovery/service-facts'

const operations = (await loadAllOperations()).filter((op) => op.http)
const calls = operations.map(callOf).sort()
const factsFor = (env: NodeJS.ProcessEnv = {}) =>
  factsHere(loadSettings({ env: { STUDIO_HOME: '/nowhere', ...env }, cwd: '/' }), '1.0.0')
const written = async (path: string, facts?: ServiceFacts) =>
  discoveryDocuments.find((document) => document.path === path)!.write(facts ?? (await factsFor()))

describe('the catalog', () => {
  it('is complete in the handshake, without anything else', async () => {
    const { capabilities, related_capabilities } = JSON.parse(await written('/api/agent'))
    const shown = [...capabilities, ...related_capabilities].flatMap(({ endpoints }: any) =>
      endpoints.map(({ method, path }: any) => `${method} ${path}`),
    )
    expect(shown.sort()).toEqual(calls)
  })

  it.each([
    ['/llms.txt', /^- \[([A-Z]+ \/[^\]]*)\]/gm],
    ['/llms-full.txt', /^### ([A-Z]+ \/.*)$/gm],
    ['/api/agent/prompt-context', /^- ([A-Z]+ \/\S+) —/gm],
  ])('is complete in %s', async (path, pattern) => {
    const shown = [...(await written(path)).matchAll(pattern)].map((match) => match[1]!)
    expect(shown.sort()).toEqual(calls)
  })

  it('is complete in the agent card', async () => {
    const card = AgentCard.parse(JSON.parse(await written('/.well-known/agent.json')))
    expect(card.skills.flatMap((skill) => skill.operations).sort()).toEqual(operations.map((op) => op.id).sort())
  })

  it('is complete in the OpenAPI document, besides the documents of discovery and the events of trackers', async () => {
    const { paths } = JSON.parse(await written('/openapi.json'))
    const shown = Object.entries<any>(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const documents = discoveryDocuments.map(({ path }) => `GET ${path}`)
    expect(shown.sort()).toEqual([...calls, ...documents, 'POST /api/tracker/hooks/{name}'].sort())
  })

  it('has every documented call', () => {
    const offered = [...calls, ...discoveryDocuments.map(({ path }) => `GET ${path}`)]
    for (const promised of Object.keys(documentedApi)) expect(offered).toContain(promised)
  })

  it('marks every call that is not documented as an extension, and no other', () => {
    for (const op of operations)
      expect(`${callOf(op)}: ${op.http!.extension ?? false}`).toBe(`${callOf(op)}: ${!(callOf(op) in documentedApi)}`)
  })
})

describe('the handshake', () => {
  it('has the documented fields with their literal values', async () => {
    const handshake = Handshake.parse(JSON.parse(await written('/api/agent')))
    expect(handshake).toMatchObject({
      status: 'online',
      agent_friendly: true,
      declaration: "Yes, I'll play nicely",
      server: { version: '1.0.0', organization: 'quayside', project: 'Harbor', default_user: null, llm_model: null },
      antigravity_guide: { direct_api_ready: true, auth_type: 'bearer' },
    })
    expect(handshake.capabilities.map(({ id }) => id)).toEqual([
      'devops_items',
      'fast_search',
      'story_drafts',
      'helper_workspace',
      'reporting_hierarchy',
      'llm_ai',
    ])
    for (const { endpoints } of handshake.capabilities) expect(endpoints.length).toBeGreaterThan(0)
  })

  it('shows the settings without secrets', async () => {
    const facts = await factsFor({
      STUDIO_TRACKER_URL: 'https://robot:hunter2@tracker.example.com/acme%20corp',
      STUDIO_TRACKER_PROJECT: 'Harbor',
      STUDIO_TRACKER_TOKEN: 'a-secret-token',
      STUDIO_LLM_HOST: 'http://robot:hunter2@models.example.com:8080',
      STUDIO_LLM_MODEL: 'small',
      STUDIO_USER: 'Mei Tanaka',
      STUDIO_DB: 'postgres://robot:hunter2@db.example.com/studio',
    })
    const { server } = JSON.parse(await written('/api/agent', facts))
    expect(server).toMatchObject({
      organization: 'acme corp',
      project: 'Harbor',
      default_user: 'Mei Tanaka',
      llm_host: 'http://models.example.com:8080',
      llm_model: 'small',
    })
    for (const { path } of discoveryDocuments)
      expect(await written(path, facts)).not.toMatch(/hunter2|a-secret-token|db\.example/)
  })

  it('shows a caller who needs a credential how to send it', async () => {
    const { quickstart, antigravity_guide } = JSON.parse(
      await written('/api/agent', { ...(await factsFor()), isOpen: false }),
    )
    expect(antigravity_guide.direct_api_ready).toBe(false)
    expect(quickstart.fast_search).toContain('-H "Authorization: Bearer $STUDIO_TOKEN"')
  })
})

describe('the texts', () => {
  it('llms.txt is in its published format: a title, a summary, notes, and sections of links', async () => {
    const text = await written('/llms.txt')
    const [title, , summary] = text.split('\n')
    expect(title).toMatch(/^# \S/)
    expect(summary).toMatch(/^> \S/)
    expect(text.match(/^# /gm)).toHaveLength(1)
    expect(text).not.toMatch(/^###/m)
    const sections = text.split(/^## /m).slice(1)
    expect(sections.at(-1)).toMatch(/^Optional\n/)
    for (const section of sections) {
      const items = section.match(/^- .*$/gm) ?? []
      expect(items.length).toBeGreaterThan(0)
      for (const item of items) expect(item).toMatch(/^- \[[^\]]+\]\(http:\/\/127\.0\.0\.1:4317\/[^ )]*\): \S/)
    }
  })

  it('the full text has an answer, and an example where there is one, for every call', async () => {
    const entries = (await written('/llms-full.txt')).split(/^### /m).slice(1)
    expect(entries).toHaveLength(calls.length)
    for (const entry of entries) {
      expect(entry).toMatch(/^Answer: `.+`$/m)
      expect(entry).toMatch(/^curl -s /m)
    }
  })

  it('the catalog of APIs is a link set whose links are documents of this service', async () => {
    const { linkset } = Linkset.parse(JSON.parse(await written('/.well-known/api-catalog')))
    const described = linkset.flatMap((entry) => [...(entry['service-desc'] ?? []), ...(entry['service-doc'] ?? [])])
    const paths = discoveryDocuments.map(({ path }) => `http://127.0.0.1:4317${path}`)
    expect(described.length).toBeGreaterThan(3)
    for (const { href } of described) expect(paths).toContain(href)
  })

  it('the YAML has the same content as the JSON', async () => {
    expect(parse(await written('/openapi.yaml'))).toEqual(JSON.parse(await written('/openapi.json')))
  })
})
