import { expect, it } from 'vitest'
import { accessMigration, IdempotencyStore, type IdempotentCall } from '../../../src/access'
import type { AccessTables } from '../../../src/access/migrations'
import { StudioError } from '../../../src/kernel'
import { type Database, tables } from '../../../src/storage'

export const migrations = [accessMigration]
const HOUR = 3_600_000
const CALL: IdempotentCall = { tenantId: 't', method: 'POST', path: '/api/x', key: 'k', content: '{"a":1}' }

/** Inserts a tenant, which must happen once, and counts the attempts. */
function effectOn() {
  const effect = { begun: 0, during: async () => {} }
  const run = (db: Database) =>
    db.write(
      async (tx) => {
        effect.begun += 1
        const name = `tenant-${effect.begun}`
        await tables<any>(tx).insertInto('tenant').values({ id: name, name, created_at: 0 }).execute()
        await effect.during()
        return { name, kept: true, extra: 'not part of the answer' }
      },
      { locksRows: true },
    )
  const shape = (value: unknown) => ({ name: (value as { name: string }).name })
  return { effect, run: async (db: Database) => shape(await run(db)), shape }
}

const tenants = async (db: Database) =>
  (await db.read((tx) => tables<any>(tx).selectFrom('tenant').selectAll().execute())).length
const keptRows = (db: Database) =>
  db.read((tx) => tables<AccessTables>(tx).selectFrom('kept_answer').selectAll().execute())

