import { describe, expect, it } from 'vitest'
import { startMailServer } from '../mail/mail-server'
import { type ConsoleServed, cookieOf, openFacility, servedConsole } from './console-fixtures'

const email = 'ana@example.com'

/** A service with a mail server, a facility of the tenant `default`, and Ana on its staff. */
async function open(role = 'clerk') {
  const mails = await startMailServer()
  const env = {
    STUDIO_SMTP_URL: mails.url(),
    STUDIO_SMTP_FROM: 'studio@example.com',
    STUDIO_PUBLIC_URL: 'https://studio.example.com',
  }
  const service = await servedConsole({ local: false, env })
  const { date } = await openFacility(service)
  await service.run('staff.add', { email, name: 'Ana Diaz', role })
  const ask = (address: string) => service.send('/console/sign-in/mail', { email: address })
  const signIn = async (address = email) => {
    const count = mails.received.length + 1
    await ask(address)
    await expect.poll(() => mails.received).toHaveLength(count)
    const secret = /#(studio_ses_\w+)/.exec(mails.received.at(-1)!.text)![1]!
    return cookieOf(await service.send('/console/sign-in', { credential: secret }))
  }
  const booking = {
    facilityCode: 'DC1',
    type: 'pickup',
    carrierName: 'Acme',
    referenceNumber: 'A',
    targetDate: date,
  }
  return { ...service, mails, ask, signIn, signInWith: service.signIn, booking }
}

const memberIdOf = (page: string) => /data-acting-member="([^"]+)"/.exec(page)?.[1] ?? ''

describe('a member of the staff', () => {
  it('signs in with a mailed link, and is named by the history and the audit, after the removal too', async () => {
    const { signIn, send, run, booking } = await open()
    const cookie = await signIn()
    expect((await send('/console/run/appointments.book', booking, cookie)).status).toBe(200)
    const member = (await run('staff.list', {}))[0]
    await run('staff.update', { email, name: 'Ana Lee' })
    await run('staff.remove', { email })
    const [{ id }] = await run('appointments.list', { facilityCode: 'DC1', referenceNumber: 'A' })
    expect(await run('appointments.history', { id })).toMatchObject([{ by: 'Ana Diaz', byId: member.id }])
    expect(await run('audit.list', { operation: 'appointments.book' })).toMatchObject([
      { who: 'Ana Diaz', credential: `member ${member.id}`, surface: 'console' },
    ])
  })

  it('may do what the role says, and has a new one with the next request', async () => {
    const { signIn, send, open: load, run, booking } = await open('viewer')
    const cookie = await signIn()
    expect((await load('/console/docks/DC1', cookie)).status).toBe(200)
    expect((await load('/console/drafts', cookie)).status).toBe(403)
    expect((await load('/console/settings/staff', cookie)).status).toBe(403)
    const refused = await send('/console/run/appointments.book', booking, cookie)
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'This call needs the role clerk at the docks. Yours is viewer.',
    ])
    await run('staff.update', { email, role: 'clerk' })
    expect((await send('/console/run/appointments.book', booking, cookie)).status).toBe(200)
    await run('staff.remove', { email })
    expect((await load('/console/docks/DC1', cookie)).status).toBe(401)
  })

  it.each([
    ['viewer', []],
    ['gate', ['appointments.check-in', 'appointments.step', 'attachments.add']],
    [
      'clerk',
      [
        'appointments.cancel',
        'appointments.check-in',
        'appointments.pin',
        'appointments.reschedule',
        'appointments.step',
        'appointments.update',
        'attachments.add',
      ],
    ],
    [
      'manager',
      [
        'appointments.cancel',
        'appointments.check-in',
        'appointments.pin',
        'appointments.reschedule',
        'appointments.step',
        'appointments.update',
        'attachments.add',
      ],
    ],
  ])('is offered what a %s may do', async (role, offered) => {
    const { signIn, open: load, run, booking } = await open(role)
    const { data } = await run('appointments.book', booking)
    const cookie = await signIn()
    const formsOf = async (page: string) => [
      ...new Set([...(await load(page, cookie)).text.matchAll(/\/console\/run\/([\w.-]+)/g)].map(([, id]) => id!)),
    ]
    expect((await formsOf(`/console/appointments/${data.id}`)).sort()).toEqual(offered)
    expect(await formsOf('/console/docks')).toEqual(role === 'manager' ? ['facilities.create'] : [])
    const board = (await load('/console/docks/DC1', cookie)).text
    expect([board.includes('/book?'), board.includes('/DC1/settings"')]).toEqual([
      role === 'clerk' || role === 'manager',
      role === 'manager',
    ])
  })

  it('gets no answer that shows whether the address is known', async () => {
    const { ask, mails } = await open()
    const answers = [await ask('no@example.com'), await ask(email)]
    expect(answers[0]).toMatchObject({ status: answers[1]!.status, text: answers[1]!.text })
    await expect.poll(() => mails.received).toHaveLength(1)
    expect(mails.received[0]!.to).toEqual([email])
  })

  it('can be a person of the stories too, each with its own role', async () => {
    const { signIn, open: load, run, send, booking } = await open('viewer')
    await run('people.add', { email, role: 'editor', name: 'Ana' })
    const cookie = await signIn()
    expect((await load('/console/drafts', cookie)).status).toBe(200)
    expect((await load('/console/docks/DC1', cookie)).status).toBe(200)
    expect((await send('/console/run/appointments.book', booking, cookie)).status).toBe(403)
  })
})

