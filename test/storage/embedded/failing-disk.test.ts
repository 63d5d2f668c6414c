import { existsSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listArchives } from '../../../src/storage/embedded/archives'
import { toBaseSource } from '../../../src/storage/embedded/base/base-source'
import { listClaims } from '../../../src/storage/embedded/base/install-base'
import { realDisk } from '../../../src/storage/embedded/disk'
import { replaceDatabase } from '../../../src/storage/embedded/engine/replace-database'
import { FailingDisk } from './faulty-disk'
import { addNote, exportBytes, newPath, notesIn, openBook, reopened, segmentsOf, upTo } from './note-database'

const LONG = 'x'.repeat(1_000)

describe('a full disk', () => {
  it('fails writes, still serves reads, and recovers when there is space again', async () => {
    const path = await newPath()
    const disk = new FailingDisk()
    const db = await openBook(path, { disk })
    await addNote(db, 1)
    const { size } = statSync(`${path}.log.1`)
    for (const after of [0, 1, 2, 3, 20, 39, 40, 41, size - 1]) {
      disk.fails = { append: { code: 'ENOSPC', after } }
      await expect(addNote(db, 2), `after ${after} bytes`).rejects.toMatchObject({ code: 'disk_full' })
      expect(await notesIn(db)).toEqual([1])
      expect(await reopened(path)).toEqual([1])
    }
    disk.fails = {}
    await addNote(db, 3)
    expect(await notesIn(db)).toEqual([1, 3])
    await db.close()
    expect(await reopened(path)).toEqual([1, 3])
  })

  it('does not begin a large commit that would take the space of small ones', async () => {
    const path = await newPath()
    const disk = new FailingDisk()
    const db = await openBook(path, { disk })
    await addNote(db, 1)
    const { size } = statSync(`${path}.log.1`)
    disk.freeBytes = () => 5_000_000
    await expect(addNote(db, 2, 'x'.repeat(2_000_000))).rejects.toMatchObject({ code: 'disk_full' })
    expect(statSync(`${path}.log.1`).size).toBe(size)
    await addNote(db, 3)
    disk.freeBytes = () => 10_000_000
    await addNote(db, 4, 'x'.repeat(2_000_000))
    await db.close()
    expect(await reopened(path)).toEqual([1, 3, 4])
  })

  it('rejects all commits of the batch', async () => {
    const path = await newPath()
    const disk = new FailingDisk()
    const db = await openBook(path, { disk })
    disk.fails = { append: { code: 'EDQUOT', after: 100 } }
    const outcomes = await Promise.allSettled(upTo(5).map((id) => addNote(db, id)))
    expect(outcomes.map(({ status }) => status)).toEqual(upTo(5).map(() => 'rejected'))
    disk.fails = {}
    expect(await notesIn(db)).toEqual([])
    await db.close()
    expect(await reopened(path)).toEqual([])
  })

  it('lets a segment grow if the next one cannot be created', async () => {
    const path = await newPath()
    const disk = new FailingDisk()
    const db = await openBook(path, { disk, minSegmentBytes: 100 })
    disk.fails = { create: { code: 'ENOSPC' } }
    for (const id of upTo(6)) await addNote(db, id, LONG)
    expect(segmentsOf(path)).toEqual([1])
    disk.fails = {}
    await addNote(db, 7)
    await db.close()
    expect(await reopened(path)).toEqual(upTo(7))
    expect(segmentsOf(path)).toEqual([3])
  })

  it.each(['create', 'append', 'sync', 'syncFolder', 'rename'] as const)(
    'preserves the old snapshot if the new one fails (%s)',
    async (step) => {
      const path = await newPath()
      const disk = new FailingDisk()
      const db = await openBook(path, { disk, minSegmentBytes: 100 })
      for (const id of upTo(6)) await addNote(db, id, LONG)
      disk.fails = { [step]: { code: 'ENOSPC' } }
      await db.close()
      expect(listClaims(path)).toEqual([])
      expect(await reopened(path)).toEqual(upTo(6))
    },
  )

  it('does not leave an incomplete database', async () => {
    for (const step of ['create', 'append', 'sync', 'rename'] as const) {
      const path = await newPath()
      const disk = new FailingDisk()
      disk.fails = { [step]: { code: 'ENOSPC' } }
      await expect(openBook(path, { disk })).rejects.toMatchObject({ code: 'disk_full' })
      expect(existsSync(path)).toBe(false)
      expect(await reopened(path)).toEqual([])
    }
  })
})

/** Windows keeps the folder of a file that another process has open. */
const removesArchives = process.platform !== 'win32'

describe('a backup that cannot be restored because the disk is full', () => {
  it('does not change the database, and leaves no files behind', async () => {
    const path = await newPath()
    const db = await openBook(path)
    await addNote(db, 1)
    const bytes = (await exportBytes(path))!
    await addNote(db, 2)
    for (const step of ['create', 'append', 'sync', 'rename'] as const) {
      const disk = new FailingDisk()
      disk.fails = { [step]: { code: 'ENOSPC' } }
      await expect(replaceDatabase(path, toBaseSource(Buffer.from(bytes)), disk)).rejects.toMatchObject({
        code: 'disk_full',
      })
      if (removesArchives) expect(listArchives(path)).toEqual([])
    }
    expect(await replaceDatabase(path, toBaseSource(Buffer.from(bytes)), realDisk)).toBe(listArchives(path).at(-1))
    expect(await notesIn(db)).toEqual([1])
    expect(await reopened(join(listArchives(path).at(-1)!, 'studio.db'))).toEqual([1, 2])
    await db.close()
  })

  it('replaces nothing when it was paused, and another process has written meanwhile', async () => {
    const path = await newPath()
    const db = await openBook(path)
    await addNote(db, 1)
    const bytes = (await exportBytes(path))!
    let isFirst = true
    const create = (file: string) => {
      if (isFirst) rmSync(`${path}.lock`) // it was paused until another process took over the write lock
      isFirst = false
      realDisk.create(file)
    }
    await expect(
      replaceDatabase(path, toBaseSource(Buffer.from(bytes)), { ...realDisk, create }),
    ).rejects.toMatchObject({
      code: 'conflict',
    })
    if (removesArchives) expect(listArchives(path)).toEqual([])
    await addNote(db, 2)
    await db.close()
    expect(await reopened(path)).toEqual([1, 2])
  })
})

describe('a disk that loses data after accepting it', () => {
  it('fails the write, and hides it until it is stored', async () => {
    const path = await newPath()
    const disk = new FailingDisk()
    const [db, other] = [await openBook(path, { disk }), await openBook(path, { disk })]
    await addNote(db, 1)
    expect(await notesIn(other)).toEqual([1])
    disk.fails = { sync: { code: 'EIO' } }
    await expect(addNote(db, 2)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('did not confirm'),
    })
    await expect(addNote(db, 3)).rejects.toMatchObject({ code: 'unavailable' })
    expect(await notesIn(db)).toEqual([1])
    expect(await notesIn(other)).toEqual([1])
    disk.fails = {}
    // Now it is known whether the second note was stored, and all readers agree.
    const ids = await notesIn(db)
    expect(await notesIn(other)).toEqual(ids)
    await addNote(db, 4)
    await Promise.all([db.close(), other.close()])
    expect(await reopened(path)).toEqual([...ids, 4])
  })
})
