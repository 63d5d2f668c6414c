import { describe, expect, it, vi } from 'vitest'
import { stopWebhook } from '../../src/docks/queries'
import { load } from '../docks/dock-fixtures'
import { startReceiver } from '../docks/events/webhook-fixtures'
import { startMailServer } from '../mail/mail-server'
import { openFacility, servedConsole } from './console-fixtures'

/** An entry with an open offer, of which two contacts got a mail. */
async function open({ clock }: { clock?: { now(): number } } = {}) {
  const mails = await startMailServer()
  const env = {
    STUDIO_SMTP_URL: mails.url(),
    STUDIO_SMTP_FROM: 'docks@example.com',
    STUDIO_PUBLIC_URL: 'https://studio.example.com',
    STUDIO_WEBHOOK_NETWORKS: '127.0.0.1',
  }
  const service = await servedConsole({ local: false, env, ...(clock && { clock }) })
  const { run, send } = service
  const { date } = await openFacility(service)
  const webhook = await run('webhooks.add', { url: 'contacts', events: ['waitlist.offered'] })
  const wait = async (referenceNumber: string, changes = {}) =>
    (
      await run(
        'waitlist.add',
        load({
          targetDate: date,
          referenceNumber,
          contactEmails: ['ana@blue.example', 'ben@blue.example'],
          ...changes,
        }),
      )
    ).data
  /** The secrets of the links to an address, oldest first. */
  const linksTo = async (address: string, count = 1) => {
    const listTexts = () => mails.received.filter(({ to }) => to[0] === address).map(({ text }) => text)
    await expect.poll(listTexts).toHaveLength(count)
    return listTexts().map((text) => /https:\/\/studio\.example\.com\/console\/offer\/accept#(\S+)/.exec(text)![1]!)
  }
  const entry = await wait('PO-1')
  const [link] = await linksTo('ana@blue.example')
  const answer = (page: 'show' | 'accept' | 'decline', given: string, headers = {}) =>
    send(`/console/offer/${page}`, { link: given }, undefined, headers)
  const stop = async (id: string) => {
    const { db } = service.studio.context({ actor: { kind: 'terminal', tenant: 'default' } })
    await db.write((tx) => stopWebhook(tx, id, { at: 0, reason: 'gone' }))
  }
  const listBooked = () => run('appointments.list', { facilityCode: 'DC1', referenceNumber: 'PO-1' })
  const listEntries = () => run('waitlist.list', { facilityCode: 'DC1' })
  return { ...service, webhook, entry, wait, link: link!, linksTo, answer, stop, listBooked, listEntries, mails }
}

describe('the link of a mail about an offer', () => {
  it('shows the offer and answers nothing when it is opened, as a scanner of mails does', async () => {
    const { open: get, answer, link, listEntries, entry } = await open()
    for (const page of ['accept', 'decline']) {
      const { status, text } = await get(`/console/offer/${page}`)
      expect(status).toBe(200)
      expect(text).not.toContain('PO-1')
      expect(text).not.toContain('href="/console/docks"')
    }
    const { status, body } = await answer('show', link)
    expect(status).toBe(200)
    expect(body.html).toContain('A slot for PO-1')
    expect(body.html).toContain('Held until')
    expect(await listEntries()).toMatchObject([{ id: entry.id, offer: entry.offer }])
  })

  it('books the slot once, as the person who got the mail, however often and by whom it is sent', async () => {
    const { answer, link, linksTo, listBooked, listEntries, entry, run } = await open()
    const [other] = await linksTo('ben@blue.example')
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => answer('accept', index % 2 === 0 ? link : other!)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404])
    const [booked] = await listBooked()
    expect(await listBooked()).toMatchObject([{ referenceNumber: 'PO-1', startTime: entry.offer.startTime }])
    expect(await listEntries()).toEqual([])
    const changes = await run('appointments.history', { id: booked.id })
    expect(changes[0].by).toMatch(/^(ana|ben)@blue\.example \(mail of an offer\)$/)
    for (const page of ['show', 'accept', 'decline'] as const) expect((await answer(page, link)).status).toBe(404)
  })

  it('declines, and answers no later offer', async () => {
    const { answer, link, listEntries, entry, linksTo } = await open()
    expect((await answer('decline', link)).body.html).toContain('stays on the waitlist')
    const [after] = await listEntries()
    expect(after.offer.startTime).not.toBe(entry.offer.startTime)
    expect((await answer('accept', link)).status).toBe(404)
    const links = await linksTo('ana@blue.example', 2)
    expect((await answer('accept', links[1]!)).status).toBe(200)
  })

  it('is refused if one part of it is changed, in time and text as one that never was', async () => {
    const { answer, link, linksTo, wait, listBooked } = await open()
    await wait('PO-2', { contactEmails: ['eve@red.example'] })
    const [foreign] = await linksTo('eve@red.example')
    const [a, b] = [link.split('.'), foreign!.split('.')]
    const forged = [1, 2, 3, 4].flatMap((part) => {
      const mixed = a.map((text, index) => (index === part ? b[index]! : text)).join('.')
      return mixed === link ? [] : [mixed]
    })
    const damaged = ['', 'x', link.slice(0, -1), `${link}.x`, link.replace('studio_offer_', ''), 'a.'.repeat(4000)]
    const answers = []
    for (const token of [...forged, ...damaged]) answers.push(await answer('accept', token))
    const wrong = answers.filter(({ status }) => status !== 401 && status !== 429)
    expect(wrong.map(({ status }) => status)).toEqual([])
    expect(await listBooked()).toEqual([])
  })

  it('is guessed in vain: an address that sends wrong ones waits, and a right one still works', async () => {
    const { answer, link } = await open()
    const statuses = []
    for (let guess = 0; guess < 12; guess++)
      statuses.push((await answer('accept', link.replace(/\.[^.]{3}/, `.${String(guess).padStart(3, '0')}`))).status)
    expect(statuses).toContain(429)
    expect((await answer('accept', link)).status).toBe(200)
  })

  it('must be sent by a page of the service', async () => {
    const { answer, link, listBooked, call } = await open()
    expect(
      (await answer('accept', link, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })).status,
    ).toBe(403)
    expect((await call('POST', '/console/offer/accept', { body: { link } })).status).toBe(403)
    expect(await listBooked()).toEqual([])
  })

  it('opens nothing else: neither the API nor the console', async () => {
    const { call, link, send, open: get } = await open()
    expect((await call('GET', '/api/waitlist?facility_code=DC1', { headers: { 'x-api-key': link } })).status).toBe(401)
    expect((await send('/console/sign-in', { credential: link })).status).toBe(401)
    expect((await get('/console/docks/DC1/waitlist')).status).toBe(401)
  })

  it('ends with the webhook that sent it', async () => {
    const { answer, link, run, webhook } = await open()
    await run('webhooks.remove', { id: webhook.id })
    expect((await answer('accept', link)).status).toBe(401)
  })

  it('is good while its webhook is stopped, which only sends nothing', async () => {
    const { answer, link, webhook, stop, listBooked } = await open()
    await stop(webhook.id)
    expect((await answer('show', link)).status).toBe(200)
    expect((await answer('accept', link)).status).toBe(200)
    expect(await listBooked()).toHaveLength(1)
  })

  it('ends when its webhook no longer gets the offer: it is now for another carrier', async () => {
    const { answer, link, run, webhook, listBooked } = await open()
    await run('webhooks.update', { id: webhook.id, carrierName: 'Red Freight' })
    for (const page of ['show', 'accept', 'decline'] as const) expect((await answer(page, link)).status).toBe(401)
    expect(await listBooked()).toEqual([])
  })

  it('says that the offer has ended while its carrier is not admitted, and nothing of the facility', async () => {
    const { run, key, call, linksTo, answer, entry } = await open()
    await run('carriers.admit', { id: 'DC1', name: 'Blue Freight' })
    const body = load({
      targetDate: entry.targetDate,
      referenceNumber: 'PO-2',
      carrierName: 'Blue Freight',
      contactEmails: ['eve@blue.example'],
    })
    const headers = { 'x-api-key': await key('clerk', 'Blue Freight') }
    expect((await call('POST', '/api/waitlist', { body, headers })).status).toBe(200)
    const [link] = await linksTo('eve@blue.example')
    await run('carriers.exclude', { id: 'DC1', name: 'Blue Freight' })
    for (const page of ['show', 'accept', 'decline'] as const) {
      const refused = await answer(page, link!)
      expect(refused).toMatchObject({ status: 404, body: { message: expect.stringContaining('has ended') } })
    }
    await run('carriers.admit', { id: 'DC1', name: 'Blue Freight' })
    expect((await answer('accept', link!)).status).toBe(200)
  })

  it('shows texts of the booking as text', async () => {
    const { answer, wait, linksTo } = await open()
    await wait('<b>PO</b>', { carrierName: '<i>Blue</i>', contactEmails: ['eve@red.example'] })
    const [link] = await linksTo('eve@red.example')
    const { body } = await answer('show', link!)
    expect(body.html).toContain('&lt;i&gt;Blue&lt;/i&gt;')
    expect(body.html).not.toContain('<b>')
  })

  it('gives its reader no hint that only the staff of the site can follow', async () => {
    const now = vi.fn(() => Date.now())
    const { answer, link, entry } = await open({ clock: { now } })
    // The offer expires between two looks at the clock.
    const answers = []
    for (let looks = 0; looks < 8; looks++) {
      let left = looks
      now.mockImplementation(() => (left-- > 0 ? Date.now() : Date.parse(entry.offer.expiresAt)))
      answers.push(await answer('decline', link))
    }
    expect(answers.map(({ body }) => body.code)).toContain('invalid_state')
    for (const { text } of answers) expect(text).not.toContain('studio waitlist')
  })

  it('is good until its offer expires', async () => {
    const now = vi.fn(() => Date.now())
    const { answer, link, entry } = await open({ clock: { now } })
    now.mockImplementation(() => Date.parse(entry.offer.expiresAt))
    expect((await answer('accept', link)).status).toBe(404)
  })
})

