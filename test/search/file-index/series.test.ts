import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changeDraft, deleteDraft, findVersionedDraft } from '../../../src/drafts/queries'
import { extractContent } from '../../../src/drafts/rules/draft-content'
import { IndexFolder } from '../../../src/search/file-index/index-folder'
import { parseQuery } from '../../../src/search/rules/parse-query'
import type { WriteOptions } from '../../../src/storage/services/database'
import { temporaryFolder } from '../../temporary-folder'
import { AT, type Desk, findInFiles, openDesk, saveDraft } from '../desk'

const SERIES = { continues: true }

const newPlace = () => join(temporaryFolder(), 'studio.db')

const countSegments = (path: string) => new IndexFolder(`${path}.search`).read().manifest!.segments.length

const rename = ({ db }: Desk, id: number, title: string, options: WriteOptions = {}) =>
  db.write(async (tx) => {
    const draft = (await findVersionedDraft(tx, id))!
    const content = { ...extractContent(draft.draft), title }
    await changeDraft(tx, draft, { content, at: AT, restored: null })
  }, options)

const remove = ({ db }: Desk, id: number, options: WriteOptions = {}) => db.write((tx) => deleteDraft(tx, id), options)

describe('a series of writes', () => {
  it('is found when it has settled, in one segment, each entity once and as it was last', async () => {
    const path = newPlace()
    const desk = await openDesk(path)
    await saveDraft(desk.db, 'Yard gate')
    const before = countSegments(path)
    const ids: number[] = []
    for (let i = 0; i < 30; i++) ids.push((await saveDraft(desk.db, `Dock ${i}`, null, SERIES)).id)
    await rename(desk, ids[0]!, 'Dock of the yard', SERIES)
    await remove(desk, ids[1]!, SERIES)
    expect(await findInFiles(path, 'dock')).toBe('lagging')
    await desk.db.settle!()
    const found = await findInFiles(path, 'dock')
    expect(found).toHaveLength(29)
    expect(found).toContain('Dock of the yard')
    expect(found).not.toContain('Dock 0')
    expect(found).not.toContain('Dock 1')
    expect(countSegments(path)).toBe(before + 1)
  })

  it('ends with a write that does not continue it', async () => {
    const path = newPlace()
    const desk = await openDesk(path)
    await saveDraft(desk.db, 'Dock 1')
    await saveDraft(desk.db, 'Dock 2', null, SERIES)
    await saveDraft(desk.db, 'Dock 3')
    expect(await findInFiles(path, 'dock')).toEqual(['Dock 1', 'Dock 2', 'Dock 3'])
  })

  it('is found after the database is closed, although it was not settled', async () => {
    const path = newPlace()
    const desk = await openDesk(path)
    await saveDraft(desk.db, 'Dock 1')
    await saveDraft(desk.db, 'Dock 2', null, SERIES)
    await desk.close()
    expect(await findInFiles(path, 'dock')).toEqual(['Dock 1', 'Dock 2'])
  })

  it('lets others search the index as it was, who say how old it is', async () => {
    const path = newPlace()
    const [desk, other] = [await openDesk(path), await openDesk(path)]
    await saveDraft(desk.db, 'Dock 1')
    await saveDraft(desk.db, 'Dock 2', null, SERIES)
    const index = await other.search.current(other.context())
    expect(index.indexedAt).toBe(AT)
    expect((await index.search(parseQuery('dock', null), { limit: 10 })).total).toBe(1)
    await desk.db.settle!()
    expect((await other.find('dock')).total).toBe(2)
    expect([...desk.notices, ...other.notices]).toEqual([])
  })

  it('never leaves an index that is incorrect and considered current, whatever others do meanwhile', async () => {
    const step = fc.record({
      by: fc.constantFrom(0, 1),
      kind: fc.constantFrom('save', 'save', 'save', 'rename', 'remove', 'settle', 'search', 'reopen'),
      continues: fc.boolean(),
      at: fc.nat(20),
      bytes: fc.constantFrom(0, 0, 60_000),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 24 }), async (steps) => {
        const path = newPlace()
        const desks = [await openDesk(path), await openDesk(path)]
        const titles = new Map<number, string>()
        for (const [i, { by, kind, continues, at, bytes }] of steps.entries()) {
          const desk = desks[by]!
          const id = [...titles.keys()][at % Math.max(1, titles.size)]
          if (kind === 'save') {
            const title = `Dock ${i}`
            titles.set((await saveDraft(desk.db, title, 'x '.repeat(bytes / 2), { continues })).id, title)
          } else if (kind === 'settle') await desk.db.settle!()
          else if (kind === 'search') await desk.find('dock')
          else if (kind === 'reopen') {
            await desk.close()
            desks[by] = await openDesk(path)
          } else if (id !== undefined && kind === 'rename') {
            titles.set(id, `Dock of ${i}`)
            await rename(desk, id, `Dock of ${i}`, { continues })
          } else if (id !== undefined) {
            titles.delete(id)
            await remove(desk, id, { continues })
          }
          const found = await findInFiles(path, 'dock')
          if (typeof found !== 'string') expect(found).toEqual([...titles.values()].sort())
        }
        for (const desk of desks) await desk.close()
        const last = await openDesk(path)
        expect((await last.find('dock')).ids.sort()).toEqual([...titles.keys()].sort())
        expect(await findInFiles(path, 'dock')).toEqual([...titles.values()].sort())
        await last.close()
      }),
      { numRuns: 25 },
    )
  })
})

describe('an index that grows in lots', () => {
  it('has few segments', async () => {
    const path = newPlace()
    const desk = await openDesk(path)
    for (let lot = 0; lot < 40; lot++) {
      for (let i = 0; i < 5; i++) await saveDraft(desk.db, `Dock ${lot}-${i}`, null, SERIES)
      await desk.db.settle!()
    }
    expect((await desk.find('dock')).total).toBe(200)
    expect(countSegments(path)).toBeLessThan(10)
  })
})
