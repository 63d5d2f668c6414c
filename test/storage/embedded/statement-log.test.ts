import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { inspectDatabase } from '../../../src/storage/embedded/inspect-database'
import { createEmptyDatabase } from '../../../src/storage/embedded/open-file'
import { repairDatabase } from '../../../src/storage/embedded/repair-database'
import { DyingDisk } from './faulty-disk'
import { addNote, migrations, newPath, notesIn, openBook, reopened, upTo } from './note-database'

interface Link {
  segment: number
  index: number
  previous: number
}

/** A record of version 1.0. */
function encodeRecord(link: Link, payload: string, { sealed = false } = {}): Buffer {
  const bytes = Buffer.alloc(40 + payload.length)
  bytes.write('\xffSL\x01', 0, 'latin1')
  bytes.writeUInt32LE(payload.length, 4)
  bytes.writeUInt32LE(link.segment, 8)
  bytes.writeUInt32LE(link.index, 12)
  bytes.writeUInt32LE(link.previous, 16)
  bytes.writeUInt32LE(sealed ? 1 : 0, 20)
  bytes.write('a writer', 24)
  bytes.write(payload, 40)
  bytes.writeUInt32LE(crc32(bytes.subarray(40)), 32)
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 36)), 36)
  return bytes
}

/** Appends the commit of a note as version 1.0 did. Returns the position after it. */
function appendNote(path: string, link: Link, id: number, { sealed = false } = {}): Link {
  const insert = 'insert into "note" ("id", "part", "text") values (?, ?, ?)'
  const payload = JSON.stringify({
    sql: [insert, 'update "tally" set "notes" = "notes" + ?'],
    run: [
      [0, [id, 1, `note ${id}`]],
      [1, [1]],
      [0, [id, 2, `note ${id}`]],
    ],
    changes: 3,
  })
  const record = encodeRecord(link, payload, { sealed })
  writeFileSync(`${path}.log.${link.segment}`, record, { flag: 'a' })
  if (sealed) return { segment: link.segment + 1, index: 0, previous: 0 }
  return { segment: link.segment, index: link.index + 1, previous: record.readUInt32LE(36) }
}

/** Creates a database of version 1.0 with six notes in two segments. Returns the position of the next commit. */
async function oldBook(path: string): Promise<Link> {
  const bytes = Buffer.from(await createEmptyDatabase(migrations))
  bytes.writeUInt32BE(1, 60)
  bytes.writeUInt32BE(0, 68)
  bytes.writeUInt32BE(crc32(bytes), 68)
  writeFileSync(path, bytes)
  let link: Link = { segment: 1, index: 0, previous: 0 }
  for (const id of upTo(6)) link = appendNote(path, link, id, { sealed: id === 3 })
  return link
}

describe('a database of version 1.0', () => {
  it('is read unchanged, and converted by the first write', async () => {
    const path = await newPath()
    await oldBook(path)
    const before = readFileSync(path)
    const db = await openBook(path)
    expect(await notesIn(db)).toEqual(upTo(6))
    expect(readFileSync(path)).toEqual(before)
    expect((await inspectDatabase(path, migrations))[0]).toMatchObject({ message: expect.stringContaining('1.0') })
    await addNote(db, 7)
    expect(await notesIn(db)).toEqual(upTo(7))
    await db.close()
    expect(existsSync(`${path}.log.1`)).toBe(false)
    expect(await reopened(path)).toEqual(upTo(7))
    expect((await inspectDatabase(path, migrations))[0]).toMatchObject({
      about: 'base',
      message: expect.stringContaining('matches its checksums'),
    })
  })

  it('is converted once by concurrent processes', async () => {
    const path = await newPath()
    await oldBook(path)
    const books = await Promise.all(upTo(3).map(() => openBook(path)))
    await Promise.all(books.map((db, i) => addNote(db, 7 + i)))
    for (const db of books) expect(await notesIn(db)).toEqual(upTo(9))
    for (const db of books) await db.close()
    expect(await reopened(path)).toEqual(upTo(9))
  })

  it('loses nothing if the process dies at any step of the conversion', async () => {
    for (let livesFor = 0; ; livesFor++) {
      const path = await newPath()
      await oldBook(path)
      const disk = new DyingDisk(livesFor)
      const db = await openBook(path, { disk })
      const outcome = await addNote(db, 7).then(
        () => 'written',
        () => 'died',
      )
      await db.close().catch(() => {})
      const there = await reopened(path)
      expect(there.slice(0, 6), `step ${livesFor}`).toEqual(upTo(6))
      if (outcome === 'written') expect(there).toEqual(upTo(7))
      const next = await openBook(path)
      await addNote(next, 8)
      await next.close()
      expect(await reopened(path)).toEqual([...there, 8])
      if (!disk.isDead) return expect(livesFor).toBeGreaterThan(8)
    }
  })

  it('keeps a commit that 1.0 makes while it is converted, or shows 1.0 that it does not count', async () => {
    const path = await newPath()
    const link = await oldBook(path)
    const db = await openBook(path)
    appendNote(path, link, 7)
    await addNote(db, 8)
    await db.close()
    expect(await reopened(path)).toEqual(upTo(8))
  })

  it('is refused by 1.0 afterwards: the log that it looks for was written by a newer version', async () => {
    const path = await newPath()
    await oldBook(path)
    const db = await openBook(path)
    await addNote(db, 7)
    await db.close()
    const base = readFileSync(path)
    const [segment, checksum] = [base.readUInt32BE(60), base.readUInt32BE(68)]
    expect(checksum).toBe(crc32(base.fill(0, 68, 72)))
    const refusal = readFileSync(`${path}.log.${segment}`)
    expect(refusal.subarray(0, 4).toString('latin1')).toBe('\xffSL\x02')
    expect(refusal.readUInt32LE(36)).toBe(crc32(refusal.subarray(0, 36)))
  })

  it('is reported if its log is damaged, and repaired up to there', async () => {
    const path = await newPath()
    await oldBook(path)
    const log = readFileSync(`${path}.log.2`)
    log[log.length - 20]! ^= 1
    writeFileSync(`${path}.log.2`, log)
    await expect(openBook(path)).rejects.toMatchObject({ code: 'database_damaged' })
    expect(await repairDatabase(path, migrations)).toMatchObject({
      commits: 5,
      lost: [expect.stringContaining('studio.db.log.2, at byte')],
    })
    expect(await reopened(path)).toEqual(upTo(5))
    expect(readdirSync(path.replace(/\/[^/]*$/, '')).some((name) => name.includes('.aside-'))).toBe(true)
  })
})
