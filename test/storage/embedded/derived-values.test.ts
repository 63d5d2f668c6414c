import { rmSync } from 'node:fs'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import {
  type Database,
  derivedValues,
  deriveOnce,
  precompileQuery,
  type ReadTx,
  tables,
  type WriteTx,
} from '../../../src/storage'
import { FailingDisk } from './faulty-disk'
import { addNote, newPath, openBook, putNote } from './note-database'

/** The number of notes, and how often it was counted. */
function countingNotes() {
  let reads = 0
  const count = (tx: ReadTx): Promise<number> =>
    deriveOnce(tx, { table: 'note', key: 'count' }, async () => {
      reads++
      const { rows } = await sql<{ notes: number }>`select count(*) as notes from note`.execute(tables<any>(tx))
      return rows[0]!.notes
    })
  return { count, in: (db: Database) => db.read(count), reads: () => reads }
}

const insertNote = precompileQuery((tx, values: { id: number }) =>
  tables<any>(tx).insertInto('note').values({ id: values.id, part: 1, text: '' }),
)

async function addAndFollow(tx: WriteTx, id: number): Promise<void> {
  await insertNote.later(tx, { id }, { keepsDerived: true })
  const values = derivedValues<number>(tx, 'note')!
  const known = values.get('count')
  if (known !== undefined) values.set('count', known + 1)
}

const touch = (db: Database, table: 'note' | 'tally') =>
  db.write((tx) =>
    sql`update ${sql.table(table)} set ${sql.ref(table === 'note' ? 'text' : 'notes')} = 0`.execute(tables<any>(tx)),
  )

describe('a derived value', () => {
  it('is made once for many transactions, also across changes of other tables', async () => {
    const db = await openBook(await newPath())
    await addNote(db, 1)
    const notes = countingNotes()
    expect(await notes.in(db)).toBe(2)
    await touch(db, 'tally')
    expect([await notes.in(db), await db.write(notes.count), notes.reads()]).toEqual([2, 2, 1])
    await db.close()
  })

  it('is made again after a statement that changes its table, within the same transaction', async () => {
    const db = await openBook(await newPath())
    const notes = countingNotes()
    const seen = await db.write(async (tx) => {
      const before = await notes.count(tx)
      await putNote(tx, 1)
      return [before, await notes.count(tx)]
    })
    expect([...seen, await notes.in(db)]).toEqual([0, 2, 2])
    expect(notes.reads()).toBe(2)
    await touch(db, 'note')
    await notes.in(db)
    expect(notes.reads()).toBe(3)
    await db.close()
  })

  it('stays if the writer follows the change', async () => {
    const db = await openBook(await newPath())
    const notes = countingNotes()
    await notes.in(db)
    await Promise.all([1, 2, 3].map((id) => db.write((tx) => addAndFollow(tx, id))))
    expect([await notes.in(db), notes.reads()]).toEqual([3, 1])
    await db.close()
  })

  it.each([
    ['the first', [2, 1]],
    ['a later one', [1, 2]],
  ])('is made again after a change that is rolled back, as %s of its batch', async (_, order) => {
    const db = await openBook(await newPath())
    const notes = countingNotes()
    await notes.in(db)
    const write = (id: number) =>
      db.write(async (tx) => {
        await addAndFollow(tx, id)
        if (id === 2) throw new Error('refused')
      })
    const outcomes = await Promise.allSettled(order.map(write))
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    expect(await notes.in(db)).toBe(1)
    await db.close()
  })

  it('stays after a transaction that fails before it changes anything', async () => {
    const db = await openBook(await newPath())
    const notes = countingNotes()
    const refused = db.write(async (tx) => {
      await notes.count(tx)
      throw new Error('refused')
    })
    await expect(refused).rejects.toThrow('refused')
    expect([await notes.in(db), notes.reads()]).toEqual([0, 1])
    await db.close()
  })

  it('is made again after a commit that could not be stored', async () => {
    const disk = new FailingDisk()
    const db = await openBook(await newPath(), { disk })
    await addNote(db, 1)
    const notes = countingNotes()
    await notes.in(db)
    disk.fails = { append: { code: 'ENOSPC', after: 10 } }
    await expect(db.write((tx) => addAndFollow(tx, 5))).rejects.toMatchObject({ code: 'disk_full' })
    disk.fails = {}
    expect(await notes.in(db)).toBe(2)
    await db.close()
  })

  it('is made again after a commit of another process', async () => {
    const path = await newPath()
    const [own, other] = [await openBook(path), await openBook(path)]
    const notes = countingNotes()
    await notes.in(own)
    await addNote(other, 1)
    expect(await notes.in(own)).toBe(2)
    await other.write((tx) => addAndFollow(tx, 2))
    expect(await own.write(notes.count)).toBe(3)
    await own.close()
    await other.close()
  })

  it('is made again if another process commits while the transaction runs', async () => {
    const path = await newPath()
    const [own, other] = [await openBook(path), await openBook(path)]
    const notes = countingNotes()
    const seen: number[] = []
    await own.write(async (tx) => {
      seen.push(await notes.count(tx))
      await addAndFollow(tx, 10 + seen.length)
      if (seen.length > 1) return
      rmSync(`${path}.lock`, { force: true }) // as if this process had been paused for too long
      await addNote(other, 1)
    })
    expect(seen).toEqual([0, 2])
    expect(await notes.in(own)).toBe(3)
    await own.close()
    await other.close()
  })
})
