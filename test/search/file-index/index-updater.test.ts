import {
  appendFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { insertTenant } from '../../../src/access/queries/tenants'
import type { DraftTables } from '../../../src/drafts/migrations'
import { parseQuery } from '../../../src/search/rules/parse-query'
import { createSearch } from '../../../src/search/services/create-search'
import { openDatabase, tables, withFileLock } from '../../../src/storage'
import { migrations } from '../../../src/studio'
import { temporaryFolder } from '../../temporary-folder'
import { AT, type Desk, findInFiles, openDesk, saveDraft } from '../desk'

const newPlace = () => join(temporaryFolder(), 'studio.db')

describe('an index that each write updates', () => {
  it('finds saved entities without opening the database', async () => {
    const path = newPlace()
    const desk = await openDesk(path)
    await saveDraft(desk.db, 'Dock door')
    expect(await findInFiles(path, 'dock')).toEqual(['Dock door'])
    await saveDraft(desk.db, 'Dock plans')
    expect(await findInFiles(path, 'dock')).toEqual(['Dock door', 'Dock plans'])
  })

  it('finds changed entities by their new text, and no deleted ones', async () => {
    const path = newPlace()
    const desk = await openDesk(path)
    const { id } = await saveDraft(desk.db, 'Dock door')
    await saveDraft(desk.db, 'Conveyor')
    await changeDraft(desk, id, { title: 'Yard gate' })
    expect([await findInFiles(path, 'dock'), await findInFiles(path, 'yard')]).toEqual([[], ['Yard gate']])
    await deleteDraft(desk, id)
    expect(await findInFiles(path, 'yard')).toEqual([])
    expect(await findInFiles(path, 'type:draft')).toEqual(['Conveyor'])
  })

  it('has few files after hundreds of writes', async () => {
    const path = newPlace()
    const desk = await openDesk(path)
    for (let i = 0; i < 300; i++) await saveDraft(desk.db, `Dock ${i}`)
    expect(((await findInFiles(path, 'dock')) as string[]).length).toBe(200)
    expect(filesIn(path).length).toBeLessThan(40)
  })

  it('includes the writes of other processes', async () => {
    const path = newPlace()
    const [one, other] = [await openDesk(path), await openDesk(path)]
    for (let i = 0; i < 10; i++) await Promise.all([saveDraft(one.db, `Dock ${i}`), saveDraft(other.db, `Dock ${i}`)])
    expect((await one.find('dock')).total).toBe(20)
    expect(((await findInFiles(path, 'dock')) as string[]).length).toBe(20)
    expect([...one.notices, ...other.notices]).toEqual([])
  })

  it('is current and unchanged after a write that does not affect searches', async () => {
    const path = newPlace()
    const desk = await openDesk(path)
    await saveDraft(desk.db, 'Dock door')
    const before = readFileSync(join(`${path}.search`, 'manifest'))
    await desk.db.write((tx) => insertTenant(tx, { id: 'acme', name: 'acme', created_at: 0 }))
    expect(await findInFiles(path, 'dock')).toEqual(['Dock door'])
    expect(readFileSync(join(`${path}.search`, 'manifest'))).toEqual(before)
  })

  it('remains current after a compaction, and after the database is closed and opened', async () => {
    const path = newPlace()
    for (let round = 0; round < 3; round++) {
      const desk = await openDesk(path)
      for (let i = 0; i < 12; i++) await saveDraft(desk.db, `Dock ${round}`, 'A long text. '.repeat(4_000))
      await desk.close()
      expect(((await findInFiles(path, 'dock')) as string[]).length).toBe(12 * (round + 1))
    }
  })
})

describe.runIf(process.platform === 'linux')('a closed database', () => {
  it('leaves no file of its index open', async () => {
    const path = newPlace()
    const desk = await openDesk(path)
    await saveDraft(desk.db, 'Dock door')
    await saveDraft(desk.db, 'Dock plans')
    await desk.find('dock')
    expect(listOpenFiles(path)).not.toEqual([])
    await desk.close()
    expect(listOpenFiles(path)).toEqual([])
  })
})

describe('searches during writes', () => {
  it('use the existing index while a writer is about to update it, and find all acknowledged writes', async () => {
    const path = newPlace()
    const { db, update, search, find, notices } = await openWithHeldUpdates(path)
    await saveDraft(db, 'Dock door')
    const [holds, goesOn] = update.hold()
    const writing = saveDraft(db, 'Dock plans')
    await holds // the commit is in the log, but not yet in the index
    expect(await findInFiles(path, 'dock')).toBe('lagging')
    expect(await find('dock')).toEqual(['Dock door'])
    goesOn()
    await writing
    expect(await find('dock')).toEqual(['Dock door', 'Dock plans'])
    expect(notices).toEqual([])
    search.close()
  })

  it('use an outdated index and report its age while the first search updates it', async () => {
    const path = newPlace()
    await fill(path)
    await saveWithoutIndex(path, 'Dock plans')
    const desk = await openDesk(path)
    const [first, ...others] = await Promise.all(Array.from({ length: 64 }, () => findDock(desk)))
    expect(first).toEqual({ total: 6, indexedAt: null })
    expect(others).toEqual(others.map(() => ({ total: 5, indexedAt: AT })))
    expect(await findDock(desk)).toEqual({ total: 6, indexedAt: null })
    expect(desk.notices).toEqual([expect.stringMatching(/out of date/)])
  })

  it('use an outdated index while another process updates it', async () => {
    const path = newPlace()
    await fill(path)
    await saveWithoutIndex(path, 'Dock plans')
    const desk = await openDesk(path)
    const [held, release] = deferred()
    const other = withFileLock(join(`${path}.search`, 'lock'), () => held)
    await expect.poll(() => existsSync(join(`${path}.search`, 'lock'))).toBe(true)
    expect(await findDock(desk)).toEqual({ total: 5, indexedAt: AT })
    release()
    await other
    expect(await findDock(desk)).toEqual({ total: 6, indexedAt: null })
  })

  it('share one update if there is no usable index', async () => {
    const path = newPlace()
    await fill(path)
    rmSync(`${path}.search`, { recursive: true })
    const desk = await openDesk(path)
    const found = await Promise.all(Array.from({ length: 64 }, () => findDock(desk)))
    expect(found).toEqual(found.map(() => ({ total: 5, indexedAt: null })))
  })

  it('never fail if writers are always faster', async () => {
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
    await setImmediate() // the search has found that the index is outdated and that no writer is active
    await Promise.all([write(), write(), write()])
    expect((await finding).total).toBe(6)
  })
})

describe('an index that does not match the database', () => {
  it.each<[string, (path: string) => void, RegExp[]]>([
    ['is gone', (path) => rmSync(`${path}.search`, { recursive: true }), []],
    ['has lost a segment', (path) => rmSync(join(`${path}.search`, segmentsOf(path)[0]!)), [/damaged/]],
    ['has a truncated segment', (path) => truncateSync(join(`${path}.search`, segmentsOf(path)[0]!), 40), [/damaged/]],
    ['has a changed segment', (path) => flipBytes(join(`${path}.search`, segmentsOf(path)[0]!)), [/damaged/]],
    ['has a changed manifest', (path) => appendFileSync(join(`${path}.search`, 'manifest'), 'x'), [/damaged/]],
    ['has an empty manifest', (path) => writeFileSync(join(`${path}.search`, 'manifest'), ''), [/damaged/]],
  ])('is rebuilt if it %s', async (_, spoil, notices) => {
    const path = newPlace()
    await fill(path)
    spoil(path)
    const desk = await openDesk(path)
    expect((await desk.find('dock')).total).toBe(5)
    expect(desk.notices).toEqual(notices.map((notice) => expect.stringMatching(notice)))
    expect(((await findInFiles(path, 'dock')) as string[]).length).toBe(5)
  })

  it('adds the writes of processes that did not update it', async () => {
    const path = newPlace()
    await fill(path)
    const without = await openDesk(path, { inFiles: false })
    await saveDraft(without.db, 'Dock plans')
    await deleteDraft(without, 1)
    await without.close()
    expect(await findInFiles(path, 'dock')).toBe('lagging')
    const desk = await openDesk(path)
    expect((await desk.find('dock')).total).toBe(5)
    expect(desk.notices).toEqual([expect.stringMatching(/out of date/)])
    expect(await findInFiles(path, 'plans')).toEqual(['Dock plans'])
  })

  it('is not used for a different database at the same path', async () => {
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
    expect(await findInFiles(path, 'dock')).toBe('lagging')
    const desk = await openDesk(path)
    expect([(await desk.find('dock')).total, (await desk.find('yard')).total]).toEqual([0, 5])
  })

  it('remains outdated after a write to an outdated index', async () => {
    const path = newPlace()
    await fill(path, 30)
    const manifest = readFileSync(join(`${path}.search`, 'manifest'))
    const writer = await openDesk(path)
    await saveDraft(writer.db, 'Dock plans')
    await writer.close()
    writeFileSync(join(`${path}.search`, 'manifest'), manifest) // as a process does after a long pause
    expect(await findInFiles(path, 'dock')).toBe('lagging')
    const desk = await openDesk(path)
    expect((await desk.find('dock')).total).toBe(31)
  })
})

/** Writes like a process that does not update the index. */
async function saveWithoutIndex(path: string, title: string): Promise<void> {
  const desk = await openDesk(path, { inFiles: false })
  await saveDraft(desk.db, title)
  await desk.close()
}

/** The number of entities that a search for "dock" finds, and the age of its index. */
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

/** A database whose writers update the index only when the test allows it, and its search service. */
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
      settle: () => observer!.settle(),
      relocating: (position, move) => observer!.relocating(position, move),
      close: () => observer!.close(),
      async committed(commit) {
        await before()
        await observer!.committed(commit)
      },
    },
  })
  onTestFinished(() => db.close())
  /** A promise that resolves when an update waits, and a function that lets it continue. */
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

/** The files of the index that this process has open. */
function listOpenFiles(path: string): string[] {
  const open = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(join('/proc/self/fd', fd))
    } catch {
      return '' // it was the one that listed them
    }
  })
  return open.filter((file) => file.startsWith(`${path}.search`))
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
