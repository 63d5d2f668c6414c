import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { deleteDraft, insertDraft, listDraftIds } from '../../../src/drafts/queries'
import { IndexFolder } from '../../../src/search/file-index/index-folder'
import { IndexUpdater } from '../../../src/search/file-index/index-updater'
import { searchIndexFiles } from '../../../src/search/file-index/search-index-files'
import { parseQuery } from '../../../src/search/rules/parse-query'
import { openDatabase } from '../../../src/storage'
import { migrations } from '../../../src/studio'
import { temporaryFolder } from '../../temporary-folder'
import { AT, draftNamed, openDesk } from '../desk'

const countSegments = (path: string) => new IndexFolder(`${path}.search`).read().manifest!.segments.length

describe('an index of a service', () => {
  it('is merged beside its writes, and what is deleted meanwhile is not found again', async () => {
    const path = join(temporaryFolder(), 'studio.db')
    const folder = new IndexFolder(`${path}.search`)
    const updater = new IndexUpdater(path, folder, { now: () => AT, mergesLater: true })
    const db = await openDatabase(path, migrations, { observer: updater })
    const saved: number[] = []
    // Each lot is as large as what a writer merges at most, so none of them waits for a merge of four.
    for (let lot = 0; lot < 4; lot++)
      await db.write(async (tx) => {
        for (let i = 0; i < 1_030; i++) saved.push((await insertDraft(tx, draftNamed(`Dock ${lot}-${i}`))).id)
      })
    const before = countSegments(path)
    for (let i = 0; countSegments(path) >= before; i++) {
      await db.write((tx) => deleteDraft(tx, saved[i]!))
      await setImmediate()
    }
    const found = await searchIndexFiles({ database: path, folder }, parseQuery('dock ', null), { limit: 1 })
    await db.close()
    const desk = await openDesk(path)
    const left = await desk.db.read((tx) => listDraftIds(tx, 1))
    expect(found).toMatchObject({ total: left.length })
    expect((await desk.find('dock ')).total).toBe(left.length)
    expect(desk.notices).toEqual([])
  })
})
