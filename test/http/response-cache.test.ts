import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createTenant } from '../../src/access/operations/create-tenant'
import { createTenantKey } from '../../src/access/operations/create-tenant-key'
import { listTokens } from '../../src/access/operations/list-tokens'
import { revokeToken } from '../../src/access/operations/revoke-token'
import { loadAllOperations } from '../../src/catalog'
import { bookAppointment } from '../../src/docks/booking/operations/book-appointment'
import { createFacility } from '../../src/docks/facilities/operations/create-facility'
import { saveDraft } from '../../src/drafts/operations/save-draft'
import { ResponseCache } from '../../src/http/answers/response-cache'
import { saveView } from '../../src/items/operations/filters/save-view'
import { execute } from '../../src/kernel'
import { openDatabase } from '../../src/storage'
import { backupDatabase } from '../../src/storage/operations/backup-database'
import { restoreDatabase } from '../../src/storage/operations/restore-database'
import { migrations, openStudio } from '../../src/studio'
import { temporaryFolder } from '../temporary-folder'
import { type Served, served } from './served'

/** How often the database is read while `work` runs. */
async function readsIn(server: Served, work: () => Promise<unknown>): Promise<number> {
  const read = vi.spyOn(server.studio.db, 'read')
  try {
    await work()
    return read.mock.calls.length
  } finally {
    read.mockRestore()
  }
}

const terminal = { kind: 'terminal', tenant: 'default' } as const

async function withDraft(server: Served, text = 'x'): Promise<{ id: number; path: string }> {
  const { body } = await server.call('POST', '/api/stories/save-draft', { body: { title: 'One', description: text } })
  return { id: body.id, path: `/api/stories/${body.id}` }
}

