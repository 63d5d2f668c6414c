import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { printFigure } from './figures'
import { type Running, serveStudio, studioSync } from './http/servers'

const MINUTE_MS = 60_000
const SMALL_DRAFTS = 300
const LARGE_DRAFTS = 11
const UNFINISHED_BODIES = 500
const IDLE_STREAMS = 500
/** How often ordinary callers call, and each attacker once the answer to its last call is there. */
const ORDINARY_PAUSE_MS = 50
const ATTACK_PAUSE_MS = 20

/**
 * `npm run bench -- attacks [minutes]`: ordinary calls with attacks beside them. Prints how long the health check took, which another
 * process measures, and the memory of the service. 20 minutes show whether its memory grows.
 */
export async function run([minutes = '1']: string[]): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'studio-bench-attacks-'))
  studioSync(home, ['import', '101'])
  studioSync(
    home,
    [
      'facility',
      'create',
      '--code',
      'DC1',
      '--name',
      'North',
      '--time-zone',
      'Etc/UTC',
      '--queue',
      'mon-sun 00:00-24:00',
    ].concat(Array.from({ length: 20 }, (_, n) => ['--door', `Door ${n + 1}`]).flat()),
  )
  const keys = JSON.parse(studioSync(home, ['tenant', 'key', 'create', '--scope', 'write', '--json']))
  const carrier = JSON.parse(studioSync(home, ['tenant', 'key', 'create', '--carrier', 'Acme', '--json']))
  const token = JSON.parse(studioSync(home, ['token', 'create', '--name', 'bench', '--scopes', 'read,write', '--json']))
  const reader = JSON.parse(studioSync(home, ['token', 'create', '--name', 'reader', '--scopes', 'read', '--json']))
  const service = await serveStudio(home)
  const load = new Load(service, { token: token.token, reader: reader.token, key: keys.key, carrier: carrier.key })
  try {
    await load.fill()
    const before = memoryMb(service)
    const durationMs = Number(minutes) * MINUTE_MS
    const quiet = await measureHealth(service, Math.min(durationMs, 10_000))
    const memory: number[] = []
    const end = performance.now() + durationMs
    const attacks = load.run(end)
    const sampling = (async () => {
      while (performance.now() < end) {
        await delay(Math.min(5_000, durationMs / 12))
        memory.push(memoryMb(service))
      }
    })()
    const attacked = await measureHealth(service, durationMs)
    await Promise.all([attacks, sampling])
    printFigure({ name: 'health check before the attacks, p99', value: at(quiet, 0.99), unit: 'ms', decimals: 1 })
    printFigure({ name: 'health check beside the attacks, p50', value: at(attacked, 0.5), unit: 'ms', decimals: 1 })
    printFigure({
      name: 'health check beside the attacks, p99',
      value: at(attacked, 0.99),
      unit: 'ms',
      decimals: 1,
      atMost: 100,
    })
    printFigure({ name: '  longest', value: at(attacked, 1), unit: 'ms', decimals: 1 })
    const third = Math.ceil(memory.length / 3)
    printFigure({ name: 'memory before the attacks', value: before, unit: 'MB', decimals: 0 })
    printFigure({
      name: 'most memory, last third ÷ second third',
      value: Math.max(...memory.slice(-third)) / Math.max(...memory.slice(third, 2 * third)),
      atMost: 1.15,
    })
    printFigure({ name: '  most memory', value: Math.max(...memory), unit: 'MB', decimals: 0 })
    load.printAnswers()
  } finally {
    load.close()
    await service.stop()
    rmSync(home, { recursive: true, force: true })
  }
}

interface Credentials {
  token: string
  reader: string
  key: string
  carrier: string
}

/** Ordinary callers and attackers. Counts the answers by kind and status. */
class Load {
  readonly #answers = new Map<string, Map<number, number>>()
  readonly #sockets: Socket[] = []
  #bookings = 0

  constructor(
    private readonly service: Running,
    private readonly credentials: Credentials,
  ) {}

  async fill(): Promise<void> {
    const paragraph = 'alpha beta gamma delta. The driver waits at the gate until a door is free.\n\n'
    for (let n = 0; n < SMALL_DRAFTS; n++) await this.#save(`Draft ${n}`, `${paragraph.repeat(5)} number ${n}`)
    for (let n = 0; n < LARGE_DRAFTS; n++) await this.#save(`Large ${n}`, paragraph.repeat(12_000))
    this.#answers.clear()
  }

