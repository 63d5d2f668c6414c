import { describe, expect, it } from 'vitest'
import { catalog, loadOperation } from '../../src/catalog'
import { formatSlot } from '../../src/console/actions/take-slot'
import { toBrowserHint, withBrowserHint } from '../../src/console/errors/browser-hint'
import { authorize, hint, type OperationId, type StudioError, suggest, suggestCommand } from '../../src/kernel'
import { load } from '../docks/dock-fixtures'
import { type ConsoleServed, openFacility, servedConsole } from './console-fixtures'
import { readForms } from './read-form'

/** What only a terminal or a program can use. */
const FOR_OTHERS = /\bstudio [a-z]+|Authorization|X-API-Key|`|--[a-z]{2}/

async function signedIn(): Promise<ConsoleServed & { cookie: string; date: string }> {
  const service = await servedConsole()
  const { path } = await service.run('sessions.create-link', {})
  const cookie = await service.signIn(path.split('#')[1])
  return { ...service, cookie, ...(await openFacility(service)) }
}

describe('the hint of a refusal in a browser', () => {
  it.each([
    [hint`List the facilities: ${suggest('facilities.list')}`, '', [['List the facilities', '/console/docks']]],
    [
      hint`Choose one of the nearest free slots. Show the free slots of the date: ${suggest('facilities.availability', { id: 'DC1', date: '2027-03-01' })}`,
      'Choose one of the nearest free slots.',
      [['Show the free slots of the date', '/console/docks/DC1/availability?date=2027-03-01']],
    ],
    [hint`Try again, or use another model: ${suggest('llm.models')}`, 'Try again, or use another model.', []],
    [hint`Send Authorization: Bearer <token>. Create one: ${suggestCommand('tokens.create')}`, '', []],
    [
      hint`Find it by its reference: ${suggest('appointments.list', { facilityCode: '<code>' })}`,
      'Find it by its reference.',
      [],
    ],
    ['Run the command again with STUDIO_DEBUG=1 to see where it happened.', '', []],
    ['Sign in below. Use --force.', 'Sign in below.', []],
    [null, '', []],
  ])('says what a browser can do: %j', (given, text, links) => {
    const shown = toBrowserHint(given)
    expect(shown.text).toBe(text)
    expect(shown.links.map((link) => [link.text, link.href])).toEqual(links)
  })

  it('names no command and no header, whichever operation refuses a caller', async () => {
    const actors = [
      { kind: 'anonymous' },
      { kind: 'user', role: 'reader', name: 'x', id: 'x' },
      { kind: 'dock', role: 'viewer', tenant: 'default', credential: { kind: 'key', name: 'x' } },
    ] as any[]
    const hints = new Set<string>()
    for (const id of Object.keys(catalog) as OperationId[])
      for (const actor of actors)
        try {
          authorize(await loadOperation(id), actor)
        } catch (error) {
          const { message, hint: shown } = withBrowserHint(error as StudioError)
          hints.add(`${message} ${shown ?? ''}`)
        }
    expect(hints.size).toBeGreaterThan(3)
    expect([...hints].filter((text) => FOR_OTHERS.test(text))).toEqual([])
  })
})

/** Forms and pages that are refused, each in its own way. */
const refusedForms: [operation: string, fields: Record<string, string>][] = [
  ['appointments.book', { type: 'delivery' }],
  ['appointments.cancel', { id: '5f0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10' }],
  ['facilities.delete', { id: 'NONE' }],
  ['facilities.restore', { id: 'NONE' }],
  ['doors.update', { facilityId: '5f0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10', name: 'Door 1' }],
  ['drafts.save', { id: '99', title: 'x' }],
  ['drafts.delete', { id: '99' }],
  ['drafts.refine', { id: '99', promptId: 'story' }],
  ['folders.delete', { id: '1' }],
  ['features.import', { featureId: '9999' }],
  ['items.get', { id: '9999' }],
  ['views.delete', { id: '9' }],
  ['webhooks.remove', { id: '5f0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10' }],
  ['webhooks.add', { url: 'http://10.0.0.1/' }],
  ['mail-templates.test', { id: 'booked', email: 'ana@example.com' }],
  ['staff.remove', { email: 'none@example.com' }],
  ['tokens.revoke', { id: 'none' }],
  ['tokens.create', { name: 'x' }],
  ['tenants.revoke-key', { id: 'none' }],
  ['sessions.revoke', { id: 'none' }],
  ['llm.chat', { prompt: 'x' }],
  ['facilities.test-check', { id: 'DC1' }],
  ['waitlist.accept', { id: '5f0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10' }],
  ['yard.move', { id: 'T-9', spotName: 'x' }],
  ['nothing.at-all', {}],
]

const missingPages = [
  '/console/work/items/9999',
  '/console/work/items/x',
  '/console/work/views/99',
  '/console/drafts/99',
  '/console/docks/NONE',
  '/console/docks/NONE/settings',
  '/console/docks/NONE/availability',
  '/console/docks/DC1/availability?date=x',
  '/console/docks/DC1/availability?date=2020-01-01',
  '/console/appointments/5f0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10',
  '/console/trailers/5f0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10',
  '/console/nothing/here',
]

describe('a refusal', () => {
  it('of a form names no command and no header, as JSON and as a page', async () => {
    const { send, call, url, cookie } = await signedIn()
    for (const [operation, fields] of refusedForms) {
      const path = `/console/run/${operation}`
      const answer = await send(path, fields, cookie)
      expect([operation, answer.status]).toEqual([operation, expect.any(Number)])
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect([operation, FOR_OTHERS.exec(JSON.stringify(answer.body))]).toEqual([operation, null])
      const page = await call('POST', path, {
        body: new URLSearchParams(fields).toString(),
        headers: {
          cookie,
          origin: url,
          'sec-fetch-site': 'same-origin',
          'content-type': 'application/x-www-form-urlencoded',
        },
      })
      expect([operation, FOR_OTHERS.exec(mainOf(page.text))]).toEqual([operation, null])
    }
  })

  it('of a page names none either, and offers a search for what is missing', async () => {
    const { open, cookie } = await signedIn()
    for (const path of missingPages) {
      const { status, text } = await open(path, cookie)
      expect([path, FOR_OTHERS.exec(mainOf(text))]).toEqual([path, null])
      if (status === 404) expect(text).toContain('action="/console/search"')
    }
    for (const path of ['/console/docks', '/console/settings', '/console/appointments/x'])
      expect([path, FOR_OTHERS.exec(mainOf((await open(path)).text))]).toEqual([path, null])
  })

  it('of an unknown address is a page for a browser, and JSON for a program', async () => {
    const { open, call, cookie } = await signedIn()
    const page = await open('/console/nothing/here', cookie)
    expect(page).toMatchObject({ status: 404, headers: { 'content-type': expect.stringContaining('text/html') } })
    expect(page.text).toContain('The console has no such page.')
    const answer = await call('GET', '/console/nothing', { headers: { cookie, accept: 'application/json' } })
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await call('POST', '/console/nothing')).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  it('of a form whose session has ended leads to a sign-in that returns to the page', async () => {
    const { send, open, signIn, key, run } = await signedIn()
    const cookie = await signIn(await key())
    for (const { id } of await run('sessions.list', {})) await run('sessions.revoke', { id })
    const { url } = { url: 'http://127.0.0.1' }
    const referer = `${url}/console/docks/DC1/book?date=2027-03-01`
    const refused = await send('/console/run/appointments.book', { type: 'delivery' }, cookie, { referer })
    expect(refused).toMatchObject({
      status: 401,
      body: {
        message: expect.stringContaining('what you have typed is still here'),
        signIn: '/console/sign-in?next=%2Fconsole%2Fdocks%2FDC1%2Fbook%3Fdate%3D2027-03-01',
      },
    })
    expect((await open(refused.body.signIn)).text).toContain('value="/console/docks/DC1/book?date=2027-03-01"')
    const hostile = await send('/console/run/appointments.book', {}, cookie, {
      referer: 'https://evil.example/console/x',
    })
    expect(hostile.body.signIn).toBe('/console/sign-in?next=%2Fconsole%2Fx')
  })
})

describe('a slot that is taken', () => {
  it('is refused with buttons of free slots, which send the same form', async () => {
    const { send, run, cookie, date, call, url } = await signedIn()
    const facility = await run('facilities.get', { id: 'DC1' })
    for (const door of facility.doors)
      await run('appointments.book', load({ targetDate: date, startTime: '10:00', doorId: door.id }))
    const form = {
      facilityId: facility.id,
      type: 'delivery',
      carrierName: 'Acme',
      referenceNumber: 'PO-NEW',
      targetDate: date,
      startTime: '10:00',
      doorId: '',
    }
    const refused = await send('/console/run/appointments.book', form, cookie)
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'slot_unavailable', offers: expect.stringContaining('<button') },
    })
    const [, value, words] = /name="slot" value="([^"]+)">([^<]+)</.exec(refused.body.offers)!
    expect(words).toMatch(/^Book \d\d:\d\d at Door \d+$/)
    const page = await call('POST', '/console/run/appointments.book', {
      body: new URLSearchParams(form).toString(),
      headers: {
        cookie,
        origin: url,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/x-www-form-urlencoded',
      },
    })
    expect(readForms(page.text, 'appointments.book')[0]!.fields).toMatchObject({ carrierName: 'Acme' })
    expect((await send('/console/run/appointments.book', { ...form, slot: value }, cookie)).status).toBe(200)
    const [booked] = await run('appointments.find', { referenceNumber: 'PO-NEW' })
    const minutes = booked.durationMinutes
    expect(value).toBe(formatSlot({ startTime: booked.startTime, minutes, doorId: booked.doorId }))
  })
})

function mainOf(page: string): string {
  return page.slice(page.indexOf('<main'))
}
