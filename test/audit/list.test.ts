import { beforeAll, describe, expect, it } from 'vitest'
import type { AuditEntryTable } from '../../src/audit/migrations'
import { exportAudit } from '../../src/audit/operations/export-audit'
import { listAudit } from '../../src/audit/operations/list-audit'
import type { AuditEntry } from '../../src/audit/schemas'
import { removeOldEntries } from '../../src/audit/services/remove-old-entries'
import { execute, executePage, executeStream } from '../../src/kernel'
import { DAY_MS } from '../../src/kernel/time'
import { type Database, openMemoryDatabase, tables } from '../../src/storage'
import { migrations, openStudio, type Studio } from '../../src/studio'

const START = Date.parse('2026-01-01T00:00:00Z')
const COUNT = 100_000

let db: Database
let studio: Studio
let now = START
const context = () => studio.context({ actor: { kind: 'terminal', tenant: 'default' }, origin: 'cli' })
const list = (input: object): Promise<AuditEntry[]> => execute(listAudit, input, context())
const page = (input: object, cursor: string | null, limit = 200) =>
  executePage(listAudit, { input, source: 'the test' }, context(), { limit, cursor })

/** A hundred entries a second, so that many have the same time. */
async function fill(): Promise<void> {
  const rows = Array.from({ length: COUNT }, (_, i): Omit<AuditEntryTable, 'id'> => {
    const isRare = i % 25_000 === 7
    return {
      at: START + Math.floor(i / 100) * 1_000,
      request_id: `r${i}`,
      surface: i % 2 === 0 ? 'http' : 'cli',
      who: isRare ? 'rare' : 'usual',
      credential: isRare ? 'token t1' : null,
      tenant: null,
      address: '192.0.2.7',
      operation: i % 10 === 0 ? 'drafts.save' : 'draftsmen.hire',
      targets: i === 99_990 ? ' item:12 draft:120 ' : ` item:${i + 1_000} `,
      outcome: isRare ? 'refused' : 'done',
      code: isRare ? 'forbidden' : null,
      times: 1,
    }
  })
  for (let i = 0; i < rows.length; i += 1_000)
    await db.write(async (tx) => {
      await tables<any>(tx)
        .insertInto('audit_entry')
        .values(rows.slice(i, i + 1_000))
        .execute()
    })
}

beforeAll(async () => {
  db = await openMemoryDatabase(migrations)
  studio = openStudio({ env: { STUDIO_HOME: '/nowhere' }, cwd: '/', db, clock: { now: () => now } })
  await fill()
  return () => studio.close()
})

describe('the list', () => {
  it('has all entries in pages, newest first, each once', async () => {
    const seen = new Set<string>()
    let cursor: string | null = null
    let before = Number.POSITIVE_INFINITY
    do {
      const { entries, total, nextCursor } = await page({ since: '2026-01-01T00:15:00Z' }, cursor)
      expect(total).toBe(10_000)
      for (const { requestId, time } of entries as AuditEntry[]) {
        expect(Date.parse(time)).toBeLessThanOrEqual(before)
        before = Date.parse(time)
        seen.add(requestId)
      }
      cursor = nextCursor
    } while (cursor !== null)
    expect(seen.size).toBe(10_000)
  })

  it('finds the few entries of a caller among many, by name, by token and by the ID of the token', async () => {
    for (const who of ['rare', 'token t1', 't1'])
      expect((await list({ who })).map(({ requestId }) => requestId)).toEqual(['r75007', 'r50007', 'r25007', 'r7'])
  })

  it('finds an operation, and those that begin with its first part', async () => {
    expect(await page({ operation: 'drafts' }, null, 1)).toMatchObject({ total: COUNT / 10 })
    expect(await page({ operation: 'drafts.save' }, null, 1)).toMatchObject({ total: COUNT / 10 })
    expect(await page({ operation: 'draft' }, null, 1)).toMatchObject({ total: 0 })
  })

  it('finds a target with and without its kind, and no longer ID', async () => {
    for (const target of ['item:12', '12', 'draft:120', '120'])
      expect(
        (await list({ target })).map(({ requestId }) => requestId),
        target,
      ).toEqual(['r99990'])
    for (const target of ['tem:12', '2', '%', 'item:1_']) expect(await list({ target }), target).toEqual([])
  })

  it('finds outcomes, surfaces and times together', async () => {
    expect(await list({ outcome: 'refused', surface: 'cli' })).toHaveLength(4)
    expect(
      await list({ outcome: 'refused', since: '2026-01-01T00:04:10Z', until: '2026-01-01T00:08:20Z' }),
    ).toMatchObject([{ requestId: 'r25007' }])
    const until = await page({ until: '2026-01-01T00:00:01Z' }, null, 1)
    expect(until.total).toBe(100)
  })
})

it('an export streams every entry as an object, and says at its end how many there were', async () => {
  let entries = 0
  let last: unknown = null
  for await (const event of executeStream(exportAudit, {}, context())) {
    if (event.event === 'entry') entries += 1
    last = event
  }
  expect(entries).toBe(COUNT)
  expect(last).toEqual({ event: 'done', entries: COUNT })
})

it('removes what is too old in steps while the list is read, which leaves an entry', async () => {
  const { nextCursor } = await page({}, null)
  now = START + 10 * DAY_MS + 500_000
  const stream = executeStream(exportAudit, {}, context())
  await stream.next()
  expect(await removeOldEntries(context(), 10)).toBe(50_000)
  expect((await page({}, null, 1)).total).toBe(50_001)
  expect((await page({}, nextCursor)).entries).toHaveLength(200)
  let left = 1
  for await (const event of stream) if (event.event === 'entry') left += 1
  expect(left).toBe(50_000)
  expect(await list({ surface: 'background' })).toMatchObject([
    { operation: 'audit.remove-old', who: 'studio', targets: ['before:2026-01-01T00:08:20.000Z'] },
  ])
  expect(await removeOldEntries(context(), 10)).toBe(0)
})
