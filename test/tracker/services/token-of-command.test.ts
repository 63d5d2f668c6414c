import { describe, expect, it, onTestFinished } from 'vitest'
import { openTracker, type TrackerSettings } from '../../../src/tracker'
import { createCommand, signedToken } from '../../credentials/printed-tokens'
import { batchOf, errorOf, never, quick } from '../azure-devops/fixtures'
import { startStub } from '../azure-devops/stub-server'

describe('a request to the tracker with the token of a command', () => {
  const accepting = (accepted: () => string) => {
    const answer = batchOf([{ id: 1 }])
    return startStub((request) =>
      request.headers.authorization === accepted()
        ? (answer(request) ?? { json: { value: [] } })
        : { status: 401, json: { message: 'TF400813: not authorized' } },
    )
  }
  const open = (settings: Partial<TrackerSettings> & { url: string }) => {
    const tracker = openTracker({
      kind: 'azure-devops',
      project: 'Parts Shop',
      token: null,
      limits: quick,
      ...settings,
    })
    onTestFinished(() => tracker.close())
    return tracker
  }
  const basic = (token: string) => `Basic ${Buffer.from(`:${token}`).toString('base64')}`

  it('is sent again with a new token, once, after the tracker has rejected the first', async () => {
    const { command, countCalls } = await createCommand(['old', 'new'])
    const stub = await accepting(() => basic('new'))
    expect((await open({ url: stub.url, tokenCommand: command }).getItems([1], { signal: never })).items).toHaveLength(
      1,
    )
    expect(await countCalls()).toBe(2)
  })

  it('fails with the way to a new token if the command has no other', async () => {
    const { command, countCalls } = await createCommand(['old'])
    const stub = await accepting(() => basic('new'))
    const error = await errorOf(open({ url: stub.url, tokenCommand: command }).getItems([1], { signal: never }))
    expect(error).toMatchObject({ code: 'tracker_token', hint: expect.stringContaining('tracker.tokenCommand') })
    expect(JSON.stringify(error)).not.toContain('old')
    expect(await countCalls()).toBeLessThanOrEqual(3)
  })

  it('carries a token of Entra ID as it is, and one of the tracker with Basic authentication', async () => {
    const token = signedToken({ exp: Date.now() / 1000 + 3600 })
    const { command } = await createCommand([token])
    const stub = await accepting(() => `Bearer ${token}`)
    expect((await open({ url: stub.url, tokenCommand: command }).getItems([1], { signal: never })).items).toHaveLength(
      1,
    )
    expect((await open({ url: stub.url, token }).getItems([1], { signal: never })).items).toHaveLength(1)
  })

  it('is an error of the tracker if the command fails', async () => {
    const stub = await accepting(() => basic('new'))
    const failing = open({ url: stub.url, tokenCommand: 'exit 3' })
    expect(await errorOf(failing.getItems([1], { signal: never }))).toMatchObject({
      code: 'tracker_token',
      message: expect.stringContaining('tracker.tokenCommand'),
      effect: 'none',
    })
  })

  it('uses a token of the settings before the command', async () => {
    const { command, countCalls } = await createCommand(['of the command'])
    const stub = await accepting(() => basic('of-the-settings'))
    const tracker = open({ url: stub.url, token: 'of-the-settings', tokenCommand: command })
    expect((await tracker.getItems([1], { signal: never })).items).toHaveLength(1)
    expect(await countCalls()).toBe(0)
  })
})
