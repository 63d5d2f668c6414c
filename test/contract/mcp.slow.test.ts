import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { execa } from 'execa'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadAllOperations } from '../../src/catalog'
import { exampleInput } from '../../src/http/discovery/example-input'
import { altered, firstJsonLine, type Program, program } from './program'

const bin = `${process.cwd()}/bin/studio.js`
const FORMER = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']
const CURRENT = '2026-07-28'

const versions: [string, ClientOptions][] = [
  ...FORMER.map((version): [string, ClientOptions] => [version, { supportedProtocolVersions: [version] }]),
  [CURRENT, { versionNegotiation: { mode: { pin: CURRENT } } }],
]

async function connected(
  transport: StdioClientTransport | StreamableHTTPClientTransport,
  options: ClientOptions = {},
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, options)
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}

const overPipes = (studio: Program, options?: ClientOptions, env: Record<string, string> = {}) =>
  connected(
    new StdioClientTransport({
      command: process.execPath,
      args: [bin, 'mcp', '--quiet'],
      env: { ...studio.env, ...env },
      cwd: studio.home,
      stderr: 'ignore',
    }),
    options,
  )

async function served(studio: Program, ...flags: string[]): Promise<URL> {
  const { url } = await firstJsonLine(studio.start(['serve', '--port', '0', '--json', '--quiet', ...flags]))
  return new URL('/mcp', url)
}

const overHttp = (url: URL, headers: Record<string, string> = {}, options?: ClientOptions) =>
  connected(new StreamableHTTPClientTransport(url, { requestInit: { headers } }), options)

const actionsOf = async (client: Client) =>
  (await client.listTools()).tools.flatMap(
    (tool) => ((tool.inputSchema.properties as any).action?.enum ?? []) as string[],
  )

/** The client tests each answer by the schemas of the protocol. */
async function works(client: Client, version: string): Promise<void> {
  // The current version of the protocol has no ping.
  if (version !== CURRENT) await client.ping()
  expect((await client.listPrompts()).prompts).not.toEqual([])
  expect((await client.listResourceTemplates()).resourceTemplates).not.toEqual([])
  await client.listResources()
  expect(await actionsOf(client)).toContain('search.fast')
  const fetched = await client.callTool({
    name: 'fetch_work_items',
    arguments: { action: 'items.get', id: 204, structured: true },
  })
  expect(fetched.structuredContent).toMatchObject({ action: 'items.get', result: { id: 204 } })
  const found = await client.callTool({ name: 'search_workspace', arguments: { q: 'door', structured: true } })
  expect(found.structuredContent).toMatchObject({ result: { results: [{ id: 204 }] } })
}

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

describe('studio mcp', () => {
  it.each(versions)('works with a client of %s', async (version, options) => {
    await works(await overPipes(await program(), options), version)
  })

  it('answers the examples of most actions', async () => {
    const client = await overPipes(await program(), undefined, { STUDIO_LLM_HOST: 'http://127.0.0.1:9' })
    const { tools } = await client.listTools()
    const toolOf = new Map<string, string>()
    for (const { name, inputSchema } of tools)
      for (const action of (inputSchema.properties as any).action?.enum ?? []) toolOf.set(action, name)

    const answered: string[] = []
    for (const operation of await loadAllOperations()) {
      const name = toolOf.get(operation.id)
      if (!name) continue
      const result = await client.callTool({ name, arguments: { action: operation.id, ...exampleInput(operation) } })
      if (!result.isError) answered.push(operation.id)
    }
    expect(answered).toEqual(
      expect.arrayContaining([
        'features.import',
        'search.fast',
        'items.get',
        'items.list',
        'drafts.list',
        'reports.hierarchy',
      ]),
    )
    expect(answered.length).toBeGreaterThan(toolOf.size / 2)
  })

  it('says nothing on standard output but the protocol, and ends with its client', async () => {
    const studio = await program()
    const messages = [
      initialize,
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      {
        jsonrpc: '2.0',
        id: 2,
        method: 'tools/call',
        params: { name: 'fetch_work_items', arguments: { action: 'features.import', featureId: 101 } },
      },
    ]
    const running = execa(process.execPath, [bin, 'mcp'], {
      cwd: studio.home,
      extendEnv: false,
      env: studio.env,
      reject: false,
    })
    for (const message of messages) running.stdin.write(`${JSON.stringify(message)}\n`)
    const answers: any[] = []
    for await (const line of running.iterable({ from: 'stdout' })) {
      answers.push(JSON.parse(line as string))
      if (answers.at(-1).id === 2) running.stdin.end()
    }
    expect(answers.map(({ jsonrpc, id }) => [jsonrpc, id])).toEqual([
      ['2.0', 1],
      ['2.0', 2],
    ])
    expect(answers[0].result.serverInfo).toMatchObject({ name: 'studio', version: '1.0.0' })
    expect(answers[1].result.structuredContent.result.feature.id).toBe(101)
    const { exitCode, stderr } = await running
    expect(exitCode).toBe(0)
    expect(stderr).toContain('sandbox')
  })
})

