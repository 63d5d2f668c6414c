import { describe, expect, it } from 'vitest'
import { sandbox } from './harness'

const ids = {
  workItems: '72c7ddf8-2cdc-4f60-90cd-ab71c14a399b',
  create: '62d3d110-0047-428c-ad3c-4fe872c91c74',
  batch: '908509b6-4248-4475-a1cd-829139ba419f',
  wiql: '1a9c53f7-f243-4447-b110-35ef023636e4',
  nodes: '5a172953-1b41-49d3-840a-33f79c3ce89f',
  types: '7c8d7a76-4a09-43e8-b5df-bd792f4ac6aa',
  states: '7c9d7a76-4a09-43e8-b5df-bd792f4ac6aa',
  revisions: 'f828fe59-dd87-495d-a17c-7a8d6211ca6c',
  links: 'b5b5b6d0-0308-40a1-b3f4-b9bb3c66878f',
  backlog: '7799f497-3cb5-4f16-ad4f-5cd06012db64',
  projects: '603fe2ac-9723-48b9-88ad-09305aa6c6e1',
} as const

/**
 * Sends requests as the tracker's own client libraries do: they request the location of a resource, fill in its route, omit empty parameters,
 * and put the version into the Accept header, as a preview of the highest one.
 */
async function stockClient() {
  const tracker = await sandbox({ token: 'stock-token' })
  const authorization = `Basic ${Buffer.from('PAT:stock-token').toString('base64')}`
  const raw = async (method: string, path: string, init: RequestInit = {}) => {
    const headers = { authorization, 'user-agent': 'stock-client/1.0', ...(init.headers as Record<string, string>) }
    const response = await fetch(`${tracker.url}/${path}`, { method, ...init, headers })
    return { status: response.status, json: (await response.json()) as any }
  }
  async function call(
    area: string,
    id: string,
    {
      method = 'GET',
      route = {},
      query = {},
      body,
      contentType = 'application/json',
    }: {
      method?: string
      route?: Record<string, string>
      query?: Record<string, string>
      body?: unknown
      contentType?: string
    } = {},
  ) {
    const { json } = await raw('OPTIONS', `_apis/${area}`, { headers: { accept: 'application/json' } })
    const found = json.value.find((location: { id: string }) => location.id === id)
    const values: Record<string, string> = { ...route, area: found.area, resource: found.resourceName }
    const path = (found.routeTemplate as string)
      .split('/')
      .map((part) => part.replace(/\{\*?(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? '')))
      .filter((part) => part !== '')
      .join('/')
    const version = `${found.maxVersion}-preview.${found.resourceVersion}`
    return raw(method, `${path}${Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : ''}`, {
      headers: { accept: `application/json;api-version=${version}`, 'content-type': contentType },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }
  return { raw, call }
}

describe('a stock client', () => {
  it('finds all resources at this address', async () => {
    const { raw } = await stockClient()
    expect((await raw('GET', '_apis/resourceAreas')).json).toEqual({ count: 0, value: null })
    expect((await raw('OPTIONS', '_apis')).json.count).toBeGreaterThan(Object.keys(ids).length)
  })

  it('finds the project, its types, their states, its areas and its backlog', async () => {
    const { call } = await stockClient()
    expect((await call('core', ids.projects)).json.value[0].name).toBe('Harbor')
    const types = await call('wit', ids.types, { route: { project: 'Harbor' } })
    expect(types.json.value.map(({ name }: any) => name)).toContain('User Story')
    const states = await call('wit', ids.states, { route: { project: 'Harbor', type: 'Bug' } })
    expect(states.json.value[0]).toMatchObject({ name: 'New', category: 'Proposed' })
    const nodes = await call('wit', ids.nodes, {
      route: { project: 'Harbor', structureGroup: 'areas' },
      query: { $depth: '2' },
    })
    expect(nodes.json).toMatchObject({ name: 'Harbor', hasChildren: true })
    expect(
      (await call('work', ids.backlog, { route: { project: 'Harbor' } })).json.backlogFields.typeFields.Effort,
    ).toBe('Microsoft.VSTS.Scheduling.StoryPoints')
  })

  it('queries items, and reads one and many of them', async () => {
    const { call } = await stockClient()
    const query = "SELECT [System.Id] FROM WorkItems WHERE [System.WorkItemType] = 'Bug'"
    const found = await call('wit', ids.wiql, { method: 'POST', route: { project: 'Harbor' }, body: { query } })
    const bugs = found.json.workItems.map(({ id }: any) => id)
    expect(bugs).toContain(501)
    const one = await call('wit', ids.workItems, { route: { id: '501' }, query: { $expand: '4' } })
    expect(one.status).toBe(200)
    const many = await call('wit', ids.batch, { method: 'POST', body: { ids: bugs, errorPolicy: 2, $expand: 1 } })
    expect(many.json.value.map(({ id }: any) => id)).toEqual(bugs)
  })

  it('creates an item and changes it', async () => {
    const { call } = await stockClient()
    const title = (value: string) => [{ op: 'add', path: '/fields/System.Title', value }]
    const contentType = 'application/json-patch+json'
    const made = await call('wit', ids.create, {
      method: 'POST',
      route: { project: 'Harbor', type: 'Task' },
      body: title('Made'),
      contentType,
    })
    expect(made.json).toMatchObject({ rev: 1, fields: { 'System.Title': 'Made' } })
    const changed = await call('wit', ids.workItems, {
      method: 'PATCH',
      route: { id: String(made.json.id) },
      body: title('Changed'),
      contentType,
    })
    expect(changed.json).toMatchObject({ rev: 2, fields: { 'System.Title': 'Changed' } })
  })

  it('reads both feeds of changes', async () => {
    const { call } = await stockClient()
    for (const id of [ids.revisions, ids.links]) {
      const page = await call('wit', id, {
        route: { project: 'Harbor' },
        query: { startDateTime: '2026-11-01T00:00:00Z' },
      })
      expect(page.json).toMatchObject({ isLastBatch: true, continuationToken: expect.any(String) })
      expect(page.json.values.length).toBeGreaterThan(0)
    }
  })
})
