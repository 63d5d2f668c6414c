import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { inspectPort } from '../../../src/access'
import { freePort } from '../../free-port'

const place = (port: number, host = '127.0.0.1') => ({ host, port, socket: null })
const options = { timeoutMs: 60_000 }

async function listening(answer: unknown): Promise<number> {
  const server = createServer((_, response) => response.end(JSON.stringify(answer)))
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

describe('the port check', () => {
  it('reports a free port, and does not occupy it', async () => {
    const port = await freePort()
    for (const _ of [1, 2])
      expect(await inspectPort(place(port), options)).toMatchObject({
        level: 'ok',
        message: expect.stringMatching(/free/),
      })
    expect(await inspectPort(place(0), options)).toMatchObject({ level: 'ok' })
  })

  it('distinguishes a studio server from another program', async () => {
    const ours = await listening({ agent_friendly: true, server: { name: 'story-studio' } })
    expect(await inspectPort(place(ours), options)).toMatchObject({
      level: 'ok',
      message: expect.stringMatching(/A studio server/),
    })
    for (const answer of [null, 'text', { agent_friendly: true }]) {
      const port = await listening(answer)
      expect(await inspectPort(place(port), options)).toMatchObject({
        level: 'warning',
        fix: expect.stringMatching(/--port 0/),
      })
    }
  })

  it('reports an address of another machine', async () => {
    expect(await inspectPort(place(4317, '203.0.113.7'), options)).toMatchObject({
      level: 'problem',
      fix: expect.stringMatching(/STUDIO_HOST/),
    })
  })
})
