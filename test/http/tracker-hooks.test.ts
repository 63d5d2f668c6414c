import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { connectTrackerHooks } from '../../src/items/operations/connect-tracker-hooks'
import { getItem } from '../../src/items/operations/get-item'
import { importFeature } from '../../src/items/operations/import/import-feature'
import { execute, type Log, silentLog } from '../../src/kernel'
import { changed, EVENTS, openHookedService as open } from './hooked-service'
import { served } from './served'

describe('an event of a tracker', () => {
  it('makes search show the item as it is in the tracker, not as the event says', async () => {
    const { rename, send, titles } = await open()
    await rename(204, 'Heliotrope gate')
    expect((await send(changed(204))).status).toBe(202)
    await expect.poll(() => titles('heliotrope')).toEqual([204])
    expect(await titles('"what the event says"')).toEqual([])
  })

  it('adds a new item below one of the workspace, and no other', async () => {
    const { run, patch, send, titles } = await open()
    await run(importFeature, { featureId: 101 })
    const create = (title: string, parent: number | null) =>
      patch('/Harbor/_apis/wit/workitems/$User%20Story', [
        { op: 'add', path: '/fields/System.Title', value: title },
        ...(parent === null
          ? []
          : [
              {
                op: 'add',
                path: '/relations/-',
                value: { rel: 'System.LinkTypes.Hierarchy-Reverse', url: `http://x/_apis/wit/workItems/${parent}` },
              },
            ]),
      ])
    const other = await create('Quokka elsewhere', null)
    const below = await create('Quokka below', 101)
    await send({ eventType: 'workitem.created', resource: { id: other.id } })
    await send({ eventType: 'workitem.created', resource: { id: below.id } })
    await expect.poll(() => titles('quokka')).toEqual([below.id])
  })

  it('says that an item was deleted only if the tracker does', async () => {
    const { run, patch, send } = await open()
    const gone = async (id: number) => (await run(getItem, { id, cached: true })).goneSince
    await send({ eventType: 'workitem.deleted', resource: { id: 202 } })
    await patch('/_apis/wit/workitems/204', [], 'DELETE')
    await send({ eventType: 'workitem.deleted', resource: { id: 204 } })
    await expect.poll(() => gone(204)).not.toBeNull()
    expect(await gone(202)).toBeNull()
  })

  it('that is sent again costs nothing, in any order', async () => {
    const { rename, send, titles, waiting } = await open()
    const events = [changed(204), changed(202), changed(204, { id: 'second' })]
    await rename(204, 'Heliotrope gate')
    for (const event of events) await send(event)
    await expect.poll(() => titles('heliotrope')).toEqual([204])
    await expect.poll(waiting).toEqual([])
    for (const event of [...events].reverse()) expect((await send(event)).status).toBe(202)
    expect(await waiting()).toEqual([])
  })
})

describe('an event without a proof', () => {
  it('is refused, changes nothing, and does not say which trackers there are', async () => {
    const { call, send, secret, waiting, run } = await open()
    const refused = { status: 401, body: { code: 'unauthenticated' } }
    expect(await call('POST', EVENTS, { body: JSON.stringify(changed(204)) })).toMatchObject(refused)
    expect(await send(changed(204), `${secret}x`)).toMatchObject(refused)
    const elsewhere = await call('POST', '/api/tracker/hooks/other', {
      body: '{}',
      headers: { authorization: `Bearer ${secret}` },
    })
    expect(elsewhere).toMatchObject(refused)
    expect(await waiting()).toEqual([])
    expect(await run(connectTrackerHooks, {})).toMatchObject({ receivedAt: null })
  })

  it('counts as a failed credential of its address, which does not keep the tracker out', async () => {
    const { send, secret } = await open()
    await send(changed(204))
    for (let i = 0; i < 10; i++) await send(changed(i), 'guess')
    expect((await send(changed(204), 'guess')).status).toBe(429)
    expect((await send(changed(202), secret)).status).toBe(202)
  })

  it('is refused with the old secret once it was replaced', async () => {
    const { run, send } = await open()
    const { secret } = await run(connectTrackerHooks, { newSecret: true })
    expect((await send(changed(204))).status).toBe(401)
    expect((await send(changed(204), secret)).status).toBe(202)
  })
})

describe('a secret', () => {
  it('stays when the tracker refuses to be given another one', async () => {
    const { run, send, secret } = await open()
    // The sandbox has no webhooks.
    await expect(run(connectTrackerHooks, { newSecret: true, register: true })).rejects.toThrow()
    expect(await run(connectTrackerHooks, {})).toMatchObject({ secret })
    expect((await send(changed(204))).status).toBe(202)
  })
})

