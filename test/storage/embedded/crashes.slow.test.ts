import { rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { compactFiles } from '../../../src/storage/embedded/base/compact-files'
import { DyingDisk } from './faulty-disk'
import { addNote, newPath, openBook, reopened, upTo } from './note-database'
import { PowerCutDisk } from './power-cut-disk'

/** Two of them fill a segment. */
const LONG = 'x'.repeat(1_000)

/** Creates a database, writes to it over several segments, and compacts it at the end. Resolves with the acknowledged notes. */
async function life(path: string, disk: DyingDisk | PowerCutDisk, first = 1): Promise<number[]> {
  const kept: number[] = []
  try {
    const db = await openBook(path, { disk, minSegmentBytes: 900 })
    const add = (id: number) => addNote(db, id, LONG).then(() => kept.push(id))
    try {
      for (const id of upTo(4)) await add(first - 1 + id)
      await Promise.all([5, 6, 7].map((id) => add(first - 1 + id)))
    } finally {
      await db.close()
    }
  } catch {
    // The process died.
  }
  rmSync(`${path}.lock`, { force: true }) // its holder is this process, which is still running
  return kept
}

async function stepsOfLife(): Promise<number> {
  const disk = new DyingDisk()
  expect(await life(await newPath(), disk)).toEqual(upTo(7))
  return disk.steps.length
}

describe('a process that crashes', () => {
  it.each([0, 0.4, 0.99])('at any step (%d of an append) loses no acknowledged write', async (lastPart) => {
    const steps = await stepsOfLife()
    expect(steps).toBeGreaterThan(30)
    for (let livesFor = 0; livesFor < steps; livesFor++) {
      const path = await newPath()
      const kept = await life(path, new DyingDisk(livesFor, lastPart))
      const there = await reopened(path)
      expect(there, `step ${livesFor}`).toEqual(expect.arrayContaining(kept))
      const db = await openBook(path, { minSegmentBytes: 900 })
      await addNote(db, 100)
      await db.close()
      expect(await reopened(path)).toEqual([...there, 100])
    }
  })

  it('while it compacts segments of other processes loses nothing', async () => {
    for (let livesFor = 0; ; livesFor++) {
      const path = await newPath()
      const db = await openBook(path, { minSegmentBytes: 900 })
      for (const id of upTo(7)) await addNote(db, id, LONG)
      const disk = new DyingDisk(livesFor)
      const outcome = await compactFiles(path, disk).then(
        () => 'folded',
        () => 'died',
      )
      await addNote(db, 8)
      expect(await reopened(path)).toEqual(upTo(8))
      await db.close()
      if (outcome === 'folded') return expect(livesFor).toBeGreaterThan(5)
    }
  })
})

describe('a power failure', () => {
  it('at any step preserves acknowledged writes', async () => {
    const steps = await stepsOfLife()
    for (let seed = 1; seed <= 6; seed++) {
      for (let livesFor = 0; livesFor <= steps; livesFor++) {
        const path = await newPath()
        const disk = new PowerCutDisk(path, { livesFor, seed: seed * 1_000 + livesFor })
        const kept = await life(path, disk)
        disk.loseWhatWasOnItsWay()
        const there = await reopened(path)
        expect(there, `seed ${seed}, step ${livesFor}`).toEqual(expect.arrayContaining(kept))
      }
    }
  })

  it('preserves the acknowledged writes of a process that continued after a crashed one', async () => {
    const steps = await stepsOfLife()
    for (let livesFor = 0; livesFor <= steps; livesFor++) {
      const path = await newPath()
      const disk = new PowerCutDisk(path, { livesFor, seed: livesFor })
      const kept = await life(path, disk)
      disk.goOn()
      kept.push(...(await life(path, disk, 11)))
      disk.loseWhatWasOnItsWay()
      expect(await reopened(path), `step ${livesFor}`).toEqual(expect.arrayContaining(kept))
    }
  })
})
