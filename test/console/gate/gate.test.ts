import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { DC1, load } from '../../docks/dock-fixtures'
import { openFacility, servedConsole } from '../console-fixtures'

/** 08:00 in Chicago on a Monday. */
const START = Date.parse('2026-11-16T14:00:00Z')
const TODAY = '2026-11-16'

/** A facility with a gate link, and what its page sends. */
async function openGate({ facility = {}, link = {} }: { facility?: object; link?: object } = {}) {
  let now = START
  const service = await servedConsole({
    clock: { now: () => now },
    env: { STUDIO_TRUSTED_PROXIES: '127.0.0.1' },
  })
  const { run, send } = service
  await openFacility(service, facility)
  const made = await run('facilities.create-gate-link', { id: 'DC1', name: 'North gate', ...link })
  const secretOf = (one: { link: string }) => one.link.split('#')[1]!
  const secret = secretOf(made)
  const book = async (referenceNumber: string, changes: object = {}): Promise<string> =>
    (await run('appointments.book', load({ referenceNumber, targetDate: TODAY, durationMinutes: 30, ...changes }))).data
      .id
  /** `from` is the address of the phone, behind the proxy. */
  const checkIn = (number: unknown, own: unknown = secret, from: string | null = null) =>
    send(
      '/gate/check-in',
      { link: own, number, lang: 'en' },
      undefined,
      from === null ? {} : { 'x-forwarded-for': from },
    )
  const look = (visit: unknown, lang = 'en') => send('/gate/visit', { visit, lang })
  const step = (id: string, name: string, more: object = {}) => run('appointments.step', { id, step: name, ...more })
  const stepsOf = async (id: string) =>
    ((await run('appointments.history', { id })) as { kind: string }[]).map(({ kind }) => kind)
  const later = (minutes: number) => {
    now += minutes * 60_000
  }
  return { ...service, made, secret, secretOf, book, checkIn, look, step, stepsOf, later }
}

const words = ({ body }: { body: { html: string } }) =>
  body.html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

describe('the check-in page of drivers', () => {
  it.each([
    ['de-DE,de;q=0.9', 'de', 'Anmeldung'],
    ['pl', 'pl', 'Zgłoszenie przyjazdu'],
    ['it-IT', 'en', 'Check-in'],
  ])('is in the language of the browser: %s', async (header, lang, title) => {
    const { open } = await openGate()
    const { status, text, headers } = await open('/gate', undefined, { 'accept-language': header })
    expect(status).toBe(200)
    expect(text).toContain(`<html lang="${lang}">`)
    expect(text).toContain(`<h1>${title}</h1>`)
    expect(headers).toMatchObject({ vary: expect.stringContaining('Accept-Language'), 'cache-control': 'no-store' })
    expect(headers['content-security-policy']).toContain("default-src 'none'")
  })

  it('lets the driver choose another language, and ignores one that there is not', async () => {
    const { open } = await openGate()
    const { text } = await open('/gate?lang=fr', undefined, { 'accept-language': 'de' })
    expect(text).toContain('<html lang="fr">')
    for (const lang of ['en', 'de', 'es', 'pl']) expect(text).toContain(`href="/gate?lang=${lang}"`)
    expect((await open('/gate?lang=constructor')).text).toContain('<html lang="en">')
  })

  it('says which facility it is of, and whether drivers share it', async () => {
    const { send, secret } = await openGate({ link: { kiosk: true } })
    expect((await send('/gate/link', { link: secret, lang: 'en' })).body).toEqual({ facility: 'North', isKiosk: true })
  })
})

