import {
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { describe, expect, it } from 'vitest'
import { tables } from '../../../src/storage'
import { toBaseSource } from '../../../src/storage/embedded/base/base-source'
import { compactFiles } from '../../../src/storage/embedded/base/compact-files'
import { installBase, listClaims } from '../../../src/storage/embedded/base/install-base'
import { realDisk } from '../../../src/storage/embedded/disk'
import { addNote, exportBytes, newPath, notesIn, openBook, reopened, segmentsOf, upTo } from './note-database'

const LONG = 'x'.repeat(1_000)
const SMALL = { minSegmentBytes: 1_000 }

function linkOf(fd: string): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`)
  } catch {
    return null
  }
}

describe('compaction', () => {
  it('runs when a segment is full and when a process that has written closes', async () => {
    const path = await newPath()
    const db = await openBook(path, SMALL)
    await addNote(db, 1)
    await db.close()
    expect(segmentsOf(path)).toEqual([1])
    const again = await openBook(path, SMALL)
    for (const id of upTo(8).slice(1)) await addNote(again, id, LONG)
    const segments = segmentsOf(path)
    expect(segments.length).toBeGreaterThan(1)
    await again.close()
    expect(segmentsOf(path)).toEqual([segments.at(-1)!])
    expect(statSync(`${path}.log.${segments.at(-1)!}`).size).toBe(0)
    expect(await reopened(path)).toEqual(upTo(8))
  })

  it('does not run in a process that only reads', async () => {
    const path = await newPath()
    const writer = await openBook(path, SMALL)
    for (const id of upTo(8)) await addNote(writer, id, LONG)
    const before = segmentsOf(path)
    expect(await reopened(path)).toEqual(upTo(8))
    expect(segmentsOf(path)).toEqual(before)
    await writer.close()
  })

  it('limits the bytes written per commit regardless of the size of the database', async () => {
    const path = await newPath()
    let bytes = 0
    const append = (fd: number, part: Uint8Array) => {
      bytes += part.length
      return realDisk.append(fd, part)
    }
    let written = 0
    for (let life = 0; life < 25; life++) {
      const db = await openBook(path, { minSegmentBytes: 20_000, disk: { ...realDisk, append } })
      for (let i = 0; i < 40; i++) await addNote(db, ++written, 'x'.repeat(500))
      await db.close()
    }
    expect(statSync(path).size).toBeGreaterThan(1_000_000)
    expect(bytes / written).toBeLessThan(16 * 1024)
  })

  // Windows does not replace a file that another process has open.
  it.skipIf(process.platform === 'win32')(
    'by another process lets transactions end on the files that they began with',
    async () => {
      const path = await newPath()
      const reader = await openBook(path, { cacheBytes: 0 })
      const writer = await openBook(path, SMALL)
      for (const id of upTo(5)) await addNote(writer, id, LONG)
      const counts = await reader.read(async (tx) => {
        const count = () => tables<any>(tx).selectFrom('note').selectAll().execute()
        const before = await count()
        await compactFiles(path, realDisk)
        await addNote(writer, 6)
        return [before.length, (await count()).length]
      })
      expect(counts).toEqual([10, 10])
      expect(await notesIn(reader)).toEqual(upTo(6))
      await Promise.all([reader.close(), writer.close()])
    },
  )

  it.runIf(process.platform === 'win32')(
    'is refused while another process reads, loses nothing, and succeeds when it is done',
    async () => {
      const path = await newPath()
      const reader = await openBook(path, { cacheBytes: 0 })
      const writer = await openBook(path, SMALL)
      for (const id of upTo(5)) await addNote(writer, id, LONG)
      const segments = segmentsOf(path).length
      await reader.read(async () => {
        await expect(compactFiles(path, realDisk)).rejects.toMatchObject({
          code: expect.stringMatching(/EPERM|EACCES|EBUSY/),
        })
        await addNote(writer, 6, LONG)
        expect(segmentsOf(path).length).toBeGreaterThanOrEqual(segments)
      })
      expect(await notesIn(reader)).toEqual(upTo(6))
      await compactFiles(path, realDisk)
      await Promise.all([reader.close(), writer.close()])
      // The old segments stay while a process has them open. A later compaction removes them.
      const last = await openBook(path, SMALL)
      await addNote(last, 7, LONG)
      await last.close()
      expect(segmentsOf(path).length).toBeLessThan(segments)
      expect(await reopened(path)).toEqual(upTo(7))
    },
  )

  it.skipIf(!existsSync('/proc/self/fd'))(
    'by another process needs no file that is open between transactions, where open files cannot be replaced',
    async () => {
      const path = await newPath()
      const reader = await openBook(path, { releasesBase: true })
      const writer = await openBook(path, { ...SMALL, releasesBase: true })
      // A system may use the number of a replaced file again.
      const inodes = new Set<number>()
      for (const id of upTo(12)) {
        await addNote(writer, id, LONG)
        expect(await notesIn(reader)).toEqual(upTo(id))
        expect(readdirSync('/proc/self/fd').filter((fd) => linkOf(fd) === path)).toEqual([])
        await compactFiles(path, realDisk)
        inodes.add(statSync(path).ino)
      }
      expect(inodes.size).toBeGreaterThan(1)
      await Promise.all([reader.close(), writer.close()])
      expect(await reopened(path)).toEqual(upTo(12))
    },
  )

  // Windows does not replace a file that another process has open.
  it.skipIf(process.platform === 'win32')(
    'leaves a file alone that a person has put in place of the database meanwhile',
    async () => {
      const path = await newPath()
      const db = await openBook(path, SMALL)
      for (const id of upTo(8)) await addNote(db, id, LONG)
      const backup = await exportBytes(path)
      await addNote(db, 9, LONG)
      expect(segmentsOf(path).length).toBeGreaterThan(1)
      let isReplaced = false
      const append = (fd: number, bytes: Uint8Array) => {
        const written = realDisk.append(fd, bytes)
        if (isReplaced) return written
        isReplaced = true
        for (const number of segmentsOf(path)) rmSync(`${path}.log.${number}`)
        writeFileSync(`${path}.copy`, backup!)
        renameSync(`${path}.copy`, path)
        return written
      }
      await compactFiles(path, { ...realDisk, append })
      expect(readFileSync(path)).toEqual(backup)
      expect(segmentsOf(path)).toEqual([])
      expect(await notesIn(db)).toEqual(upTo(8))
      await db.close()
    },
  )

  it('verifies nothing it does not read, but keeps the checksums, so that damage stays visible', async () => {
    const path = await newPath()
    const db = await openBook(path, { minSegmentBytes: 50_000 })
    for (const id of upTo(60)) await addNote(db, id, LONG)
    await db.close()
    const bytes = readFileSync(path)
    bytes[bytes.indexOf('xxxx', bytes.length / 2)]! ^= 1
    writeFileSync(path, bytes)
    const again = await openBook(path, SMALL)
    await addNote(again, 61)
    await again.close()
    await expect(reopened(path)).rejects.toMatchObject({
      code: 'database_damaged',
      message: expect.stringMatching(/studio\.db, at byte \d+/),
    })
  })

  it('can run several times while another process is paused, which then catches up', async () => {
    const path = await newPath()
    const sleeper = await openBook(path, SMALL)
    await addNote(sleeper, 1)
    for (const id of upTo(20).slice(1)) {
      const writer = await openBook(path, SMALL)
      await addNote(writer, id, LONG)
      await writer.close()
    }
    expect(await notesIn(sleeper)).toEqual(upTo(20))
    await addNote(sleeper, 21)
    await sleeper.close()
    expect(await reopened(path)).toEqual(upTo(21))
  })
})

describe('installing a snapshot', () => {
  const bytesOf = async (path: string) => {
    const db = await openBook(path)
    await db.close()
    return readFileSync(path)
  }
  const placing = { segment: 9, mayReplace: () => true, yieldsToOthers: false }

  it('does nothing if another process has removed its claim, even after a long pause', async () => {
    const path = await newPath()
    const before = await bytesOf(path)
    const overtaking = {
      ...realDisk,
      rename: (from: string, to: string) => {
        // The process was paused here. Meanwhile another process has installed a newer snapshot.
        realDisk.remove(from)
        realDisk.rename(from, to)
      },
    }
    expect(await installBase(path, { ...placing, source: toBaseSource(Buffer.from(before)) }, overtaking)).toBe(false)
    expect(readFileSync(path)).toEqual(before)
  })

  it('does nothing if its claim was removed before the snapshot was written', async () => {
    const path = await newPath()
    const before = await bytesOf(path)
    const mayReplace = () => {
      for (const { path: claim } of listClaims(path)) realDisk.remove(claim)
      return true
    }
    expect(
      await installBase(path, { ...placing, mayReplace, source: toBaseSource(Buffer.from(before)) }, realDisk),
    ).toBe(false)
    expect(readFileSync(path)).toEqual(before)
    expect(listClaims(path)).toEqual([])
  })

  it('removes the claims of other processes before it checks the current snapshot', async () => {
    const path = await newPath()
    const before = await bytesOf(path)
    const claim = `${path}.00000000-1-0123456789ab.new`
    writeFileSync(claim, '')
    const mayReplace = () => {
      expect(existsSync(claim)).toBe(false)
      return false
    }
    expect(
      await installBase(path, { ...placing, mayReplace, source: toBaseSource(Buffer.from(before)) }, realDisk),
    ).toBe(false)
    expect(readFileSync(path)).toEqual(before)
    expect(listClaims(path)).toEqual([])
  })

  it('does not interrupt a compaction in progress in polite mode', async () => {
    const path = await newPath()
    const before = await bytesOf(path)
    const claim = `${path}.00000000-1-0123456789ab.new`
    writeFileSync(claim, '')
    expect(
      await installBase(
        path,
        { ...placing, yieldsToOthers: true, source: toBaseSource(Buffer.from(before)) },
        realDisk,
      ),
    ).toBe(false)
    expect(existsSync(claim)).toBe(true)
  })
})
