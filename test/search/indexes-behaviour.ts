import { describe, expect, it } from 'vitest'
import { deleteDraft } from '../../src/drafts/queries'
import { parseQuery } from '../../src/search/rules/parse-query'
import type { IndexStats } from '../../src/search/services/search-index'
import { type Desk, saveDraft } from './desk'

/** The behavior of the workspace index, for every implementation. */
export function describeIndexes(
  { where, kept }: { where: string; kept: IndexStats['kept'] },
  open: () => Promise<Desk>,
): void {
  describe(`the index of a workspace, ${where},`, () => {
    it('contains the plain text of drafts and folders', async () => {
      const desk = await open()
      const draft = await saveDraft(
        desk.db,
        'Dock door',
        'The **northern** [gate](https://example.com/path)\n\n- one\n- two',
      )
      const index = await desk.search.current(desk.context())
      expect(await index.search(parseQuery('northern gate ', null), { limit: 20 })).toMatchObject({
        total: 1,
        hits: [{ type: 'draft', id: draft.id, folderId: 1, snippet: expect.stringMatching(/northern gate/) }],
      })
      expect(await index.search(parseQuery('drafts', null), { limit: 20 })).toMatchObject({
        total: 1,
        hits: [{ type: 'folder', id: 1, title: 'Drafts', updatedAt: null }],
      })
    })

    it('shows a change at the next search, also if its date is unchanged', async () => {
      const desk = await open()
      await saveDraft(desk.db, 'Dock door')
      expect((await desk.find('conveyor')).total).toBe(0)
      await saveDraft(desk.db, 'Conveyor')
      expect((await desk.find('conveyor')).total).toBe(1)
      expect((await desk.find('dock')).total).toBe(1)
      expect(desk.notices).toEqual([])
    })

    it('finds all drafts, and each once, after many changes with searches between them', async () => {
      const desk = await open()
      const saved: number[] = []
      for (let i = 0; i < 20; i++) {
        saved.push((await saveDraft(desk.db, `Dock door ${i}`)).id)
        const [found, other] = await Promise.all([desk.find('dock door'), desk.find('door ')])
        expect(found.ids.sort((a, b) => a - b)).toEqual(saved)
        expect(other.total).toBe(saved.length)
      }
      for (const id of saved.slice(0, 5)) await desk.db.write((tx) => deleteDraft(tx, id))
      expect((await desk.find('dock')).ids.sort((a, b) => a - b)).toEqual(saved.slice(5))
    })

    it('is built once for concurrent searches', async () => {
      const desk = await open()
      for (let i = 0; i < 60; i++) await saveDraft(desk.db, `Dock door ${i}`)
      const found = await Promise.all([desk.find('dock'), desk.find('door '), desk.find('dock')])
      expect(found.map(({ total }) => total)).toEqual([60, 60, 60])
    })

    it('reports its content', async () => {
      const desk = await open()
      await saveDraft(desk.db, 'Dock door')
      await saveDraft(desk.db, 'Conveyor')
      const stats = await desk.search.stats(desk.context())
      expect(stats).toEqual({
        entities: { devops: 0, draft: 2, folder: 1 },
        lastIndexedAt: '2026-01-01T00:00:00.000Z',
        terms: 4,
        bytes: kept === 'memory' ? 0 : expect.any(Number),
        kept,
      })
      expect(await desk.search.rebuild(desk.context())).toMatchObject({ entities: stats.entities, terms: 4 })
      expect((await desk.find('dock')).total).toBe(1)
    })
  })
}
