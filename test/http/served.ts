import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createTenantKey } from '../../src/access/operations/create-tenant-key'
import { createToken } from '../../src/access/operations/create-token'
import { startServer } from '../../src/http/serve'
import { type Clock, type DockRole, execute, type Log, silentLog } from '../../src/kernel'
import { type Database, openMemoryDatabase } from '../../src/storage'
import { migrations, openStudio, type Studio } from '../../src/studio'

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  body: any
}

export interface Served {
  studio: Studio
  url: string
  port: number
  /** A call as Node's own client makes it: each header as it is given here, and none that a browser would add. */
  call(
    method: string,
    path: string,
    more?: { body?: unknown; headers?: Record<string, string | string[]> },
  ): Promise<Answer>
  /** What the server says to these bytes until it closes the connection. */
  raw(text: string): Promise<string>
  token(scopes: string[], more?: { expires?: string }): Promise<string>
  key(role?: DockRole, carrier?: string): Promise<string>
  close(): Promise<void>
}

/** The server in this process, on a database in memory (or a given one) and a port of its own; it ends with the test. */
export async function served(
  given: {
    env?: Record<string, string>
    /** The content of the settings file. */
    config?: object
    local?: boolean
    log?: Log
    db?: Database
    clock?: Clock
  } = {},
): Promise<Served> {
  const home = await mkdtemp(join(tmpdir(), 'studio-http-'))
  const db = given.db ?? (await openMemoryDatabase(migrations))
  const env = { STUDIO_HOME: home, STUDIO_PORT: '0', STUDIO_LLM_HOST: 'http://127.0.0.1:9', ...given.env }
  if (given.config) await writeFile(join(home, 'config.json'), JSON.stringify(given.config))
  const studio = openStudio({ env, cwd: home, db, clock: given.clock })
  const { local = true, log = silentLog } = given
  const run = <Op extends Parameters<typeof execute>[0]>(op: Op, input: unknown): Promise<any> =>
    execute(op, input, studio.context({ actor: { kind: 'terminal', tenant: 'default' } }))
  const server = await startServer({ studio, version: '1.0.0', local, log })
  let closing: Promise<void> | null = null
  const close = () => {
    closing ??= server.close()
    return closing
  }
  onTestFinished(async () => {
    await close()
    await studio.close()
    await rm(home, { recursive: true, force: true })
  })
  const port = Number(new URL(server.url).port)
  const target = { host: '127.0.0.1', port }
  return {
    studio,
    url: server.url,
    port,
    close,
    call: (method, path, more) => call({ ...target, method, path, ...more }),
    raw: (text) => rawCall(target, text),
    token: async (scopes, more) => (await run(createToken as never, { name: 'test', scopes, ...more })).token,
    key: async (role, carrier) => (await run(createTenantKey as never, { role, carrier })).key,
  }
}

export function call(given: {
  host?: string
  port?: number
  socketPath?: string
  method: string
  path: string
  body?: unknown
  headers?: Record<string, string | string[]>
}): Promise<Answer> {
  const { body, headers = {}, ...target } = given
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
  const own =
    text === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }
  return new Promise((resolve, reject) => {
    const sent = request({ ...target, headers: { ...own, ...headers }, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const all = Buffer.concat(chunks)
        const isJson = /\bjson/.test(response.headers['content-type'] ?? '') && !response.headers['content-encoding']
        const said = all.toString('utf8')
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          text: said,
          body: isJson && said !== '' ? JSON.parse(said) : all,
        })
      })
    })
    sent.on('error', reject)
    sent.end(text)
  })
}

function rawCall(target: { host: string; port: number }, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(target, () => socket.write(text))
    let said = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => {
      said += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(said))
  })
}