describe('an event with a proof', () => {
  it('may come with the password of Azure DevOps, with a secret in the address, or as a form of GitHub', async () => {
    const { call, secret } = await open()
    const basic = `Basic ${Buffer.from(`studio:${secret}`).toString('base64')}`
    const body = JSON.stringify(changed(204))
    expect(await call('POST', EVENTS, { body, headers: { authorization: basic } })).toMatchObject({ status: 202 })
    expect(await call('POST', `${EVENTS}?secret=${secret}`, { body })).toMatchObject({ status: 202 })
    const form = `payload=${encodeURIComponent(JSON.stringify({ zen: 'Keep it logically awesome.' }))}`
    const signature = `sha256=${createHmac('sha256', secret).update(form).digest('hex')}`
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-hub-signature-256': signature }
    expect(await call('POST', EVENTS, { body: form, headers })).toMatchObject({ status: 202 })
  })

  it('is an error if it is no JSON, and is no page to read', async () => {
    const { call, secret } = await open()
    const headers = { authorization: `Bearer ${secret}` }
    expect(await call('POST', EVENTS, { body: '{', headers })).toMatchObject({ status: 400 })
    expect(await call('GET', EVENTS)).toMatchObject({ status: 405 })
  })

  it('appears in no log with its secret or its texts', async () => {
    const lines: unknown[] = []
    const write = (message: string, facts?: object) => lines.push(message, facts)
    const log = { ...silentLog, debug: write, info: write, warn: write, error: write } as Log
    const { call, send, secret } = await open({ log })
    await call('POST', `${EVENTS}?secret=${secret}`, { body: JSON.stringify(changed(204)) })
    await send(changed(202))
    expect(JSON.stringify(lines)).toContain('/api/tracker/hooks/{name}')
    expect(JSON.stringify(lines)).not.toContain(secret)
    expect(JSON.stringify(lines)).not.toContain('What the event says')
  })
})

describe('studio tracker hooks', () => {
  it('shows the same secret again, and tests the address with an event that the service accepts', async () => {
    const { run, secret, url } = await open()
    expect(await run(connectTrackerHooks, { test: true })).toMatchObject({
      url: `${url}${EVENTS}`,
      secret,
      tested: true,
      receivedAt: expect.any(String),
    })
  })

  it('shows two callers at once the same secret, which is the one that counts', async () => {
    const { studio, call } = await served({ env: { STUDIO_TRACKER_URL: 'https://github.invalid/acme/harbor' } })
    const run = () =>
      execute(
        connectTrackerHooks,
        { url: 'https://studio.example.com' },
        studio.context({ actor: { kind: 'terminal', tenant: 'default' } }),
      )
    const calls = [1, 2, 3].map(run)
    const secrets = new Set((await Promise.all(calls)).map(({ secret }) => secret))
    expect(secrets.size).toBe(1)
    const headers = { authorization: `Bearer ${[...secrets][0]}` }
    expect(await call('POST', EVENTS, { body: '{}', headers })).toMatchObject({ status: 202 })
  })

  it('says why a test failed', async () => {
    const { run } = await open()
    await expect(run(connectTrackerHooks, { test: true, url: 'http://127.0.0.1:9' })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('ECONNREFUSED'),
    })
    const other = await served()
    await expect(run(connectTrackerHooks, { test: true, url: other.url })).rejects.toMatchObject({
      message: expect.stringContaining('401'),
      hint: expect.stringContaining('another workspace'),
    })
  })

  it('wants an encrypted address, and a tracker', async () => {
    const { run } = await open()
    for (const url of ['http://studio.example.com', 'http://127.example.com'])
      await expect(run(connectTrackerHooks, { url })).rejects.toMatchObject({ code: 'invalid' })
    await expect(run(connectTrackerHooks, { tracker: 'gh' })).rejects.toMatchObject({ code: 'invalid' })
  })

  it('says which setting it needs, if nothing says where the service is', async () => {
    const { studio } = await served({ env: { STUDIO_TRACKER_URL: 'https://github.invalid/acme/harbor' } })
    const context = studio.context({ actor: { kind: 'terminal', tenant: 'default' } })
    await expect(execute(connectTrackerHooks, {}, context)).rejects.toMatchObject({
      code: 'invalid',
      hint: expect.stringContaining('serve.publicUrl'),
    })
  })
})
