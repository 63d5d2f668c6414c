import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { compactFiles } from '../../../src/storage/embedded/compact-files'
import { realDisk } from '../../../src/storage/embedded/disk'
import { installSnapshot, listClaims } from '../../../src/storage/embedded/install-snapshot'
import { addNote, newPath, notesIn, openBook, reopened, segmentsOf, upTo } from './note-database'

const LONG = 'x'.repeat(1_000)
const SMALL = { minSegmentBytes: 1_000 }

describe('folding the log', () => {
  it('is done when a process that has written ends, and a segment is full', async () => {
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
    expect(segmentsOf(path)).toEqual([segments.at(-1)! + 1])
    expect(statSync(`${path}.log.${segments.at(-1)! + 1}`).size).toBe(0)
    expect(await reopened(path)).toEqual(upTo(8))
  })

  it('is not done by one that only reads', async () => {
    const path = await newPath()
    const writer = await openBook(path, SMALL)
    for (const id of upTo(8)) await addNote(writer, id, LONG)
    const before = segmentsOf(path)
    expect(await reopened(path)).toEqual(upTo(8))
    expect(segmentsOf(path)).toEqual(before)
    await writer.close()
  })

  it('keeps the bytes that a commit costs within a bound, however large the database', async () => {
    const path = await newPath()
    let bytes = 0
    const append = (fd: number, part: Uint8Array) => {
      bytes += part.length
      realDisk.append(fd, part)
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

  it('by another process is followed without reading the snapshot', async () => {
    const path = await newPath()
    const reader = await openBook(path)
    const writer = await openBook(path, SMALL)
    for (const id of upTo(5)) await addNote(writer, id, LONG)
    expect(await notesIn(reader)).toEqual(upTo(5))
    await compactFiles(path, realDisk)
    const snapshot = readFileSync(path)
    await addNote(writer, 6)
    writeFileSync(path, snapshot.subarray(0, 200)) // only its head is looked at
    expect(await notesIn(reader)).toEqual(upTo(6))
    writeFileSync(path, snapshot)
    await Promise.all([reader.close(), writer.close()])
  })

  it('is caught up with by a process that has slept through several', async () => {
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

describe('a snapshot that is put in place', () => {
  const bytesOf = async (path: string) => {
    const db = await openBook(path)
    await db.close()
    return readFileSync(path)
  }
  const placing = { segment: 9, mayReplace: () => true, yieldsToOthers: false }

  it('comes to nothing when another process has taken its claim away, however late it wakes', async () => {
    const path = await newPath()
    const before = await bytesOf(path)
    const overtaking = {
      ...realDisk,
      rename: (from: string, to: string) => {
        // It was paused here; meanwhile another one has put a newer snapshot in place.
        realDisk.remove(from)
        realDisk.rename(from, to)
      },
    }
    expect(await installSnapshot(path, { ...placing, bytes: Buffer.from(before) }, overtaking)).toBe(false)
    expect(readFileSync(path)).toEqual(before)
  })

  it('comes to nothing when its claim was taken away before it was written', async () => {
    const path = await newPath()
    const before = await bytesOf(path)
    const mayReplace = () => {
      for (const { path: claim } of listClaims(path)) realDisk.remove(claim)
      return true
    }
    expect(await installSnapshot(path, { ...placing, mayReplace, bytes: Buffer.from(before) }, realDisk)).toBe(false)
    expect(readFileSync(path)).toEqual(before)
    expect(listClaims(path)).toEqual([])
  })

  it('removes the claims of others before it looks at what it replaces', async () => {
    const path = await newPath()
    const before = await bytesOf(path)
    const claim = `${path}.00000000-1-0123456789ab.new`
    writeFileSync(claim, '')
    const mayReplace = () => {
      expect(existsSync(claim)).toBe(false)
      return false
    }
    expect(await installSnapshot(path, { ...placing, mayReplace, bytes: Buffer.from(before) }, realDisk)).toBe(false)
    expect(readFileSync(path)).toEqual(before)
    expect(listClaims(path)).toEqual([])
  })

  it('gives way, where it is polite, to one that is under way', async () => {
    const path = await newPath()
    const before = await bytesOf(path)
    const claim = `${path}.00000000-1-0123456789ab.new`
    writeFileSync(claim, '')
    expect(
      await installSnapshot(path, { ...placing, yieldsToOthers: true, bytes: Buffer.from(before) }, realDisk),
    ).toBe(false)
    expect(existsSync(claim)).toBe(true)
  })
})
