import { beforeEach, describe, expect, it } from 'vitest'
import { type Context, type Progress, silentLog } from '../../src/kernel'
import { createSearchIndexes, type SearchIndexes } from '../../src/search'
import { parseQuery } from '../../src/search/rules/parse-query'
import { type Database, openMemoryDatabase, type StorageContext } from '../../src/storage'
import { workspaceMigration } from '../../src/workspace'
import { insertDraft } from '../../src/workspace/queries'

const AT = '2026-01-01T00:00:00.000Z'

function saveDraft(db: Database, title: string, description: string | null = null) {
  return db.write((tx) =>
    insertDraft(tx, {
      title,
      description,
      acceptanceCriteria: null,
      storyPoints: null,
      assignedTo: null,
      areaPath: null,
      iterationPath: null,
      tags: null,
      folderId: 1,
      sourceItemId: null,
      sourceRev: null,
      createdAt: AT,
      updatedAt: AT,
    }),
  )
}

describe('the index of a workspace', () => {
  let db: Database
  let search: SearchIndexes
  let steps: Progress[]

  function context(): Context & StorageContext {
    return {
      clock: { now: () => 0 },
      ids: { uuid: () => 'id', secret: () => 'secret' },
      actor: { kind: 'local' },
      log: silentLog,
      signal: new AbortController().signal,
      progress: (step) => steps.push(step),
      db,
    }
  }

  const find = async (q: string) => (await search.current(context())).search(parseQuery(q, null), { limit: 20 })

  beforeEach(async () => {
    db = await openMemoryDatabase([workspaceMigration])
    search = createSearchIndexes()
    steps = []
  })

  it('holds drafts and folders, by the plain text of what they say', async () => {
    const draft = await saveDraft(db, 'Dock door', 'The **northern** [gate](https://example.com/path)\n\n- one\n- two')
    expect(await find('northern gate ')).toMatchObject({
      total: 1,
      hits: [{ type: 'draft', id: draft.id, folderId: 1, snippet: expect.stringMatching(/northern gate/) }],
    })
    expect(await find('drafts')).toMatchObject({
      total: 1,
      hits: [{ type: 'folder', id: 1, title: 'Drafts', updatedAt: null }],
    })
  })

  it('is kept as long as the workspace stays as it is', async () => {
    await saveDraft(db, 'Dock door')
    const first = await search.current(context())
    const built = steps.length
    expect(await search.current(context())).toBe(first)
    expect(steps).toHaveLength(built)
  })

  it('shows a change at the next search, also one that keeps the date', async () => {
    await saveDraft(db, 'Dock door')
    expect((await find('conveyor')).total).toBe(0)
    await saveDraft(db, 'Conveyor')
    expect((await find('conveyor')).total).toBe(1)
    expect((await find('dock')).total).toBe(1)
  })

  it('is built once for searches that come together', async () => {
    await saveDraft(db, 'Dock door')
    const [one, other] = await Promise.all([search.current(context()), search.current(context())])
    expect(one).toBe(other)
  })

  it('is another for another database', async () => {
    await saveDraft(db, 'Dock door')
    expect((await find('dock')).total).toBe(1)
    db = await openMemoryDatabase([workspaceMigration])
    expect((await find('dock')).total).toBe(0)
  })

  it('says how far it is', async () => {
    await saveDraft(db, 'Dock door')
    await find('dock')
    expect(steps[0]).toEqual({ label: 'indexing', done: 0, total: 2 })
  })
})
