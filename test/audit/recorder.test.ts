import { describe, expect, it, onTestFinished } from 'vitest'
import * as z from 'zod'
import { findEntries } from '../../src/audit/queries/audit-entries'
import {
  type Actor,
  type AnyOperation,
  execute,
  type OperationId,
  operation,
  type RecordingTime,
  StudioError,
} from '../../src/kernel'
import { type Database, openMemoryDatabase, tables } from '../../src/storage'
import { migrations, openStudio } from '../../src/studio'
import type { StudioContext } from '../../src/studio-context'

const terminal: Actor = { kind: 'terminal', tenant: 'default' }

async function openOffice(given: Partial<Database> = {}, env: NodeJS.ProcessEnv = {}) {
  const memory = await openMemoryDatabase(migrations)
  const db = { ...memory, ...given }
  let now = Date.parse('2026-11-16T14:00:00Z')
  const studio = openStudio({ env: { STUDIO_HOME: '/nowhere', ...env }, cwd: '/', db, clock: { now: () => now } })
  onTestFinished(() => studio.close())
  return {
    memory,
    pass: (ms: number) => {
      now += ms
    },
    run: (op: AnyOperation, input: object = {}, actor = terminal) =>
      execute(op, input, studio.context({ actor, origin: { surface: 'http', requestId: 'r1', address: '192.0.2.7' } })),
    entries: () => memory.read((tx) => findEntries(tx, {}, { from: null, count: 100_000 })),
  }
}

const saveName = (ctx: StudioContext, name: string) =>
  ctx.db.write(async (tx) => {
    const tenant = { id: name, name, created_at: 1 }
    await tables<any>(tx).insertInto('tenant').values(tenant).execute()
    return { id: name }
  })

/** An operation that does `run`. */
function change(
  run: (ctx: StudioContext) => Promise<unknown>,
  { recorded, access = 'workspace' }: { recorded?: RecordingTime; access?: 'workspace' | 'admin' } = {},
): AnyOperation {
  return operation({
    id: 'filters.save' satisfies OperationId,
    summary: 'Change something',
    effect: 'write',
    access,
    ...(recorded && { recorded }),
    input: z.strictObject({ id: z.int().optional(), text: z.string().optional() }),
    output: z.any(),
    errors: [],
    run,
  })
}

describe('a call that writes in one transaction', () => {
  it('has its entry in the same transaction', async () => {
    let transactions = 0
    const memory = await openMemoryDatabase(migrations)
    const office = await openOffice({
      read: memory.read,
      write: (work, options) => {
        transactions += 1
        return memory.write(work, options)
      },
    })
    await office.run(
      change((ctx) => saveName(ctx, 'a')),
      { id: 7, text: 'private' },
    )
    expect(transactions).toBe(1)
    const [entry, ...more] = await memory.read((tx) => findEntries(tx, {}, { from: null, count: 10 }))
    expect(more).toEqual([])
    expect(entry).toMatchObject({
      request_id: 'r1',
      surface: 'http',
      address: '192.0.2.7',
      operation: 'filters.save',
      targets: ' filter:7 filter:a ',
      outcome: 'done',
      code: null,
      times: 1,
    })
    expect(JSON.stringify(entry)).not.toContain('private')
  })

  it('has no entry that says it is done if it is rolled back, and one that says why it failed', async () => {
    const office = await openOffice()
    const op = change((ctx) =>
      ctx.db.write(async () => {
        throw new StudioError('not_found', 'There is none.')
      }),
    )
    await expect(office.run(op)).rejects.toMatchObject({ code: 'not_found' })
    expect(await office.entries()).toMatchObject([{ outcome: 'failed', code: 'not_found' }])
  })

  it('changes nothing if its entry cannot be stored, and says why', async () => {
    const office = await openOffice()
    const breakTable = async (name: string) =>
      office.memory.write(async (tx) => {
        await tables<any>(tx).schema.alterTable('audit_entry').renameTo(name).execute()
      })
    await breakTable('elsewhere')
    await expect(office.run(change((ctx) => saveName(ctx, 'a')))).rejects.toMatchObject({ code: 'internal' })
    const rows = await office.memory.read((tx) => tables<any>(tx).selectFrom('tenant').selectAll().execute())
    expect(rows).toEqual([])
  })

  it('reports a full disk as such, and tries no entry of the failure', async () => {
    let writes = 0
    const office = await openOffice({
      async write() {
        writes += 1
        throw new StudioError('disk_full', 'The disk is full.')
      },
    })
    await expect(office.run(change((ctx) => saveName(ctx, 'a')))).rejects.toMatchObject({ code: 'disk_full' })
    expect(writes).toBe(1)
  })

  it('has one entry if its transaction runs again after a conflict', async () => {
    const memory = await openMemoryDatabase(migrations)
    const office = await openOffice({
      read: memory.read,
      async write(work, options) {
        const conflict = new Error('conflict')
        await memory
          .write(async (tx) => {
            await work(tx)
            throw conflict
          }, options)
          .catch(() => {})
        return memory.write(work, options)
      },
    })
    await office.run(change((ctx) => saveName(ctx, 'a')))
    expect(await memory.read((tx) => findEntries(tx, {}, { from: null, count: 10 }))).toHaveLength(1)
  })

  it('says that a part was done if it fails after its first transaction', async () => {
    const office = await openOffice()
    const op = change(async (ctx) => {
      await saveName(ctx, 'a')
      await saveName(ctx, 'a')
    })
    await expect(office.run(op)).rejects.toThrow()
    expect(await office.entries()).toMatchObject([{ outcome: 'partial', code: 'internal' }])
  })

  it('has no entry if it writes nothing', async () => {
    const office = await openOffice()
    await office.run(change(async () => ({})))
    expect(await office.entries()).toEqual([])
  })
})

