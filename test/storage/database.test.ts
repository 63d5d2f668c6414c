import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Database, type Migration, openDatabase, openMemoryDatabase, type ReadTx, tables } from '../../src/storage'
import { expectOwnerOnly } from '../file-mode'

interface Tables {
  note: { id: number; text: string }
}

const migrations: Migration[] = [
  {
    name: '0001-note',
    async up(db) {
      await db.schema
        .createTable('note')
        .addColumn('id', 'integer', (c) => c.primaryKey())
        .addColumn('text', 'text', (c) => c.notNull())
        .execute()
    },
  },
]

const notes = (tx: ReadTx) => tables<Tables>(tx).selectFrom('note').selectAll().orderBy('id').execute()
const add = (db: Database, id: number, text = `note ${id}`) =>
  db.write((tx) => tables<Tables>(tx).insertInto('note').values({ id, text }).execute())

let folder: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'studio-storage-'))
  path = join(folder, 'studio.db')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe.each([
  { engine: 'file', open: () => openDatabase(path, migrations) },
  { engine: 'memory', open: () => openMemoryDatabase(migrations) },
])('a database ($engine)', ({ open }) => {
  it('returns what was written', async () => {
    const db = await open()
    await add(db, 1)
    expect(await db.read(notes)).toEqual([{ id: 1, text: 'note 1' }])
    await db.close()
  })

  it('rolls back the whole transaction when its callback fails', async () => {
    const db = await open()
    const failing = db.write(async (tx) => {
      await tables<Tables>(tx).insertInto('note').values({ id: 1, text: 'half' }).execute()
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await db.read(notes)).toEqual([])
    await db.close()
  })

  it('does not show uncommitted writes to readers', async () => {
    const db = await open()
    const writing = db.write(async (tx) => {
      await tables<Tables>(tx).insertInto('note').values({ id: 1, text: 'a' }).execute()
      await new Promise((resolve) => setImmediate(resolve))
      await tables<Tables>(tx).insertInto('note').values({ id: 2, text: 'b' }).execute()
    })
    const seen = await db.read(notes)
    await writing
    expect([0, 2]).toContain(seen.length)
    await db.close()
  })

  it('changes its version with each change, and only then', async () => {
    const db = await open()
    const before = db.version!()
    expect(before).not.toBeNull()
    await db.read(notes)
    await db.write(notes)
    expect(db.version!()).toBe(before)
    await add(db, 1)
    const after = db.version!()
    expect(after).not.toBeNull()
    expect(after).not.toBe(before)
    await expect(add(db, 1)).rejects.toThrow(/unique/i)
    expect(db.version!()).toBe(after)
    await db.close()
    expect(db.version!()).toBeNull()
  })

  it('rejects a nested transaction instead of deadlocking', async () => {
    const db = await open()
    await expect(db.write(() => db.read(notes))).rejects.toThrow('inside a transaction')
    await expect(
      db.read(async (tx) => {
        await notes(tx)
        return db.read(notes)
      }),
    ).rejects.toThrow('inside a transaction')
    await Promise.all([db.read(notes), db.write(notes)])
    await db.close()
  })

  it('can be queried inside a transaction of another database', async () => {
    const [db, other] = [await open(), await openMemoryDatabase(migrations)]
    await add(other, 1)
    expect(await db.write(() => other.read(notes))).toEqual([{ id: 1, text: 'note 1' }])
    await expect(db.write(() => other.read(() => db.read(notes)))).rejects.toThrow('inside a transaction')
    await Promise.all([db.close(), other.close()])
  })

  it('stores all of many concurrent writes', async () => {
    const db = await open()
    await Promise.all(Array.from({ length: 20 }, (_, i) => add(db, i + 1)))
    expect(await db.read(notes)).toHaveLength(20)
    await db.close()
  })
})

describe('a database in a file', () => {
  it('is a plain SQLite file that only its owner can read', async () => {
    const db = await openDatabase(path, migrations)
    await add(db, 1)
    expect((await readFile(path)).subarray(0, 15).toString()).toBe('SQLite format 3')
    expectOwnerOnly(path)
    await db.close()
  })

  it('reads the commits of another process', async () => {
    const [one, two] = [await openDatabase(path, migrations), await openDatabase(path, migrations)]
    await add(one, 1)
    await add(two, 2)
    await add(one, 3)
    expect((await two.read(notes)).map((note) => note.id)).toEqual([1, 2, 3])
    await one.close()
    await two.close()
  })

  it('has no version until it has applied the commits of another process', async () => {
    const [one, two] = [await openDatabase(path, migrations), await openDatabase(path, migrations)]
    const before = two.version!()
    await add(one, 1)
    expect(two.version!()).toBeNull()
    await two.read(notes)
    expect(two.version!()).not.toBeNull()
    expect(two.version!()).not.toBe(before)
    await one.close()
    await two.close()
  })

  it('does not write to the file for a transaction that changes nothing', async () => {
    const db = await openDatabase(path, migrations)
    await add(db, 1)
    const before = await (await import('node:fs/promises')).stat(path)
    await db.write(notes)
    expect((await (await import('node:fs/promises')).stat(path)).ino).toBe(before.ino)
    await db.close()
  })

  it('rejects a file that is not a database, and does not change it', async () => {
    await writeFile(path, 'a shopping list, and nothing else of interest')
    await expect(openDatabase(path, migrations)).rejects.toMatchObject({ code: 'database_damaged' })
    expect(await readFile(path, 'utf8')).toContain('shopping list')
  })

  it('rejects a database that a newer version wrote', async () => {
    const newer = [...migrations, { name: '0002-later', up: async () => {} }]
    await (await openDatabase(path, newer)).close()
    await expect(openDatabase(path, migrations)).rejects.toMatchObject({ code: 'database_too_new' })
  })

  it('applies missing migrations to an older database, and preserves its rows', async () => {
    const old = await openDatabase(path, migrations)
    await add(old, 1)
    await old.close()
    const tag: Migration = {
      name: '0002-tag',
      up: (db) => db.schema.alterTable('note').addColumn('tag', 'text').execute(),
    }
    const db = await openDatabase(path, [...migrations, tag])
    expect(await db.read(notes)).toEqual([{ id: 1, text: 'note 1', tag: null }])
    await db.close()
  })

  it('explains the repair if its path is a folder', async () => {
    await expect(openDatabase(folder, migrations)).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining(folder),
    })
  })
})
