import { describe, expect, it } from 'vitest'
import { startMailServer } from '../mail/mail-server'
import { cookieOf, servedConsole } from './console-fixtures'

/** A service without an identity provider, of which Ana is an editor. */
async function open({ clock }: { clock?: { now(): number } } = {}) {
  const mails = await startMailServer()
  const service = await servedConsole({
    local: false,
    env: {
      STUDIO_SMTP_URL: mails.url(),
      STUDIO_SMTP_FROM: 'studio@example.com',
      STUDIO_PUBLIC_URL: 'https://studio.example.com',
    },
    ...(clock && { clock }),
  })
  await service.run('people.add', { email: 'Ana@Example.com', role: 'editor', name: 'Ana' })
  const ask = (email: unknown, headers = {}) => service.send('/console/sign-in/mail', { email }, undefined, headers)
  /** The secret in the latest mail, when `count` mails have arrived. */
  const secretOf = async (count: number) => {
    await expect.poll(() => mails.received).toHaveLength(count)
    const link = /https:\/\/studio\.example\.com\/console\/sign-in\/link#(studio_ses_\w+)/
    return link.exec(mails.received.at(-1)!.text)![1]!
  }
  const redeem = (credential: string) => service.send('/console/sign-in', { credential })
  return { ...service, mails, ask, secretOf, redeem }
}

describe('a person without an identity provider', () => {
  it('signs in with a link by mail, which works once, and has the role that was given', async () => {
    const { ask, secretOf, redeem, mails, open: load, run } = await open()
    expect(await ask('ana@example.com')).toMatchObject({ status: 200, body: { location: '/console/sign-in/mail' } })
    const secret = await secretOf(1)
    expect(mails.received[0]!.to).toEqual(['ana@example.com'])
    const cookie = cookieOf(await redeem(secret))
    expect((await load('/console/drafts', cookie)).status).toBe(200)
    expect((await load('/console/settings/audit', cookie)).status).toBe(403)
    expect((await redeem(secret)).status).toBe(401)
    expect(await run('sessions.list', {})).toMatchObject([{ name: 'Ana', role: 'editor' }])
  })

  it('has the new role with the next request, and no access after it was removed', async () => {
    const { ask, secretOf, redeem, open: load, run } = await open()
    await ask('ana@example.com')
    const cookie = cookieOf(await redeem(await secretOf(1)))
    await run('people.update', { email: 'ana@example.com', role: 'admin' })
    expect((await load('/console/settings/audit', cookie)).status).toBe(200)
    await ask('ana@example.com')
    const unused = await secretOf(2)
    await run('people.remove', { email: 'ana@example.com' })
    expect((await load('/console/drafts', cookie)).status).toBe(401)
    expect((await redeem(unused)).status).toBe(401)
  })

  it('has a session at the public address only if this host has set its cookie', async () => {
    const { ask, secretOf, redeem, open: load } = await open()
    await ask('ana@example.com')
    const cookie = cookieOf(await redeem(await secretOf(1)))
    const host = { host: 'studio.example.com' }
    expect((await load('/console/drafts', cookie, host)).status).toBe(401)
    expect((await load('/console/drafts', `__Host-${cookie}`, host)).status).toBe(200)
  })

  it('cannot use a link after a quarter of an hour', async () => {
    const clock = { at: Date.now(), now: () => clock.at }
    const { ask, secretOf, redeem } = await open({ clock })
    await ask('ana@example.com')
    const secret = await secretOf(1)
    clock.at += 15 * 60_000
    expect((await redeem(secret)).status).toBe(401)
  })
})

describe('a request for a link', () => {
  it('gets the same answer for an unknown address, to which no mail is sent', async () => {
    const { ask, secretOf, mails } = await open()
    const known = await ask('ana@example.com')
    const unknown = await ask('nobody@example.com')
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body])
    await secretOf(1)
    expect(mails.received.map(({ to }) => to)).toEqual([['ana@example.com']])
  })

  it('sends a person three mails in a quarter of an hour, and is refused from an address that sends many', async () => {
    const { ask, secretOf, mails } = await open()
    for (let i = 0; i < 5; i++) expect((await ask('ana@example.com')).status).toBe(200)
    for (let i = 0; i < 15; i++) await ask(`someone${i}@example.com`)
    expect((await ask('ana@example.com')).status).toBe(429)
    await secretOf(3)
    expect(mails.received).toHaveLength(3)
  })

  it('is refused from another site, and without an address', async () => {
    const { ask } = await open()
    expect(
      (await ask('ana@example.com', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })).status,
    ).toBe(403)
    for (const email of [undefined, 'ana', 'ana@example.com\r\nBcc: x@example.com', ['ana@example.com']])
      expect((await ask(email)).status).toBe(400)
  })

  it('is not offered without a mail server', async () => {
    const { send, open: load } = await servedConsole({ local: false })
    expect((await load('/console/sign-in')).text).not.toContain('Send me a link')
    expect((await send('/console/sign-in/mail', { email: 'ana@example.com' })).status).toBe(404)
  })
})