describe('a member of several staffs', () => {
  async function openTwo() {
    const service = await open()
    await service.run('tenants.create', { name: 'other' })
    await service.run('staff.add', { email, role: 'manager', tenant: 'other', name: 'Ana' })
    const cookie = await service.signIn()
    const pageOf = async () => (await service.open('/console/docks', cookie)).text
    const choose = async (tenant: string) => {
      const [, member] = new RegExp(`<option value="([^"]+)"[^>]*>${tenant}<`).exec(await pageOf())!
      return service.send('/console/acting-member', { member, next: '/console/docks' }, cookie)
    }
    return { ...service, cookie, pageOf, choose }
  }

  it('chooses the tenant to act for', async () => {
    const { pageOf, choose } = await openTwo()
    expect(await pageOf()).toContain('DC1')
    expect(await choose('other')).toMatchObject({ status: 200, body: { location: '/console/docks' } })
    expect(await pageOf()).not.toContain('DC1')
    expect((await choose('default')).status).toBe(200)
    expect(await pageOf()).toContain('DC1')
  })

  it('cannot choose a tenant of others', async () => {
    const { run, send, cookie } = await openTwo()
    await run('tenants.create', { name: 'third' })
    const { id } = await run('staff.add', { email: 'lee@example.com', tenant: 'third' })
    for (const member of [id, '', null, ['x']])
      expect((await send('/console/acting-member', { member }, cookie)).status).toBe(404)
    expect((await send('/console/acting-member', { member: id })).status).toBe(404)
  })

  it('cannot send a form that was written for another tenant', async () => {
    const { send, booking, cookie, pageOf, choose } = await openTwo()
    const first = memberIdOf(await pageOf())
    await choose('other')
    const book = (member?: string) =>
      send('/console/run/appointments.book', booking, cookie, member === undefined ? {} : { 'x-acting-member': member })
    for (const member of [undefined, first, 'x']) expect((await book(member)).status).toBe(409)
    // There is no such facility in the other tenant.
    expect((await book(memberIdOf(await pageOf()))).status).toBe(404)
    await choose('default')
    expect((await book(first)).status).toBe(200)
  })
})

describe('the page of the staff', () => {
  const page = '/console/settings/staff'
  const openPage = ({ open: load }: ConsoleServed, cookie: string, query = '') => load(`${page}${query}`, cookie)

  it('is for an admin of the docks, who sees and manages the own tenant alone', async () => {
    const service = await open('admin')
    await service.run('tenants.create', { name: 'other' })
    await service.run('staff.add', { email: 'lee@other.example', tenant: 'other' })
    const cookie = await service.signIn()
    const { status, text } = await openPage(service, cookie, '?tenant=other')
    expect([status, text.includes('Ana Diaz'), text.includes('lee@other.example')]).toEqual([200, true, false])
    const add = { email: 'bo@example.com', name: '<b>Bo</b>', role: 'gate', next: page }
    expect(await service.send('/console/run/staff.add', add, cookie)).toMatchObject({
      body: { location: `${page}?done=staff.add` },
    })
    expect((await openPage(service, cookie)).text).toContain('&lt;b&gt;Bo&lt;/b&gt;')
    const created = await service.send('/console/run/tenants.create-key', { name: 'Tablet', role: 'gate' }, cookie)
    expect(created.body.html).toMatch(/studio_key_\w{36}/)
    expect((await openPage(service, cookie)).text).not.toMatch(/studio_key_\w{36}/)
    expect((await service.send('/console/run/staff.remove', { email }, cookie)).status).toBe(409)
    const foreign = { email: 'lee@other.example', tenant: 'other' }
    expect((await service.send('/console/run/staff.remove', foreign, cookie)).status).toBe(404)
  })

  it('lets an admin of the service choose the tenant', async () => {
    const service = await open()
    await service.run('tenants.create', { name: 'other' })
    const { path } = await service.run('sessions.create-link', {})
    const cookie = await service.signInWith(path.split('#')[1])
    expect((await openPage(service, cookie)).text).toContain('Ana Diaz')
    const add = { email: 'lee@other.example', role: 'admin', tenant: 'other' }
    expect((await service.send('/console/run/staff.add', add, cookie)).status).toBe(200)
    expect((await openPage(service, cookie, '?tenant=other')).text).toContain('lee@other.example')
  })
})

describe('the staff over HTTP', () => {
  it('is managed with a key of an admin', async () => {
    const { call, key } = await servedConsole()
    const headers = { 'x-api-key': await key('admin') }
    const added = await call('POST', '/api/staff', { headers, body: { email, role: 'gate' } })
    expect(added).toMatchObject({ status: 200, body: { email, role: 'gate' } })
    expect((await call('PATCH', `/api/staff/${email}`, { headers, body: { role: 'clerk' } })).body.role).toBe('clerk')
    expect((await call('GET', '/api/staff?limit=1', { headers })).body).toMatchObject([{ email, role: 'clerk' }])
    expect((await call('DELETE', `/api/staff/${email}`, { headers })).status).toBe(200)
    expect((await call('DELETE', `/api/staff/${email}`, { headers })).status).toBe(404)
    const manager = { 'x-api-key': await key('manager') }
    expect((await call('GET', '/api/staff', { headers: manager })).status).toBe(403)
  })

  it('ends the live board of a member that is removed', async () => {
    const { signIn, run, url } = await open()
    const response = await fetch(`${url}/console/docks/DC1/live`, { headers: { cookie: await signIn() } })
    const whole = response.text()
    await run('staff.remove', { email })
    expect(await whole).toContain('event: parts')
  })
})
