import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { deleteDraft, insertDraft, listDraftIds } from '../../../src/drafts/queries'
import { realIndexDisk } from '../../../src/search/file-index/frame-file'
import { IndexFolder } from '../../../src/search/file-index/index-folder'
import { IndexUpdater } from '../../../src/search/file-index/index-updater'
import { searchIndexFiles } from '../../../src/search/file-index/search-index-files'
import { parseQuery } from '../../../src/search/rules/parse-query'
import { type Database, openDatabase } from '../../../src/storage'
import { migrations } from '../../../src/studio'
import { temporaryFolder } from '../../temporary-folder'
import { AT, draftNamed, openDesk } from '../desk'

const countSegments = (path: string) => new IndexFolder(`${path}.search`).read().manifest!.segments.length

/** Saves four lots, each as large as what a writer merges at most, so that none of them waits for a merge. Returns their IDs. */
async function saveLots(db: Database): Promise<number[]> {
  const saved: number[] = []
  for (let lot = 0; lot < 4; lot++)
    await db.write(async (tx) => {
      for (let i = 0; i < 1_030; i++) saved.push((await insertDraft(tx, draftNamed(`Dock ${lot}-${i}`))).id)
    })
  return saved
}

describe('an index of a service', () => {
  it('is merged beside its writes, and what is deleted meanwhile is not found again', async () => {
    const path = join(temporaryFolder(), 'studio.db')
    const folder = new IndexFolder(`${path}.search`)
    const updater = new IndexUpdater(path, folder, { now: () => AT, mergesLater: true })
    const db = await openDatabase(path, migrations, { observer: updater })
    const saved = await saveLots(db)
    const before = countSegments(path)
    // Too few for a segment to become empty and be dropped.
    for (const id of saved.slice(0, 20)) {
      await db.write((tx) => deleteDraft(tx, id))
      await setImmediate()
    }
    while (countSegments(path) >= before) await setImmediate()
    const found = await searchIndexFiles({ database: path, folder }, parseQuery('dock ', null), { limit: 1 })
    await db.close()
    const desk = await openDesk(path)
    const left = await desk.db.read((tx) => listDraftIds(tx, 1))
    expect(found).toMatchObject({ total: left.length })
    expect((await desk.find('dock ')).total).toBe(left.length)
    expect(desk.notices).toEqual([])
  })

  it('leaves no file of a merge that has failed, and does not try again with each write', async () => {
    const path = join(temporaryFolder(), 'studio.db')
    const merged = new Set<number>()
    let created = 0
    let failed = 0
    const folder = new IndexFolder(`${path}.search`, {
      ...realIndexDisk,
      create(file) {
        const fd = realIndexDisk.create(file)
        if (file.endsWith('.segment')) created += 1
        // The writes create a segment for each lot, and none when they delete.
        if (file.endsWith('.segment') && created > 4) merged.add(fd)
        else merged.delete(fd)
        return fd
      },
      append(fd, bytes) {
        if (!merged.has(fd)) return realIndexDisk.append(fd, bytes)
        failed += 1
        throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
      },
    })
    const updater = new IndexUpdater(path, folder, { now: () => AT, mergesLater: true })
    const db = await openDatabase(path, migrations, { observer: updater })
    const saved = await saveLots(db)
    while (failed === 0) await setImmediate()
    for (const id of saved.slice(0, 20)) {
      await db.write((tx) => deleteDraft(tx, id))
      await setImmediate()
    }
    await db.close()
    expect(failed).toBe(1)
    const files = readdirSync(`${path}.search`).filter((file) => file.endsWith('.segment'))
    expect(files).toHaveLength(countSegments(path))
  })
})
