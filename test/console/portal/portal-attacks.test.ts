import { describe, expect, it } from 'vitest'
import { loadOperation } from '../../../src/catalog'
import { execute } from '../../../src/kernel'
import { cookieOf } from '../console-fixtures'
import { ACME, BLUE, findByReference, openPortalService } from './portal-fixtures'

/** Blue Freight is in the portal; Acme has an appointment and waits with an offer; another tenant has a facility. */
async function open() {
  const service = await openPortalService()
  const { run, enter, facility, date, studio } = service
  const booking = { facilityCode: 'DC1', carrierName: ACME, type: 'delivery', targetDate: date }
  await run('appointments.book', { ...booking, referenceNumber: 'SECRET-1' })
  await run('waitlist.add', { ...booking, referenceNumber: 'SECRET-2' })
  const foreign = await findByReference(service, 'SECRET-1')
  const [entry] = await run('waitlist.list', { facilityCode: 'DC1' })
  return { ...service, foreign, entry, cookie: await enter(), facility, studio }
}

describe('what belongs to another carrier', () => {
  it('is on no page, and has the answer of what does not exist', async () => {
    const { open: load, cookie, foreign, entry, facility, date, form } = await open()
    const pages = ['', `/facilities/${facility.id}?date=${date}`, `/facilities/${facility.id}/book`]
    for (const page of pages) {
      const { status, text } = await load(`/portal${page}`, cookie)
      expect(status).toBe(200)
      expect(text).toContain('DC1')
      for (const word of ['SECRET', ACME, foreign.id, entry.id]) expect(text).not.toContain(word)
    }
    const unknown = '5f0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10'
    const shown = await load(`/portal/appointments/${foreign.id}`, cookie)
    const missing = await load(`/portal/appointments/${unknown}`, cookie)
    expect([shown.status, missing.status]).toEqual([404, 404])
    expect(shown.text.replaceAll(foreign.id, '')).toBe(missing.text.replaceAll(unknown, ''))
    const attempts: [string, object][] = [
      ['appointments.cancel', { id: foreign.id }],
      ['appointments.reschedule', { id: foreign.id, targetDate: date }],
      ['appointments.update', { id: foreign.id, palletCount: '1' }],
      ['waitlist.accept', { id: entry.id, holdId: entry.offer.holdId }],
      ['waitlist.decline', { id: entry.id }],
      ['waitlist.remove', { id: entry.id }],
    ]
    for (const [operation, fields] of attempts)
      expect([operation, (await form(cookie, operation, fields)).status]).toEqual([operation, 404])
  })

  it('cannot be booked in its name', async () => {
    const { book, cookie, run } = await open()
    expect((await book(cookie, 'PO-1', { carrierName: ACME })).status).toBe(403)
    expect(await run('appointments.find', { referenceNumber: 'PO-1' })).toEqual([])
  })
})

describe('what belongs to another tenant', () => {
  it('does not exist for the carrier, though it has the same name and codes there', async () => {
    const { run, studio, cookie, open: load, book, form } = await open()
    await run('tenants.create', { name: 'other' })
    const there = async (id: any, input: object): Promise<any> =>
      execute(await loadOperation(id), input, studio.context({ actor: { kind: 'terminal', tenant: 'other' } }))
    const own = await run('facilities.get', { id: 'DC1' })
    await there('facilities.create', {
      code: 'DC1',
      name: 'Elsewhere',
      timeZone: own.timeZone,
      queues: own.queues,
      doors: own.doors.map(({ name }: any) => ({ name })),
    })
    await there('carriers.admit', { id: 'DC1', name: BLUE })
    const foreign = await there('facilities.get', { id: 'DC1' })
    const { data } = await there('appointments.book', {
      facilityCode: 'DC1',
      carrierName: BLUE,
      type: 'delivery',
      referenceNumber: 'ELSE-1',
      targetDate: new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10),
    })
    expect((await load(`/portal/facilities/${foreign.id}`, cookie)).status).toBe(404)
    expect((await load(`/portal/appointments/${data.id}`, cookie)).status).toBe(404)
    expect((await book(cookie, 'PO-1', { facilityId: foreign.id })).status).toBe(404)
    expect((await form(cookie, 'appointments.cancel', { id: data.id })).status).toBe(404)
    expect((await load('/portal', cookie)).text).not.toContain('Elsewhere')
  })
})

