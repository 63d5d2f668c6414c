import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Database, type Migration, type ReadTx, tables, type WriteTx } from '../../src/storage'

/** The behavior of every database engine, tested with tables of every column type that the modules use. */

export interface NoteTables {
  note: { id?: number; text: string; seen_at: number | null; weight: number | null; done: number }
  counter: { name: string; value: number }
}

export const noteMigrations: Migration[] = [
  {
    name: '0001-note',
    async up(db) {
      await db.schema
        .createTable('note')
        .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
        .addColumn('text', 'text', (c) => c.notNull())
        .addColumn('seen_at', 'bigint')
        .addColumn('weight', 'double precision')
        .addColumn('done', 'integer', (c) => c.notNull())
        .execute()
      await db.insertInto('note').values({ id: 1, text: 'the first', done: 0 }).execute()
    },
  },
  {
    name: '0002-counter',
    async up(db) {
      await db.schema
        .createTable('counter')
        .addColumn('name', 'text', (c) => c.primaryKey())
        .addColumn('value', 'integer', (c) => c.notNull())
        .execute()
    },
  },
]

export const notes = (tx: ReadTx) => tables<NoteTables>(tx).selectFrom('note').selectAll().orderBy('id').execute()

export async function addNote(tx: WriteTx, text: string): Promise<number> {
  const { id } = await tables<NoteTables>(tx)
    .insertInto('note')
    .values({ text, done: 0, seen_at: null, weight: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id!
}

export async function readValue(tx: ReadTx, name: string): Promise<number> {
  const row = await tables<NoteTables>(tx)
    .selectFrom('counter')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.value ?? 0
}

export async function setValue(tx: WriteTx, name: string, value: number): Promise<void> {
  await tables<NoteTables>(tx)
    .insertInto('counter')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/** Reads, lets other transactions run, and then writes a value that depends on what it read. */
export async function raise(tx: WriteTx, name: string, by = 1): Promise<number> {
  const value = await readValue(tx, name)
  await setImmediate()
  await setValue(tx, name, value + by)
  return value + by
}

/** `open` returns a new, empty database for each call. The suite closes it. */
export function describeDatabase(engine: string, open: (migrations: readonly Migration[]) => Promise<Database>): void {
  describe(`a database (${engine})`, () => {
    let db: Database
    beforeEach(async () => {
      db = await open(noteMigrations)
    })
    afterEach(() => db.close())

    it('returns every value exactly as it was written', async () => {
      const written = { text: 'Übergabe 📦 "A"\n\t%_\\', seen_at: 1_795_000_000_123, weight: 2.1, done: 1 }
      await db.write((tx) => tables<NoteTables>(tx).insertInto('note').values(written).execute())
      expect(await db.read(notes)).toEqual([
        { id: 1, text: 'the first', seen_at: null, weight: null, done: 0 },
        { id: 2, ...written },
      ])
    })

    it('stores integers up to the largest safe integer, also in integer columns', async () => {
      const largest = Number.MAX_SAFE_INTEGER
      await db.write((tx) => setValue(tx, 'large', largest))
      expect(await db.read((tx) => readValue(tx, 'large'))).toBe(largest)
    })

    it('returns counts and sums as numbers', async () => {
      await db.write((tx) => setValue(tx, 'a', 2))
      await db.write((tx) => setValue(tx, 'b', 3))
      const { count, sum } = await db.read((tx) =>
        tables<NoteTables>(tx)
          .selectFrom('counter')
          .select(({ fn }) => [fn.countAll().as('count'), fn.sum('value').as('sum')])
          .executeTakeFirstOrThrow(),
      )
      expect({ count, sum }).toEqual({ count: 2, sum: 5 })
    })

    it('generates IDs after those of the rows that the schema inserts', async () => {
      expect(await db.write((tx) => addNote(tx, 'a'))).toBe(2)
      expect(await db.write((tx) => addNote(tx, 'b'))).toBe(3)
    })

    it('orders text by its bytes', async () => {
      for (const name of ['b', 'B', 'a', 'Ä', 'A', '_']) await db.write((tx) => setValue(tx, name, 1))
      const rows = await db.read((tx) =>
        tables<NoteTables>(tx).selectFrom('counter').select('name').orderBy('name').execute(),
      )
      expect(rows.map(({ name }) => name)).toEqual(['A', 'B', '_', 'a', 'b', 'Ä'])
    })

    it('compares text case-sensitively', async () => {
      await db.write((tx) => setValue(tx, 'PO-1', 1))
      expect(await db.read((tx) => readValue(tx, 'po-1'))).toBe(0)
    })

    it('rolls back the whole transaction when its callback fails', async () => {
      const failing = db.write(async (tx) => {
        await addNote(tx, 'half')
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      expect(await db.read(notes)).toHaveLength(1)
    })

    it('rolls back the whole transaction when one of its statements fails', async () => {
      const failing = db.write(async (tx) => {
        await addNote(tx, 'half')
        await tables<NoteTables>(tx)
          .insertInto('note')
          .values({ id: 1, text: 'again', done: 0 } as never)
          .execute()
      })
      await expect(failing).rejects.toThrow(/unique/i)
      expect(await db.read(notes)).toHaveLength(1)
    })

    it('does not show uncommitted writes to readers', async () => {
      const writing = db.write(async (tx) => {
        await addNote(tx, 'a')
        await setImmediate()
        await addNote(tx, 'b')
      })
      const seen = await db.read(notes)
      await writing
      expect([1, 3]).toContain(seen.length)
    })

    it('runs write transactions serializably', async () => {
      const raised = await Promise.all(Array.from({ length: 20 }, () => db.write((tx) => raise(tx, 'n'))))
      expect(raised.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1))
      expect(await db.read((tx) => readValue(tx, 'n'))).toBe(20)
    })

    it('rejects a nested transaction instead of deadlocking', async () => {
      await expect(db.write(() => db.read(notes))).rejects.toThrow('inside a transaction')
      await expect(db.read(() => db.write(notes))).rejects.toThrow('inside a transaction')
      await Promise.all([db.read(notes), db.write(notes)])
    })

    it('prevents write skew over two rows', async () => {
      await db.write((tx) => setValue(tx, 'here', 1))
      await db.write((tx) => setValue(tx, 'there', 1))
      const leave = (name: string) =>
        db.write(async (tx) => {
          const present = (await readValue(tx, 'here')) + (await readValue(tx, 'there'))
          await setImmediate()
          if (present > 1) await setValue(tx, name, 0)
        })
      await Promise.all([leave('here'), leave('there')])
      expect(await db.read(async (tx) => (await readValue(tx, 'here')) + (await readValue(tx, 'there')))).toBe(1)
    })
  })
}
