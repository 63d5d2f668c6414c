import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { suggest } from '../../../src/kernel'
import { encodeRecord } from '../../../src/storage/embedded/log-record'
import { addNote, newPath, notesIn, openBook, reopened, segmentsOf, upTo } from './note-database'

const LONG = 'x'.repeat(1_000)

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

  it('is reported if replaying a commit has a different result', async () => {
    const path = await bookOf(0)
    const payload = JSON.stringify({ sql: ['update tally set notes = 5'], run: [[0, []]], changes: 2 })
    const link = { segment: 1, index: 0, previous: 0 }
    writeFileSync(`${path}.log.1`, encodeRecord(link, payload, { writer: Buffer.alloc(8), sealed: false, at: 0 }))
    await expect(openBook(path)).rejects.toMatchObject({
      code: 'database_damaged',
      message: expect.stringContaining('does not match'),
    })
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

  it('in the middle of the log is reported as damage', async () => {
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

  it('of the snapshot is reported as damage', async () => {
    const path = await bookOf(2)
    rmSync(path)
    await expect(openBook(path)).rejects.toMatchObject({
      code: 'database_damaged',
      message: expect.stringContaining(path),
    })
  })

  it('makes the writes of a running process fail', async () => {
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

describe('a damaged snapshot', () => {
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

  it('is detected for any changed byte', async () => {
    const path = await bookOf(2)
    const bytes = readFileSync(path)
    for (let at = 0; at < bytes.length; at += 97) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 0x20
      writeFileSync(path, changed)
      await expect(openBook(path), `byte ${at}`).rejects.toMatchObject({ code: 'database_damaged' })
    }
    writeFileSync(path, bytes)
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