  async run(end: number): Promise<void> {
    this.#openUnfinishedBodies()
    this.#openIdleStreams()
    const { token, reader, key, carrier } = this.credentials
    const form = Array.from({ length: 3_000 }, (_, n) => `n${n}=`).join('&')
    const fields = JSON.stringify(Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [`field${n}`, 1])))
    const deep = `{"title":${'['.repeat(200_000)}${']'.repeat(200_000)}}`
    const phrases = encodeURIComponent('"alpha" '.repeat(120))
    const many = encodeURIComponent(
      Array.from({ length: 60 }, (_, n) => `"alpha beta" -"gamma ${n}"`)
        .join(' ')
        .slice(0, 900),
    )
    const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    const booking = () => ({
      facilityCode: 'DC1',
      type: 'delivery',
      carrierName: 'Nordic',
      referenceNumber: `PO-${this.#bookings++}`,
      targetDate: day,
    })
    const json = (credential: Record<string, string>, body: unknown): RequestInit => ({
      method: 'POST',
      headers: { ...credential, 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    const bearer = { authorization: `Bearer ${token}` }
    const reading = { authorization: `Bearer ${reader}` }
    const posted = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: form }
    await Promise.all([
      this.#repeat(end, ORDINARY_PAUSE_MS, 'read a draft', () => this.#send('/api/stories/7', { headers: bearer })),
      this.#repeat(end, ORDINARY_PAUSE_MS, 'search', () =>
        this.#send('/api/search/fast?q=driver%20gate', { headers: bearer }),
      ),
      this.#repeat(end, 4 * ORDINARY_PAUSE_MS, 'save a draft', () =>
        this.#send('/api/stories/save-draft', json(bearer, { id: 9, description: `driver ${performance.now()}` })),
      ),
      this.#repeat(end, 4 * ORDINARY_PAUSE_MS, 'book', () =>
        this.#send('/api/appointments/auto-schedule', json({ 'x-api-key': key }, booking())),
      ),
      this.#repeat(end, ATTACK_PAUSE_MS, 'attack: form names', () => this.#send('/console/sign-in', posted)),
      this.#repeat(end, ATTACK_PAUSE_MS, 'attack: large form', () =>
        this.#send('/console/sign-in', { ...posted, body: form.repeat(20) }),
      ),
      this.#repeat(end, ATTACK_PAUSE_MS, 'attack: unknown fields', () =>
        this.#send('/api/stories/save-draft', json(bearer, fields)),
      ),
      this.#repeat(end, ATTACK_PAUSE_MS, 'attack: deep JSON', () =>
        this.#send('/api/stories/save-draft', json(bearer, deep)),
      ),
      this.#repeat(end, ATTACK_PAUSE_MS, 'attack: repeated phrase', () =>
        this.#send(`/api/search/fast?q=${phrases}`, { headers: reading }),
      ),
      this.#repeat(end, ATTACK_PAUSE_MS, 'attack: many phrases', () =>
        this.#send(`/api/search/fast?q=${many}`, { headers: reading }),
      ),
      this.#repeat(end, ATTACK_PAUSE_MS, 'attack: holds of a carrier', () =>
        this.#send('/api/holds', json({ 'x-api-key': carrier }, { ...booking(), carrierName: 'Acme' })),
      ),
    ])
  }

  printAnswers(): void {
    for (const [kind, statuses] of this.#answers)
      console.log(`  ${kind.padEnd(28)} ${[...statuses].map(([status, count]) => `${status}: ${count}`).join(', ')}`)
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  async #repeat(end: number, pauseMs: number, kind: string, send: () => Promise<number>): Promise<void> {
    const counted = new Map<number, number>()
    this.#answers.set(kind, counted)
    while (performance.now() < end) {
      const status = await send().catch(() => 0)
      counted.set(status, (counted.get(status) ?? 0) + 1)
      await delay(pauseMs)
    }
  }

  async #send(path: string, init: RequestInit): Promise<number> {
    const answer = await fetch(`http://${this.service.host}:${this.service.port}${path}`, init)
    await answer.arrayBuffer()
    return answer.status
  }

  async #save(title: string, description: string): Promise<void> {
    await this.#send('/api/stories/save-draft', {
      method: 'POST',
      headers: { authorization: `Bearer ${this.credentials.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ title, description }),
    })
  }

  /** Bodies of a megabyte that never end. Each is opened again when the service closes it. */
  #openUnfinishedBodies(): void {
    const head =
      'POST /console/sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 1048576\r\n\r\n'
    for (let n = 0; n < UNFINISHED_BODIES; n++) this.#open(`${head}${'a'.repeat(1_000_000)}`)
  }

  #openIdleStreams(): void {
    const head = `GET /api/appointments/events?follow=true HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\nX-API-Key: ${this.credentials.key}\r\n\r\n`
    for (let n = 0; n < IDLE_STREAMS; n++) this.#open(head)
  }

  #open(text: string): void {
    const socket = connect(this.service.port, this.service.host, () => socket.write(text))
    socket.on('error', () => {})
    socket.resume()
    this.#sockets.push(socket)
  }
}

/** Milliseconds of each health check, sorted. Another process measures them, so that this one's work does not count. */
async function measureHealth({ host, port }: Running, durationMs: number): Promise<number[]> {
  const source = `
    const times = []
    const end = performance.now() + ${durationMs}
    while (performance.now() < end) {
      const startedAt = performance.now()
      await (await fetch('http://${host}:${port}/api/health')).arrayBuffer()
      times.push(performance.now() - startedAt)
      await new Promise((done) => setTimeout(done, 25))
    }
    console.log(JSON.stringify(times))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  for await (const part of child.stdout) text += part
  return (JSON.parse(text) as number[]).sort((a, b) => a - b)
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
}

function memoryMb({ pid }: Running): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!
  return Number(kilobytes) / 1024
}
