import { rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type CommitObserver, type ObservedCommit, tables } from '../../../src/storage'
import { realDisk } from '../../../src/storage/embedded/disk'
import {
  type BackingStore,
  CompactionScheduler,
  createMemoryStore,
} from '../../../src/storage/embedded/engine/backing-store'
import { DatabaseFiles } from '../../../src/storage/embedded/engine/database-files'
import { EmbeddedDatabase } from '../../../src/storage/embedded/engine/embedded-database'
import { FileWriteLock } from '../../../src/storage/embedded/engine/write-lock'
import { detectChanges } from '../../../src/storage/embedded/log/detect-changes'
import type { LogPosition } from '../../../src/storage/services/commit-observer'
import { addNote, migrations, newPath, notesIn, openBook, putNote, reopened, upTo } from './note-database'

class Noting implements CommitObserver {
  readonly tables = ['note']
  readonly commits: ObservedCommit[] = []
  readonly moves: { from: LogPosition | null; to: LogPosition | null }[] = []
  async committed(commit: ObservedCommit) {
    this.commits.push(commit)
  }
  async settle() {}
  async close() {}
  async relocating(position: () => LogPosition | null, move: () => Promise<void>) {
    const from = position()
    await move()
    this.moves.push({ from, to: position() })
  }
  keys() {
    return this.commits.map(({ changed }) => changed.get('note')!.size)
  }
}

describe('a commit observer', () => {
  it('receives the rows of each commit of its process, and no others', async () => {
    const path = await newPath()
    const watch = new Noting()
    const [db, other] = [await openBook(path, { observer: watch }), await openBook(path)]
    await addNote(db, 1)
    for (const id of upTo(20).slice(1)) await addNote(other, id)
    await addNote(db, 21)
    expect(watch.keys().slice(-2)).toEqual([2, 2])
    await Promise.all([db.close(), other.close()])
  })

  it('receives the rows of a retried transaction, but not those that were rolled back', async () => {
    const path = await newPath()
    const watch = new Noting()
    const [db, other] = [await openBook(path, { observer: watch }), await openBook(path)]
    await addNote(db, 1)
    let runs = 0
    await db.write(async (tx) => {
      if (++runs === 1) {
        await putNote(tx, 2)
        await putNote(tx, 3)
        rmSync(`${path}.lock`, { force: true })
        await addNote(other, 4)
      } else await putNote(tx, 2)
    })
    expect(runs).toBe(2)
    expect(watch.keys().slice(-2)).toEqual([2, 2])
    const [before, last] = watch.commits.slice(-2)
    expect(last!.before).not.toEqual(before!.after) // the commit of the other process is between them
    await Promise.all([db.close(), other.close()])
    expect(await reopened(path)).toEqual([1, 2, 4])
  })

  it('does not make a commit fail when it fails or when the files cannot be read', async () => {
    const backing = await createMemoryStore()
    const unreadable: BackingStore = Object.assign(Object.create(backing) as BackingStore, {
      position: () => {
        throw Object.assign(new Error('too many open files'), { code: 'EMFILE' })
      },
    })
    const told: (LogPosition | null)[] = []
    const db = new EmbeddedDatabase(unreadable, {
      tables: ['note'],
      committed: async ({ before, after }) => {
        told.push(before, after)
        throw new Error('the watch fails')
      },
      settle: async () => {},
      relocating: (_, move) => move(),
      close: async () => {},
    })
    await db.write((tx) => migrations[0]!.up(tables<any>(tx), 'sqlite'))
    await addNote(db, 1)
    expect(await notesIn(db)).toEqual([1])
    expect(told).toEqual([null, null, null, null])
    await db.close()
  })
})

describe('a compaction observer', () => {
  const word = 'note'

  // Windows does not replace a file that another process has open.
  it.skipIf(process.platform === 'win32')(
    'receives the new position of the rows that it had seen, even if other processes have written meanwhile',
    async () => {
      const path = await newPath()
      const writer = await openBook(path, { minSegmentBytes: 1_000 })
      for (const id of upTo(8)) await addNote(writer, id, 'x'.repeat(400))
      const replica = new DatabaseFiles(path, {
        disk: realDisk,
        cacheBytes: 1_000_000,
        knownSteps: migrations.length,
        minSegmentBytes: 1_000,
      })
      await replica.load()
      const lock = new FileWriteLock(`${path}.lock`)
      const { from, to } = await new Promise<{ from: LogPosition; to: LogPosition }>((resolve, reject) => {
        const moving = async (position: () => LogPosition | null, move: () => Promise<void>) => {
          const from = position()!
          await move()
          await addNote(writer, 9)
          await replica.catchUp({ toWrite: false }) // it has the ninth commit in memory before the call
          resolve({ from, to: position()! })
        }
        const watch: CommitObserver = {
          tables: [],
          committed: async () => {},
          settle: async () => {},
          relocating: (...move) => moving(...move).catch(reject),
          close: async () => {},
        }
        new CompactionScheduler(replica, {
          disk: realDisk,
          writeLock: lock,
          compactsInProcess: false,
          observer: watch,
        }).noteCommit(false)
      })
      expect(to.snapshot).not.toBe(from.snapshot)
      expect(detectChanges(path, from, { word })).toBe('unknown')
      expect(detectChanges(path, to, { word })).toBe('something')
      replica.unload()
      lock.releaseNow()
      await writer.close()
    },
  )

  it('receives the final position when its process closes the database', async () => {
    const path = await newPath()
    const watch = new Noting()
    const [db, other] = [
      await openBook(path, { observer: watch, minSegmentBytes: 1_000 }),
      await openBook(path, { minSegmentBytes: 1_000_000 }),
    ]
    for (const id of upTo(8)) await addNote(db, id, 'x'.repeat(400))
    await addNote(other, 9)
    await db.close()
    const [{ from, to }] = watch.moves as [{ from: LogPosition; to: LogPosition }]
    expect(watch.moves).toHaveLength(1)
    expect(from).not.toEqual(watch.commits.at(-1)!.after) // it had applied the commit of the other process before the call
    expect(detectChanges(path, to, { word })).toBe('nothing')
    await other.close()
  })
})
