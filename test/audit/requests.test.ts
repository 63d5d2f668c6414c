import { describe, expect, it } from 'vitest'
import { listAudit } from '../../src/audit/operations/list-audit'
import type { AuditEntry } from '../../src/audit/schemas'
import { execute } from '../../src/kernel'
import { servedConsole } from '../console/console-fixtures'
import { type Served, served } from '../http/served'
import { startMailServer } from '../mail/mail-server'

const entriesOf = (service: Served): Promise<AuditEntry[]> =>
  execute(listAudit, {}, service.studio.context({ actor: { kind: 'terminal', tenant: 'default' } }))

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

describe('a request', () => {
  it('has the ID of its answer in its entry, and the name of its token', async () => {
    const service = await served({ local: false })
    const headers = bearer(await service.token(['write']))
    const answer = await service.call('POST', '/api/stories/save-draft', { body: { title: 'Private words' }, headers })
    expect(answer.status, answer.text).toBeLessThan(300)
    const [entry] = await entriesOf(service)
    expect(entry).toMatchObject({
      requestId: answer.headers['x-request-id'],
      surface: 'http',
      who: 'test',
      from: expect.stringContaining('127.0.0.1'),
      operation: 'drafts.save',
      targets: [`draft:${answer.body.id}`],
      outcome: 'done',
    })
    expect(JSON.stringify(entry)).not.toContain('Private')
  })

  it('has the address that a trusted proxy names, and no address that another client names', async () => {
    const headers = { 'x-forwarded-for': '198.51.100.9' }
    const addressAt = async (env: Record<string, string>) => {
      const service = await served({ local: false, env })
      const own = { ...headers, ...bearer(await service.token(['write'])) }
      await service.call('POST', '/api/stories/save-draft', { body: { title: 'A' }, headers: own })
      return (await entriesOf(service))[0]!.from
    }
    expect(await addressAt({ STUDIO_TRUSTED_PROXIES: '127.0.0.1' })).toBe('198.51.100.9')
    expect(await addressAt({})).toContain('127.0.0.1')
  })

  it('names the person that it changes, and no text of the person', async () => {
    const service = await served({ local: false })
    const headers = bearer(await service.token(['admin']))
    const email = `${'a'.repeat(60)}.o'hara+docks@${'b.'.repeat(86)}example`
    const answers = [
      await service.call('POST', '/api/people', { body: { email, name: 'Private words' }, headers }),
      await service.call('PATCH', `/api/people/${encodeURIComponent(email)}`, { body: { role: 'editor' }, headers }),
      await service.call('DELETE', `/api/people/${encodeURIComponent(email)}`, { headers }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const terminal = service.studio.context({ actor: { kind: 'terminal', tenant: 'default' } })
    const entries = await execute(listAudit, { target: `person:${email}` }, terminal)
    expect(entries.map(({ operation }) => operation)).toEqual(['people.remove', 'people.update', 'people.add'])
    for (const entry of entries) expect(entry.targets).toEqual([`person:${email}`])
    expect(JSON.stringify(entries)).not.toContain('Private')
  })

  it('of a person who signed in by mail is found by the address', async () => {
    const mails = await startMailServer()
    const service = await servedConsole({
      local: false,
      env: {
        STUDIO_SMTP_URL: mails.url(),
        STUDIO_SMTP_FROM: 'studio@example.com',
        STUDIO_PUBLIC_URL: 'https://studio.example.com',
      },
    })
    await service.run('people.add', { email: 'ana@example.com', name: 'Ana', role: 'editor' })
    await service.send('/console/sign-in/mail', { email: 'ana@example.com' })
    await expect.poll(() => mails.received).toHaveLength(1)
    const [secret] = /studio_ses_\w+/.exec(mails.received[0]!.text)!
    const cookie = await service.signIn(secret)
    await service.send('/console/run/drafts.save', { title: 'A' }, cookie)
    const terminal = service.studio.context({ actor: { kind: 'terminal', tenant: 'default' } })
    for (const who of ['ana@example.com', 'person ana@example.com', 'Ana'])
      expect(await execute(listAudit, { who }, terminal)).toMatchObject([
        { operation: 'drafts.save', who: 'Ana', credential: 'person ana@example.com' },
        { operation: 'console.sign-in', who: 'Ana', credential: 'person ana@example.com' },
      ])
  })

  it('that a program on this machine sends without a credential is local', async () => {
    const service = await served()
    await service.call('POST', '/api/stories/save-draft', { body: { title: 'A' } })
    expect(await entriesOf(service)).toMatchObject([{ who: 'local', credential: null }])
  })

  it('that is sent again with its idempotency key has one entry', async () => {
    const service = await servedConsole({ local: false })
    const { openFacility } = await import('../console/console-fixtures')
    const { date } = await openFacility(service)
    const headers = { 'x-api-key': await service.key('clerk'), 'idempotency-key': 'once' }
    const body = {
      facilityCode: 'DC1',
      type: 'delivery',
      carrierName: 'Acme',
      referenceNumber: 'PO-1',
      targetDate: date,
    }
    for (let i = 0; i < 2; i++) {
      const answer = await service.call('POST', '/api/appointments/auto-schedule', { body, headers })
      expect(answer.status, answer.text).toBeLessThan(300)
    }
    const booked = (await entriesOf(service)).filter(({ operation }) => operation === 'appointments.book')
    expect(booked).toMatchObject([{ outcome: 'done', credential: expect.stringMatching(/^key /) }])
    expect(booked[0]!.targets).toContainEqual(expect.stringMatching(/^appointment:/))
  })
})

describe('a refused request', () => {
  it.each([
    ['without a credential', {}, 'unauthenticated', 'anonymous'],
    ['with an invalid token', bearer(`studio_pat_${'x'.repeat(36)}`), 'unauthenticated', 'anonymous'],
  ])('%s has an entry', async (_, headers, code, who) => {
    const service = await served({ local: false })
    const { headers: sent } = await service.call('POST', '/api/stories/save-draft', { body: { title: 'A' }, headers })
    expect(await entriesOf(service)).toMatchObject([
      { operation: 'drafts.save', outcome: 'refused', code, who, requestId: sent['x-request-id'] },
    ])
  })

  it('of a token without the scope names the token', async () => {
    const service = await served({ local: false })
    const headers = bearer(await service.token(['read']))
    await service.call('DELETE', '/api/stories/5', { headers })
    const [entry] = await entriesOf(service)
    expect(entry).toMatchObject({ operation: 'drafts.delete', outcome: 'refused', code: 'forbidden', who: 'test' })
  })

  it('that would only have read has none, as the pages of the console make them', async () => {
    const service = await served({ local: false })
    const headers = bearer(await service.token(['read']))
    expect((await service.call('GET', '/api/tokens', { headers })).status).toBe(403)
    expect((await service.call('GET', '/console', { headers })).status).toBe(200)
    expect((await entriesOf(service)).filter(({ outcome }) => outcome === 'refused')).toEqual([])
  })

  it('under another host name, or from the page of another site, has one too', async () => {
    const service = await served()
    await service.call('POST', '/api/stories/save-draft', { body: { title: 'A' }, headers: { host: 'evil.example' } })
    await service.call('POST', '/api/stories/save-draft', {
      body: { title: 'A' },
      headers: { origin: 'http://evil.example' },
    })
    const all = await entriesOf(service)
    expect(all).toMatchObject([{ outcome: 'refused', code: 'forbidden' }, { outcome: 'refused' }])
  })

  it('that reads has none', async () => {
    const service = await served({ local: false })
    await service.call('GET', '/api/stories/saved')
    await service.call('GET', '/api/stories/saved', { headers: bearer('studio_pat_x') })
    await service.call('POST', '/api/nowhere', { body: {} })
    expect(await entriesOf(service)).toEqual([])
  })

  it('of a form of the console has one', async () => {
    const service = await servedConsole({ local: false })
    const cookie = await service.signIn(await service.token(['read']))
    await service.send('/console/run/tokens.create', { name: 'mine' }, cookie)
    const refused = (await entriesOf(service)).filter(({ outcome }) => outcome === 'refused')
    expect(refused).toMatchObject([{ surface: 'console', operation: 'tokens.create', who: 'test' }])
  })
})

it('signing in to the console and out of it has entries, without the credential', async () => {
  const service = await servedConsole({ local: false })
  const token = await service.token(['write'])
  const cookie = await service.signIn(token)
  await service.send('/console/sign-out', {}, cookie)
  await service.send('/console/sign-in', { credential: `studio_pat_${'x'.repeat(36)}` })
  const [failed, out, signedIn] = await entriesOf(service)
  expect(signedIn).toMatchObject({ operation: 'console.sign-in', outcome: 'done', who: 'test', surface: 'console' })
  expect(out).toMatchObject({ operation: 'console.sign-out', outcome: 'done', who: 'test' })
  expect(failed).toMatchObject({ operation: 'console.sign-in', outcome: 'refused', who: 'anonymous' })
  expect(JSON.stringify([failed, out, signedIn])).not.toContain('studio_')
})

describe('the audit over HTTP', () => {
  it('is for tokens with the scope admin', async () => {
    const service = await served()
    const statusWith = async (headers: Record<string, string>, path = '/api/audit') =>
      (await service.call('GET', path, { headers })).status
    const [writer, admin] = [bearer(await service.token(['write'])), bearer(await service.token(['admin']))]
    const key = { 'x-api-key': await service.key('admin') }
    for (const path of ['/api/audit', '/api/audit/export', '/api/audit?limit=1', '/console/settings/audit']) {
      expect(await statusWith({}, path), path).toBe(401)
      expect(await statusWith(writer, path), path).toBe(403)
      expect(await statusWith(key, path), path).toBeOneOf([401, 403])
      expect(await statusWith(admin, path), path).toBe(200)
    }
  })

  it('comes in pages with filters, and as lines of JSON', async () => {
    const service = await served()
    const headers = bearer(await service.token(['admin']))
    for (const title of ['A', 'B', 'C']) await service.call('POST', '/api/stories/save-draft', { body: { title } })
    const page = await service.call('GET', '/api/audit?operation=drafts&limit=2', { headers })
    expect(page.body).toHaveLength(2)
    expect(page.headers['x-next-cursor']).toBeTypeOf('string')
    const lines = await fetch(`${service.url}/api/audit/export?operation=drafts`, {
      headers: { ...headers, accept: 'application/x-ndjson' },
    })
    const events = (await lines.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(events).toHaveLength(4)
    expect(events.at(-1)).toEqual({ event: 'done', entries: 3 })
  })
})

it('the page of the console shows the entries, and escapes the names in them', async () => {
  const service = await servedConsole({ local: false })
  const admin = await service.token(['admin'])
  const { token } = await service.run('tokens.create', { name: '<script>x</script>', scopes: ['write'] })
  await service.call('POST', '/api/stories/save-draft', { body: { title: 'A' }, headers: bearer(token) })
  const { text, status } = await service.open('/console/settings/audit?operation=drafts', await service.signIn(admin))
  expect(status).toBe(200)
  expect(text).toContain('&lt;script&gt;x&lt;/script&gt;')
  expect(text).not.toContain('<script>x')
  expect(text).toContain('drafts.save')
})