describe('the cookie of the portal', () => {
  it('opens neither the console nor the API, under its own name or that of the console', async () => {
    const { cookie, open: load, call, send, foreign } = await open()
    const secret = cookie.split('=')[1]!
    for (const sent of [cookie, `studio_session=${secret}`]) {
      expect((await load('/console/docks', sent)).status).toBe(401)
      expect((await send('/console/run/appointments.cancel', { id: foreign.id }, sent)).status).toBe(401)
      expect((await call('GET', '/api/facilities', { headers: { cookie: sent } })).status).toBe(401)
    }
    for (const header of ['x-api-key', 'authorization'])
      expect((await call('GET', '/api/facilities', { headers: { [header]: secret } })).status).toBe(401)
    expect((await send('/console/sign-in', { credential: secret })).status).toBe(401)
  })

  it('is taken from no other credential: a session or a key of the site does not open the portal', async () => {
    const { signIn, key, open: load, redeem } = await open()
    const dockKey = await key('admin')
    const session = await signIn(dockKey)
    expect((await load('/portal', session)).status).toBe(401)
    expect((await load('/portal', `studio_portal=${session.split('=')[1]}`)).status).toBe(401)
    expect((await load('/portal', undefined, { 'x-api-key': dockKey })).status).toBe(401)
    expect((await redeem(`#${dockKey}`)).status).toBe(401)
  })

  it('shows only its carrier if the request has the key of the site too', async () => {
    const { key, open: load, cookie, foreign } = await open()
    const headers = { 'x-api-key': await key('admin') }
    expect((await load(`/portal/appointments/${foreign.id}`, cookie, headers)).status).toBe(404)
  })

  it('is needed on the machine of the service too, where the stories need no credential', async () => {
    const { open: load, book, send } = await openPortalService({ local: true })
    expect((await load('/portal')).status).toBe(401)
    expect((await book('', 'PO-1')).status).toBe(401)
    expect((await send('/portal/run/appointments.find', {})).status).toBe(404)
  })

  it('comes with the second request of a browser that a link elsewhere leads here', async () => {
    const { open: load } = await open()
    const first = await load('/portal/facilities/DC1', undefined, { 'sec-fetch-site': 'cross-site' })
    expect(first.status).toBe(200)
    expect(first.text).toContain('<meta http-equiv="refresh" content="0;url=/portal/facilities/DC1">')
  })

  it('has the rate of its invitation, whatever others of the address send', async () => {
    const { enter, open: load } = await openPortalService({ env: { STUDIO_RATE_LIMIT: '1' } })
    const [ann, ben] = [await enter(), await enter()]
    const flood = await Promise.all(Array.from({ length: 40 }, () => load('/portal', ann)))
    expect(flood.some(({ status }) => status === 429)).toBe(true)
    expect((await load('/portal', ben)).status).toBe(200)
  })

  it('runs no operation that the portal does not offer', async () => {
    const { form, cookie } = await open()
    for (const operation of ['appointments.check-in', 'facilities.list', 'holds.create', 'carriers.invite', 'x'])
      expect((await form(cookie, operation, {})).status).toBe(404)
  })

  it('is for this service alone, and not read by scripts', async () => {
    const { invite, redeem } = await open()
    const [set] = (await redeem((await invite()).link)).headers['set-cookie'] as string[]
    expect(set).toMatch(/^studio_portal=studio_por_\w{36}; Path=\/portal; HttpOnly; SameSite=Strict; Max-Age=\d+$/)
  })
})

