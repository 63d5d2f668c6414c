import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startStubModel } from '../assistant/stub-model'
import { load } from '../docks/dock-fixtures'
import { openFacility, servedConsole } from './console-fixtures'

const POLICY = /default-src 'none'.*script-src 'self'.*frame-ancestors 'none'/

describe('the console', () => {
  it('is where a browser arrives, and takes no address away from programs', async () => {
    const { call, open } = await servedConsole()
    expect(await open('/')).toMatchObject({ status: 302, headers: { location: '/console' } })
    for (const method of ['GET', 'POST'])
      expect(await call(method, '/')).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await open('/api/nothing')).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  it('lets no other page frame it, and runs scripts of the service alone, also on its error pages', async () => {
    const { open } = await servedConsole()
    for (const path of ['/console', '/console/sign-in', '/console/settings', '/console/docks/x']) {
      const { headers, text } = await open(path)
      expect(headers['content-security-policy']).toMatch(POLICY)
      expect(headers['content-security-policy']).not.toContain('unsafe')
      expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'cache-control': 'no-store' })
      expect(text).not.toMatch(/<script(?! type="module" src="\/console\/assets\/)|\son\w+=|\sstyle=|javascript:/i)
    }
  })

  it('has files that browsers may keep, under addresses that name their content', async () => {
    const { open } = await servedConsole()
    const { text } = await open('/console')
    const files = [...text.matchAll(/(?:href|src)="(\/console\/assets\/[^"]+)"/g)].map(([, path]) => path!)
    expect(files).toHaveLength(3)
    for (const file of files)
      expect(await open(file)).toMatchObject({ status: 200, headers: { 'cache-control': /immutable/ } })
    expect((await open('/console/assets/x/..%2Fassets.ts')).status).toBe(404)
    expect((await open('/console/assets/x/styles/base.css')).status).toBe(404)
  })

  it('has scripts of at most 30 KB in all, compressed', () => {
    const folder = join(import.meta.dirname, '../../src/console/assets')
    const scripts = readdirSync(folder, { recursive: true })
      .map(String)
      .filter((name) => name.endsWith('.js'))
    const sizes = scripts.map((name) => gzipSync(readFileSync(join(folder, name))).length)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(30_000)
  })

  it('shows the stories to a local caller, the docks to a dock key and the settings to a token with the scope admin', async () => {
    const { open, signIn, key, token } = await servedConsole()
    const statuses = async (cookie?: string) => {
      const answers = await Promise.all(['/console/docks', '/console/settings'].map((path) => open(path, cookie)))
      return answers.map(({ status }) => status)
    }
    expect((await open('/console')).text).toContain('No work items yet')
    expect(await statuses()).toEqual([401, 401])
    const withKey = await signIn(await key())
    expect(await statuses(withKey)).toEqual([200, 403])
    expect(await statuses(await signIn(await token(['admin'])))).toEqual([401, 200])
    expect(await statuses(await signIn(await token(['admin']), withKey))).toEqual([200, 200])
    expect(await statuses(await signIn(await token(['write'])))).toEqual([401, 403])
  })

  it('shows nothing of the stories to a caller from elsewhere without a session', async () => {
    const { open, signIn, token } = await servedConsole({ local: false })
    expect((await open('/console')).text).not.toContain('No work items yet')
    expect((await open('/console', await signIn(await token(['read'])))).text).toContain('No work items yet')
  })

  it('loads a page again that a link of another site led to, because browsers send no strict cookie there', async () => {
    const { open } = await servedConsole({ local: false })
    const answer = await open('/console/docks/A%22B?date=2027-01-01', undefined, { 'sec-fetch-site': 'cross-site' })
    expect(answer.status).toBe(200)
    expect(answer.text).toContain('content="0;url=/console/docks/A%22B?date=2027-01-01"')
    expect((await open('/console/docks', undefined, { 'sec-fetch-site': 'same-origin' })).status).toBe(401)
  })
})

describe('a session', () => {
  it('is opened with a credential, in a cookie that no script reads and no other site sends', async () => {
    const { send, token, url } = await servedConsole()
    const credential = await token(['read'])
    const { headers, body } = await send('/console/sign-in', { credential, next: '/console/docks?x=1' })
    expect(body).toEqual({ location: '/console/docks?x=1' })
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^studio_session=studio_ses_\w{36}; Path=\/console; HttpOnly; SameSite=Strict; Max-Age=\d+$/,
      ),
    ])
    expect(url).toMatch(/^http:/)
  })

  it('has a cookie for TLS alone where the browser uses TLS', async () => {
    const { send, token } = await servedConsole({ env: { STUDIO_ALLOWED_HOSTS: 'studio.example.com' } })
    const behindProxy = { host: 'studio.example.com', origin: 'https://studio.example.com' }
    const { headers } = await send('/console/sign-in', { credential: await token(['read']) }, undefined, behindProxy)
    expect(headers['set-cookie']![0]).toMatch(/^__Host-studio_session=.*; Path=\/; Secure; HttpOnly; SameSite=Strict/)
  })

  it('gets a new secret at each sign-in, so that one from before is worth nothing', async () => {
    const { open, signIn, token, key } = await servedConsole()
    const first = await signIn(await token(['admin']))
    const second = await signIn(await key(), first)
    expect(second).not.toBe(first)
    expect((await open('/console/settings', first)).status).toBe(401)
    expect((await open('/console/settings', second)).status).toBe(200)
    const planted = `studio_session=studio_ses_${'a'.repeat(36)}`
    expect(await signIn(await token(['admin']), planted)).not.toBe(planted)
  })

  it('ends when the browser signs out, when it is revoked, and with its token or dock key', async () => {
    const { open, send, signIn, token, run } = await servedConsole()
    const isOpen = async (cookie: string, path = '/console/settings') => (await open(path, cookie)).status === 200
    const [left, revoked] = [await signIn(await token(['admin'])), await signIn(await token(['admin']))]
    expect(await send('/console/sign-out', {}, left)).toMatchObject({
      body: { location: '/console/sign-in' },
      headers: { 'set-cookie': Array(2).fill(expect.stringContaining('Max-Age=0')) },
    })
    expect([await isOpen(left), await isOpen(revoked)]).toEqual([false, true])
    const [session] = await run('sessions.list', {})
    await run('sessions.revoke', { id: session.id })
    expect(await isOpen(revoked)).toBe(false)
    const credential = await run('tokens.create', { name: 'x', scopes: ['admin'] })
    const ofToken = await signIn(credential.token)
    await run('tokens.revoke', { id: credential.id })
    expect(await isOpen(ofToken)).toBe(false)
    const dockKey = await run('tenants.create-key', {})
    const ofKey = await signIn(dockKey.key)
    expect(await isOpen(ofKey, '/console/docks')).toBe(true)
    await run('tenants.revoke-key', { id: dockKey.id })
    expect(await isOpen(ofKey, '/console/docks')).toBe(false)
  })

  it('is opened once by a link', async () => {
    const { open, send, signIn, run } = await servedConsole({ local: false })
    const { path } = await run('sessions.create-link', { name: 'wall', scope: 'read' })
    const secret = path.split('#')[1]
    expect((await open('/console/docks', `studio_session=${secret}`)).status).toBe(401)
    const cookie = await signIn(secret)
    expect((await open('/console/docks', cookie)).status).toBe(200)
    expect((await open('/console/settings', cookie)).status).toBe(403)
    expect(await send('/console/sign-in', { credential: secret })).toMatchObject({
      status: 401,
      body: { message: 'This link was used before, or has expired.' },
    })
  })

  it('is not to be guessed: an address that fails too often must wait', async () => {
    const { send } = await servedConsole()
    const guesses = Array.from({ length: 12 }, () =>
      send('/console/sign-in', { credential: `studio_pat_${'x'.repeat(36)}` }),
    )
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(statuses).toContain(429)
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(10)
  })
})