describe('a driver', () => {
  it('keeps a truck before one that came later for the same time, also when its load is changed meanwhile', async () => {
    const { run, book, checkIn, look, later } = await openGate()
    const first = await book('PO-1', { notBefore: '10:00' })
    await book('PO-2', { notBefore: '10:00' })
    const { body } = await checkIn('PO-1')
    later(1)
    expect(words(await checkIn('PO-2'))).toContain('You are number 2 in the queue.')
    later(1)
    await run('appointments.update', { id: first, palletCount: 3 })
    expect(words(await look(body.visit))).toContain('You are next.')
  })

  it('checks in by reference, waits in the queue, and sees the door', async () => {
    const { book, checkIn, look, step, stepsOf, later } = await openGate()
    const [first, second] = [await book('PO-1'), await book('PO-2', { notBefore: '10:00' })]
    const early = await checkIn('po 2')
    expect(early).toMatchObject({
      status: 200,
      body: { askAgain: 5, visit: expect.stringMatching(/^studio_vis_\w{36}$/) },
    })
    expect(words(early)).toContain('You are next.')
    later(1)
    await checkIn('PO-1')
    expect(words(await look(early.body.visit))).toContain('You are number 2 in the queue.')
    expect(words(await look(early.body.visit, 'de'))).toContain('Sie sind Nummer 2 in der Warteschlange.')
    await step(first, 'at_door')
    expect(words(await look(early.body.visit))).toContain('You are next.')
    await step(second, 'at_door')
    expect(words(await look(early.body.visit))).toMatch(/^Go to Door \d$/)
    expect(await stepsOf(second)).toEqual(['booked', 'checked_in', 'at_door'])
  })

  it('checks in by the number of the trailer, with each reference of the load, and in the audit under the name of the link', async () => {
    const { book, checkIn, stepsOf, run } = await openGate()
    const trailer = await book('PO-1', { equipmentId: 'ILX 4411' })
    const several = await book('PO-2', { references: [{ number: 'PO-2' }, { number: 'PO-3' }] })
    expect([(await checkIn('ilx-4411')).status, (await checkIn('PO-3')).status]).toEqual([200, 200])
    for (const id of [trailer, several]) expect(await stepsOf(id)).toEqual(['booked', 'checked_in'])
    expect(await run('audit.list', { operation: 'appointments.check-in' })).toMatchObject([
      { who: 'gate link North gate', targets: [`appointment:${several}`] },
      { who: 'gate link North gate', targets: [`appointment:${trailer}`] },
    ])
    expect(await run('appointments.history', { id: trailer })).toMatchObject([{}, { by: 'gate link North gate' }])
  })

  it('is checked in once by two phones at the same time, and by a phone after the gate', async () => {
    const { book, checkIn, stepsOf, run } = await openGate()
    const [id, other] = [await book('PO-1'), await book('PO-2')]
    const answers = await Promise.all(Array.from({ length: 8 }, () => checkIn('PO-1')))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(new Set(answers.map(({ body }) => body.visit)).size).toBe(8)
    expect(await stepsOf(id)).toEqual(['booked', 'checked_in'])
    await run('appointments.check-in', { id: other, driverName: 'Ana Ruiz' })
    expect((await checkIn('PO-2')).status).toBe(200)
    expect(await stepsOf(other)).toEqual(['booked', 'checked_in'])
  })

  it('gets no secret of the visit on a screen that drivers share', async () => {
    const { book, checkIn } = await openGate({ link: { kiosk: true } })
    await book('PO-1')
    const { body } = await checkIn('PO-1')
    expect(Object.keys(body).sort()).toEqual(['askAgain', 'html'])
    expect(body.html).not.toContain('Keep this page open')
  })

  it('reads names as they are, never as HTML', async () => {
    const { book, checkIn, step, look } = await openGate({
      facility: { doors: [{ name: '<img src=x onerror=alert(1)>' }] },
    })
    const id = await book('PO-1')
    const { body } = await checkIn('PO-1')
    await step(id, 'at_door')
    const { html } = (await look(body.visit)).body
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;')
    expect(html).not.toContain('<img')
    const refused = await checkIn('<script>alert(1)</script>')
    expect(refused.body.html).not.toContain('script')
  })
})

