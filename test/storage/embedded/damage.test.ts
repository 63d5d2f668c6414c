import {
  copyFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { describe, expect, it } from 'vitest'
import { suggest } from '../../../src/kernel'
import { type ReadTx, tables } from '../../../src/storage'
import { encodeCommit, encodeRecord } from '../../../src/storage/embedded/log/log-record'
import { encodePage } from '../../../src/storage/embedded/log/page-entry'
import { inspectDatabase } from '../../../src/storage/embedded/repair/inspect-database'
import { repairDatabase } from '../../../src/storage/embedded/repair/repair-database'
import {
  addNote,
  exportBytes,
  migrations,
  newPath,
  notesIn,
  openBook,
  reopened,
  segmentsOf,
  upTo,
} from './note-database'

const LONG = 'x'.repeat(1_000)
/** On Windows, a removed file that is open can be read until it is closed. */
const keepsRemovedFiles = process.platform === 'win32'

async function bookOf(notes: number, options = {}): Promise<string> {
  const path = await newPath()
  const db = await openBook(path, options)
  for (const id of upTo(notes)) await addNote(db, id)
  await db.close()
  return path
}

describe('a damaged log', () => {
  it('fails with an error that names the file, the position and the repair', async () => {
    const path = await bookOf(3)
    const bytes = readFileSync(`${path}.log.1`)
    bytes[bytes.length >> 1]! ^= 0x10
    writeFileSync(`${path}.log.1`, bytes)
    await expect(openBook(path)).rejects.toMatchObject({
      code: 'database_damaged',
      message: expect.stringMatching(/studio\.db\.log\.1, at byte \d+/),
      hint: expect.arrayContaining([
        suggest('storage.restore', { file: '<file>' }),
        suggest('system.doctor', { repair: true }),
      ]),
    })
    expect(readFileSync(`${path}.log.1`)).toEqual(bytes)
  })

  it('fails a running process, and is not read further', async () => {
    const path = await bookOf(2)
    const [db, other] = [await openBook(path), await openBook(path)]
    await addNote(other, 3)
    const bytes = readFileSync(`${path}.log.1`)
    bytes[bytes.length - 5]! ^= 1
    writeFileSync(`${path}.log.1`, bytes)
    await expect(notesIn(db)).rejects.toMatchObject({ code: 'database_damaged' })
    await expect(addNote(db, 4)).rejects.toMatchObject({ code: 'database_damaged' })
    await Promise.all([db.close(), other.close()])
  })

  it('fails a running process when an old copy of the base takes its place, and the segments between are gone', async () => {
    const path = await bookOf(2, { minSegmentBytes: 300 })
    copyFileSync(path, `${path}.old`)
    const before = segmentsOf(path)
    const other = await openBook(path, { minSegmentBytes: 300 })
    for (const id of [3, 4, 5]) await addNote(other, id, LONG)
    await other.close() // which compacts
    expect(segmentsOf(path)[0]).toBeGreaterThan(before.at(-1)!)
    const db = await openBook(path, { minSegmentBytes: 300 })
    await addNote(db, 6)
    renameSync(`${path}.old`, path)
    await expect(notesIn(db)).rejects.toMatchObject({ code: 'database_damaged' })
    await expect(addNote(db, 7)).rejects.toMatchObject({ code: 'database_damaged' })
    await db.close()
  })

  it('is reported if a page does not match its checksum after a change', async () => {
    const path = await bookOf(0)
    const changed = new Uint8Array(4_096).fill(7)
    const before = { bytes: new Uint8Array(4_096), depth: 0 } // not what the base contains
    const payload = encodeCommit([encodePage(1, changed.fill(0, 200), before)!.entry], ['note'])
    const link = { segment: 1, index: 0, previous: 0 }
    writeFileSync(`${path}.log.1`, encodeRecord(link, payload, { writer: Buffer.alloc(8), sealed: false, at: 0 }))
    await expect(openBook(path)).rejects.toMatchObject({
      code: 'database_damaged',
      message: expect.stringMatching(/log\.1, at byte \d+.*does not match/),
    })
  })

  it('fails every transaction that needs a damaged page, and none that does not', async () => {
    const path = await newPath()
    const db = await openBook(path, { minSegmentBytes: 50_000 })
    for (const id of upTo(40)) await addNote(db, id, LONG)
    await db.close()
    const bytes = readFileSync(path)
    bytes[bytes.lastIndexOf('xxxx')]! ^= 1
    writeFileSync(path, bytes)
    const again = await openBook(path)
    const first = (tx: ReadTx) => tables<any>(tx).selectFrom('note').select('id').where('id', '=', 1).execute()
    for (let i = 0; i < 3; i++) {
      expect(await again.read(first)).toHaveLength(2)
      await expect(notesIn(again)).rejects.toMatchObject({ code: 'database_damaged' })
    }
    await again.close()
  })

  it('is distinguished from a log whose last append is incomplete', async () => {
    const path = await bookOf(3)
    const { size } = statSync(`${path}.log.1`)
    truncateSync(`${path}.log.1`, size - 7)
    expect(await reopened(path)).toEqual([1, 2])
    const db = await openBook(path)
    await addNote(db, 4)
    await db.close()
    expect(await reopened(path)).toEqual([1, 2, 4])
  })
})

describe('a missing file', () => {
  it('of the log is reported as damage', async () => {
    const path = await bookOf(2)
    rmSync(`${path}.log.1`)
    await expect(openBook(path)).rejects.toMatchObject({
      code: 'database_damaged',
      message: expect.stringContaining('.log.1'),
    })
  })

  it.skipIf(keepsRemovedFiles)('in the middle of the log is reported as damage', async () => {
    const path = await newPath()
    const db = await openBook(path, { minSegmentBytes: 100 })
    for (const id of upTo(9)) await addNote(db, id, LONG)
    const [first, second, third] = segmentsOf(path)
    expect(third).toBe(first! + 2)
    rmSync(`${path}.log.${second}`)
    await expect(openBook(path)).rejects.toMatchObject({ code: 'database_damaged' })
    await expect(addNote(db, 10)).resolves.toBeUndefined() // it has already read this segment
    await db.close()
  })

  it('of the base is reported as damage', async () => {
    const path = await bookOf(2)
    rmSync(path)
    await expect(openBook(path)).rejects.toMatchObject({
      code: 'database_damaged',
      message: expect.stringContaining(path),
    })
  })

  it.skipIf(keepsRemovedFiles)('makes the writes of a running process fail', async () => {
    const path = await newPath()
    const db = await openBook(path)
    await addNote(db, 1)
    rmSync(`${path}.log.1`)
    await expect(addNote(db, 2)).rejects.toMatchObject({ code: 'database_damaged' })
    await db.close()
  })

  it('is reported for a truncated segment that is not the last one', async () => {
    const path = await newPath()
    const db = await openBook(path, { minSegmentBytes: 100 })
    for (const id of upTo(9)) await addNote(db, id, LONG)
    const [first] = segmentsOf(path)
    truncateSync(`${path}.log.${first}`, statSync(`${path}.log.${first}`).size - 3)
    await expect(openBook(path)).rejects.toMatchObject({
      code: 'database_damaged',
      message: expect.stringContaining('end is missing'),
    })
    await db.close().catch(() => {})
  })
})

describe('a database that shares its file', () => {
  it('with a backup made of hard links, is repaired if a part of its log is gone', async () => {
    const path = await bookOf(9, { minSegmentBytes: 100, compactsInProcess: false })
    linkSync(path, await newPath())
    const [first] = segmentsOf(path)
    rmSync(`${path}.log.${first}`)
    await expect(openBook(path)).rejects.toMatchObject({ code: 'database_damaged' })
    expect(await repairDatabase(path, migrations)).toMatchObject({
      lost: expect.arrayContaining([expect.stringContaining(`studio.db.log.${first}`)]),
    })
  })

  it('with the archive of a repair that was interrupted, is repaired if its log is gone', async () => {
    const path = await bookOf(1)
    mkdirSync(`${path}.aside-2026-11-17T12-00-00-000Z`)
    linkSync(path, `${path}.aside-2026-11-17T12-00-00-000Z/studio.db`)
    rmSync(`${path}.log.1`)
    await expect(openBook(path)).rejects.toMatchObject({ code: 'database_damaged' })
    expect(await repairDatabase(path, migrations)).not.toBeNull()
  })
})

describe('a damaged base', () => {
  it('is reported with two ways to repair it when its header is gone', async () => {
    const path = await bookOf(1)
    writeFileSync(path, readFileSync(path).fill(0, 0, 100))
    await expect(openBook(path)).rejects.toMatchObject({
      code: 'database_damaged',
      hint: expect.arrayContaining([
        suggest('storage.restore', { file: '<file>' }),
        suggest('system.doctor', { repair: true }),
      ]),
    })
  })

  it('is detected by doctor for any changed byte', async () => {
    const path = await bookOf(2)
    const bytes = readFileSync(path)
    for (let at = 0; at < bytes.length; at += 97) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 0x20
      writeFileSync(path, changed)
      const findings = await inspectDatabase(path, migrations)
      // The version of SQLite: another program that opens the file may change it, and the footer records it.
      const expected = at === 97 ? { about: 'base', level: 'warning' } : { about: 'database', level: 'problem' }
      expect(findings, `byte ${at}`).toContainEqual(expect.objectContaining(expected))
    }
    writeFileSync(path, bytes)
    expect(await reopened(path)).toEqual([1, 2])
  })

  it('is read as far as opening it needs by a quick check, which says so', async () => {
    const path = await newPath()
    const db = await openBook(path, { minSegmentBytes: 50_000 })
    for (const id of upTo(40)) await addNote(db, id, LONG)
    await db.close()
    const check = () => inspectDatabase(path, migrations, { quick: true })
    const levels = async () => new Set((await check()).map(({ level }) => level))
    expect((await check())[0]!.message).toContain('Its contents were not checked.')
    const bytes = readFileSync(path)
    const changed = Buffer.from(bytes)
    const at = bytes.lastIndexOf(LONG.slice(0, 100))
    expect(at).toBeGreaterThan(0)
    changed[at]! ^= 0x20
    writeFileSync(path, changed)
    expect(await levels()).toEqual(new Set(['ok']))
    expect(await inspectDatabase(path, migrations)).toContainEqual(expect.objectContaining({ level: 'problem' }))
    writeFileSync(path, bytes.fill(0, 0, 100))
    expect(await levels()).toContain('problem')
  })

  it('is repaired without a loss if one byte of a page has changed, also in the schema', async () => {
    const original = await bookOf(2)
    const bytes = readFileSync(original)
    const schemaAt = bytes.indexOf('CREATE TABLE "note"')
    expect(schemaAt).toBeGreaterThan(100)
    for (const at of [3, 17, 33, 101, schemaAt, schemaAt + 14, 4_095, 4_096, 6_001]) {
      const path = await newPath()
      const changed = Buffer.from(bytes)
      changed[at]! ^= 0x20
      writeFileSync(path, changed)
      copyFileSync(`${original}.log.1`, `${path}.log.1`)
      expect(await repairDatabase(path, migrations), `byte ${at}`).toMatchObject({
        corrected: [`${path}, at byte ${at}`],
        lost: [],
      })
      expect(await reopened(path)).toEqual([1, 2])
      const levels = (await inspectDatabase(path, migrations)).map(({ level }) => level)
      expect(new Set(levels), `byte ${at}`).toEqual(new Set(['ok']))
      const db = await openBook(path)
      await addNote(db, 100)
      await db.close()
    }
  })

  it('is repaired up to the values of a page in which more has changed, which are named', async () => {
    const path = await newPath()
    const db = await openBook(path, { minSegmentBytes: 50_000 })
    for (const id of upTo(40)) await addNote(db, id, LONG)
    await db.close()
    const bytes = readFileSync(path)
    const at = bytes.lastIndexOf('xxxx')
    bytes[at]! ^= 1
    bytes[at - 40]! ^= 1
    writeFileSync(path, bytes)
    expect(await repairDatabase(path, migrations)).toMatchObject({
      corrected: [],
      lost: [`${path}, at byte ${at - (at % 4_096)}: the page may have lost some values`],
    })
    expect(await reopened(path)).toEqual(upTo(40))
  })

  it('is repaired with all rows if several letters of the schema have changed', async () => {
    const bytes = Buffer.from((await exportBytes(await bookOf(2)))!)
    const at = bytes.indexOf('CREATE TABLE "note"')
    bytes.write('CRXATE TABQE', at)
    const path = await newPath()
    writeFileSync(path, bytes)
    expect(await repairDatabase(path, migrations)).toMatchObject({ corrected: [], lost: [], recreated: [] })
    expect(await reopened(path)).toEqual([1, 2])
  })

  it('is detected if the file is truncated', async () => {
    const path = await bookOf(2)
    for (const size of [0, 50, 4096, statSync(path).size - 1]) {
      const bytes = readFileSync(path)
      truncateSync(path, size)
      await expect(openBook(path), `${size} bytes`).rejects.toMatchObject({ code: 'database_damaged' })
      writeFileSync(path, bytes)
    }
  })
})