describe('a form', () => {
  it('is refused unless a page of the console sent it', async () => {
    const { call, signIn, token, url, run } = await servedConsole()
    const cookie = await signIn(await token(['admin']))
    const path = '/console/run/tokens.create'
    const form = 'name=stolen&scopes=admin'
    const type = 'application/x-www-form-urlencoded'
    const attempts: Record<string, string>[] = [
      { 'content-type': type, origin: 'http://evil.example' },
      { 'content-type': type, origin: 'null' },
      { 'content-type': type },
      { 'content-type': type, origin: url, 'sec-fetch-site': 'same-site' },
      { 'content-type': 'text/plain', origin: url, 'sec-fetch-site': 'same-origin' },
    ]
    for (const headers of attempts) {
      const { status } = await call('POST', path, { body: form, headers: { cookie, ...headers } })
      expect([403, 415]).toContain(status)
    }
    expect((await run('tokens.list', {})).map(({ name }: { name: string }) => name)).toEqual(['test'])
    const sent = { body: form, headers: { cookie, 'content-type': type, origin: url, 'sec-fetch-site': 'same-origin' } }
    expect(await call('POST', path, sent)).toMatchObject({ status: 200, text: expect.stringContaining('studio_pat_') })
  })

  it('does what the caller may do, and nothing that the console does not offer', async () => {
    const { send, signIn, token } = await servedConsole()
    const reader = await signIn(await token(['read']))
    expect((await send('/console/run/tokens.create', { name: 'x' }, reader)).status).toBe(403)
    expect((await send('/console/run/tokens.create', { name: 'x' })).status).toBe(401)
    const admin = await signIn(await token(['admin']))
    for (const id of ['storage.restore', 'storage.migrate', 'constructor', '__proto__'])
      expect((await send(`/console/run/${id}`, {}, admin)).status).toBe(404)
  })

  it('leads to pages of the console alone', async () => {
    const { send, open, token } = await servedConsole()
    const credential = await token(['read'])
    for (const next of [
      'https://evil.example',
      '//evil.example',
      '/console/../..//evil.example',
      '/\\evil.example',
      '/consolex',
      '/console/\\\\x',
      '/console\r\nX: y',
    ])
      expect((await send('/console/sign-in', { credential, next })).body).toEqual({ location: '/console' })
    expect((await open('/console/sign-in?next=//evil.example')).text).toContain('name="next" value="/console"')
  })

  it('keeps what was wrong for the script of the page', async () => {
    const { send, signIn, key } = await servedConsole()
    const answer = await send('/console/run/appointments.book', { type: 'delivery' }, await signIn(await key()))
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid', message: expect.any(String) } })
    expect(answer.body.details.map(({ path }: { path: string }) => path)).toContain('carrierName')
  })
})