describe('a repeated read', () => {
  it('gets the same answer without reading a row, but with its own id and line in the log', async () => {
    const lines: Record<string, unknown>[] = []
    const log = { debug() {}, warn() {}, error() {}, info: (_: string, facts = {}) => void lines.push(facts) }
    const server = await served({ log })
    const { path } = await withDraft(server)
    const first = await server.call('GET', path)
    let again = first
    const repeat = async () => {
      again = await server.call('GET', path, { headers: { 'x-request-id': 'mine' } })
    }
    // The upkeep of the service, which begins after the first answer, reads rows of its own for a moment.
    await expect.poll(() => readsIn(server, repeat)).toBe(0)
    expect(again.text).toBe(first.text)
    const { 'x-request-id': id, date: _, ...headers } = again.headers
    const { 'x-request-id': firstId, date: __, ...firstHeaders } = first.headers
    expect(headers).toEqual(firstHeaders)
    expect(id).toBe('mine')
    expect(firstId).not.toBe('mine')
    await server.close()
    const facts = (line?: Record<string, unknown>) => ({ ...line, requestId: '', durationMs: 0 })
    expect(lines.length).toBeGreaterThanOrEqual(3)
    expect(facts(lines.at(-1))).toEqual(facts(lines[1]))
    expect(lines.at(-1)).toMatchObject({ requestId: 'mine', route: '/api/stories/{id}', caller: 'local', status: 200 })
  })

  it.each([10, 20_000])('gets the same bytes, for a text of %i characters of several bytes', async (length) => {
    const server = await served()
    const { path } = await withDraft(server, 'ä€😀 '.repeat(length / 5))
    const first = await server.call('GET', path)
    const again = await server.call('GET', path)
    await server.close()
    expect(again.text).toBe(first.text)
    expect(again.text).toContain('ä€😀 ä€😀')
    expect(again.headers['content-length']).toBe(String(Buffer.byteLength(again.text)))
  })

  it('is read again after any change', async () => {
    const server = await served()
    const { id, path } = await withDraft(server)
    for (const title of ['Two', 'Three']) {
      await server.call('GET', path)
      await server.call('POST', '/api/stories/save-draft', { body: { id, title } })
      expect((await server.call('GET', path)).body.title).toBe(title)
    }
  })

  it('is read again as soon as another process has written', async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'studio.db')
    const server = await served({ db: await openDatabase(file, migrations) })
    const other = openStudio({ env: { STUDIO_HOME: folder, STUDIO_DB: file }, cwd: folder })
    onTestFinished(() => other.close())
    const { id, path } = await withDraft(server)
    for (const title of ['Two', 'Three', 'Four']) {
      await server.call('GET', path)
      expect(await readsIn(server, () => server.call('GET', path))).toBe(0)
      await execute(saveDraft, { id, title }, other.context({ actor: terminal }))
      expect((await server.call('GET', path)).body.title).toBe(title)
      await server.call('GET', path)
    }
  })

  it('has the encoding that each caller accepts', async () => {
    const server = await served()
    const { path } = await withDraft(server, 'word '.repeat(1_000))
    const plain = await server.call('GET', path)
    const packed = () => server.call('GET', path, { headers: { 'accept-encoding': 'br' } })
    const first = await packed()
    let again = first
    expect(await readsIn(server, async () => (again = await packed()))).toBe(0)
    expect(again.headers).toMatchObject({
      'content-encoding': 'br',
      'content-length': String(again.body.length),
      vary: 'Accept-Encoding',
      etag: plain.headers['etag'],
    })
    expect(brotliDecompressSync(again.body).toString()).toBe(plain.text)
    expect((await server.call('GET', path)).text).toBe(plain.text)
  })

  it('is not sent to a caller who has it', async () => {
    const server = await served()
    const { path } = await withDraft(server)
    const { headers } = await server.call('GET', path)
    const condition = { 'if-none-match': headers['etag'] as string }
    expect(await server.call('GET', path, { headers: condition })).toMatchObject({
      status: 304,
      text: '',
      headers: { etag: headers['etag'], 'cache-control': 'private, no-cache', 'x-content-type-options': 'nosniff' },
    })
    expect(await server.call('HEAD', path)).toMatchObject({ status: 200, text: '' })
  })

  it('is read again if it depends on the time or on another server', async () => {
    const server = await served()
    await server.call('GET', '/api/devops/items/204')
    const twice = async (path: string) => {
      expect((await server.call('GET', path)).status, path).toBe(200)
      return readsIn(server, () => server.call('GET', path))
    }
    expect(await twice('/api/devops/items/204?cached=true')).toBe(0)
    expect(await twice('/api/devops/items/204')).toBeGreaterThan(0)
    expect(await twice('/api/reporting/features-hierarchy')).toBeGreaterThan(0)
  })

  it('passes every guard each time', async () => {
    const server = await served()
    const { path } = await withDraft(server)
    const [token, key] = [await server.token(['read']), await server.key()]
    const asked = (headers: Record<string, string>, at = path) => server.call('GET', at, { headers })
    const reader = { authorization: `Bearer ${token}` }
    for (const headers of [{}, reader]) for (let i = 0; i < 2; i++) expect((await asked(headers)).status).toBe(200)
    expect((await asked({ host: 'elsewhere.example' })).status).toBe(403)
    expect((await asked({ origin: 'http://elsewhere.example' })).status).toBe(403)
    expect((await asked({ ...reader, host: 'elsewhere.example' })).status).toBe(403)
    expect((await asked({ 'sec-fetch-site': 'cross-site' })).status).toBe(401)
    expect((await asked({ 'x-forwarded-for': '10.0.0.1' })).status).toBe(401)
    expect((await asked({ ...reader, 'x-forwarded-for': '10.0.0.1' })).status).toBe(200)
    expect((await asked({ authorization: `Bearer ${token}x` })).status).toBe(401)
    expect((await asked({ 'x-api-key': key })).status).toBe(403)
    expect((await server.call('POST', path)).status).toBe(405)
    expect((await asked({}, '/api/facilities')).status).toBe(401)
    for (let i = 0; i < 2; i++) expect((await asked({ 'x-api-key': key }, '/api/facilities')).status).toBe(200)
    expect((await asked({}, '/api/facilities')).status).toBe(401)
    expect((await asked(reader, '/api/facilities')).status).toBe(401)
    const context = server.studio.context({ actor: terminal })
    const [{ id }] = (await execute(listTokens, {}, context)) as unknown as [{ id: string }]
    await execute(revokeToken, { id }, context)
    expect((await asked(reader)).status).toBe(401)
    expect((await asked({})).status).toBe(200)
  })

  it('never gets the answer of a caller with other rights', async () => {
    const server = await served()
    const callers = [
      [{ authorization: `Bearer ${await server.token(['admin'])}` }, 200],
      [{ authorization: `Bearer ${await server.token(['write'])}` }, 403],
      [{ authorization: `Bearer ${await server.token(['read'])}` }, 403],
      [{ 'x-api-key': await server.key() }, 403],
      [{}, 401],
    ] as const
    for (let i = 0; i < 3; i++)
      for (const [headers, status] of callers)
        expect((await server.call('GET', '/api/tokens', { headers })).status).toBe(status)
    const admin = callers[0][0]
    expect(await readsIn(server, () => server.call('GET', '/api/tokens', { headers: admin }))).toBe(1)
  })

  it('is never sent to a caller without a credential if every caller needs one', async () => {
    const server = await served({ local: false })
    const reader = { authorization: `Bearer ${await server.token(['read'])}` }
    for (let i = 0; i < 3; i++) {
      expect((await server.call('GET', '/api/folders', { headers: reader })).status).toBe(200)
      expect((await server.call('GET', '/api/folders')).status).toBe(401)
    }
  })

  it('is read again as soon as a copy replaces the database, and credentials that the copy does not contain are rejected', async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'studio.db')
    const server = await served({ db: await openDatabase(file, migrations) })
    const other = openStudio({ env: { STUDIO_HOME: folder, STUDIO_DB: file }, cwd: folder })
    onTestFinished(() => other.close())
    const elsewhere = () => other.context({ actor: terminal })
    const { id, path } = await withDraft(server)
    const copy = join(folder, 'copy.db')
    await execute(backupDatabase, { file: copy }, elsewhere())
    await server.call('POST', '/api/stories/save-draft', { body: { id, title: 'Later' } })
    const reader = { authorization: `Bearer ${await server.token(['read'])}` }
    for (const headers of [reader, reader, {}])
      expect((await server.call('GET', path, { headers })).body.title).toBe('Later')
    expect(await readsIn(server, () => server.call('GET', path))).toBe(0)
    await execute(restoreDatabase, { file: copy }, elsewhere())
    expect((await server.call('GET', path)).body.title).toBe('One')
    expect((await server.call('GET', path, { headers: reader })).status).toBe(401)
  })

  it('counts invalid credentials', async () => {
    const server = await served()
    const { path } = await withDraft(server)
    const wrong = { authorization: 'Bearer studio_pat_wrong' }
    await server.call('GET', path)
    for (let i = 0; i < 10; i++) expect((await server.call('GET', path, { headers: wrong })).status).toBe(401)
    expect((await server.call('GET', path, { headers: wrong })).status).toBe(429)
  })

  it("is never another tenant's", async () => {
    const server = await served()
    const run = (op: Parameters<typeof execute>[0], input: unknown, tenant: string): Promise<any> =>
      execute(op, input, server.studio.context({ actor: { kind: 'terminal', tenant } }))
    const keys: Record<string, string> = {}
    for (const name of ['north', 'south']) {
      await run(createTenant as never, { name }, 'default')
      keys[name] = (await run(createTenantKey as never, {}, name)).key
      const queues = [{ name: 'Day', days: ['mon'], start: '06:00', end: '18:00' }]
      await run(createFacility as never, { code: name, name, timeZone: 'UTC', queues, doors: [{ name: 'A' }] }, name)
    }
    const codes = async (name: string) =>
      (await server.call('GET', '/api/facilities', { headers: { 'x-api-key': keys[name]! } })).body.map(
        (facility: { code: string }) => facility.code,
      )
    for (let i = 0; i < 2; i++) for (const name of ['north', 'south']) expect(await codes(name)).toEqual([name])
  })
})

