import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ItemTables } from '../../../src/items/migrations'
import { insertTrackerLink } from '../../../src/items/queries'
import { createItemNumbers } from '../../../src/items/services/item-numbers'
import { type Database, openDatabase, openMemoryDatabase, tables } from '../../../src/storage'
import { migrations } from '../../../src/studio'
import { describeWithPostgres } from '../../storage/postgres/server'
import { never as signal } from '../../tracker/azure-devops/fixtures'

const FIRST = 1_000_000_001

const numbersOf = (db: Database, identity: string) =>
  createItemNumbers(db, { name: 'further', identify: async () => identity })

const listNumbers = (db: Database) =>
  db.read((tx) => tables<ItemTables>(tx).selectFrom('item_number').selectAll().orderBy('local_number').execute())

function checkSharing(open: () => Promise<readonly [Database, Database]>) {
  it('are the same for two callers that allocate at once, and of no two trackers', async () => {
    const [one, other] = await open()
    const ids = Array.from({ length: 40 }, (_, i) => i + 1)
    const calls = [one, other, one, other].map((db, i) =>
      numbersOf(db, i < 2 ? 'github.com/a/b' : 'jira.example/abc').allocateLocal(ids, signal),
    )
    const [first, second, third, fourth] = await Promise.all(calls)
    expect(second).toEqual(first)
    expect(fourth).toEqual(third)
    const all = [...first!.values(), ...third!.values()].sort((a, b) => a - b)
    expect(all).toEqual(Array.from({ length: 80 }, (_, i) => FIRST + i))
    expect(await listNumbers(other)).toHaveLength(80)
  })
}

describe('local numbers', () => {
  it('are not given by a read, and leave the row of the default tracker free', async () => {
    const db = await openMemoryDatabase(migrations)
    const numbers = numbersOf(db, 'github.com/a/b')
    expect(await numbers.findLocal([12], signal)).toEqual(new Map())
    expect(await numbers.findRemote([FIRST], signal)).toEqual(new Map())
    expect(await listNumbers(db)).toEqual([])
    await numbers.allocateLocal([12], signal)
    await db.write((tx) => insertTrackerLink(tx, 'devops.example/org/project'))
    expect(await listNumbers(db)).toEqual([{ local_number: FIRST, tracker_id: 2, remote_id: '12' }])
  })

  it('belong to one tracker, even if it has the identity of the default one', async () => {
    const db = await openMemoryDatabase(migrations)
    await db.write((tx) => insertTrackerLink(tx, 'github.com/a/b'))
    const [a, b] = [numbersOf(db, 'github.com/a/b'), numbersOf(db, 'github.com/a/c')]
    await a.allocateLocal([12], signal)
    await b.allocateLocal([12], signal)
    expect(await a.findRemote([FIRST, FIRST + 1], signal)).toEqual(new Map([[FIRST, 12]]))
    expect(await b.findRemote([FIRST, FIRST + 1], signal)).toEqual(new Map([[FIRST + 1, 12]]))
    expect((await listNumbers(db)).map((row) => row.tracker_id)).toEqual([2, 3])
  })

  it('exist for IDs that are larger than an integer column', async () => {
    const db = await openMemoryDatabase(migrations)
    const large = 9_007_199_254_740_991
    await numbersOf(db, 'jira.example/abc').allocateLocal([large], signal)
    expect(await numbersOf(db, 'jira.example/abc').findRemote([FIRST], signal)).toEqual(new Map([[FIRST, large]]))
  })

  it('are given to thousands of items in one step', async () => {
    const db = await openMemoryDatabase(migrations)
    const ids = Array.from({ length: 2_300 }, (_, i) => i + 1)
    const numbers = await numbersOf(db, 'github.com/a/b').allocateLocal(ids, signal)
    expect([...numbers]).toEqual(ids.map((id, i) => [id, FIRST + i]))
  })

  describe('in files', () => {
    checkSharing(async () => {
      const folder = await mkdtemp(join(tmpdir(), 'numbers-'))
      const one = await openDatabase(join(folder, 'studio.db'), migrations)
      const other = await openDatabase(join(folder, 'studio.db'), migrations)
      onTestFinished(async () => {
        await Promise.all([one.close(), other.close()])
        await rm(folder, { recursive: true })
      })
      return [one, other]
    })
  })
})

describeWithPostgres('local numbers on PostgreSQL', (server) => {
  checkSharing(async () => {
    const address = await server().createDatabase()
    const one = await openDatabase(address, migrations)
    const other = await openDatabase(address, migrations)
    onTestFinished(async () => void (await Promise.all([one.close(), other.close()])))
    return [one, other]
  })
})
