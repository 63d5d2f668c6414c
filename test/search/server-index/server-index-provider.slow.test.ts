import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { changeDraft, deleteDraft, findVersionedDraft } from '../../../src/drafts/queries'
import { extractContent } from '../../../src/drafts/rules/draft-content'
import { searchMigration } from '../../../src/search/migrations'
import { findAverages } from '../../../src/search/queries/entries'
import { type Database, openDatabase, openMemoryDatabase, tables } from '../../../src/storage'
import { migrateDatabase } from '../../../src/storage/operations/migrate-database'
import { migrations } from '../../../src/studio'
import { describeWithPostgres } from '../../storage/postgres/server'
import { runOn } from '../../storage/run-on-database'
import { AT, openDesk, saveDraft } from '../desk'
import { describeIndexes } from '../indexes-behaviour'
import { indexDifferences } from './index-differences'

const LAGGED = expect.stringMatching(/out of date/)

function changeTitle(db: Database, id: number, title: string) {
  return db.write(async (tx) => {
    const found = (await findVersionedDraft(tx, id))!
    return changeDraft(tx, found, { content: { ...extractContent(found.draft), title }, at: AT, restored: null })
  })
}

/** A barrier that opens when two callers have reached it. */
function meeting(): () => Promise<void> {
  let arrived = 0
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return () => {
    arrived += 1
    if (arrived === 2) open()
    return opened
  }
}