describe('an operation that is declared cacheable', () => {
  /** An input for each of them; their actor is the terminal. */
  const inputs: Record<string, Record<string, unknown>> = {
    'items.get': { id: 204, cached: true },
    'items.history': { id: 204 },
    'items.list': {},
    'filters.list': {},
    'views.list': {},
    'views.get': { view: 'all' },
    'drafts.list': {},
    'drafts.get': { id: 1 },
    'drafts.history': { id: 1 },
    'folders.list': {},
    'priorities.get': {},
    'facilities.list': {},
    'facilities.get': { id: 'north' },
    'doors.list': { facilityCode: 'north' },
    'appointments.get': { id: '' },
    'appointments.history': { id: '' },
    'attachments.list': { id: '' },
    'tokens.list': {},
  }

  it('reads the rows alone: no clock, no random value and no other server', async () => {
    const cacheable = (await loadAllOperations()).filter((op) => op.http?.cacheable)
    expect(cacheable.map(({ id }) => id).sort()).toEqual(Object.keys(inputs).sort())
    const server = await served()
    await withDraft(server)
    await server.call('GET', '/api/devops/items/204')
    const context = server.studio.context({ actor: terminal })
    const queues = [{ days: ['mon'], start: '06:00', end: '18:00' }]
    const facility = { code: 'north', name: 'x', timeZone: 'UTC', queues, doors: [{ name: 'A' }] }
    await execute(createFacility, facility as never, context)
    const booking = { facilityCode: 'north', type: 'pickup', targetDate: '2099-11-23', carrierName: 'c' }
    const booked: any = await execute(bookAppointment, { ...booking, referenceNumber: 'r' } as never, context)
    for (const id of ['appointments.get', 'appointments.history', 'attachments.list'])
      inputs[id] = { id: booked.data.id }
    await execute(saveView, { name: 'all' } as never, context)
    const rowsAlone = new Proxy(context, {
      get(target, name) {
        // The last two only let other calls run, or end the call.
        if (['db', 'actor', 'user', 'signal', 'budget'].includes(String(name))) return target[name as 'db']
        throw new Error(`It reads ${String(name)}.`)
      },
    })
    for (const op of cacheable) {
      const input = op.input.parse(inputs[op.id])
      expect(op.http!.cacheable!(input), op.id).toBe(true)
      await expect(op.run(rowsAlone, input), op.id).resolves.toBeDefined()
    }
  })
})

