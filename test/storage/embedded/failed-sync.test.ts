import { existsSync, statSync, writeFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Disk, realDisk } from '../../../src/storage/embedded/disk'
import { inspectDatabase } from '../../../src/storage/embedded/repair/inspect-database'
import { errorOf, FailingDisk } from './faulty-disk'
import { ForgetfulDisk } from './forgetful-disk'
import { addNote, exportBytes, migrations, newPath, notesIn, openBook, reopened, upTo } from './note-database'

type Options = ConstructorParameters<typeof ForgetfulDisk>[2]

/** Creates a database with one note on a disk whose next syncs fail. */
async function failingBook({ times = 1, ...options }: Options & { times?: number } = {}) {
  const path = await newPath()
  const fails = { next: 0 }
  const disk = new ForgetfulDisk(path, () => fails.next-- > 0, options)
  const db = await openBook(path, { disk })
  await addNote(db, 1)
  fails.next = times
  await expect(addNote(db, 2)).rejects.toMatchObject({
    code: 'unavailable',
    hint: expect.stringContaining('Check before you repeat it'),
  })
  const reopen = () => openBook(path, { disk })
  return { path, disk, db, reopen }
}

describe('a failed sync that drops its data', () => {
  it('does not lose later writes of the same process', async () => {
    const { path, disk, db } = await failingBook()
    await addNote(db, 3)
    const seen = await notesIn(db)
    disk.cutPower()
    expect(seen).toEqual([1, 2, 3])
    expect(await reopened(path)).toEqual(seen)
    await db.close()
  })

  it('does not lose later writes of another process that has not seen the failure', async () => {
    const { path, disk, db, reopen } = await failingBook()
    await db.close()
    const other = await reopen()
    await addNote(other, 3)
    disk.cutPower()
    expect(await reopened(path)).toEqual([1, 2, 3])
    await other.close()
  })

  it('hides the unconfirmed write until it is stored', async () => {
    const { path, disk, db, reopen } = await failingBook()
    await db.close()
    const reader = await reopen()
    const seen = await notesIn(reader)
    disk.cutPower()
    expect(seen).toEqual([1, 2])
    expect(await reopened(path)).toEqual(seen)
    await reader.close()
  })

  it('rolls back the write if the file no longer contains it', async () => {
    const { path, disk, db } = await failingBook({ readsDropped: false })
    expect(await notesIn(db)).toEqual([1])
    await addNote(db, 3)
    disk.cutPower()
    expect(await reopened(path)).toEqual([1, 3])
    await db.close()
  })

  it('would lose later writes if the unconfirmed write were not written again', async () => {
    const { path, disk, db } = await failingBook({ takesCopies: false })
    await addNote(db, 3)
    disk.cutPower()
    await expect(reopened(path)).rejects.toMatchObject({ code: 'database_damaged' })
    await db.close()
  })

  it('is remembered in memory if no marker file can be created', async () => {
    const path = await newPath()
    let fails = false
    const disk = new ForgetfulDisk(path, () => fails)
    const create = (file: string) => {
      if (fails) throw errorOf('ENOSPC')
      disk.create(file)
    }
    const db = await openBook(path, { disk: markless(disk, create) })
    fails = true
    await expect(addNote(db, 1)).rejects.toMatchObject({ code: 'unavailable' })
    fails = false
    await addNote(db, 2)
    disk.cutPower()
    expect(await reopened(path)).toEqual([1, 2])
    await db.close()
  })

  it.each([1, 2])('loses nothing at any sync (%d in a row)', async (inARow) => {
    let at = 1
    for (let isReached = true; isReached; at++) {
      const path = await newPath()
      const disk = new ForgetfulDisk(path, (sync) => sync >= at && sync < at + inARow)
      const kept = await lives(path, disk)
      isReached = disk.syncs > at
      disk.cutPower()
      expect(await reopened(path), `sync ${at}`).toEqual(expect.arrayContaining(kept))
    }
    expect(at).toBeGreaterThan(15)
  })

  it('would be detected by the previous test if it lost something', async () => {
    let isLost = false
    for (let at = 1; at < 20 && !isLost; at++) {
      const path = await newPath()
      const disk = new ForgetfulDisk(path, (sync) => sync === at, { takesCopies: false })
      const kept = await lives(path, disk, { minSegmentBytes: 100_000 }) // a compaction would save it
      disk.cutPower()
      const there = await reopened(path).catch((): number[] => [])
      isLost = kept.some((id) => !there.includes(id))
    }
    expect(isLost).toBe(true)
  })
})