describe('the link of a text message about an offer', () => {
  /** The secret of the link in the message to a phone. */
  async function openWithGateway() {
    const { received, url } = await startReceiver()
    const service = await open()
    const gateway = await service.run('webhooks.add', { url, bodyTemplate: '{"to":"{{phone}}","text":"{{text}}"}' })
    const entry = await service.wait('PO-2', { contactEmails: [], contactPhone: '+1 500 555-0100' })
    await expect.poll(() => received).toHaveLength(1)
    const { to, text } = received[0]!.body
    expect(to).toBe('+15005550100')
    const link = /^Slot offered: PO-2, .* Accept: https:\/\/studio\.example\.com\/console\/offer\/accept#(\S+)$/.exec(
      text,
    )![1]!
    const findBooked = () => service.run('appointments.list', { facilityCode: 'DC1', referenceNumber: 'PO-2' })
    return { ...service, gateway, entry, link, findBooked }
  }

  it('books the slot, as the person with that phone', async () => {
    const { answer, link, findBooked, run } = await openWithGateway()
    expect((await answer('accept', link)).status).toBe(200)
    const [{ id }] = await findBooked()
    const changes = await run('appointments.history', { id })
    expect(changes[0].by).toBe('+15005550100 (text message of an offer)')
  })

  it('is good with the previous secret of its webhook until the overlap ends', async () => {
    const { answer, link, run, gateway } = await openWithGateway()
    await run('webhooks.rotate-secret', { id: gateway.id })
    expect((await answer('show', link)).status).toBe(200)
    await run('webhooks.rotate-secret', { id: gateway.id, overlapHours: 0 })
    expect((await answer('show', link)).status).toBe(401)
  })

  it('is refused for another phone', async () => {
    const { answer, link } = await openWithGateway()
    const other = Buffer.from('+15005550199').toString('base64url')
    expect((await answer('accept', [...link.split('.').slice(0, -1), other].join('.'))).status).toBe(401)
  })
})
