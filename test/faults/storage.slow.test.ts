import { chmodSync, chownSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { suggest } from '../../src/kernel'
import { addNote, newPath, notesIn, openBook, reopened, segmentsOf, upTo } from '../storage/embedded/note-database'
import { isLong, momentsUpTo } from './moments'
import { buildWriter, startWriter, type Writer } from './storage-processes'
import type { Order } from './storage-writer'

const SMALL: Omit<Order, 'path' | 'from' | 'to'> = { together: 1, minSegmentBytes: 3_000 }

beforeAll(buildWriter)

/** Asserts that all acknowledged notes are stored, and no failed or unknown ones. */
function expectKept(there: readonly number[], writers: readonly Writer[]): void {
  const all = new Set(there)
  for (const { kept, failed } of writers) {
    expect([...kept].filter((id) => !all.has(id))).toEqual([])
    expect([...failed.keys()].filter((id) => all.has(id))).toEqual([])
  }
  const begun = new Set(writers.flatMap((writer) => [...writer.begun]))
  expect(there.filter((id) => !begun.has(id))).toEqual([])
}

describe('a process that is killed while it writes', () => {
  it('at any moment, loses no acknowledged write and leaves no partial write', async () => {
    const path = await newPath()
    const writers: Writer[] = []
    const kills = isLong ? 1_000 : 25
    for (const [kill, turns] of momentsUpTo(400, kills).entries()) {
      // More than it can write until it is killed.
      const from = kill * 100_000 + 1
      const writer = startWriter({ path, ...SMALL, from, to: from + 99_999, together: 1 + (kill % 4) })
      writers.push(writer)
      await writer.said(new RegExp(`^kept ${from + (kill % 7)}$`))
      for (let i = 0; i < turns; i++) await new Promise(setImmediate)
      writer.process.kill('SIGKILL')
      expect((await writer.ended).signal).toBe('SIGKILL')
      if (kill % 10 === 9) expectKept(await reopened(path), writers)
    }
    expectKept(await reopened(path), writers)
  })

  it('at each disk operation, from creating the database to compaction', async () => {
    const order = { ...SMALL, from: 1, to: 12, length: 400 }
    for (let killAtStep = 1; ; killAtStep += isLong ? 1 : 3) {
      const path = await newPath()
      const writer = startWriter({ path, ...order, killAtStep, lastPart: (killAtStep % 10) / 10 })
      const { code } = await writer.ended
      expectKept(await reopened(path), [writer])
      const next = startWriter({ path, ...order, from: 101, to: 102 })
      expect(await next.ended).toMatchObject({ code: 0, errors: '' })
      expectKept(await reopened(path), [writer, next])
      if (code === 0) return expect(killAtStep).toBeGreaterThan(30)
    }
  })

  it('does not block other processes', async () => {
    const path = await newPath()
    const killed = startWriter({ path, ...SMALL, from: 1, to: 100_000 })
    await killed.said('kept 20')
    killed.process.kill('SIGKILL')
    await killed.ended
    const db = await openBook(path)
    await addNote(db, 200_000)
    await db.close()
  })
})

// Windows has no signal that stops a process.
describe.skipIf(process.platform === 'win32')('a process that is stopped while it writes', () => {
  it('is overtaken, and does no damage when it continues', async () => {
    const path = await newPath()
    for (let round = 0; round < (isLong ? 50 : 4); round++) {
      const from = round * 100_000 + 1
      const stopped = startWriter({ path, ...SMALL, from, to: from + 99_999, together: 3 })
      await stopped.said(new RegExp(`^kept ${from + 10 + round}$`))
      stopped.process.kill('SIGSTOP')
      const other = startWriter({ path, ...SMALL, from: from + 50_000, to: from + 50_040 })
      expect(await other.ended).toMatchObject({ code: 0 })
      stopped.process.kill('SIGCONT')
      await stopped.said(new RegExp(`^kept ${from + 60 + round}$`))
      stopped.process.kill('SIGKILL')
      await stopped.ended
      const there = (await reopened(path)).filter((id) => id >= from)
      expectKept(there, [stopped, other])
    }
  })
})

describe('many processes', () => {
  it('write concurrently, and each sees the commits of the others', async () => {
    const path = await newPath()
    const count = isLong ? 60 : 15
    // Wine, unlike Windows, lets programs open a file that is being removed. So the lock never goes while many processes wait for it.
    const processes = process.platform === 'win32' ? 6 : 16
    const writers = upTo(processes).map((number) =>
      startWriter({ path, minSegmentBytes: 20_000, together: 2, from: number * 1_000, to: number * 1_000 + count - 1 }),
    )
    for (const { ended } of writers) expect(await ended).toMatchObject({ code: 0, errors: '' })
    for (const { failed } of writers) expect([...failed]).toEqual([])
    const there = await reopened(path)
    expect(there).toHaveLength(processes * count)
    expectKept(there, writers)
  })

  it('can be read while they write, and each commit is visible completely or not at all', async () => {
    const path = await newPath()
    const reader = await openBook(path)
    const writers = upTo(3).map((number) =>
      startWriter({ path, minSegmentBytes: 5_000, together: 4, from: number * 1_000, to: number * 1_000 + 150 }),
    )
    const running = Promise.all(writers.map(({ ended }) => ended))
    let isOver = false
    running.then(() => {
      isOver = true
    })
    let looks = 0
    for (let seen: number[] = []; !isOver; looks++) {
      const there = await notesIn(reader)
      expect(there).toEqual(expect.arrayContaining(seen))
      seen = there
      await new Promise(setImmediate)
    }
    expect(looks).toBeGreaterThan(5)
    expect(await notesIn(reader)).toHaveLength(3 * 151)
    await reader.close()
  })
})

describe('a log with a changed byte', () => {
  it('is never read without an error', async () => {
    const path = await newPath()
    const db = await openBook(path)
    for (const id of upTo(3)) await addNote(db, id)
    await db.close()
    const log = readFileSync(`${path}.log.1`)
    for (let at = 0; at < log.length; at += isLong ? 1 : 11) {
      for (const flip of [0x01, 0x20, 0x80, 0xff]) {
        const changed = Buffer.from(log)
        changed[at]! ^= flip
        writeFileSync(`${path}.log.1`, changed)
        await expect(openBook(path), `byte ${at} by ${flip}`).rejects.toMatchObject({
          code: 'database_damaged',
          hint: expect.arrayContaining([suggest('system.doctor', { repair: true })]),
        })
        expect(readFileSync(`${path}.log.1`)).toEqual(changed)
      }
    }
    writeFileSync(`${path}.log.1`, log)
    expect(await reopened(path)).toEqual([1, 2, 3])
  })
})

// Windows has no such limit.
describe.skipIf(process.platform === 'win32')('a process that reaches its file size limit', () => {
  it('rejects writes that it cannot store, and loses nothing else', async () => {
    const path = await newPath()
    await (await openBook(path)).close()
    const kib = Math.ceil(statSync(path).size / 1024)
    // SIGXFSZ is ignored by Node: a write beyond the limit fails with EFBIG, after what still fits.
    const order = { path, ...SMALL, minSegmentBytes: 1e9, from: 1, to: 300, length: 300, together: 3 }
    const writer = startWriter(order, { shell: `ulimit -f ${kib + 5}; exec "$@"` })
    expect(await writer.ended).toMatchObject({ code: 0, errors: '' })
    expect(writer.kept.size).toBeGreaterThan(5)
    expect(writer.failed.size).toBeGreaterThan(5)
    expect(new Set(writer.failed.values())).toEqual(new Set(['disk_full']))
    expectKept(await reopened(path), [writer])
    const next = startWriter({ ...order, from: 1_001, to: 1_010 })
    await next.ended
    expectKept(await reopened(path), [writer, next])
    expect(next.kept.size).toBe(10)
  })
})

// Windows has access lists instead of these modes.
describe.skipIf(process.platform === 'win32')('a read-only folder', () => {
  it('can be read, and writing fails with an explanation', async () => {
    const path = await newPath()
    const db = await openBook(path, { minSegmentBytes: 1_000 })
    for (const id of upTo(5)) await addNote(db, id)
    await db.close()
    const segments = segmentsOf(path)
    const files = [dirname(path), ...readdirSync(dirname(path)).map((name) => `${dirname(path)}/${name}`)]
    const nobody = process.getuid!() === 0 ? 65_534 : undefined
    for (const file of files) {
      if (nobody) chownSync(file, nobody, nobody)
      chmodSync(file, statSync(file).isDirectory() ? 0o500 : 0o400)
    }
    const writer = startWriter({ path, ...SMALL, from: 11, to: 12, ...(nobody ? { uid: nobody } : {}) })
    expect(await writer.ended).toMatchObject({ code: 0, errors: '' })
    await writer.said('open')
    expect([...writer.failed.values()]).toEqual(['read_only', 'read_only'])
    chmodSync(dirname(path), 0o700)
    expect(segmentsOf(path)).toEqual(segments)
    expect(await reopened(path)).toEqual(upTo(5))
  })
})