describe('/mcp', () => {
  it.each(versions)('works with a client of %s', async (version, options) => {
    await works(await overHttp(await served(await program()), {}, options), version)
  })

  const post = (url: URL, headers: Record<string, string>) =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: JSON.stringify(initialize),
    })

  it('refuses a page of another origin, which can send a POST but not hide where it comes from', async () => {
    const url = await served(await program())
    expect((await post(url, {})).status).toBe(200)
    expect((await post(url, { origin: url.origin })).status).toBe(200)
    for (const origin of ['https://evil.example.com', 'null', 'http://localhost:1', `${url.origin}.evil.example.com`]) {
      const answer = await post(url, { origin })
      expect(`${origin} ${answer.status}`).toBe(`${origin} 403`)
      expect(await answer.json()).toMatchObject({ status: 'error', code: 'forbidden' })
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    }
    expect((await post(url, { 'content-type': 'text/plain' })).status).toBeGreaterThanOrEqual(400)
    expect((await post(url, { 'x-forwarded-for': '10.0.0.1' })).status).toBe(401)
  })

  it('offers POST alone', async () => {
    const answer = await fetch(await served(await program()))
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('POST')
  })

  it('asks for a credential where callers here need one, and lets a token to read connect', async () => {
    const studio = await program()
    const { token } = await studio.json(['token', 'create', '--name', 'agent', '--scopes', 'read'])
    const url = await served(studio, '--auth', 'always')
    const refused = await post(url, {})
    expect(refused.status).toBe(401)
    expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer /)
    expect(await refused.json()).toMatchObject({ hint: expect.stringContaining('studio token create') })
    expect((await post(url, { authorization: `Bearer ${altered(token)}` })).status).toBe(401)

    const actions = await actionsOf(await overHttp(url, { authorization: `Bearer ${token}` }))
    expect(actions).toEqual(expect.arrayContaining(['search.fast', 'items.get']))
    expect(actions).not.toContain('items.batch-update')
  })

  it('shows a dock key its docks', async () => {
    const studio = await program()
    const { key } = await studio.json(['tenant', 'key', 'create', '--tenant', 'default'])
    const client = await overHttp(await served(studio, '--auth', 'always'), { 'x-api-key': key })
    expect(
      (await actionsOf(client)).every((id) =>
        /^(appointments|attachments|holds|waitlist|series|facilities|doors|yard)\./.test(id),
      ),
    ).toBe(true)
    const listed = await client.callTool({ name: 'read_docks', arguments: { action: 'facilities.list' } })
    expect(listed.structuredContent).toMatchObject({ result: [], total: 0 })
  })

  it('offers the tools of both credentials together, each with its own rights, and refuses a wrong one', async () => {
    const studio = await program()
    const { token } = await studio.json(['token', 'create', '--name', 'agent', '--scopes', 'read'])
    await studio.run(['tenant', 'create', 'north'])
    const { key } = await studio.json(['tenant', 'key', 'create', '--tenant', 'north'])
    await studio.json(['facility', 'create', '--tenant', 'north', ...FACILITY])
    const url = await served(studio, '--auth', 'always')
    const bearer = { authorization: `Bearer ${token}` }
    const dockKey = { 'x-api-key': key }

    const withToken = await actionsOf(await overHttp(url, bearer))
    const withKey = await actionsOf(await overHttp(url, dockKey))
    const client = await overHttp(url, { ...bearer, ...dockKey })
    const withBoth = await actionsOf(client)
    expect(withToken.filter((id) => withKey.includes(id))).toEqual([])
    expect(withBoth.toSorted()).toEqual([...withToken, ...withKey].toSorted())
    // The token may only read, whatever the key may do.
    expect(withBoth).toContain('appointments.book')
    expect(withBoth).not.toContain('drafts.save')

    const docks = await client.callTool({ name: 'read_docks', arguments: { action: 'facilities.list' } })
    expect(docks.structuredContent).toMatchObject({ result: [{ code: 'N1' }], total: 1 })
    const item = await client.callTool({
      name: 'fetch_work_items',
      arguments: { action: 'items.get', id: 204, structured: true },
    })
    expect(item.structuredContent).toMatchObject({ result: { id: 204 } })
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates.map(({ name }) => name)).toContain('draft')

    expect((await post(url, { ...bearer, 'x-api-key': altered(key) })).status).toBe(401)
    expect((await post(url, { authorization: `Bearer ${altered(token)}`, ...dockKey })).status).toBe(401)
  })

  it('offers a caller of this machine who brings a dock key its docks alone, as the API does', async () => {
    const studio = await program()
    const { key } = await studio.json(['tenant', 'key', 'create', '--tenant', 'default'])
    const actions = await actionsOf(await overHttp(await served(studio), { 'x-api-key': key }))
    expect(actions).toContain('facilities.list')
    expect(actions).not.toContain('search.fast')
  })
})

const FACILITY = [
  '--code=N1',
  '--name=North',
  '--time-zone=America/Chicago',
  '--queue=mon-fri 06:00-18:00',
  '--door=One',
]

it('answers every request that arrived before its input ended, with a line end or without, then exits', async () => {
  const studio = await program()
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'pipe', version: '1' } }
  const callOf = (id: number) => ({
    method: 'tools/call',
    id,
    params: { name: 'fetch_work_items', arguments: { action: 'items.get', id: 204 } },
  })
  const messages = [
    { method: 'initialize', id: 0, params },
    { method: 'notifications/initialized' },
    { method: 'tools/list', id: 1 },
    ...[2, 3, 4, 5].map(callOf),
  ]
  const input = messages.map((message) => JSON.stringify({ jsonrpc: '2.0', ...message })).join('\n')
  const { exitCode, out } = await studio.run(['mcp', '--quiet'], { input })
  const answers = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(exitCode).toBe(0)
  expect(
    answers
      .filter(({ result }) => result)
      .map(({ id }) => id)
      .sort(),
  ).toEqual([0, 1, 2, 3, 4, 5])
  expect(await studio.run(['mcp', '--quiet'])).toMatchObject({ exitCode: 0, out: '' })
})
