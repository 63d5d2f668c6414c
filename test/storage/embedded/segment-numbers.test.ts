import { rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { suggest } from '../../../src/kernel'
import { toBaseSource } from '../../../src/storage/embedded/base/base-source'
import { installBase } from '../../../src/storage/embedded/base/install-base'
import { realDisk } from '../../../src/storage/embedded/disk'
import { createEmptyDatabase } from '../../../src/storage/embedded/engine/open-file'
import { isBefore } from '../../../src/storage/embedded/log/segments'
import { restoreFromCopy } from '../../../src/storage/embedded/repair/backup'
import { inspectDatabase } from '../../../src/storage/embedded/repair/inspect-database'
import { repairDatabase } from '../../../src/storage/embedded/repair/repair-database'
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

const ERA = 2 ** 24
const LONG = 'x'.repeat(1_000)

async function bookAt(segment: number): Promise<string> {
  const path = await newPath()
  const source = toBaseSource(await createEmptyDatabase(migrations))
  await installBase(path, { source, segment, mayReplace: () => true, yieldsToOthers: false }, realDisk)
  return path
}

async function restored(path: string): Promise<void> {
  const copy = `${path}.copy`
  writeFileSync(copy, (await exportBytes(path))!)
  await restoreFromCopy(path, copy, migrations)
}

describe('segment numbers', () => {
  it('suffice for any number of restores, and open processes continue', async () => {
    const path = await bookAt(253 * ERA + 7)
    const db = await openBook(path)
    for (const id of upTo(5)) {
      await addNote(db, id)
      await restored(path)
      expect(await notesIn(db)).toEqual(upTo(id))
    }
    expect(segmentsOf(path)).toEqual([2 * ERA + 1])
    await db.close()
    expect(await reopened(path)).toEqual(upTo(5))
  })

  // Windows does not replace a file that another process has open.
  it.skipIf(process.platform === 'win32')(
    'show a paused writer that the database was replaced, also after they wrap around',
    async () => {
      const path = await bookAt(255 * ERA + 7)
      const [paused, other] = [await openBook(path), await openBook(path)]
      await addNote(other, 1)
      let runs = 0
      await paused.write(async (tx) => {
        if (++runs === 1) {
          rmSync(`${path}.lock`)
          await restored(path)
        }
        await putNote(tx, 2)
      })
      expect(runs).toBe(2)
      expect(segmentsOf(path)).toEqual([1])
      expect(await notesIn(other)).toEqual([1, 2])
      await Promise.all([paused.close(), other.close()])
      expect(await reopened(path)).toEqual([1, 2])
    },
  )

  it('can run out within one database: then the last segment grows, and doctor explains the repair', async () => {
    const path = await bookAt(ERA - 2)
    const db = await openBook(path, { minSegmentBytes: 100 })
    for (const id of upTo(6)) await addNote(db, id, LONG)
    expect(segmentsOf(path)).toEqual([ERA - 2, ERA - 1])
    await db.close()
    expect(await reopened(path)).toEqual(upTo(6))
    expect(await inspectDatabase(path, migrations)).toContainEqual(
      expect.objectContaining({
        about: 'log',
        level: 'warning',
        fix: expect.arrayContaining([suggest('storage.restore', { file: 'copy.db' })]),
      }),
    )
    await restored(path)
    expect(await reopened(path)).toEqual(upTo(6))
    expect(segmentsOf(path)).toEqual([ERA + 1])
  })

  it('ignore files with other names', async () => {
    const path = await bookAt(1)
    for (const name of ['4294967296', '99999999999999999999', '01', '1e3']) writeFileSync(`${path}.log.${name}`, 'x')
    await restored(path)
    expect(await reopened(path)).toEqual([])
    expect(await repairDatabase(path, migrations)).toBeNull()
  })

  it('of an interrupted restore are not reported as a loss by a repair', async () => {
    const path = await bookAt(1)
    const db = await openBook(path)
    await addNote(db, 1)
    await db.close()
    writeFileSync(`${path}.log.${ERA + 1}`, '')
    writeFileSync(`${path}.log.1`, 'damaged', { flag: 'a' })
    const repaired = await repairDatabase(path, migrations)
    expect(repaired).toMatchObject({ commits: 1, lost: [expect.stringContaining('7 bytes')] })
    expect(await reopened(path)).toEqual([1])
  })

  it('are ordered cyclically: the last number is before the first', () => {
    expect([isBefore(1, 2), isBefore(2, 1), isBefore(5, 5)]).toEqual([true, false, false])
    expect([isBefore(ERA - 1, ERA + 1), isBefore(ERA + 1, ERA - 1)]).toEqual([true, false])
    expect([isBefore(255 * ERA + 9, 1), isBefore(1, 255 * ERA + 9)]).toEqual([true, false])
  })
})