describe('a link', () => {
  it('that was forwarded opens no second browser', async () => {
    const { invite, redeem } = await open()
    const { link } = await invite()
    expect((await redeem(link)).status).toBe(200)
    expect((await redeem(link)).status).toBe(401)
  })

  it('is limited in how often it can be guessed, while a right one still works', async () => {
    const { send, invite, redeem, open: load } = await open()
    const { link } = await invite()
    const guess = (letter: string) => send('/portal/sign-in', { credential: `studio_inv_${letter.repeat(36)}` })
    const statuses = []
    for (const letter of 'abcdefghijklmno') statuses.push((await guess(letter)).status)
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401))
    expect(statuses.slice(10)).toEqual(Array(5).fill(429))
    const cookie = cookieOf(await redeem(link))
    expect((await load('/portal', cookie)).status).toBe(200)
    expect((await load('/portal', `studio_portal=studio_por_${'x'.repeat(36)}`)).status).toBe(429)
  })

  it.each([undefined, '', 'studio_inv_', ['a'], 'x'.repeat(5_000)])(
    'is refused in another form: %j',
    async (credential) => {
      const { send } = await open()
      expect([400, 401]).toContain((await send('/portal/sign-in', { credential })).status)
    },
  )
})

describe('a form of another site', () => {
  it('changes nothing and signs no one in or out', async () => {
    const { send, cookie, invite, date, facility, open: load, run } = await open()
    const elsewhere = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const sameSite = { 'sec-fetch-site': 'same-site' }
    const fields = { facilityId: facility.id, type: 'delivery', referenceNumber: 'PO-1', targetDate: date }
    const credential = (await invite()).link.split('#')[1]
    for (const headers of [elsewhere, sameSite]) {
      expect((await send('/portal/run/appointments.book', fields, cookie, headers)).status).toBe(403)
      expect((await send('/portal/sign-in', { credential }, undefined, headers)).status).toBe(403)
      expect((await send('/portal/sign-out', {}, cookie, headers)).status).toBe(403)
    }
    expect((await load('/portal', cookie)).status).toBe(200)
    expect(await run('appointments.find', { referenceNumber: 'PO-1' })).toEqual([])
  })

  it('leads to no page outside of the portal', async () => {
    const { form, cookie, facility, date } = await open()
    for (const [i, next] of ['https://evil.example', '//evil.example', '/console', '/portal/../console'].entries()) {
      const answer = await form(cookie, 'appointments.book', {
        facilityId: facility.id,
        carrierName: BLUE,
        type: 'delivery',
        referenceNumber: `PO-${i}`,
        targetDate: date,
        next,
      })
      expect(answer.body.location).toBe('/portal?done=appointments.book')
    }
  })
})

describe('texts of callers', () => {
  it('are shown as texts', async () => {
    const { run, enter, open: load, facility, redeem } = await open()
    const name = '<img src=x onerror=alert(1)>"\''
    await run('carriers.admit', { id: 'DC1', name })
    const cookie = await enter({ carrier: name })
    await run('appointments.book', {
      facilityCode: 'DC1',
      carrierName: name,
      type: 'delivery',
      referenceNumber: '<script>1</script>',
      loadDescription: '<b>"load"</b>',
      targetDate: new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10),
    })
    const [{ id }] = await run('appointments.find', { referenceNumber: '<script>1</script>' })
    for (const page of [
      '',
      `/appointments/${id}`,
      `/facilities/${facility.id}/book`,
      `/facilities/${facility.id}/waitlist?date="><i>`,
    ]) {
      const { text } = await load(`/portal${page}`, cookie)
      for (const raw of ['<img src=x', '<script>1', '<b>"load', '"><i>']) expect(text).not.toContain(raw)
    }
    expect((await redeem('#<script>')).text).not.toContain('<script>')
  })
})
