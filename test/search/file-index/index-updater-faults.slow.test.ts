import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type IndexDisk, realIndexDisk } from '../../../src/search/file-index/frame-file'
import { IndexFolder } from '../../../src/search/file-index/index-folder'
import { IndexUpdater } from '../../../src/search/file-index/index-updater'
import { searchIndexFiles } from '../../../src/search/file-index/search-index-files'
import { parseQuery } from '../../../src/search/rules/parse-query'
import { type Database, openDatabase } from '../../../src/storage'
import { migrations } from '../../../src/studio'
import { temporaryFolder } from '../../temporary-folder'
import { AT, openDesk, saveDraft } from '../desk'
import { failingDisk } from './dying-disk'

/** Opens a database whose index is stored on this disk. */
async function keptOn(path: string, disk: IndexDisk): Promise<Database> {
  const folder = new IndexFolder(`${path}.search`, disk)
  const db = await openDatabase(path, migrations, { observer: new IndexUpdater(path, folder, { now: () => AT }) })
  onTestFinished(() => db.close())
  return db
}

/** The search results without opening the database; null if the index is known to be incomplete. */
async function totalInFiles(path: string): Promise<number | null> {
  const folder = new IndexFolder(`${path}.search`)
  const found = await searchIndexFiles({ database: path, folder }, parseQuery('dock ', null), { limit: 1 })
  folder.close()
  return typeof found === 'string' ? null : found.total
}

const SAVED = 20

describe('a process that crashes at any step of an index update', () => {
  it('loses no write, and never leaves an incorrect index that is considered current', async () => {
    const whole = failingDisk(Number.POSITIVE_INFINITY)
    const counted = await keptOn(join(temporaryFolder(), 'studio.db'), whole)
    for (let i = 0; i < SAVED; i++) await saveDraft(counted, `Dock ${i}`)
    for (let steps = 0; steps <= whole.steps(); steps += 3) {
      const path = join(temporaryFolder(), 'studio.db')
      const db = await keptOn(path, failingDisk(steps))
      for (let i = 0; i < SAVED; i++) await saveDraft(db, `Dock ${i}`)
      await db.close()
      expect([SAVED, null]).toContain(await totalInFiles(path))
      const next = await openDesk(path)
      expect((await next.find('dock ')).total).toBe(SAVED)
      expect(await totalInFiles(path)).toBe(SAVED)
      await next.close()
    }
  })
})

describe('a full disk', () => {
  it('does not make a write fail, and the index is updated when there is space again', async () => {
    const path = join(temporaryFolder(), 'studio.db')
    const full = Object.assign(new Error('no space'), { code: 'ENOSPC' })
    let isFull = false
    const fails = <Args extends unknown[], Result>(work: (...args: Args) => Result) => {
      return (...args: Args): Result => {
        if (isFull) throw full
        return work(...args)
      }
    }
    const db = await keptOn(path, {
      ...realIndexDisk,
      create: fails(realIndexDisk.create),
      append: fails(realIndexDisk.append),
    })
    await saveDraft(db, 'Dock 1')
    isFull = true
    await saveDraft(db, 'Dock 2')
    expect(await totalInFiles(path)).toBe(null)
    isFull = false
    await saveDraft(db, 'Dock 3')
    const desk = await openDesk(path)
    expect((await desk.find('dock ')).total).toBe(3)
    expect(await totalInFiles(path)).toBe(3)
  })
})