describe('ResponseCache', () => {
  const response = (body: string | Uint8Array<ArrayBuffer>) => {
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
    return { route: '/', caller: 'local', etag: undefined, headers: [], notModifiedHeaders: [], body: bytes }
  }
  const textOf = (cached: ReturnType<ResponseCache['find']>) => Buffer.from(cached?.body ?? '').toString()

  function cacheOf(initial: object | null) {
    const db = { now: initial, version: () => db.now, loadedVersion: () => db.now }
    return { db, cache: new ResponseCache(db) }
  }

  it('has the responses of one version of the database', () => {
    const [one, two] = [{}, {}]
    const { db, cache } = cacheOf(one)
    cache.store('a', { version: one }, response('A'))
    expect(textOf(cache.find('a'))).toBe('A')
    db.now = two
    expect(cache.find('a')).toBeNull()
    db.now = null as never
    expect(cache.find('a')).toBeNull()
    cache.store('b', { version: two }, response('B'))
    db.now = two
    expect(cache.find('a')).toBeNull()
    expect(textOf(cache.find('b'))).toBe('B')
    db.now = one
    expect(cache.find('a')).toBeNull()
  })

  it('looks at the files of the database once in a turn of the event loop', async () => {
    const loaded = {}
    const version = vi.fn(() => loaded)
    const cache = new ResponseCache({ version, loadedVersion: () => loaded })
    cache.store('a', { version: loaded }, response('A'))
    for (let i = 0; i < 10; i++) expect(cache.find('a')).not.toBeNull()
    expect(version).toHaveBeenCalledTimes(1)
    await new Promise(setImmediate)
    expect(cache.find('a')).not.toBeNull()
    expect(version).toHaveBeenCalledTimes(2)
  })

  it('has a response of limited age until it is that old, whatever the database', () => {
    const { db, cache } = cacheOf(null)
    const now = vi.spyOn(performance, 'now').mockReturnValue(5_000)
    onTestFinished(() => now.mockRestore())
    cache.store('a', { forMs: 1_000 }, response('A'))
    db.now = {}
    now.mockReturnValue(5_999)
    expect(textOf(cache.find('a'))).toBe('A')
    now.mockReturnValue(6_000)
    expect(cache.find('a')).toBeNull()
    cache.store('a', { forMs: 1_000 }, response('B'))
    expect(textOf(cache.find('a'))).toBe('B')
  })

  it('holds the latest responses up to a limit of bytes', () => {
    const version = {}
    const { cache } = cacheOf(version)
    for (let i = 0; i < 100; i++) cache.store(`k${i}`, { version }, response(new Uint8Array(100_000)))
    const found = Array.from({ length: 100 }, (_, i) => cache.find(`k${i}`) !== null)
    expect(found.filter((is) => is)).toHaveLength(41)
    expect(found.lastIndexOf(false)).toBe(58)
    cache.store('large', { version }, response(new Uint8Array(600_000)))
    expect(cache.find('large')).toBeNull()
    for (let i = 0; i < 10_000; i++) cache.store(`empty${i}`, { version }, response(''))
    expect(cache.find('empty0')).toBeNull()
    expect(cache.find('empty9999')).not.toBeNull()
  })
})