/** Writes with three processes sequentially over several segments. Resolves with the acknowledged notes. */
async function lives(path: string, disk: Disk, { minSegmentBytes = 900 } = {}): Promise<number[]> {
  const kept: number[] = []
  for (const first of [0, 10, 20]) {
    try {
      const db = await openBook(path, { disk, minSegmentBytes })
      for (const id of upTo(4)) {
        const outcome = await addNote(db, first + id, 'x'.repeat(200)).catch(() => 'failed')
        if (outcome !== 'failed') kept.push(first + id)
      }
      await db.close()
    } catch {
      // The database could not be opened.
    }
  }
  return kept
}

function markless(disk: ForgetfulDisk, create: Disk['create']): Disk {
  return {
    freeBytes: realDisk.freeBytes,
    create,
    append: (fd, bytes) => disk.append(fd, bytes),
    sync: (fd) => disk.sync(fd),
    syncFolder: realDisk.syncFolder,
    rename: realDisk.rename,
    remove: realDisk.remove,
  }
}

describe('a disk that fails repeatedly', () => {
  it('receives the same record once a second, so that the log does not grow', async () => {
    let now = performance.now()
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
    onTestFinished(() => clock.mockRestore())
    const path = await newPath()
    let fails = 0
    const disk = new ForgetfulDisk(path, () => fails > 0 && fails-- !== 2) // the sync between them succeeds without confirming the data
    const db = await openBook(path, { disk })
    await addNote(db, 1)
    fails = 3
    await expect(addNote(db, 2)).rejects.toMatchObject({ code: 'unavailable' })
    await expect(addNote(db, 3)).rejects.toMatchObject({ code: 'unavailable' })
    const { size } = statSync(`${path}.log.1`)
    for (let i = 0; i < 20; i++) {
      await expect(addNote(db, 3)).rejects.toMatchObject({ code: 'unavailable' })
      expect(await notesIn(db)).toEqual([1])
    }
    expect(statSync(`${path}.log.1`).size).toBe(size)
    now += 1_000
    await addNote(db, 3)
    disk.cutPower()
    expect(await reopened(path)).toEqual([1, 2, 3])
    await db.close()
  })
})

describe('a database whose log cannot be synced', () => {
  const failing = (code: string): Disk => ({ ...realDisk, sync: () => Promise.reject(errorOf(code)) })

  async function book(): Promise<string> {
    const path = await newPath()
    const db = await openBook(path)
    await addNote(db, 1)
    await db.close()
    return path
  }

  it.each([
    ['EIO', 'unavailable'],
    ['ENOSPC', 'disk_full'],
  ])('is not opened (%s)', async (error, code) => {
    const path = await book()
    await expect(openBook(path, { disk: failing(error) })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(`${path}.log.1`),
      hint: expect.stringContaining('disk errors'),
    })
    expect(await reopened(path)).toEqual([1])
  })

  it.each(['ENOSPC', 'EFBIG'])('is not opened if an unconfirmed write cannot be repeated (%s)', async (error) => {
    const path = await book()
    writeFileSync(`${path}.log.unsettled`, '')
    const append = () => {
      throw errorOf(error)
    }
    await expect(openBook(path, { disk: { ...realDisk, append } })).rejects.toMatchObject({ code: 'disk_full' })
    expect(await reopened(path)).toEqual([1])
  })

  it('is not opened if an unconfirmed write is repeated in part, for the reason of the next one', async () => {
    const path = await book()
    writeFileSync(`${path}.log.unsettled`, '')
    const disk = new FailingDisk()
    disk.fails.append = { code: 'EFBIG', after: 10 }
    const error = { code: 'disk_full', cause: { code: 'EFBIG' } }
    await expect(openBook(path, { disk })).rejects.toMatchObject(error)
    expect(await reopened(path)).toEqual([1])
  })

  it.each(['EROFS', 'EACCES', 'EINVAL', 'ENOTSUP'])(
    'can be read if there is no unconfirmed write (%s)',
    async (error) => {
      const path = await book()
      const db = await openBook(path, { disk: failing(error) })
      expect(await notesIn(db)).toEqual([1])
      await db.close()
    },
  )

  it('is reported by doctor, and backed up with its unconfirmed writes', async () => {
    const { path, db } = await failingBook()
    await db.close()
    const findings = await inspectDatabase(path, migrations)
    expect(findings).toContainEqual(
      expect.objectContaining({ about: 'log', level: 'warning', message: expect.stringContaining('not confirmed') }),
    )
    expect(existsSync(`${path}.log.unsettled`)).toBe(true)
    expect(await exportBytes(path)).not.toBeNull()
    expect(await reopened(path)).toEqual([1, 2])
    expect(existsSync(`${path}.log.unsettled`)).toBe(false)
  })
})
