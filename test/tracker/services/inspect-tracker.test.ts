import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startSandbox } from '../../../src/sandbox'
import { inspectTracker, openTracker } from '../../../src/tracker'

const SECRET = 'sekrit-token-1234567890'

async function served(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/org`
}

async function checked(
  url: string,
  more: { token?: string; timeoutMs?: number; clock?: number; project?: string; name?: string } = {},
) {
  const tracker = openTracker({
    url,
    project: more.project ?? 'Harbor',
    token: more.token ?? null,
    limits: { baseBackoffMs: 1, maxBackoffMs: 2 },
    timing: { now: () => more.clock ?? Date.now(), sleep: async () => {}, random: Math.random },
  })
  onTestFinished(() => tracker.close())
  return inspectTracker({
    name: more.name ?? null,
    kind: null,
    address: url,
    hasToken: more.token !== undefined,
    tracker: async () => tracker,
    offline: false,
    timeoutMs: more.timeoutMs ?? 60_000,
  })
}

describe('the check of the tracker', () => {
  it('reports that it responds, accepts the token and has the same time', async () => {
    const sandbox = await startSandbox({ file: null, token: SECRET })
    onTestFinished(() => sandbox.close())
    expect(await checked(sandbox.url, { token: SECRET })).toEqual([
      {
        about: 'tracker',
        level: 'ok',
        message: expect.stringContaining('project Harbor, token accepted'),
        fix: null,
      },
      { about: 'clock', level: 'ok', message: expect.any(String), fix: null },
    ])
  })

  it('reports a rejected token in any form, without showing it', async () => {
    const sandbox = await startSandbox({ file: null, token: SECRET })
    onTestFinished(() => sandbox.close())
    const page = await served((_, response) => {
      response.writeHead(203, { 'content-type': 'text/html' }).end('<html>Sign in</html>')
    })
    for (const url of [sandbox.url, page]) {
      const findings = await checked(url, { token: `${SECRET}-wrong` })
      expect(findings).toMatchObject([{ about: 'token', level: 'problem', fix: expect.any(String) }])
      expect(JSON.stringify(findings)).not.toContain(SECRET)
    }
  })

  it('reports the difference of the clocks', async () => {
    const sandbox = await startSandbox({ file: null })
    onTestFinished(() => sandbox.close())
    const [, clock] = await checked(sandbox.url, { clock: Date.now() - 3_600_000 })
    expect(clock).toMatchObject({ level: 'warning', message: expect.stringMatching(/(3599|360\d) s behind/) })
  })

  it('has one finding for a further tracker, with its name, and reports its clock only if it differs', async () => {
    const sandbox = await startSandbox({ file: null, token: SECRET })
    onTestFinished(() => sandbox.close())
    const about = expect.stringMatching(/^gh: /)
    expect(await checked(sandbox.url, { name: 'gh', token: SECRET })).toMatchObject([{ level: 'ok', message: about }])
    expect(await checked(sandbox.url, { name: 'gh', token: 'wrong' })).toMatchObject([
      { about: 'token', level: 'problem', message: about, fix: expect.any(String) },
    ])
    const clock = Date.now() - 3_600_000
    expect(await checked(sandbox.url, { name: 'gh', token: SECRET, clock })).toMatchObject([
      { about: 'tracker', message: about },
      { about: 'clock', level: 'warning', message: about },
    ])
  })

  it('reports that it does not respond, or not in time', async () => {
    const silent = await served(() => {})
    expect(await checked(silent, { timeoutMs: 50 })).toMatchObject([
      { level: 'problem', message: expect.stringContaining('within 0.05 s') },
    ])
    expect(await checked('http://127.0.0.1:9/org')).toMatchObject([{ about: 'tracker', level: 'problem' }])
  })

  it('reports only the settings if it is offline or not configured', async () => {
    const tracker = () => Promise.reject(new Error('asked'))
    const check = { name: null, kind: null, hasToken: true, tracker, timeoutMs: 1 }
    expect(await inspectTracker({ ...check, address: 'https://a.example/o', offline: true })).toMatchObject([
      { level: 'ok' },
    ])
    expect(await inspectTracker({ ...check, address: null, offline: false })).toMatchObject([{ level: 'ok' }])
  })
})