describe('a number that is not of a truck of today', () => {
  it('has one answer, whatever the reason is', async () => {
    const { book, checkIn, run, step, stepsOf } = await openGate()
    await run('facilities.create', { ...DC1, code: 'DC2', name: 'South' })
    await run('tenants.create', { name: 'acme' })
    const tomorrow = await book('TOMORROW', { targetDate: '2026-11-17', notBefore: '12:00' })
    await book('SOUTH', { facilityCode: 'DC2', targetDate: '2026-11-17' })
    await run('appointments.cancel', { id: await book('CANCELLED') })
    await step(await book('LEFT'), 'completed')
    const turnedAway = await book('TURNED-AWAY')
    await step(turnedAway, 'turned_away', { note: 'Wrong temperature' })
    const answers = []
    for (const number of ['NONE', 'TOMORROW', 'SOUTH', 'CANCELLED', 'LEFT', 'TURNED-AWAY', '', null, 7])
      answers.push(await checkIn(number))
    for (const { status, text, headers } of answers) {
      expect({ status, text }).toEqual({ status: 404, text: answers[0]!.text })
      expect(Object.keys(headers).sort()).toEqual(Object.keys(answers[0]!.headers).sort())
    }
    expect(words(answers[0]!)).toBe(
      'We could not check you in with this number. Check the number. If it is correct, please see the gate.',
    )
    expect(await stepsOf(tomorrow)).toEqual(['booked'])
    expect(await stepsOf(turnedAway)).toEqual(['booked', 'turned_away'])
  })

  it('is not that of another tenant', async () => {
    const { checkIn, studio, book } = await openGate()
    await book('OURS')
    const { loadOperation } = await import('../../../src/catalog')
    const { execute } = await import('../../../src/kernel')
    const run = async (id: string, input: object, tenant: string): Promise<any> =>
      execute(await loadOperation(id as never), input, studio.context({ actor: { kind: 'terminal', tenant } }))
    await run('tenants.create', { name: 'acme' }, 'default')
    await run('facilities.create', DC1, 'acme')
    const { data } = await run('appointments.book', load({ referenceNumber: 'THEIRS', targetDate: TODAY }), 'acme')
    expect((await checkIn('THEIRS')).status).toBe(404)
    expect((await checkIn('OURS')).status).toBe(200)
    expect(await run('appointments.history', { id: data.id }, 'acme')).toHaveLength(1)
  })

  it('can be tried ten times in ten minutes, and then a right one is refused too', async () => {
    const { book, checkIn, stepsOf } = await openGate()
    const [id, other] = [await book('PO-1'), await book('PO-2')]
    expect((await checkIn('PO-2')).status).toBe(200) // a right one does not count
    const tried = await Promise.all(Array.from({ length: 30 }, (_, i) => checkIn(`GUESS-${i}`)))
    expect(tried.filter(({ status }) => status === 404)).toHaveLength(10)
    const refused = await checkIn('PO-1')
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': expect.stringMatching(/^\d+$/) } })
    expect(words(refused)).toBe('Too many attempts. Please see the gate.')
    expect([await stepsOf(id), await stepsOf(other)]).toEqual([['booked'], ['booked', 'checked_in']])
  })
})

describe('guesses', () => {
  it('from one address leave others their attempts, and from many end at the limit of the link', async () => {
    const { book, checkIn, stepsOf } = await openGate()
    const [id, other] = [await book('PO-1'), await book('PO-2')]
    const guess = async (from: string, count: number) =>
      (await Promise.all(Array.from({ length: count }, (_, i) => checkIn(`GUESS-${i}`, undefined, from)))).map(
        ({ status }) => status,
      )
    expect((await guess('192.0.2.1', 100)).filter((status) => status === 404)).toHaveLength(10)
    expect((await checkIn('PO-1', undefined, '192.0.2.2')).status).toBe(200)
    for (const n of [3, 4, 5, 6, 7]) expect(await guess(`192.0.2.${n}`, 10)).toEqual(Array(10).fill(404))
    expect((await checkIn('PO-2', undefined, '192.0.2.8')).status).toBe(429)
    expect([await stepsOf(id), await stepsOf(other)]).toEqual([['booked', 'checked_in'], ['booked']])
  })
})

describe('a kiosk', () => {
  const openKiosk = async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const gate = await openGate()
    const kiosk = gate.secretOf(await gate.run('facilities.create-gate-link', { id: 'DC1', kiosk: true }))
    const guess = async (link: string, count: number, from: string | null = null) =>
      (await Promise.all(Array.from({ length: count }, (_, i) => gate.checkIn(`GUESS-${i}`, link, from)))).filter(
        ({ status }) => status === 404,
      ).length
    const wait = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)
    return { ...gate, kiosk, guess, wait }
  }

  it('refuses more than ten wrong numbers in a minute, and takes right ones in the next', async () => {
    const { book, checkIn, kiosk, guess, wait } = await openKiosk()
    await book('PO-1')
    expect(await guess(kiosk, 30)).toBe(10)
    const refused = await checkIn('PO-1', kiosk)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
    wait(61)
    expect((await checkIn('PO-1', kiosk)).status).toBe(200)
  })

  it('takes right numbers all day, while every other one is mistyped', async () => {
    const { book, checkIn, kiosk, wait } = await openKiosk()
    await book('PO-1')
    for (let i = 0; i < 30; i++) {
      expect((await checkIn(`PO-${i}X`, kiosk)).status).toBe(404)
      expect((await checkIn('PO-1', kiosk)).status).toBe(200)
      wait(60)
    }
  })

  it('takes 200 wrong numbers in an hour, from whichever addresses', async () => {
    const { book, checkIn, kiosk, guess, wait } = await openKiosk()
    await book('PO-1')
    for (let minute = 0; minute < 20; minute++) {
      expect(await guess(kiosk, 11, `192.0.2.${minute}`)).toBe(10)
      wait(61)
    }
    expect((await checkIn('PO-1', kiosk)).status).toBe(429)
    wait(3600)
    expect((await checkIn('PO-1', kiosk)).status).toBe(200)
  })

  it('shares its limits with no phone of its network', async () => {
    const { book, checkIn, kiosk, secret, guess } = await openKiosk()
    await Promise.all([book('PO-1'), book('PO-2', { notBefore: '10:00' })])
    expect(await guess(secret, 150)).toBe(10)
    expect((await checkIn('PO-1', secret)).status).toBe(429)
    expect((await checkIn('PO-1', kiosk)).status).toBe(200)
    expect(await guess(kiosk, 30)).toBe(10)
    expect((await checkIn('PO-2', secret, '192.0.2.9')).status).toBe(200)
  })
})

