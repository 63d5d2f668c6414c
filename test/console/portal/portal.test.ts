import { describe, expect, it } from 'vitest'
import { parseSlotId } from '../../../src/docks/booking/rules/requested-slot'
import { startMailServer } from '../../mail/mail-server'
import { cookieOf } from '../console-fixtures'
import { ACME, BLUE, findByReference, openPortalService } from './portal-fixtures'

describe('a carrier in the portal', () => {
  it('books, moves, changes and cancels its appointment, and the history names it', async () => {
    const service = await openPortalService()
    const { enter, book, form, open, run, facility } = service
    const cookie = await enter({ email: 'ana@blue.example' })
    const booked = await book(cookie, 'PO-1')
    expect(booked).toMatchObject({ status: 200, body: { message: 'The appointment was booked.' } })
    const { id } = await findByReference(service, 'PO-1')
    expect(booked.body.location).toBe(`/portal/appointments/${id}?done=appointments.book`)
    const page = await open(booked.body.location, cookie)
    expect(page.status).toBe(200)
    expect(page.text).toContain('The appointment was booked.')
    expect(page.text).toContain('Cancel appointment')
    const next = `/portal/appointments/${id}`
    const later = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
    expect(await form(cookie, 'appointments.reschedule', { id, next, targetDate: later })).toMatchObject({
      status: 200,
      body: { location: `${next}?done=appointments.reschedule` },
    })
    const load = { id, next, 'drawn.palletCount': '10', palletCount: '12' }
    expect((await form(cookie, 'appointments.update', load)).status).toBe(200)
    expect((await open('/portal', cookie)).text).toContain('PO-1')
    expect((await form(cookie, 'appointments.cancel', { id, next })).status).toBe(200)
    expect(await run('appointments.get', { id })).toMatchObject({ status: 'cancelled', palletCount: 12 })
    const history = await run('appointments.history', { id })
    expect(history.map(({ kind, by }: any) => [kind, by])).toEqual(
      ['booked', 'rescheduled', 'updated', 'cancelled'].map((kind) => [kind, `portal: ${BLUE} <ana@blue.example>`]),
    )
    const entries = await run('audit.list', { operation: 'appointments.cancel' })
    expect(entries).toMatchObject([{ surface: 'portal', who: `portal: ${BLUE} <ana@blue.example>` }])
    expect(facility.code).toBe('DC1')
  })

  it('sees the free slots of a date, and books the one that it chose', async () => {
    const service = await openPortalService()
    const { enter, open, book, facility, date } = service
    const cookie = await enter()
    const free = await open(`/portal/facilities/${facility.id}?date=${date}&type=delivery`, cookie)
    expect(free.status).toBe(200)
    const link = new RegExp(
      `/portal/facilities/${facility.id}/book\\?date=${date}&amp;type=delivery&amp;at=[^&]+&amp;slot=([^"]+)`,
    )
    const slotId = decodeURIComponent(link.exec(free.text)![1]!)
    const chosen = await open(
      `/portal/facilities/${facility.id}/book?date=${date}&type=delivery&slot=${slotId}`,
      cookie,
    )
    expect(chosen.text).toContain(`name="slotId" value="${slotId}"`)
    expect((await book(cookie, 'PO-2', { slotId, targetDate: undefined })).status).toBe(200)
    expect(await findByReference(service, 'PO-2')).toMatchObject({ carrierName: BLUE })
  })

  it('joins the waitlist, and accepts or declines what it is offered', async () => {
    const service = await openPortalService()
    const { enter, open, form, run, facility, date } = service
    const cookie = await enter()
    const wait = (referenceNumber: string) =>
      form(cookie, 'waitlist.add', {
        facilityId: facility.id,
        carrierName: BLUE,
        type: 'delivery',
        referenceNumber,
        targetDate: date,
        next: '/portal',
      })
    expect(await wait('PO-3')).toMatchObject({ status: 200, body: { location: '/portal?done=waitlist.add' } })
    expect((await wait('PO-4')).status).toBe(200)
    const [first, second] = await run('waitlist.list', { facilityCode: 'DC1' })
    const page = await open('/portal', cookie)
    expect(page.text).toContain('A slot for PO-3')
    expect(page.text).toContain(`value="${first.offer.holdId}"`)
    const answer = ({ id, offer }: any) => ({ id, holdId: offer.holdId, next: '/portal' })
    expect((await form(cookie, 'waitlist.accept', answer(first))).status).toBe(200)
    expect((await form(cookie, 'waitlist.decline', answer(second))).status).toBe(200)
    expect((await form(cookie, 'waitlist.remove', { id: second.id, next: '/portal' })).status).toBe(200)
    expect(await findByReference(service, 'PO-3')).toMatchObject({ status: 'scheduled', carrierName: BLUE })
    expect(await run('waitlist.list', { facilityCode: 'DC1' })).toEqual([])
  })

  it('sees the slots that are long enough for its load, which the form that books then has', async () => {
    const { enter, open, facility, date, run } = await openPortalService()
    const cookie = await enter()
    const slots = `/portal/facilities/${facility.id}?date=${date}`
    const lengthOf = async (query: string) => {
      const { text } = await open(`${slots}&type=delivery${query}`, cookie)
      return parseSlotId(/slot=([^"]+)/.exec(text)![1]!)
    }
    const booked = async (palletCount: number) =>
      (await run('facilities.availability', { id: 'DC1', date, type: 'delivery', palletCount })).minutes
    expect(await lengthOf('&palletCount=10')).toMatchObject({ minutes: await booked(10) })
    expect(await lengthOf('&palletCount=50')).toMatchObject({ minutes: await booked(50) })
    const free = await open(`${slots}&palletCount=50&requirements=reefer+hazmat`, cookie)
    expect(free.status).toBe(200)
    const chosen = await open(
      `/portal/facilities/${facility.id}/book?date=${date}&palletCount=50&type=delivery`,
      cookie,
    )
    expect(chosen.text).toMatch(/name="palletCount"[^>]* value="50"/)
    expect((await open(`${slots}&palletCount=many`, cookie)).status).toBe(400)
  })

  it('reads its appointments in pages of 31 dates, and learns what is no date', async () => {
    const service = await openPortalService()
    const { enter, book, open, date } = service
    const cookie = await enter()
    await book(cookie, 'PO-8')
    expect((await open(`/portal?from=${date}`, cookie)).text).toContain('PO-8')
    const later = new Date(Date.parse(date) + 31 * 86_400_000).toISOString().slice(0, 10)
    expect((await open(`/portal?from=${later}`, cookie)).text).not.toContain('PO-8')
    for (const from of ['abc', '2026-02-30', '0000-00-00', '<b>']) {
      const { status, text } = await open(`/portal?from=${encodeURIComponent(from)}`, cookie)
      expect(status).toBe(400)
      expect(text).toContain('must be an existing date')
    }
    for (const from of ['0001-01-01', '9999-12-31'])
      expect((await open(`/portal?from=${from}`, cookie)).status).toBe(200)
  })

  it('has the limits of its admission, and sees why in the form', async () => {
    const { enter, book, run } = await openPortalService()
    await run('carriers.admit', { id: 'DC1', name: BLUE, perDay: 1 })
    await run('facilities.update', { id: 'DC1', advanceToNextOpenDay: false })
    const cookie = await enter()
    expect((await book(cookie, 'PO-5')).status).toBe(200)
    const refused = await book(cookie, 'PO-6')
    expect(refused.status).toBe(400)
    expect(JSON.stringify(refused.body.details)).toContain('a limit of the facility is reached')
  })

  it('sees no facility after it was excluded, and learns so', async () => {
    const { enter, open, run } = await openPortalService()
    const cookie = await enter()
    await run('carriers.exclude', { id: 'DC1', name: BLUE })
    expect((await open('/portal', cookie)).text).toContain('No facility admits Blue Freight at the moment')
  })

  it('sees what is today at each facility, wherever it is on earth', async () => {
    const service = await openPortalService({ clock: { now: () => Date.parse('2027-03-01T12:00:00Z') } })
    const { enter, open, run } = service
    const site = await run('facilities.get', { id: 'DC1' })
    const { queues, doors } = site
    const add = async (code: string, timeZone: string, targetDate: string) => {
      await run('facilities.create', {
        code,
        name: code,
        timeZone,
        queues,
        doors: doors.map(({ name }: any) => ({ name })),
      })
      await run('carriers.admit', { id: code, name: BLUE })
      const booking = {
        facilityCode: code,
        carrierName: BLUE,
        type: 'delivery',
        referenceNumber: `PO-${code}`,
        targetDate,
      }
      await run('appointments.book', booking)
    }
    // It is the first one of the list, and a day ahead of Honolulu.
    await add('AKL', 'Pacific/Auckland', '2027-03-02')
    await add('HNL', 'Pacific/Honolulu', '2027-03-01')
    const { text } = await open('/portal', await enter())
    for (const reference of ['PO-AKL', 'PO-HNL']) expect(text).toContain(reference)
  })

  it('can do without scripts whatever it can do with them', async () => {
    const { enter, call, url, facility, date } = await openPortalService()
    const cookie = await enter()
    const sent = await call('POST', '/portal/run/appointments.book', {
      body: new URLSearchParams({
        facilityId: facility.id,
        carrierName: BLUE,
        type: 'delivery',
        referenceNumber: 'PO-7',
        targetDate: date,
      }).toString(),
      headers: { origin: url, cookie, 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(sent.status).toBe(303)
    expect(sent.headers['location']).toMatch(/^\/portal\/appointments\/[0-9a-f-]{36}\?done=appointments\.book$/)
  })
})

describe('a session of the portal', () => {
  it('begins with the button of the page, not with the page', async () => {
    const { invite, open, redeem } = await openPortalService()
    const { link } = await invite()
    const page = await open('/portal/sign-in')
    expect(page.status).toBe(200)
    expect(page.text).toContain('data-manual')
    expect(page.headers['set-cookie']).toBeUndefined()
    expect((await redeem(link)).status).toBe(200)
  })

  it('ends for the next request when its invitation is revoked', async () => {
    const { invite, redeem, open, book, run } = await openPortalService()
    const { id, link } = await invite()
    const cookie = cookieOf(await redeem(link))
    expect((await open('/portal', cookie)).status).toBe(200)
    await run('carriers.revoke-invitation', { id })
    const ended = await open('/portal', cookie)
    expect(ended.status).toBe(401)
    expect(ended.headers['set-cookie']).toEqual(expect.arrayContaining([expect.stringContaining('Max-Age=0')]))
    expect((await book(cookie, 'PO-8')).status).toBe(401)
    expect((await redeem(link)).status).toBe(401)
  })

  it('ends when its invitation expires', async () => {
    const clock = { at: Date.now(), now: () => clock.at }
    const { enter, open } = await openPortalService({ clock })
    const cookie = await enter({ expires: '1d' })
    clock.at += 86_399_000
    expect((await open('/portal', cookie)).status).toBe(200)
    clock.at += 1_000
    expect((await open('/portal', cookie)).status).toBe(401)
  })

  it('ends when the carrier signs out, and its beginning and end are in the audit', async () => {
    const { enter, send, open, run } = await openPortalService()
    const cookie = await enter()
    expect(await send('/portal/sign-out', {}, cookie)).toMatchObject({ body: { location: '/portal/sign-in' } })
    expect((await open('/portal', cookie)).status).toBe(401)
    for (const operation of ['portal.sign-in', 'portal.sign-out'])
      expect(await run('audit.list', { operation })).toMatchObject([{ surface: 'portal', who: `portal: ${BLUE}` }])
  })

  it('is known at the public address only if this host has set its cookie', async () => {
    const { enter, open } = await openPortalService({ env: { STUDIO_PUBLIC_URL: 'https://studio.example.com' } })
    const cookie = await enter()
    const host = { host: 'studio.example.com' }
    expect((await open('/portal', cookie, host)).status).toBe(401)
    expect((await open('/portal', `__Host-${cookie}`, host)).status).toBe(200)
  })
})

describe('carriers who book at the same time', () => {
  it('get a slot once: one of eight browsers of two carriers has it', async () => {
    const { enter, form, facility, date, run } = await openPortalService()
    const browsers = []
    for (let i = 0; i < 8; i++) {
      const carrier = i % 2 ? BLUE : ACME
      browsers.push({ carrier, cookie: await enter({ carrier }) })
    }
    const { slots } = await run('facilities.availability', { id: 'DC1', date, type: 'delivery' })
    const { slotId } = slots[0]
    const answers = await Promise.all(
      browsers.map(({ cookie, carrier }, i) =>
        form(cookie, 'appointments.book', {
          facilityId: facility.id,
          carrierName: carrier,
          type: 'delivery',
          referenceNumber: `RACE-${i}`,
          slotId,
        }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(new Set(answers.map(({ body }) => body.code ?? 'booked'))).toEqual(new Set(['booked', 'slot_unavailable']))
    expect(await run('appointments.find', { startDate: date, endDate: date })).toHaveLength(1)
  })
})

describe('a carrier who needs another link', () => {
  const mailed = async () => {
    const mails = await startMailServer()
    const service = await openPortalService({
      env: {
        STUDIO_SMTP_URL: mails.url(),
        STUDIO_SMTP_FROM: 'docks@example.com',
        STUDIO_PUBLIC_URL: 'https://studio.example.com',
      },
    })
    const secretOf = async (count: number) => {
      await expect.poll(() => mails.received).toHaveLength(count)
      return /https:\/\/studio\.example\.com(\/portal\/sign-in#studio_inv_\w+)/.exec(mails.received.at(-1)!.text)![1]!
    }
    return { ...service, mails, secretOf, ask: (email: unknown) => service.send('/portal/sign-in/mail', { email }) }
  }

  it('requests it by mail, while its invitation is live', async () => {
    const { invite, secretOf, ask, redeem, open, run, mails } = await mailed()
    const { id } = await invite({ email: 'ana@blue.example' })
    expect((await redeem(await secretOf(1))).status).toBe(200)
    expect(await ask('Ana@Blue.example')).toMatchObject({ status: 200, body: { location: '/portal/sign-in/mail' } })
    const cookie = cookieOf(await redeem(await secretOf(2)))
    expect((await open('/portal', cookie)).status).toBe(200)
    await run('carriers.revoke-invitation', { id })
    expect((await ask('ana@blue.example')).status).toBe(200)
    expect((await ask('unknown@example.com')).status).toBe(200)
    expect((await open('/portal', cookie)).status).toBe(401)
    expect(mails.received).toHaveLength(2)
  })

  it('gets one mail for each carrier, however often the address was invited', async () => {
    const { invite, ask, secretOf, mails } = await mailed()
    for (const expires of ['30d', '60d', '10d']) await invite({ email: 'ana@blue.example', expires })
    await secretOf(3)
    await ask('ana@blue.example')
    await secretOf(4)
    // A second request is answered after the first: what it would have sent too has arrived by then.
    await ask('ana@blue.example')
    await secretOf(5)
    expect(mails.received.every(({ to }) => to[0] === 'ana@blue.example')).toBe(true)
  })

  it('gets an error without a mail server', async () => {
    const { open, send } = await openPortalService()
    expect((await open('/portal/sign-in')).text).not.toContain('Send me a link')
    expect((await send('/portal/sign-in/mail', { email: 'ana@blue.example' })).status).toBe(404)
  })
})
