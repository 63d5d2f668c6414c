import {
  appendFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { insertTenant } from '../../../src/access/queries/tenants'
import type { DraftTables } from '../../../src/drafts/migrations'
import { IndexFolder } from '../../../src/search/file-index/index-folder'
import { searchIndexFiles } from '../../../src/search/file-index/search-index-files'
import { parseQuery } from '../../../src/search/rules/parse-query'
import { createSearch } from '../../../src/search/services/create-search'
import { openDatabase, tables, withFileLock } from '../../../src/storage'
import { migrations } from '../../../src/studio'
import { temporaryFolder } from '../../temporary-folder'
import { AT, type Desk, openDesk, saveDraft } from '../desk'

const newPlace = () => join(temporaryFolder(), 'studio.db')

/** What a process that opens no database finds. */
function findInFiles(path: string, q: string) {
  const folder = new IndexFolder(`${path}.search`)
  try {
    const found = searchIndexFiles({ database: path, folder }, parseQuery(q, null), { limit: 200 })
    return typeof found === 'string' ? found : found.hits.map(({ title }) => title).sort()
  } finally {
    folder.close()
  }
}

describe('with every write', () => {
  it('what was saved is found by who opens no database', async () => {
    const path = newPlace()
    const desk = await openDesk(path)
    await saveDraft(desk.db, 'Dock door')
    expect(findInFiles(path, 'dock')).toEqual(['Dock door'])
    await saveDraft(desk.db, 'Dock plans')
    expect(findInFiles(path, 'dock')).toEqual(['Dock door', 'Dock plans'])
  })

  it('what was changed is found by what it says now, what was deleted no more', async () => {
    const path = newPlace()
    const desk = await openDesk(path)
    const { id } = await saveDraft(desk.db, 'Dock door')
    await saveDraft(desk.db, 'Conveyor')
    await changeDraft(desk, id, { title: 'Yard gate' })
    expect([findInFiles(path, 'dock'), findInFiles(path, 'yard')]).toEqual([[], ['Yard gate']])
    await deleteDraft(desk, id)
    expect(findInFiles(path, 'yard')).toEqual([])
    expect(findInFiles(path, 'type:draft')).toEqual(['Conveyor'])
  })

  it('hundreds of them leave few files', async () => {
    const path = newPlace()
    const desk = await openDesk(path)
    for (let i = 0; i < 300; i++) await saveDraft(desk.db, `Dock ${i}`)
    expect((findInFiles(path, 'dock') as string[]).length).toBe(200)
    expect(filesIn(path).length).toBeLessThan(40)
  })

  it('those of other processes too', async () => {
    const path = newPlace()
    const [one, other] = [await openDesk(path), await openDesk(path)]
    for (let i = 0; i < 10; i++) await Promise.all([saveDraft(one.db, `Dock ${i}`), saveDraft(other.db, `Dock ${i}`)])
    expect((await one.find('dock')).total).toBe(20)
    expect((findInFiles(path, 'dock') as string[]).length).toBe(20)
    expect([...one.notices, ...other.notices]).toEqual([])
  })

  it('a write that changes nothing to be found leaves the index as it is, and current', async () => {
    const path = newPlace()
    const desk = await openDesk(path)
    await saveDraft(desk.db, 'Dock door')
    const before = readFileSync(join(`${path}.search`, 'manifest'))
    await desk.db.write((tx) => insertTenant(tx, { id: 'acme', name: 'acme', created_at: 0 }))
    expect(findInFiles(path, 'dock')).toEqual(['Dock door'])
    expect(readFileSync(join(`${path}.search`, 'manifest'))).toEqual(before)
  })

  it('it stays current when the log is folded, and when the database is closed and opened', async () => {
    const path = newPlace()
    for (let round = 0; round < 3; round++) {
      const desk = await openDesk(path)
      for (let i = 0; i < 12; i++) await saveDraft(desk.db, `Dock ${round}`, 'A long text. '.repeat(4_000))
      await desk.close()
      expect((findInFiles(path, 'dock') as string[]).length).toBe(12 * (round + 1))
    }
  })
})

describe('searches beside writes', () => {
  it('answer from the index as it is while a writer is about to update it, and find all that was acknowledged', async () => {
    const path = newPlace()
    const { db, update, search, find, notices } = await openWithHeldUpdates(path)
    await saveDraft(db, 'Dock door')
    const [holds, goesOn] = update.hold()
    const writing = saveDraft(db, 'Dock plans')
    await holds // the commit is in the log, and the index does not have it yet
    expect(findInFiles(path, 'dock')).toBe('lagging')
    expect(await find('dock')).toEqual(['Dock door'])
    goesOn()
    await writing
    expect(await find('dock')).toEqual(['Dock door', 'Dock plans'])
    expect(notices).toEqual([])
    search.close()
  })

  it('answer from an index that lags and say how old it is, while the first of them updates it', async () => {
    const path = newPlace()
    await fill(path)
    await saveWithoutIndex(path, 'Dock plans')
    const desk = await openDesk(path)
    const [first, ...others] = await Promise.all(Array.from({ length: 64 }, () => findDock(desk)))
    expect(first).toEqual({ total: 6, indexedAt: null })
    expect(others).toEqual(others.map(() => ({ total: 5, indexedAt: AT })))
    expect(await findDock(desk)).toEqual({ total: 6, indexedAt: null })
    expect(desk.notices).toEqual([expect.stringMatching(/lagged/)])
  })

  it('answer from an index that lags while another process updates it', async () => {
    const path = newPlace()
    await fill(path)
    await saveWithoutIndex(path, 'Dock plans')
    const desk = await openDesk(path)
    const [held, release] = deferred()
    const other = withFileLock(join(`${path}.search`, 'lock'), () => held)
    await vi.waitFor(() => expect(existsSync(join(`${path}.search`, 'lock'))).toBe(true))
    expect(await findDock(desk)).toEqual({ total: 5, indexedAt: AT })
    release()
    await other
    expect(await findDock(desk)).toEqual({ total: 6, indexedAt: null })
  })

  it('share one update where there is no index that could answer', async () => {
    const path = newPlace()
    await fill(path)
    rmSync(`${path}.search`, { recursive: true })
    const desk = await openDesk(path)
    const found = await Promise.all(Array.from({ length: 64 }, () => findDock(desk)))
    expect(found).toEqual(found.map(() => ({ total: 5, indexedAt: null })))
  })

  it('never fail because writers are always faster', async () => {
    const path = newPlace()
    await fill(path)
    const desk = await openDesk(path)
    await findDock(desk)
    await saveWithoutIndex(path, 'Dock plans')
    let isSearching = true
    const write = async () => {
      for (let i = 0; isSearching && i < 500; i++) await saveDraft(desk.db, `Yard ${i}`)
    }
    const finding = findDock(desk).finally(() => {
      isSearching = false
    })
    await setImmediate() // the search has found the index lagging, and no writer
    await Promise.all([write(), write(), write()])
    expect((await finding).total).toBe(6)
  })
})

describe('an index that is not what the database says', () => {
  it.each<[string, (path: string) => void, RegExp[]]>([
    ['is gone', (path) => rmSync(`${path}.search`, { recursive: true }), []],
    ['has lost a segment', (path) => rmSync(join(`${path}.search`, segmentsOf(path)[0]!)), [/damaged/]],
    [
      'has a segment that was cut',
      (path) => truncateSync(join(`${path}.search`, segmentsOf(path)[0]!), 40),
      [/damaged/],
    ],
    ['has a segment that was changed', (path) => flipBytes(join(`${path}.search`, segmentsOf(path)[0]!)), [/damaged/]],
    ['has a manifest that was changed', (path) => appendFileSync(join(`${path}.search`, 'manifest'), 'x'), [/damaged/]],
    ['has an empty manifest', (path) => writeFileSync(join(`${path}.search`, 'manifest'), ''), [/damaged/]],
  ])('because it %s, is made anew', async (_, spoil, notices) => {
    const path = newPlace()
    await fill(path)
    spoil(path)
    const desk = await openDesk(path)
    expect((await desk.find('dock')).total).toBe(5)
    expect(desk.notices).toEqual(notices.map((notice) => expect.stringMatching(notice)))
    expect((findInFiles(path, 'dock') as string[]).length).toBe(5)
  })

  it('because others have written without it, takes up what they wrote', async () => {
    const path = newPlace()
    await fill(path)
    const without = await openDesk(path, { inFiles: false })
    await saveDraft(without.db, 'Dock plans')
    await deleteDraft(without, 1)
    await without.close()
    expect(findInFiles(path, 'dock')).toBe('lagging')
    const desk = await openDesk(path)
    expect((await desk.find('dock')).total).toBe(5)
    expect(desk.notices).toEqual([expect.stringMatching(/lagged/)])
    expect(findInFiles(path, 'plans')).toEqual(['Dock plans'])
  })

  it('because another database stands in its place, is not taken for its index', async () => {
    const [path, other] = [newPlace(), newPlace()]
    await fill(path)
    const elsewhere = await openDesk(other)
    for (let i = 0; i < 5; i++) await saveDraft(elsewhere.db, `Yard ${i}`)
    await elsewhere.close()
    for (const file of readdirSync(join(path, '..'))) {
      if (file.startsWith('studio.db') && !file.endsWith('.search')) rmSync(join(path, '..', file))
    }
    for (const file of readdirSync(join(other, '..'))) {
      if (!file.endsWith('.search')) cpSync(join(other, '..', file), join(path, '..', file))
    }
    expect(findInFiles(path, 'dock')).toBe('lagging')
    const desk = await openDesk(path)
    expect([(await desk.find('dock')).total, (await desk.find('yard')).total]).toEqual([0, 5])
  })

  it('is not believed again after a write that did not find it current', async () => {
    const path = newPlace()
    await fill(path, 30)
    const manifest = readFileSync(join(`${path}.search`, 'manifest'))
    const writer = await openDesk(path)
    await saveDraft(writer.db, 'Dock plans')
    await writer.close()
    writeFileSync(join(`${path}.search`, 'manifest'), manifest) // as a process does that was paused for long
    expect(findInFiles(path, 'dock')).toBe('lagging')
    const desk = await openDesk(path)
    expect((await desk.find('dock')).total).toBe(31)
  })
})

/** As a process does that does not update the index. */
async function saveWithoutIndex(path: string, title: string): Promise<void> {
  const desk = await openDesk(path, { inFiles: false })
  await saveDraft(desk.db, title)
  await desk.close()
}

/** How many entities a search for "dock" finds, and how old its index is. */
async function findDock(desk: Desk) {
  const index = await desk.search.current(desk.context())
  const { total } = await index.search(parseQuery('dock', null), { limit: 200 })
  return { total, indexedAt: index.indexedAt }
}

function deferred(): [held: Promise<void>, release: () => void] {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  return [held, release]
}

/** A database whose writers update the index only when the test lets them, and its searches. */
async function openWithHeldUpdates(path: string) {
  const notices: string[] = []
  const { indexes, observer } = createSearch({
    database: path,
    inFiles: true,
    now: () => Date.parse(AT),
    notice: (text) => notices.push(text),
  })
  let before = async () => {}
  const db = await openDatabase(path, migrations, {
    observer: {
      tables: observer!.tables,
      relocating: (position, move) => observer!.relocating(position, move),
      async committed(commit) {
        await before()
        await observer!.committed(commit)
      },
    },
  })
  onTestFinished(() => db.close())
  /** A promise that resolves when an update waits, and what lets it go on. */
  const hold = (): [holds: Promise<void>, goesOn: () => void] => {
    let goesOn = () => {}
    const holds = new Promise<void>((reached) => {
      before = async () => {
        reached()
        await new Promise<void>((resolve) => {
          goesOn = resolve
        })
      }
    })
    return [holds, () => goesOn()]
  }
  const find = async (q: string) => {
    const context = (await openDesk(null)).context()
    const index = await indexes.current({ ...context, db })
    const { hits } = await index.search(parseQuery(q, null), { limit: 200 })
    return hits.map(({ title }) => title).sort()
  }
  return { db, search: indexes, update: { hold }, find, notices }
}

async function fill(path: string, count = 5): Promise<void> {
  const desk = await openDesk(path)
  for (let i = 0; i < count; i++) await saveDraft(desk.db, `Dock ${i}`)
  await desk.close()
}

async function changeDraft({ db }: Desk, id: number, set: { title: string }): Promise<void> {
  const { incrementWorkspaceVersion } = await import('../../../src/items')
  await db.write(async (tx) => {
    await tables<DraftTables>(tx).updateTable('draft').set(set).where('id', '=', id).execute()
    await incrementWorkspaceVersion(tx)
  })
}

async function deleteDraft({ db }: Pick<Desk, 'db'>, id: number): Promise<void> {
  const { incrementWorkspaceVersion } = await import('../../../src/items')
  await db.write(async (tx) => {
    await tables<DraftTables>(tx).deleteFrom('draft').where('id', '=', id).execute()
    await incrementWorkspaceVersion(tx)
  })
}

function filesIn(path: string): string[] {
  return existsSync(`${path}.search`) ? readdirSync(`${path}.search`) : []
}

function segmentsOf(path: string): string[] {
  return filesIn(path).filter((file) => file.endsWith('.segment'))
}

function flipBytes(file: string): void {
  writeFileSync(file, Buffer.from(readFileSync(file).map((byte) => byte ^ 0xff)))
}