describe('a number that is right', () => {
  it('can be sent 120 times in ten minutes from one address', async () => {
    const { book, checkIn, stepsOf } = await openGate()
    const id = await book('PO-1')
    const statuses: number[] = []
    for (let i = 0; i < 13; i++)
      statuses.push(
        ...(await Promise.all(Array.from({ length: 10 }, () => checkIn('PO-1')))).map(({ status }) => status),
      )
    expect([statuses.filter((status) => status === 200).length, new Set(statuses.slice(120))]).toEqual([
      120,
      new Set([429]),
    ])
    expect(await stepsOf(id)).toEqual(['booked', 'checked_in'])
  })
})

describe('a link that has ended', () => {
  it('checks no one in, and ends the pages of drivers who wait', async () => {
    const { book, checkIn, look, run, made, stepsOf, send, secret } = await openGate()
    const [, waiting] = [await book('PO-1'), await book('PO-2')]
    const { body } = await checkIn('PO-1')
    await run('facilities.revoke-gate-link', { id: made.id })
    for (const answer of [
      await checkIn('PO-2'),
      await look(body.visit),
      await send('/gate/link', { link: secret, lang: 'en' }),
    ]) {
      expect(answer.status).toBe(401)
      expect(words(answer)).toBe('This page is no longer valid. Please see the gate.')
    }
    expect(await stepsOf(waiting)).toEqual(['booked'])
  })

  it('is refused as one that never was', async () => {
    const { checkIn, secret } = await openGate()
    for (const link of ['', null, 'studio_gat_x', secret.toLowerCase(), secret.replace('studio_gat_', 'studio_vis_')])
      expect((await checkIn('PO-1', link)).status).toBe(401)
  })
})

describe('the secret of a visit', () => {
  it('shows nothing after the truck has left, and is over a day later', async () => {
    const { book, checkIn, look, step, later } = await openGate()
    const id = await book('PO-1')
    const { visit } = (await checkIn('PO-1')).body
    await step(id, 'at_door')
    await step(id, 'departed')
    const left = await look(visit)
    expect(left.body).toEqual({ html: '<p class="main">Your visit has ended. Have a safe trip!</p>', askAgain: null })
    expect((await checkIn('PO-1')).status).toBe(404)
    later(24 * 60)
    expect((await look(visit)).status).toBe(401)
  })

  it('opens nothing else, nor does that of the link', async () => {
    const { book, checkIn, secret, look, call, open, send } = await openGate()
    const id = await book('PO-1')
    const { visit } = (await checkIn('PO-1')).body
    expect((await look(secret)).status).toBe(401)
    expect((await checkIn('PO-1', visit)).status).toBe(401)
    for (const own of [secret, visit]) {
      expect((await call('GET', '/api/facilities', { headers: { 'x-api-key': own } })).status).toBe(401)
      const bearer = { authorization: `Bearer ${own}` }
      expect((await call('GET', `/api/appointments/${id}`, { headers: bearer })).status).toBe(401)
      expect((await open('/console/docks/DC1', `studio_session=${own}`)).status).toBe(401)
      expect((await send('/console/sign-in', { credential: own })).status).toBe(401)
    }
  })
})

describe('a request that the page has not sent', () => {
  it('is refused: of another site, without an origin, or too large', async () => {
    const { call, url, secret, checkIn, book, stepsOf } = await openGate()
    const id = await book('PO-1')
    const body = { link: secret, number: 'PO-1', lang: 'en' }
    for (const headers of [{}, { origin: 'https://evil.example' }, { origin: url, 'sec-fetch-site': 'cross-site' }])
      expect((await call('POST', '/gate/check-in', { body, headers: headers as never })).status).toBe(403)
    expect((await checkIn('x'.repeat(20_000))).status).toBe(413)
    expect((await checkIn({ nested: 'PO-1' })).status).toBe(400)
    expect((await call('GET', '/gate/check-in')).status).toBe(405)
    expect(await stepsOf(id)).toEqual(['booked'])
  })
})
