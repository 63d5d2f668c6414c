import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { firstJsonLine, program } from '../contract/program'

const CONNECTIONS = 300
const REQUESTS = 2_000
const MOST_MIB = 150

it.runIf(process.platform === 'linux')(
  'clients that pipeline thousands of requests and read nothing use little memory, and do not delay other clients',
  async () => {
    const studio = await program()
    const running = studio.start(['serve', '--port', '0', '--json'])
    const { url } = await firstJsonLine(running)
    const { hostname, port, host } = new URL(url)
    expect((await fetch(`${url}/openapi.json`)).status).toBe(200)
    const residentMib = () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${running.pid}/status`, 'utf8'))![1]) / 1024
    const before = residentMib()
    const flood = Buffer.from(`GET /openapi.json HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(REQUESTS))
    const clients: Socket[] = []
    onTestFinished(() => {
      for (const client of clients) client.destroy()
    })
    for (let i = 0; i < CONNECTIONS; i++) {
      const client = connect(Number(port), hostname)
      client.pause()
      client.write(flood)
      clients.push(client)
    }
    // Each client has received the beginning of its first answer, so the server has read as many requests as it will.
    await Promise.all(clients.map((client) => once(client, 'readable')))
    for (let round = 0; round < 10; round++) expect((await fetch(`${url}/api/health`)).status).toBe(200)
    expect(residentMib() - before).toBeLessThan(MOST_MIB)
  },
)