describeWithPostgres('an index on PostgreSQL', (server) => {
  const newPlace = () => server().createDatabase()

  /** Writes like another tool. */
  async function unaware(address: string): Promise<Database> {
    const db = await openDatabase(address, migrations)
    onTestFinished(() => db.close())
    return db
  }

  describeIndexes({ where: 'on a server', kept: 'database' }, async () => openDesk(await newPlace()))

  describe('an index that each write updates', () => {
    it('is immediately visible to other processes, also after a change and a deletion', async () => {
      const address = await newPlace()
      const [one, other] = [await openDesk(address), await openDesk(address)]
      const { id } = await saveDraft(one.db, 'Dock door')
      expect(await other.find('dock')).toEqual({ total: 1, ids: [id] })
      await changeTitle(other.db, id, 'Yard gate')
      expect([(await one.find('dock')).total, (await one.find('yard')).total]).toEqual([0, 1])
      await one.db.write((tx) => deleteDraft(tx, id))
      expect((await other.find('yard')).total).toBe(0)
      expect([...one.notices, ...other.notices]).toEqual([])
    })

    it('is committed and rolled back with the transaction', async () => {
      const desk = await openDesk(await newPlace())
      const failing = desk.db.write(async (tx) => {
        await sql`insert into draft (title, folder_id, created_at, updated_at) values ('Dock', 1, '', '')`.execute(
          tables(tx),
        )
        throw new Error('thought better of it')
      })
      await expect(failing).rejects.toThrow('thought better of it')
      expect((await desk.find('dock')).total).toBe(0)
      expect(desk.notices).toEqual([])
    })

    it('does not make writers block each other', async () => {
      const address = await newPlace()
      const desks = [await openDesk(address), await openDesk(address)]
      for (const { db } of desks) await saveDraft(db, 'Known words: dock and door')
      const both = meeting()
      let runs = 0
      const save = (db: Database, id: number) =>
        db.write(async (tx) => {
          runs += 1
          const found = (await findVersionedDraft(tx, id))!
          const content = { ...extractContent(found.draft), title: `Dock and door of ${id}` }
          await both()
          await changeDraft(tx, found, { content, at: AT, restored: null })
        })
      await Promise.all([save(desks[0]!.db, 1), save(desks[1]!.db, 2)])
      expect(runs).toBe(2)
      expect((await desks[0]!.find('dock')).total).toBe(2)
    })

    it('stores a text with more words than fit into a row', async () => {
      const desk = await openDesk(await newPlace())
      const words = Array.from({ length: 60_000 }, (_, i) => `word${i}ofaverylongandtediouslog`)
      const { id } = await saveDraft(desk.db, 'Log', words.join(' '))
      for (const i of [0, 30_000, 59_999])
        expect((await desk.find(`word${i}ofaverylongandtediouslog `)).ids).toEqual([id])
      await desk.db.write(async (tx) => {
        const found = (await findVersionedDraft(tx, id))!
        await changeDraft(tx, found, {
          content: { ...extractContent(found.draft), description: 'short' },
          at: AT,
          restored: null,
        })
      })
      expect((await desk.find('"word59999ofaverylongandtediouslog"')).total).toBe(0)
      expect((await desk.find('short ')).ids).toEqual([id])
    })
  })

  describe('an outdated index', () => {
    it('adds the writes of other tools, and reports it once', async () => {
      const address = await newPlace()
      const desk = await openDesk(address)
      const { id } = await saveDraft(desk.db, 'Dock door')
      const gone = await saveDraft(desk.db, 'Dock gate')
      const other = await unaware(address)
      await changeTitle(other, id, 'Yard')
      await other.write((tx) => deleteDraft(tx, gone.id))
      const added = await saveDraft(other, 'Dock plans')
      expect((await desk.find('dock')).ids).toEqual([added.id])
      expect((await desk.find('yard')).ids).toEqual([id])
      expect(desk.notices).toEqual([LAGGED])
    })

    it('contains the rows that were there before it', async () => {
      const address = await newPlace()
      const before = await openDatabase(address, migrations.slice(0, migrations.indexOf(searchMigration)))
      const drafts = [0, 1, 2].map((i) => ({ title: `Dock ${i}`, folder_id: 1, created_at: AT, updated_at: AT }))
      await before.write((tx) => tables<{ draft: object }>(tx).insertInto('draft').values(drafts).execute())
      await before.close()
      const desk = await openDesk(address)
      expect((await desk.find('dock ')).total).toBe(3)
      expect(desk.notices).toEqual([])
      expect(await indexDifferences(desk.db)).toEqual([])
    })

    it('is built after a migration, with the averages of the data', async () => {
      const address = await newPlace()
      const db = await openMemoryDatabase(migrations)
      for (let i = 0; i < 600; i++) await saveDraft(db, `Dock ${i}`, 'one two three')
      await runOn(db, migrateDatabase, { to: address }, { current: '/data/studio.db' })
      await db.close()
      const desk = await openDesk(address)
      expect((await desk.find('dock ')).total).toBe(600)
      expect(await desk.db.read(findAverages)).toMatchObject({ description: expect.closeTo(3, 1) })
      const last = desk.steps.at(-1)!
      expect(last).toEqual({ label: 'indexing', done: last.total, total: last.total })
      expect(await indexDifferences(desk.db)).toEqual([])
    })

    it('is repaired once by concurrent searches', async () => {
      const address = await newPlace()
      const desks = await Promise.all(Array.from({ length: 4 }, () => openDesk(address)))
      const other = await unaware(address)
      for (let i = 0; i < 30; i++) await saveDraft(other, `Dock ${i}`)
      const found = await Promise.all(desks.map((desk) => desk.find('dock ')))
      expect(found.map(({ total }) => total)).toEqual([30, 30, 30, 30])
      expect(await indexDifferences(other)).toEqual([])
    })
  })

  describe('rebuilding', () => {
    it('makes any index match the database', async () => {
      const desk = await openDesk(await newPlace())
      for (let i = 0; i < 5; i++) await saveDraft(desk.db, `Dock ${i}`)
      await desk.db.write(async (tx) => {
        const db = tables<any>(tx)
        await sql`update search_terms set terms = array_to_tsvector(array['wnonsense'])`.execute(db)
        await sql`insert into search_terms select key + 3000, part, parts, updated_at, indexed_at, terms from search_terms`.execute(
          db,
        )
        await sql`insert into search_form values ('nonsense', 1, 'nonsens', 8, 0)`.execute(db)
      })
      expect((await desk.find('dock ')).total).toBe(0)
      expect(await desk.search.rebuild(desk.context())).toMatchObject({
        entities: { devops: 0, draft: 5, folder: 1 },
        terms: 7,
      })
      expect((await desk.find('dock ')).total).toBe(5)
      expect(await indexDifferences(desk.db)).toEqual([])
    })

    it('removes unused words, which are never suggested as corrections', async () => {
      const desk = await openDesk(await newPlace())
      await saveDraft(desk.db, 'Conveyors')
      const { id } = await saveDraft(desk.db, 'Convayer')
      await desk.db.write((tx) => deleteDraft(tx, id))
      expect((await desk.find('convayers ')).total).toBe(1)
      expect(await desk.search.stats(desk.context())).toMatchObject({ terms: 3 })
      expect(await desk.search.rebuild(desk.context())).toMatchObject({ terms: 2 })
    })

    it('includes concurrent writes', async () => {
      const address = await newPlace()
      const [desk, other] = [await openDesk(address), await openDesk(address)]
      for (let i = 0; i < 20; i++) await saveDraft(desk.db, `Dock ${i}`)
      const rebuilding = desk.search.rebuild(desk.context())
      for (let i = 1; i <= 20; i++) await changeTitle(other.db, i, `Yard ${i}`)
      await rebuilding
      expect([(await desk.find('yard ')).total, (await desk.find('dock ')).total]).toEqual([20, 0])
      expect((await indexDifferences(desk.db)).filter((one) => one.includes('draft'))).toEqual([])
    })
  })
})
