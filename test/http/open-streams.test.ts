import { describe, expect, it, onTestFinished } from 'vitest'
import type { AccessTables } from '../../src/access/migrations'
import type { Call } from '../../src/http/call'
import { OpenStreams } from '../../src/http/connections/open-streams'
import { StudioError } from '../../src/kernel'
import { HOUR_MS } from '../../src/kernel/time'
import { tables } from '../../src/storage'
import { startStubModel } from '../assistant/stub-model'
import { openFacility, servedConsole } from '../console/console-fixtures'
import { dockCaller } from '../dock-caller'

const EVENTS = '/api/appointments/events'

/** A stream that has begun, and all that it says until it ends. */
async function follow(url: string, init: RequestInit): Promise<{ whole: Promise<string> }> {
  const response = await fetch(url, init)
  expect(response.status).toBe(200)
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  const first = await reader.read()
  const readAll = async () => {
    let text = first.value ?? ''
    for (let next = await reader.read(); !next.done; next = await reader.read()) text += next.value
    return text
  }
  return { whole: readAll() }
}

describe('an open stream', () => {
  it('ends when its dock key is revoked, in each form, and says why', async () => {
    const service = await servedConsole()
    await openFacility(service)
    const { id, key } = await service.run('tenants.create-key', {})
    const other = await service.key()
    const headers = (accept: string, value = key) => ({ headers: { 'x-api-key': value, accept } })
    const streams = [
      await follow(`${service.url}${EVENTS}`, headers('text/event-stream')),
      await follow(`${service.url}${EVENTS}`, headers('application/x-ndjson')),
      await follow(`${service.url}/console/docks/DC1/live`, headers('text/event-stream')),
    ]
    const stays = await follow(`${service.url}${EVENTS}`, headers('text/event-stream', other))
    await service.run('tenants.revoke-key', { id })
    const [events, lines] = await Promise.all(streams.map(({ whole }) => whole))
    expect(events).toMatch(/event: error\ndata: \{.*"code":"unauthenticated".*revoked/)
    expect(JSON.parse(lines!.trimEnd().split('\n').at(-1)!)).toMatchObject({ event: 'error', code: 'unauthenticated' })
    await service.close()
    expect(await stays.whole).not.toContain('event: error')
  })

  it('ends when its key gets other rights', async () => {
    const service = await servedConsole()
    const { id, key } = await service.run('tenants.create-key', { role: 'manager' })
    const stream = await follow(`${service.url}${EVENTS}`, {
      headers: { 'x-api-key': key, accept: 'text/event-stream' },
    })
    await service.studio.db.write(async (tx) => {
      await tables<AccessTables>(tx).updateTable('tenant_key').set({ role: 'viewer' }).where('id', '=', id).execute()
    })
    expect(await stream.whole).toContain('"code":"unauthenticated"')
  })

  it('ends with the session that a browser opened it in', async () => {
    const service = await servedConsole()
    await openFacility(service)
    const link = await service.run('sessions.create-link', { scope: 'read' })
    const cookie = await service.signIn(link.path.split('#')[1])
    const board = await follow(`${service.url}/console/docks/DC1/live`, { headers: { cookie } })
    const [session] = await service.run('sessions.list', {})
    await service.run('sessions.revoke', { id: session.id })
    expect(await board.whole).toContain('event: parts')
  })

  it('ends when the token expires while the language model answers', async () => {
    const model = await startStubModel({ replies: [{ pieces: ['One', 'two'], silentAfter: 1 }] })
    onTestFinished(() => model.close())
    let now = Date.now()
    const { url, token } = await servedConsole({
      local: false,
      env: { STUDIO_LLM_HOST: model.url },
      clock: { now: () => now },
    })
    const expires = now + HOUR_MS
    const authorization = `Bearer ${await token(['write'], { expires: new Date(expires).toISOString() })}`
    const chat = await follow(`${url}/api/chat/stream`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }] }),
    })
    now = expires
    expect(await chat.whole).toMatch(/event: error\ndata: \{.*"code":"unauthenticated"/)
  })
})

describe('the streams of a service', () => {
  const callOf = (keyId: string) =>
    ({
      call: {
        peer: '192.0.2.1',
        credentials: { user: null, dock: dockCaller({ credential: { kind: 'key', id: keyId, name: keyId } }) },
        sessionSecret: null,
      } as never as Call,
      incoming: { headers: { 'x-api-key': keyId } } as never,
    }) as const

  it('are a bounded number, of which one caller has a part', () => {
    const streams = new OpenStreams({ identifyAgain: async () => null })
    const open = (keyId: string) => {
      try {
        return streams.begin(callOf(keyId))
      } catch (error) {
        return (error as { code: string }).code
      }
    }
    const ofOne = Array.from({ length: 600 }, () => open('a'))
    const opened = ofOne.flatMap((each) => (typeof each === 'string' ? [] : [each]))
    expect([opened.length, new Set(ofOne.slice(500))]).toEqual([500, new Set(['limited'])])
    for (const keyId of ['b', 'c', 'd']) for (let i = 0; i < 500; i++) open(keyId)
    expect(open('e')).toBe('unavailable')
    for (const { done } of opened) {
      done()
      done()
    }
    expect(typeof open('a')).toBe('object')
    expect(typeof open('e')).toBe('object')
  })

  it('are checked once for each credential, and stay open while no one can tell', async () => {
    let checks = 0
    const answers = ['unavailable', 'same', 'gone']
    const identifyAgain = async () => {
      const answer = answers[checks++]
      if (answer === 'unavailable') throw new StudioError('unavailable', 'The database cannot be reached.')
      return answer === 'same' ? callOf('a').call.credentials : null
    }
    const streams = new OpenStreams({ identifyAgain }, 1)
    const all = Array.from({ length: 100 }, () => streams.begin(callOf('a')))
    await new Promise((resolve) => all[99]!.ended.addEventListener('abort', resolve))
    expect(all.every(({ ended }) => ended.aborted)).toBe(true)
    expect(checks).toBe(3)
  })
})