describe('a call that changes something elsewhere', () => {
  it('has an entry before it begins, which its end completes', async () => {
    const office = await openOffice()
    const seen: unknown[] = []
    const op = change(async () => seen.push(...(await office.entries())), { recorded: 'from-start' })
    await office.run(op)
    expect(seen).toMatchObject([{ outcome: 'started' }])
    expect(await office.entries()).toMatchObject([{ outcome: 'done' }])
  })

  it('says how it failed', async () => {
    const office = await openOffice()
    const op = change(
      async () => {
        throw new StudioError('tracker_unavailable', 'The tracker does not answer.')
      },
      { recorded: 'from-start' },
    )
    await expect(office.run(op)).rejects.toMatchObject({ code: 'tracker_unavailable' })
    expect(await office.entries()).toMatchObject([{ outcome: 'failed', code: 'tracker_unavailable' }])
  })

  it('does not begin if its entry cannot be stored', async () => {
    const office = await openOffice({
      async write() {
        throw new StudioError('disk_full', 'The disk is full.')
      },
    })
    let began = false
    const op = change(
      async () => {
        began = true
      },
      { recorded: 'from-start' },
    )
    await expect(office.run(op)).rejects.toMatchObject({ code: 'disk_full' })
    expect(began).toBe(false)
  })
})

describe('a refused call', () => {
  const op = change((ctx) => saveName(ctx, 'a'), { access: 'admin' })
  const reader: Actor = { kind: 'user', name: 'Ana', role: 'reader', tokenId: 't1' }

  it('has an entry with its caller', async () => {
    const office = await openOffice()
    await expect(office.run(op, { id: 7 }, reader)).rejects.toMatchObject({ code: 'forbidden' })
    expect(await office.entries()).toMatchObject([
      { who: 'Ana', credential: 'token t1', outcome: 'refused', code: 'forbidden', targets: ' ' },
    ])
  })

  it('of a flood is only counted', async () => {
    const office = await openOffice()
    for (let i = 0; i < 1_000; i++) await office.run(op, {}, reader).catch(() => {})
    const times = (await office.entries()).map((entry) => entry.times).sort((a, b) => a - b)
    expect(times).toEqual([1, 1, 1, 512])
    office.pass(60_000)
    await office.run(op, {}, reader).catch(() => {})
    expect(await office.entries()).toHaveLength(5)
  })

  it('of many callers fills no more rows than that of one', async () => {
    const office = await openOffice()
    for (let i = 0; i < 1_000; i++) await office.run(op, {}, { ...reader, tokenId: `t${i}` }).catch(() => {})
    expect((await office.entries()).length).toBeLessThanOrEqual(10 * 4 + 1)
  })
})

it('texts of a name that no database stores are stored without them', async () => {
  const office = await openOffice()
  const name = `=HYPERLINK("x")\0\ud800\u001b[2J\u202e${'n'.repeat(500)}`
  await office.run(
    change((ctx) => saveName(ctx, 'a')),
    {},
    { kind: 'user', name, role: 'publisher', tokenId: null },
  )
  const [entry] = await office.entries()
  expect(entry!.who).toContain('=HYPERLINK("x") \ufffd')
  expect(entry!.who.length).toBeLessThanOrEqual(200)
})

it('a process that writes removes a part of the entries that are too old', async () => {
  const office = await openOffice({}, { STUDIO_AUDIT_KEEP_DAYS: '30' })
  await office.memory.write(async (tx) => {
    const old = { at: 1, request_id: 'old', surface: 'cli', who: 'x', address: '', operation: 'x', targets: ' ' }
    const row = { ...old, credential: null, tenant: null, outcome: 'done', code: null, times: 1 }
    await tables<any>(tx)
      .insertInto('audit_entry')
      .values(Array.from({ length: 250 }, () => row))
      .execute()
  })
  await office.run(change((ctx) => saveName(ctx, 'a')))
  expect(await office.entries()).toHaveLength(51)
})
