import { rmSync, statSync, writeFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { tables } from '../../../src/storage'
import { type Disk, realDisk } from '../../../src/storage/embedded/disk'
import { restoreFromCopy } from '../../../src/storage/embedded/repair/backup'
import { DyingDisk } from './faulty-disk'
import {
  addNote,
  exportBytes,
  migrations,
  newPath,
  notesIn,
  openBook,
  putNote,
  reopened,
  segmentsOf,
  upTo,
} from './note-database'

describe('a commit', () => {
  it('is in the files before it is acknowledged', async () => {
    const path = await newPath()
    const db = await openBook(path)
    await addNote(db, 1)
    expect(await reopened(path)).toEqual([1])
    await db.close()
  })

  it('is neither acknowledged nor visible before it is synced', async () => {
    const path = await newPath()
    let letGo = () => {}
    let asked = () => {}
    let held: Promise<void> = Promise.resolve()
    const sync = (fd: number) => {
      asked()
      return held.then(() => realDisk.sync(fd))
    }
    const db = await openBook(path, { disk: { ...realDisk, sync } satisfies Disk })
    held = new Promise((resolve) => {
      letGo = resolve
    })
    const syncing = new Promise<void>((resolve) => {
      asked = resolve
    })
    const told: string[] = []
    const writing = addNote(db, 1).then(() => told.push('written'))
    await syncing
    const reading = notesIn(db).then((ids) => told.push(`read ${ids}`))
    for (let i = 0; i < 50; i++) await setImmediate()
    expect(told).toEqual([])
    letGo()
    await Promise.all([writing, reading])
    expect(told).toEqual(['written', 'read 1'])
    await db.close()
  })

  it('shares its sync with concurrent commits', async () => {
    const disk = new DyingDisk()
    const db = await openBook(await newPath(), { disk })
    const before = disk.steps.length
    // A batch ends after some time, which is long on a busy machine.
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    onTestFinished(() => clock.mockRestore())
    await Promise.all(upTo(100).map((id) => addNote(db, id)))
    expect(disk.steps.slice(before).filter((step) => step === 'sync')).toHaveLength(1)
    expect(await notesIn(db)).toEqual(upTo(100))
    await db.close()
  })

  it('fails without affecting the commits of the same batch', async () => {
    const path = await newPath()
    const db = await openBook(path)
    const failing = (id: number) =>
      db.write(async (tx) => {
        await putNote(tx, id)
        throw new Error(`not ${id}`)
      })
    const outcomes = await Promise.allSettled([addNote(db, 1), failing(2), addNote(db, 3), addNote(db, 1), failing(4)])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected', 'rejected'])
    await db.close()
    expect(await reopened(path)).toEqual([1, 3])
  })

  it('without changes is not written', async () => {
    const path = await newPath()
    const db = await openBook(path)
    const before = statSync(`${path}.log.1`)
    await db.write((tx) => tables<any>(tx).selectFrom('note').selectAll().execute())
    await expect(db.write(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(statSync(`${path}.log.1`).size).toBe(before.size)
    await db.close()
  })

  it('must not depend on random values, the clock or previous statements', async () => {
    const db = await openBook(await newPath())
    const insert = db.write((tx) => sql`insert into tally values (random())`.execute(tables<any>(tx)))
    await expect(insert).rejects.toThrow('must not use random')
    await db.close()
  })

  it('is not created by a read-only transaction', async () => {
    const db = await openBook(await newPath())
    const update = db.read((tx) => tables<any>(tx).updateTable('tally').set({ notes: 7 }).execute())
    await expect(update).rejects.toThrow('only a write transaction')
    expect(await notesIn(db)).toEqual([])
    await db.close()
  })

  it('stores bytes, large numbers, infinity, control characters and null', async () => {
    const path = await newPath()
    const db = await openBook(path)
    const bytes = Uint8Array.from({ length: 256 }, (_, i) => i)
    await db.write(async (tx) => {
      await sql`create table value (it)`.execute(tables<any>(tx))
      for (const it of [bytes, 2 ** 53, 0.1, Number.POSITIVE_INFINITY, '\u0000 ÿ 📦', null]) {
        await tables<any>(tx).insertInto('value').values({ it }).execute()
      }
    })
    const all = (from: typeof db) => from.read((tx) => tables<any>(tx).selectFrom('value').selectAll().execute())
    const other = await openBook(path)
    expect(await all(other)).toEqual(await all(db))
    expect((await all(other))[0]!['it']).toEqual(bytes)
    await Promise.all([db.close(), other.close()])
  })
})

describe('several processes', () => {
  it('see commits of each other immediately, over any number of segments', async () => {
    const path = await newPath()
    const options = { minSegmentBytes: 2_000 }
    const books = await Promise.all(upTo(3).map(() => openBook(path, options)))
    for (const id of upTo(60)) {
      await addNote(books[id % 3]!, id)
      expect(await notesIn(books[(id + 1) % 3]!)).toEqual(upTo(id))
    }
    for (const db of books) await db.close()
    expect(await reopened(path)).toEqual(upTo(60))
  })

  it('write concurrently without losing commits', async () => {
    const path = await newPath()
    const books = await Promise.all(upTo(4).map(() => openBook(path, { minSegmentBytes: 5_000 })))
    await Promise.all(upTo(120).map((id) => addNote(books[id % 4]!, id)))
    expect(await notesIn(books[0]!)).toEqual(upTo(120))
    for (const db of books) await db.close()
    expect(await reopened(path)).toEqual(upTo(120))
  })

  it('create a new database concurrently', async () => {
    const path = await newPath()
    const books = await Promise.all(upTo(5).map(() => openBook(path)))
    await Promise.all(books.map((db, i) => addNote(db, i)))
    for (const db of books) await db.close()
    expect(await reopened(path)).toEqual([0, 1, 2, 3, 4])
  })
})

/** Windows does not replace a file that another process has open, as a transaction has the base. */
const refusesOpenBase = process.platform === 'win32'

describe('a transaction that has the base open', () => {
  it('delays the compaction of another process, and neither loses a commit', async () => {
    const path = await newPath()
    const [reading, writing] = [await openBook(path), await openBook(path, { minSegmentBytes: 1_000 })]
    await reading.read(async () => {
      for (const id of upTo(30)) await addNote(writing, id)
      await writing.close()
    })
    expect(segmentsOf(path)[0] === 1).toBe(refusesOpenBase)
    expect(await notesIn(reading)).toEqual(upTo(30))
    await reading.close()
    const next = await openBook(path, { minSegmentBytes: 1_000 })
    await addNote(next, 31)
    await next.close()
    expect(segmentsOf(path)[0]).toBeGreaterThan(1)
    expect(await reopened(path)).toEqual(upTo(31))
  })
})

describe('a writer that another process has overtaken', () => {
  const loseTurn = (path: string) => rmSync(`${path}.lock`, { force: true })

  it('retries its transaction on the new state', async () => {
    const path = await newPath()
    const [paused, other] = [await openBook(path), await openBook(path)]
    let runs = 0
    await paused.write(async (tx) => {
      if (++runs === 1) {
        loseTurn(path)
        await addNote(other, 1)
      }
      await putNote(tx, 2)
    })
    expect(runs).toBe(2)
    expect(await notesIn(paused)).toEqual([1, 2])
    expect(await notesIn(other)).toEqual([1, 2])
    await Promise.all([paused.close(), other.close()])
    expect(await reopened(path)).toEqual([1, 2])
  })

  it('reports a conflict that did not exist when it began', async () => {
    const path = await newPath()
    const [paused, other] = [await openBook(path), await openBook(path)]
    let runs = 0
    const writing = paused.write(async (tx) => {
      if (++runs === 1) {
        loseTurn(path)
        await addNote(other, 1)
      }
      await putNote(tx, 1)
    })
    await expect(writing).rejects.toThrow('UNIQUE')
    expect(await notesIn(paused)).toEqual([1])
    await Promise.all([paused.close(), other.close()])
  })

  it.skipIf(refusesOpenBase)('continues in the correct segment after a compaction', async () => {
    const path = await newPath()
    const paused = await openBook(path)
    let runs = 0
    await paused.write(async (tx) => {
      if (++runs === 1) {
        loseTurn(path)
        const other = await openBook(path, { minSegmentBytes: 1_000 })
        for (const id of upTo(30)) await addNote(other, id)
        await other.close()
      }
      await putNote(tx, 31)
    })
    expect(segmentsOf(path)[0]).toBeGreaterThan(1)
    expect(await notesIn(paused)).toEqual(upTo(31))
    await paused.close()
    expect(await reopened(path)).toEqual(upTo(31))
  })

  it.skipIf(refusesOpenBase)(
    'applies its commit once if other processes have read and compacted it meanwhile',
    async () => {
      const path = await newPath()
      let whileItSleeps: (() => Promise<void>) | null = null
      const sync = async (fd: number) => {
        const meanwhile = whileItSleeps
        whileItSleeps = null
        await meanwhile?.()
        await realDisk.sync(fd)
      }
      const paused = await openBook(path, { disk: { ...realDisk, sync } })
      await addNote(paused, 1)
      whileItSleeps = async () => {
        loseTurn(path)
        const other = await openBook(path, { minSegmentBytes: 1_000 })
        expect(await notesIn(other)).toEqual([1, 2])
        for (const id of upTo(30).slice(2)) await addNote(other, id)
        await other.close()
      }
      await addNote(paused, 2)
      expect(segmentsOf(path)[0]).toBeGreaterThan(1)
      expect(await notesIn(paused)).toEqual(upTo(30))
      await paused.close()
      expect(await reopened(path)).toEqual(upTo(30))
    },
  )

  it.skipIf(refusesOpenBase)('retries its transaction if the database was replaced after the write', async () => {
    const path = await newPath()
    const [paused, other] = [await openBook(path), await openBook(path)]
    await addNote(other, 1)
    const copy = `${path}.copy`
    writeFileSync(copy, (await exportBytes(path))!)
    let runs = 0
    await paused.write(async (tx) => {
      if (++runs === 1) {
        loseTurn(path)
        await restoreFromCopy(path, copy, migrations)
      }
      await putNote(tx, 2)
    })
    expect(runs).toBe(2)
    expect(await notesIn(other)).toEqual([1, 2])
    await Promise.all([paused.close(), other.close()])
    expect(await reopened(path)).toEqual([1, 2])
  })

  it('fails after many retries, and changes nothing', async () => {
    const path = await newPath()
    const [paused, other] = [await openBook(path), await openBook(path)]
    let runs = 0
    const writing = paused.write(async (tx) => {
      loseTurn(path)
      await addNote(other, ++runs)
      await putNote(tx, 100)
    })
    await expect(writing).rejects.toMatchObject({ code: 'database_busy' })
    expect(await notesIn(paused)).toEqual(upTo(runs))
    await Promise.all([paused.close(), other.close()])
    expect(await reopened(path)).toEqual(upTo(runs))
  })
})
