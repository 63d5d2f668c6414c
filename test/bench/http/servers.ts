import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'

const bin = resolve('bin/studio.js')

export interface Running {
  host: string
  port: number
  pid: number
  stop(): Promise<void>
}

/** Starts the built program for this home, with the log of a service: one line of JSON per request. */
export async function serveStudio(home: string): Promise<Running> {
  const child = spawn(process.execPath, [bin, 'serve', '--port', '0', '--json', '--log', 'json'], {
    env: environment(home),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return running(child, (line) => new URL((JSON.parse(line) as { url: string }).url).port)
}

/** A Hono server on the same adapter, with a single route that returns these bytes. */
export async function serveBare(body: string): Promise<Running> {
  const source = `
    import { createAdaptorServer } from '@hono/node-server'
    import { Hono } from 'hono'
    const body = ${JSON.stringify(body)}
    const app = new Hono()
    app.get('/api/stories/:id', (c) => c.body(body, 200, { 'Content-Type': 'application/json' }))
    const server = createAdaptorServer({ fetch: app.fetch })
    server.listen(0, '127.0.0.1', () => console.log(server.address().port))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'pipe', 'ignore'] })
  return running(child, (line) => line)
}

async function running(child: ChildProcess, portOf: (line: string) => string): Promise<Running> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const ended = new Promise<void>((done) => child.once('exit', () => done()))
    const stop = () => {
      child.kill('SIGTERM')
      return ended
    }
    return { host: '127.0.0.1', port: Number(portOf(line)), pid: child.pid!, stop }
  }
  throw new Error('The server ended before it listened.')
}

/** Milliseconds from the start of the process to its first answer. */
export async function startToFirstAnswer(home: string): Promise<number> {
  const startedAt = performance.now()
  const server = await serveStudio(home)
  const answer = await fetch(`http://${server.host}:${server.port}/api/health`)
  await answer.arrayBuffer()
  const taken = performance.now() - startedAt
  await server.stop()
  return taken
}

export function studioSync(home: string, args: readonly string[]): string {
  return execFileSync(process.execPath, [bin, ...args], {
    env: environment(home),
    stdio: ['ignore', 'pipe', 'ignore'],
  }).toString()
}

export function emptyNode(): Promise<number> {
  const startedAt = performance.now()
  execFileSync(process.execPath, ['-e', '0'], { stdio: 'ignore' })
  return Promise.resolve(performance.now() - startedAt)
}

function environment(home: string): NodeJS.ProcessEnv {
  // One client sends as much as the server can answer.
  return { PATH: process.env['PATH'], STUDIO_HOME: home, STUDIO_RATE_LIMIT: '0', STUDIO_CONCURRENT_CALLS: '0' }
}