/** The behaviour of the store on any engine. */
export function testIdempotencyStore(open: () => Promise<Database>) {
  async function office() {
    const db = await open()
    let now = 0
    const clock = { now: () => now }
    const store = new IdempotencyStore(db, clock)
    const at = (instant: number) => {
      now = instant
    }
    return { db, store, clock, at, ...effectOn() }
  }

  it('returns the first answer again without running the request', async () => {
    const { db, store, run, shape } = await office()
    expect(await store.call(CALL, run, shape)).toEqual({ answer: { name: 'tenant-1' }, isReplay: false })
    expect(await store.call(CALL, run, shape)).toEqual({ answer: { name: 'tenant-1' }, isReplay: true })
    expect(await tenants(db)).toBe(1)
  })

  it.each([
    ['tenant', { tenantId: 'u' }],
    ['method', { method: 'PUT' }],
    ['path', { path: '/api/y' }],
    ['key', { key: 'l' }],
  ])('treats another %s as another request', async (_, other) => {
    const { db, store, run, shape } = await office()
    await store.call(CALL, run, shape)
    expect((await store.call({ ...CALL, ...other }, run, shape)).isReplay).toBe(false)
    expect(await tenants(db)).toBe(2)
  })

  it('refuses the key with other content', async () => {
    const { store, run, shape } = await office()
    await store.call(CALL, run, shape)
    await expect(store.call({ ...CALL, content: '{"a":2}' }, run, shape)).rejects.toMatchObject({ code: 'conflict' })
  })

  it('stores an answer for a day', async () => {
    const { db, store, run, shape, at } = await office()
    await store.call(CALL, run, shape)
    at(24 * HOUR - 1)
    expect((await store.call(CALL, run, shape)).isReplay).toBe(true)
    at(24 * HOUR)
    expect(await store.call({ ...CALL, content: 'other' }, run, shape)).toMatchObject({ isReplay: false })
    expect(await tenants(db)).toBe(2)
  })

  it('deletes expired answers during later requests', async () => {
    const { db, store, run, shape, at } = await office()
    for (const key of ['1', '2', '3']) await store.call({ ...CALL, key }, run, shape)
    at(25 * HOUR)
    await store.call({ ...CALL, key: 'new' }, run, shape)
    await db.write(async () => {}) // waits for the cleanup, which was queued before
    await expect.poll(async () => (await keptRows(db)).length).toBe(1)
  })

  it('deletes expired answers as fast as requests arrive', async () => {
    const { db, store, run, shape, at } = await office()
    const old = Array.from({ length: 2_500 }, (_, id) => ({
      id: `old-${id}`,
      fingerprint: '',
      outcome: null,
      expires_at: HOUR,
    }))
    for (const part of [0, 500, 1_000, 1_500, 2_000])
      await db.write(async (tx) => {
        const rows = old.slice(part, part + 500)
        await tables<AccessTables>(tx).insertInto('kept_answer').values(rows).execute()
      })
    at(2 * HOUR)
    const oldOnes = async () => (await keptRows(db)).filter(({ id }) => id.startsWith('old')).length
    for (let calls = 0; calls < 1_000 && (await oldOnes()) > 0; calls++)
      await store.call({ ...CALL, key: `new-${calls}` }, run, shape)
    expect(await oldOnes()).toBe(0)
  })

  it('stores an error, whatever has changed since', async () => {
    const { db, store, run, shape } = await office()
    const refusal = new StudioError('no_slot', 'No.', { hint: 'Later.', details: [{ path: 'a', message: 'b' }] })
    const refuse = () => Promise.reject(refusal)
    await expect(store.call(CALL, refuse, shape)).rejects.toBe(refusal)
    await expect(store.call(CALL, run, shape)).rejects.toMatchObject({
      code: 'no_slot',
      message: 'No.',
      hint: 'Later.',
      details: [{ path: 'a', message: 'b' }],
    })
    expect(await tenants(db)).toBe(0)
  })

  it.each(['unauthenticated', 'limited', 'unavailable', 'timeout', 'internal', 'interrupted'] as const)(
    'does not store the error %s',
    async (code) => {
      const { store, run, shape } = await office()
      await expect(store.call(CALL, () => Promise.reject(new StudioError(code, 'No.')), shape)).rejects.toMatchObject({
        code,
      })
      expect((await store.call(CALL, run, shape)).isReplay).toBe(false)
    },
  )

  it('does not send a stored answer that is lost before it can be confirmed', async () => {
    const { db, clock, run, shape } = await office()
    const losing: Database = {
      read: async (work) => {
        const found = await db.read(work)
        await db.write((tx) => tables<AccessTables>(tx).deleteFrom('kept_answer').execute())
        return found
      },
      write: (work, options) => db.write(work, options),
      close: () => db.close(),
    }
    const store = new IdempotencyStore(losing, clock)
    await store.call(CALL, run, shape)
    await expect(store.call(CALL, run, shape)).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 })
    expect(await store.call(CALL, run, shape)).toMatchObject({ isReplay: false })
  })

  it('stores nothing if the write failed', async () => {
    const { db, store, run, effect, shape } = await office()
    effect.during = () => Promise.reject(new Error('the process dies here'))
    await expect(store.call(CALL, run, shape)).rejects.toThrow('dies')
    expect(await keptRows(db)).toEqual([])
    effect.during = async () => {}
    expect((await store.call(CALL, run, shape)).isReplay).toBe(false)
    expect(await tenants(db)).toBe(1)
  })

  it('lets a repeated request wait for the first, in this process or another', async () => {
    const { db, store, clock, run, effect, shape } = await office()
    let goOn = () => {}
    const isUnderWay = new Promise<void>((begun) => {
      effect.during = () => {
        begun()
        return new Promise((resolve) => {
          goOn = resolve
        })
      }
    })
    const first = store.call(CALL, run, shape)
    await isUnderWay
    const others = [store, new IdempotencyStore(db, clock)].map((each) => each.call(CALL, run, shape))
    effect.during = async () => {}
    goOn()
    expect((await first).isReplay).toBe(false)
    expect(await Promise.all(others)).toEqual([
      { answer: { name: 'tenant-1' }, isReplay: true },
      { answer: { name: 'tenant-1' }, isReplay: true },
    ])
    expect(await tenants(db)).toBe(1)
  })

  it('has its effect once for many concurrent requests', async () => {
    const { db, store, run, shape } = await office()
    const answers = await Promise.all(Array.from({ length: 30 }, () => store.call(CALL, run, shape)))
    expect(answers.filter(({ isReplay }) => !isReplay)).toHaveLength(1)
    expect(new Set(answers.map(({ answer }) => JSON.stringify(answer))).size).toBe(1)
    expect(await tenants(db)).toBe(1)
  })
}