describe('the form of an appointment', () => {
  it('keeps the line breaks of a text that it does not change', async () => {
    const service = await servedConsole()
    const cookie = await service.signIn(await service.key())
    const { date } = await openFacility(service)
    const loadDescription = 'Tiles\nGlass'
    const { data } = await service.run('appointments.book', load({ targetDate: date, loadDescription }))
    const { text } = await service.open(`/console/appointments/${data.id}`, cookie)
    const drawn = [...text.matchAll(/<input type="hidden" name="(drawn\.\w+)" value="([^"]*)">/g)]
    // An input of one line sends its text without them; a hidden one sends \r\n.
    const fields = Object.fromEntries(drawn.map(([, name, value]) => [name, value!.replaceAll('\n', '\r\n')]))
    const sent = { id: data.id, ...fields, loadDescription: 'TilesGlass', palletCount: '7' }
    await service.send('/console/run/appointments.update', sent, cookie)
    expect(await service.run('appointments.get', { id: data.id })).toMatchObject({ loadDescription, palletCount: 7 })
  })
})

describe('the board', () => {
  const HOSTILE = `<img src=x onerror=alert(1)>"'><script>alert(1)</script>`

  it('shows the day with its appointments, as a drawing and as a table', async () => {
    const service = await servedConsole()
    const { date } = await openFacility(service)
    await service.run('appointments.book', load({ targetDate: date, referenceNumber: 'PO-7' }))
    const cookie = await service.signIn(await service.key())
    const { text } = await service.open(`/console/docks/DC1?date=${date}`, cookie)
    expect(text).toContain('<span class="total">1 appointment</span>')
    expect(text).toMatch(/aria-label="PO-7 Blue Freight, scheduled, delivery, \d\d:\d\d to \d\d:\d\d, Door 1"/)
    expect(text).toMatch(
      /<td>Door 1<\/td><td><a [^>]*>PO-7<\/a><\/td><td>Blue Freight<\/td><td class="nowrap">▼ delivery<\/td><td><span class="badge plain">.* scheduled<\/span>/,
    )
    expect((await service.open('/console/docks/NONE', cookie)).status).toBe(404)
  })

  it('shows texts of others as text', async () => {
    const service = await servedConsole()
    const { date } = await openFacility(service, { name: HOSTILE.slice(0, 100), code: `A/"<b>` })
    const { data } = await service.run(
      'appointments.book',
      load({
        facilityCode: `A/"<b>`,
        targetDate: date,
        carrierName: HOSTILE,
        referenceNumber: HOSTILE,
        loadDescription: HOSTILE,
      }),
    )
    await service.run('tenants.create-key', { name: HOSTILE })
    await service.run('staff.add', { email: 'ana@example.com', name: HOSTILE })
    await service.run('tokens.create', { name: HOSTILE })
    await service.run('facilities.create-gate-link', { id: `A/"<b>`, name: HOSTILE.slice(0, 100) })
    await service.run('yard.add-spots', { id: `A/"<b>`, names: [HOSTILE.slice(0, 100)] })
    const dropped = { number: HOSTILE.slice(0, 50), carrierName: HOSTILE, note: HOSTILE }
    const trailer = await service.run('yard.arrive', { facilityCode: `A/"<b>`, ...dropped })
    await service.run('webhooks.add', { url: 'https://tms.example.com/in', carrierName: HOSTILE })
    await service.run('mail-templates.set', { id: 'booked', subject: HOSTILE, text: HOSTILE })
    const { path } = await service.run('sessions.create-link', { name: HOSTILE })
    const cookie = await service.signIn(path.split('#')[1])
    const code = encodeURIComponent(`A/"<b>`)
    const pages = [
      '',
      '/docks',
      `/docks/${code}?date=${date}`,
      `/docks/${code}/book`,
      `/docks/${code}/availability?date=${date}`,
      `/docks/${code}/week?date=${date}`,
      `/docks/${code}/settings`,
      `/docks/${code}/gate-links`,
      `/docks/${code}/yard`,
      `/trailers/${trailer.data.id}`,
    ]
    for (const page of [
      ...pages,
      `/appointments/${data.id}`,
      '/settings',
      '/settings/staff',
      '/settings/messages',
      `/docks/${encodeURIComponent(HOSTILE)}`,
    ]) {
      const { text } = await service.open(`/console${page}`, cookie)
      expect(text).not.toMatch(/<img|<script>|<b>|onerror=alert\(1\)>"/)
    }
  })

  it('belongs to the tenant of the dock key', async () => {
    const service = await servedConsole()
    await openFacility(service)
    await service.run('tenants.create', { name: 'other' })
    const { key } = await service.run('tenants.create-key', { tenant: 'other' })
    const cookie = await service.signIn(key)
    expect((await service.open('/console/docks/DC1', cookie)).status).toBe(404)
    expect((await service.open('/console/docks/DC1/live', cookie)).status).toBe(404)
  })

  it('is not for the key of a carrier, which gets no appointment of others on any page', async () => {
    const service = await servedConsole()
    const { date } = await openFacility(service)
    const booking = { facilityCode: 'DC1', type: 'pickup', referenceNumber: 'RED-1', targetDate: date }
    await service.run('carriers.admit', { id: 'DC1', name: 'Blue' })
    const { data } = await service.run('appointments.book', { ...booking, carrierName: 'Red' })
    const cookie = await service.signIn(await service.key('clerk', 'Blue'))
    const home = await service.open('/console', cookie)
    expect([home.status, home.text.includes('RED-1')]).toEqual([200, false])
    for (const path of ['/docks', '/docks/DC1', '/docks/DC1/live', '/docks/DC1/week', `/appointments/${data.id}`]) {
      const { status, text } = await service.open(`/console${path}?date=${date}`, cookie)
      expect([path, [403, 404].includes(status), text.includes('RED-1')]).toEqual([path, true, false])
    }
  })

  it('sends an open page the parts that a booking changes', async () => {
    const service = await servedConsole()
    const { date } = await openFacility(service)
    const cookie = await service.signIn(await service.key())
    const { text } = await service.open(`/console/docks/DC1?date=${date}`, cookie)
    const [, address, version] = /data-live="([^"]+)" data-version="([^"]+)"/.exec(text)!
    const live = `${address!.replaceAll('&amp;', '&')}&version=${version}`
    const leave = new AbortController()
    const stream = await fetch(`${service.url}${live}`, { headers: { cookie }, signal: leave.signal })
    expect(stream.headers.get('content-type')).toMatch(/^text\/event-stream/)
    const said = stream.body!.pipeThrough(new TextDecoderStream())
    await service.run('appointments.book', load({ targetDate: date, referenceNumber: 'PO-9' }))
    let heard = ''
    for await (const part of said) {
      heard += part
      if (heard.includes('event: parts') && heard.endsWith('\n\n')) break
    }
    leave.abort()
    const { shape, parts } = JSON.parse(/^event: parts\ndata: (.*)$/m.exec(heard)![1]!)
    expect(text).toContain(`data-shape="${shape}"`)
    expect(Object.keys(parts)).toEqual([
      'board-summary',
      expect.stringMatching(/^door-/),
      'list-next',
      expect.stringMatching(/^list-\d+$/),
    ])
    expect(JSON.stringify(parts)).toContain('PO-9')
  })
})

describe('the page of the system', () => {
  it('shows what works, asks the administrator alone, and lets no form choose a file or a repair', async () => {
    const { open, send, signIn, token } = await servedConsole()
    expect((await open('/console/settings/system', await signIn(await token(['write'])))).status).toBe(403)
    const cookie = await signIn(await token(['admin']))
    const { text } = await open('/console/settings/system', cookie)
    expect(text).toMatch(/Language model<\/th><td><span class="badge bad"/)
    const fields = { file: '/tmp/chosen.db', force: 'true', repair: 'true', offline: 'true' }
    const backup = await send('/console/run/storage.backup', fields, cookie)
    expect(JSON.stringify(backup.body)).not.toContain('chosen')
    const { body } = await send('/console/run/system.doctor', fields, cookie)
    expect(body.html).toContain('<th scope="row">tracker</th>')
    expect(body.html).not.toContain('checksums')
  })
})

describe('an import', () => {
  it('books the rows of a file after a preview of their outcomes', async () => {
    const service = await servedConsole()
    const { date } = await openFacility(service)
    const cookie = await service.signIn(await service.key('manager'))
    expect((await service.open('/console/docks/DC1/import', cookie)).text).toContain('name="dryRun" value="true"')
    const text = `type,carrierName,referenceNumber,targetDate\ndelivery,"<b>&""Nord",PO-1,${date}\nboat,Acme,PO-<i>,${date}\n`
    const file = { text, facilityCode: 'DC1', next: '/console/docks/DC1' }
    const preview = (await service.send('/console/run/appointments.import', { ...file, dryRun: 'true' }, cookie)).body
      .html
    expect(preview).toContain(
      '1 row would be booked, 0 of them at another time than requested; 0 imported before; 1 would be refused.',
    )
    expect(preview).not.toMatch(/<b>|<i>/)
    expect(await service.run('appointments.list', { facilityCode: 'DC1', startDate: date, endDate: date })).toEqual([])
    const done = await service.send('/console/run/appointments.import', file, cookie)
    expect(done.body.html).toContain('1 row booked')
    expect(
      await service.run('appointments.list', { facilityCode: 'DC1', startDate: date, endDate: date }),
    ).toMatchObject([{ carrierName: '<b>&"Nord', referenceNumber: 'PO-1' }])
  })
})

describe('the settings of a facility', () => {
  /** What the form that confirms a change sends. */
  const confirmed = (markup: string) => {
    const fields: Record<string, string[]> = {}
    for (const [, name, value] of markup.matchAll(/name="([^"]+)" value="([^"]*)"/g))
      fields[name!] = [...(fields[name!] ?? []), value!]
    return Object.fromEntries(
      Object.entries(fields).map(([name, values]) => [name, values.length > 1 ? values : values[0]]),
    )
  }

  it('are changed after the consequences were shown', async () => {
    const service = await servedConsole()
    const { date } = await openFacility(service)
    await service.run('appointments.book', load({ targetDate: date, startTime: '08:00', referenceNumber: 'PO-<i>' }))
    const facility = () => service.run('facilities.get', { id: 'DC1' })
    const { id } = await facility()
    const cookie = await service.signIn((await service.run('tenants.create-key', { scope: 'admin' })).key)
    const change = async (operation: string, fields: object) => {
      const shown = await service.send(`/console/run/${operation}`, { ...fields, dryRun: 'true' }, cookie)
      expect(shown).toMatchObject({ status: 200, body: { html: expect.any(String) } })
      const saved = await service.send(`/console/run/${operation}`, confirmed(shown.body.html), cookie)
      expect(saved.body).toMatchObject({ location: `/console/docks/DC1/settings?done=${operation}` })
    }
    const before = await facility()
    const hours = {
      ...{ 'queues.0.days[]': 'mon', 'queues.0.start': '09:00', 'queues.0.end': '12:00', 'queues.0.types[]': '' },
      ...{ 'queues.1.start': '', 'queues.1.end': '', 'breaks.0.start': '' },
    }
    const preview = await service.send('/console/run/facilities.update', { id, ...hours, dryRun: 'true' }, cookie)
    expect(preview.body.html).toContain('1 scheduled appointment would no longer fit')
    expect(preview.body.html).toContain('PO-&lt;i&gt;')
    expect(await facility()).toEqual(before)

    await change('facilities.update', { id, ...hours })
    const limit = { 'limits.0.max': '4', 'limits.0.per': 'hour', 'limits.0.carriers[lines]': 'Acme, Inc.\nNord' }
    await change('facilities.update', { id, ...limit, capacity: '' })
    const door = {
      newName: 'Cold 1',
      'types[]': 'delivery',
      'features[lines]': 'reefer',
      maxHeight: '162',
      active: 'false',
    }
    await change('doors.update', { facilityId: id, name: 'Door 1', ...door })
    await change('facilities.block', { id, from: `${date}T06:00`, to: `${date}T07:00`, 'doors[]': 'Door 2' })
    expect(await facility()).toMatchObject({
      queues: [{ days: ['mon'], start: '09:00', end: '12:00', types: null, doors: null }],
      breaks: [],
      limits: [{ max: 4, per: 'hour', carriers: ['Acme, Inc.', 'Nord'], eachCarrier: false }],
      capacity: null,
      blockedTimes: [{ doors: ['Door 2'] }],
      doors: [
        { name: 'Cold 1', types: ['delivery'], features: ['reefer'], maxHeight: 162, active: false },
        { name: 'Door 2' },
      ],
    })
    const writer = await service.signIn(await service.key())
    expect((await service.open('/console/docks/DC1/settings', writer)).status).toBe(403)
    expect((await service.send('/console/run/facilities.delete', { id }, writer)).status).toBe(403)
  })

  it('say that no box of a list is checked, which is not the same as no list', async () => {
    const service = await servedConsole()
    await openFacility(service)
    const { id } = await service.run('facilities.get', { id: 'DC1' })
    const cookie = await service.signIn((await service.run('sessions.create-link', {})).path.split('#')[1])
    const { text } = await service.open('/console/docks/DC1/settings', cookie)
    for (const name of ['types[]', 'queues.0.days[]'])
      expect(text).toMatch(new RegExp(`<input type="hidden" name="${name.replace(/[[\]]/g, '\\$&')}" value="">`))
    const send = (operation: string, fields: object) => service.send(`/console/run/${operation}`, fields, cookie)
    const door = { facilityId: id, name: 'Door 1' }
    expect(await send('doors.update', { ...door, 'types[]': '' })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('types: ') },
    })
    expect((await send('tokens.create', { name: 'ci', scopes: '' })).status).toBe(400)
    expect((await send('doors.update', { ...door, 'types[]': ['', 'pickup'] })).status).toBe(200)
    const hours = { 'queues.0.days[]': ['', 'mon'], 'queues.0.start': '06:00', 'queues.0.end': '12:00' }
    const added = { 'queues.1.days[]': '', 'queues.1.start': '', 'queues.1.types[]': '' }
    expect((await send('facilities.update', { id, ...hours, ...added })).status).toBe(200)
    const changed = await service.run('facilities.get', { id: 'DC1' })
    expect(changed.doors[0].types).toEqual(['pickup'])
    expect(changed.queues).toMatchObject([{ days: ['mon'], start: '06:00', end: '12:00', types: null }])
  })

  it('show what they would do again, if that has changed since it was shown', async () => {
    const service = await servedConsole()
    const { date } = await openFacility(service)
    const { id } = await service.run('facilities.get', { id: 'DC1' })
    const cookie = await service.signIn((await service.run('tenants.create-key', { scope: 'admin' })).key)
    const closing = { id, from: date, dryRun: 'true' }
    const preview = await service.send('/console/run/facilities.close', closing, cookie)
    expect(preview.body.html).toContain('Every scheduled appointment still fits')
    await service.run('appointments.book', load({ targetDate: date, startTime: '08:00', referenceNumber: 'PO-1' }))
    const again = await service.send('/console/run/facilities.close', confirmed(preview.body.html), cookie)
    expect(again.body.html).toMatch(/Nothing was done[\s\S]*1 scheduled appointment would no longer fit/)
    expect((await service.run('facilities.get', { id: 'DC1' })).closures).toEqual([])
    const saved = await service.send('/console/run/facilities.close', confirmed(again.body.html), cookie)
    expect(saved.body).toMatchObject({ location: '/console/docks/DC1/settings?done=facilities.close' })
  })

  it('are not written over a change of others', async () => {
    const service = await servedConsole()
    await openFacility(service)
    const cookie = await service.signIn((await service.run('tenants.create-key', { scope: 'admin' })).key)
    const page = async () => (await service.open('/console/docks/DC1/settings', cookie)).text
    const { id } = await service.run('facilities.get', { id: 'DC1' })
    const seen = /name="ifRevision" value="([^"]+)"/.exec(await page())![1]!
    const send = async (operation: string, fields: object) =>
      (await service.send(`/console/run/${operation}`, { ...fields, ifRevision: seen }, cookie)).body
    const preview = await send('facilities.update', { id, name: 'Mine', dryRun: 'true' })
    await service.run('doors.update', { facilityCode: 'DC1', name: 'Door 1', maxHeight: 150 })
    const late = { code: 'stale_revision', message: expect.stringContaining('changed since') }
    expect((await service.send('/console/run/facilities.update', confirmed(preview.html), cookie)).body).toMatchObject(
      late,
    )
    const door = { facilityId: id, name: 'Door 1', maxHeight: '' }
    expect(await send('doors.update', { ...door, dryRun: 'true' })).toMatchObject(late)
    expect(await send('doors.remove', { facilityId: id, name: 'Door 1', dryRun: 'true' })).toMatchObject(late)
    expect(await service.run('facilities.get', { id })).toMatchObject({
      name: 'North',
      doors: [{ maxHeight: 150 }, {}],
    })
    expect(await page()).not.toContain(seen)
  })

  it('are complete: a facility is created, deleted and restored', async () => {
    const { open, send, signIn, run } = await servedConsole()
    const cookie = await signIn((await run('tenants.create-key', { scope: 'admin' })).key)
    const hours = { 'queues.0.days[]': ['mon', 'tue'], 'queues.0.start': '06:00', 'queues.0.end': '18:00' }
    const fields = {
      code: 'A&B',
      name: '<b>',
      timeZone: 'America/Chicago',
      'doors[lines]': 'Door 1\r\n\r\nDoor 2',
      ...hours,
    }
    const { body } = await send('/console/run/facilities.create', fields, cookie)
    expect(body.location).toBe('/console/docks/A%26B/settings?done=facilities.create')
    const { id, doors } = await run('facilities.get', { id: 'A&B' })
    expect(doors.map(({ name }: { name: string }) => name)).toEqual(['Door 1', 'Door 2'])
    await send('/console/run/facilities.delete', { id }, cookie)
    expect((await open('/console/docks', cookie)).text).toContain('aria-label="Restore A&amp;B"')
    await send('/console/run/facilities.restore', { id }, cookie)
    expect(await run('facilities.list', {})).toMatchObject([{ id }])
  })

  it('cannot be reached with names that objects have by nature', async () => {
    const service = await servedConsole()
    await openFacility(service)
    const cookie = await service.signIn((await service.run('tenants.create-key', { scope: 'admin' })).key)
    for (const name of [
      '__proto__.x',
      'constructor.prototype.x',
      'id.x',
      'queues.x',
      'limits.0.max.x',
      'queues.0.days',
      '[]',
      'a[lines]',
    ])
      expect([
        name,
        (await service.send('/console/run/facilities.update', { id: 'DC1', [name]: 'y' }, cookie)).status,
      ]).toEqual([name, 400])
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  })
})

