import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Database } from '../../../src/storage'
import { compactFiles } from '../../../src/storage/embedded/base/compact-files'
import { realDisk } from '../../../src/storage/embedded/disk'
import { restoreFromCopy } from '../../../src/storage/embedded/repair/backup'
import { DyingDisk } from './faulty-disk'
import { addNote, exportBytes, migrations, notesIn, openBook, putNote } from './note-database'

const RUNS = process.env['STUDIO_FAULTS'] === 'long' ? 2_000 : 60

type Action =
  | { do: 'write'; process: number; notes: number; long: boolean }
  | { do: 'fail'; process: number }
  | { do: 'race'; notes: number }
  | { do: 'read'; process: number }
  | { do: 'reopen'; process: number }
  | { do: 'die'; process: number; after: number; part: number }
  | { do: 'overtake' }
  | { do: 'fold' }
  | { do: 'restore' }

const process_ = fc.nat({ max: 2 })
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('write'),
      process: process_,
      notes: fc.integer({ min: 1, max: 4 }),
      long: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fail'), process: process_ }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('race'), notes: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('read'), process: process_ }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reopen'), process: process_ }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('die'),
      process: process_,
      after: fc.nat({ max: 12 }),
      part: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('overtake') }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('fold') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restore') }) },
) as fc.Arbitrary<Action>

interface Process {
  database: Database
  disk: DyingDisk
}

/** Three processes on one database, with the expected content. */
class World {
  readonly #folder = mkdtempSync(join(tmpdir(), 'studio-model-'))
  readonly #path = join(this.#folder, 'studio.db')
  readonly #open: (Process | null)[] = [null, null, null]
  /** The acknowledged notes. */
  #kept = new Set<number>()
  /** Notes of a process that crashed before it acknowledged them. The next read shows whether they were stored. */
  #unknown = new Set<number>()
  #next = 1

  async act(action: Action): Promise<void> {
    switch (action.do) {
      case 'write':
        return this.#write(action.process, action.notes, action.long)
      case 'fail':
        return this.#fail(action.process)
      case 'race':
        await Promise.all([0, 1, 2].map((process) => this.#write(process, action.notes, false)))
        return
      case 'read':
        return this.#look(await this.#read(action.process))
      case 'reopen':
        return this.#end(action.process)
      case 'die':
        await this.#end(action.process)
        this.#open[action.process] = await this.#opened(new DyingDisk(action.after, action.part))
        return
      case 'overtake':
        return rmSync(`${this.#path}.lock`, { force: true })
      case 'fold':
        return compactFiles(this.#path, realDisk)
      case 'restore':
        return this.#restore()
    }
  }

  async end(): Promise<void> {
    for (const process of [0, 1, 2]) await this.#end(process)
    const database = await openBook(this.#path)
    this.#look(await notesIn(database))
    await database.close()
    rmSync(this.#folder, { recursive: true })
  }

  async #write(process: number, notes: number, long: boolean): Promise<void> {
    const database = await this.#database(process)
    const ids = Array.from({ length: notes }, () => this.#next++)
    const outcomes = await Promise.allSettled(
      ids.map((id) => addNote(database, id, long ? 'x'.repeat(700) : undefined)),
    )
    for (const [i, { status }] of outcomes.entries()) (status === 'fulfilled' ? this.#kept : this.#unknown).add(ids[i]!)
    if (outcomes.some(({ status }) => status === 'rejected')) await this.#end(process)
  }

  async #fail(process: number): Promise<void> {
    const database = await this.#database(process)
    const failing: Promise<unknown> = database.write(async (tx) => {
      await putNote(tx, this.#next++)
      throw new Error('changed its mind')
    })
    const outcome = await failing.catch((error: Error) => error.message)
    if (this.#open[process]?.disk.isDead) return this.#end(process)
    expect(outcome).toBe('changed its mind')
  }

  async #restore(): Promise<void> {
    await this.#database(0)
    const bytes = (await exportBytes(this.#path))!
    const copy = join(this.#folder, 'copy.db')
    writeFileSync(copy, bytes)
    const held = await openBook(copy)
    const ids = await notesIn(held)
    await held.close()
    await this.#write(1, 2, false)
    await restoreFromCopy(this.#path, copy, migrations)
    this.#kept = new Set(ids)
    this.#unknown.clear()
  }

  /** Resolves the uncertain notes: a note that was read must remain, and a note that was not read must never appear. */
  #look(ids: readonly number[]): void {
    const there = new Set(ids)
    expect([...this.#kept].filter((id) => !there.has(id))).toEqual([])
    expect(ids.filter((id) => !this.#kept.has(id) && !this.#unknown.has(id))).toEqual([])
    this.#kept = there
    this.#unknown.clear()
  }

  /** The notes that a process reads; null if it crashed while it read them. */
  async #read(process: number): Promise<number[]> {
    const database = await this.#database(process)
    const isDead = () => this.#open[process]?.disk.isDead
    const ids = await notesIn(database).catch((error: unknown) => {
      if (!isDead()) throw error
      return []
    })
    if (!isDead()) return ids
    await this.#end(process)
    return this.#read(process)
  }

  async #database(process: number): Promise<Database> {
    this.#open[process] ??= await this.#opened(new DyingDisk())
    return this.#open[process].database
  }

  /** Opens the database. If the process crashes meanwhile, another process opens it. */
  async #opened(disk: DyingDisk): Promise<Process> {
    const open = async (disk: DyingDisk) => ({
      disk,
      database: await openBook(this.#path, { disk, minSegmentBytes: 1_500 }),
    })
    return open(disk).catch(() => open(new DyingDisk()))
  }

  /** After this, the same number means a new process. */
  async #end(process: number): Promise<void> {
    const ending = this.#open[process]
    this.#open[process] = null
    await ending?.database.close()
  }
}

describe('processes that write, crash, take over, compact and restore in any order', () => {
  it('agree with a model of the notes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 30 }), async (actions) => {
        const world = new World()
        for (const action of actions) await world.act(action)
        await world.end()
      }),
      { numRuns: RUNS },
    )
  })
})