describe('stories and drafts', () => {
  const HOSTILE = `<img src=x onerror=alert(1)>"'><script>alert(1)</script>[x](javascript:alert(1))`

  it('show texts of others as text, and load nothing from elsewhere', async () => {
    const { open, run } = await servedConsole()
    const picture = `${HOSTILE}\n\n![p](http://evil.example/p.png)\n\n<iframe src="http://evil.example"></iframe><form action="http://evil.example"><input name=x></form>`
    const draft = { title: HOSTILE, description: picture, acceptanceCriteria: picture, tags: HOSTILE.slice(0, 20) }
    const { id } = await run('drafts.save', draft)
    const folder = await run('folders.create', { name: HOSTILE.slice(0, 60) })
    await run('views.save', { name: HOSTILE.slice(0, 60), criteria: { state: 'open' } })
    const pages = ['', '/work', `/work?q=${encodeURIComponent(HOSTILE)}`, '/work?q=alert', '/work/views/1']
    for (const page of [
      ...pages,
      '/drafts',
      `/drafts?folder=${folder.id}`,
      `/drafts/${id}`,
      `/drafts/${id}/publish`,
      '/reports',
      '/reports/priorities',
    ]) {
      const { status, text } = await open(`/console${page}`)
      expect([page, status]).toEqual([page, 200])
      // What is inside a quoted value is no markup.
      const markup = text.replace(/="[^"]*"/g, '')
      const found = /<img|<script>|<iframe|<[^>]+onerror/.exec(markup) ?? /\w="(?:javascript:|http:\/\/evil)/.exec(text)
      expect([page, found?.[0]]).toEqual([page, undefined])
    }
  })

  it('show a work item of the tracker with its children, blockers and history', async () => {
    const { open, run } = await servedConsole()
    await run('features.import', { featureId: 101 })
    const { text } = await open('/console/work')
    expect(text).toContain('href="/console/work/items/101"')
    expect(text).toMatch(/<progress max="100" value="\d+"/)
    const item = (await open('/console/work/items/205')).text
    expect(item).toMatch(/blocked<\/span>/)
    expect(item).toContain('<h2>History</h2>')
    expect((await open('/console/work?is=blocked')).text.length).toBeLessThan(text.length)
    const found = (await open('/console/work?q=driver')).text
    expect(found).toMatch(/<mark>driver<\/mark>/i)
    expect(await open('/console/work/items/999999')).toMatchObject({ status: 404, text: /Not found/ })
    expect((await open('/console/work/items/x')).status).toBe(400)
  })

  it('are changed by a local caller without a session, and never over a change of others', async () => {
    const { send, run } = await servedConsole()
    const { id, updatedAt } = await run('drafts.save', { title: 'First', description: 'Old' })
    const saved = await send('/console/run/drafts.save', {
      id: String(id),
      updatedAt,
      title: 'Second',
      description: '',
    })
    expect(saved).toMatchObject({
      status: 200,
      body: { values: { updatedAt: expect.any(String) }, parts: { preview: /None/ } },
    })
    expect(await run('drafts.get', { id })).toMatchObject({ title: 'Second', description: null })
    const late = await send('/console/run/drafts.save', { id: String(id), updatedAt, title: 'Third' })
    expect(late).toMatchObject({ status: 409, body: { code: 'stale_revision' } })
  })

  it('choose the features that come first, and move one of them without a script', async () => {
    const { open, send, run } = await servedConsole()
    const { features } = await run('features.list', {})
    const ids = features.slice(0, 3).map(({ id }: { id: number }) => String(id))
    for (const featureId of ids) await run('features.import', { featureId: Number(featureId) })
    const [first, second, third] = ids
    const saved = async (fields: object) => {
      const { status } = await send('/console/run/priorities.set', fields)
      expect(status).toBe(200)
      const { designated } = await run('priorities.get', {})
      return designated.map(String)
    }
    expect(await saved({ 'designated[]': first })).toEqual([first])
    expect(await saved({ 'designated[]': [first, second], move: `up-${second}` })).toEqual([second, first])
    expect(await saved({ 'designated[]': [second, first], move: `up-${second}` })).toEqual([second, first])
    expect(await saved({ 'designated[]': [second, first], move: `down-${first}` })).toEqual([second, first])
    expect(await saved({ 'designated[]': [second, first], move: `down-${second}` })).toEqual([first, second])
    expect(await saved({ 'designated[]': [second, first], move: `up-${third}` })).toEqual([second, first])
    const { text } = await open('/console/reports/priorities')
    expect(text.match(/value="\d+" checked/g)).toEqual([`value="${second}" checked`, `value="${first}" checked`])
    expect(await saved({ next: '/console' })).toEqual([])
    const twice = await send('/console/run/priorities.set', { 'designated[]': [first, first] })
    expect(twice).toMatchObject({ status: 400 })
  })

  it('show a refinement while the model writes it, with its texts as text, and its result last', async () => {
    const summary = JSON.stringify({ summary: HOSTILE })
    const model = await startStubModel({
      replies: [{ pieces: ['{}'] }, { pieces: [summary.slice(0, 20), summary.slice(20)] }],
    })
    onTestFinished(() => model.close())
    const { send, run } = await servedConsole({ env: { STUDIO_LLM_HOST: model.url } })
    const { id } = await run('drafts.save', { title: 'Door', description: 'Long.' })
    const fields = { id: String(id), promptId: 'summary' }
    const stream = { accept: 'text/event-stream' }
    const { text, headers } = await send('/console/run/drafts.refine', fields, undefined, stream)
    expect(headers['content-type']).toContain('text/event-stream')
    const events = text
      .trim()
      .split('\n\n')
      .map((block) => {
        const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(block)!
        return { event, ...JSON.parse(data!) }
      })
    expect(events.map(({ event }) => event)).toEqual(['start', 'retry', 'start', 'token', 'token', 'done'])
    expect(events.map(({ text = '' }) => text).join('')).toBe(HOSTILE)
    expect(events.at(-1).html).toContain('&lt;script&gt;')
    expect(events.at(-1).html).not.toContain('<script>')
    const unknown = { ...fields, id: '99' }
    expect(await send('/console/run/drafts.refine', unknown, undefined, stream)).toMatchObject({ status: 404 })
    // Without a script the page waits for all of it.
    expect((await send('/console/run/drafts.refine', fields)).body.html).toContain('Save these changes')
    expect(await run('drafts.get', { id })).toMatchObject({ description: 'Long.' })
  })

  it('save a view of the items, and delete it', async () => {
    const { open, send, run } = await servedConsole()
    await run('features.import', { featureId: 101 })
    const view = { name: 'Bugs', 'criteria.state': 'open', 'criteria.tag': '', columns: 'id, title', sort: '-id' }
    const { body } = await send('/console/run/views.save', view)
    expect(body.location).toBe('/console/work/views/1?done=views.save')
    expect((await open('/console/work/views/1')).text).toMatch(
      /<th scope="col">Title<\/th><th scope="col" aria-sort="descending"><a [^>]*>Item/,
    )
    expect(await send('/console/run/views.delete', { view: '1', next: '/console/work' })).toMatchObject({ status: 200 })
    expect(await run('views.list', {})).toEqual([])
  })

  it('show what a clean copy would lose, before it is saved', async () => {
    const { open, send, run } = await servedConsole()
    await run('features.import', { featureId: 101 })
    const { text } = await open('/console/work/items/204/copy')
    expect(text).toContain('<mark>[email removed]</mark>')
    expect(await run('drafts.list', {})).toEqual([])
    expect((await send('/console/run/drafts.copy-sanitize', { id: '204' })).body.location).toBe(
      '/console/drafts/1?done=drafts.copy-sanitize',
    )
  })
})
