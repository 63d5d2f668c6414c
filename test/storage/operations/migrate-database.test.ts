import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Database, openCopyTarget, openDatabase, openMemoryDatabase } from '../../../src/storage'
import { migrateDatabase } from '../../../src/storage/operations/migrate-database'
import { migrations } from '../../../src/studio'
import { contents, fill, nextDraft, runOn } from '../run-on-database'

async function temporaryPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'studio-move-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'studio.db')
}

async function filled(): Promise<Database> {
  const db = await openMemoryDatabase(migrations)
  onTestFinished(() => db.close())
  await fill(db)
  return db
}

describe('moving to another database', () => {
  it('copies every row, and reports the count and checksum of each table', async () => {
    const [db, to] = [await filled(), await temporaryPath()]
    const before = await db.read(contents)
    const answer = await runOn(db, migrateDatabase, { to }, { current: '/data/studio.db' })
    expect(answer).toMatchObject({ from: '/data/studio.db', to })
    expect(answer.tables.map(({ name, rows, same }: any) => [name, rows, same])).toEqual(
      expect.arrayContaining([
        ['draft', 699, true],
        ['folder', 3, true],
        ['appointment', 1, true],
        ['door', 2, true],
        ['snapshot', 0, true],
      ]),
    )
    for (const { checksum } of answer.tables) expect(checksum).toMatch(/^[0-9a-f]{64}$/)
    const target = await openDatabase(to, migrations)
    expect(await target.read(contents)).toEqual(before)
    expect(await db.read(contents)).toEqual(before)
    await target.close()
  })

  it('never reuses an ID, not even of a deleted row', async () => {
    const [db, to] = [await filled(), await temporaryPath()]
    await runOn(db, migrateDatabase, { to })
    const target = await openDatabase(to, migrations)
    expect(await nextDraft(target)).toBe(701)
    await target.close()
  })

  it('has the same checksums after moving back', async () => {
    const [db, to, back] = [await filled(), await temporaryPath(), await temporaryPath()]
    const there = await runOn(db, migrateDatabase, { to })
    const target = await openDatabase(to, migrations)
    const home = await runOn(target, migrateDatabase, { to: back }, { current: to })
    expect(home.tables).toEqual(there.tables)
    await target.close()
  })

  it('does not change a target that contains data', async () => {
    const [db, to] = [await filled(), await temporaryPath()]
    const target = await openDatabase(to, migrations)
    await nextDraft(target)
    const before = await target.read(contents)
    const refused = runOn(db, migrateDatabase, { to })
    await expect(refused).rejects.toMatchObject({ code: 'conflict', hint: expect.stringContaining('empty') })
    expect(await target.read(contents)).toEqual(before)
    await target.close()
  })

  it('saves nothing when it is interrupted, and succeeds the next time', async () => {
    const [db, to] = [await filled(), await temporaryPath()]
    const openBroken = async (address: string) => {
      const target = await openCopyTarget(address, migrations)
      const write: Database['write'] = (work) =>
        target.db.write(async (tx) => {
          await work(tx)
          throw new Error('the power is gone')
        })
      return { ...target, db: { ...target.db, write } as Database }
    }
    const broken = runOn(db, migrateDatabase, { to }, { openTarget: openBroken })
    await expect(broken).rejects.toMatchObject({ code: 'internal' })
    expect(readdirSync(dirname(to))).toEqual([])
    expect((await runOn(db, migrateDatabase, { to })).tables).toContainEqual(
      expect.objectContaining({ name: 'draft', rows: 699, same: true }),
    )
  })

  it('writes the rows to the base of a new file, not to its log, because the log has a size limit', async () => {
    const [db, to] = [await filled(), await temporaryPath()]
    await runOn(db, migrateDatabase, { to })
    expect(readdirSync(dirname(to)).sort()).toEqual(['studio.db', 'studio.db.log.1'])
    expect(statSync(`${to}.log.1`).size).toBe(0)
  })

  it('replaces an empty database that other processes have open', async () => {
    const [db, to] = [await filled(), await temporaryPath()]
    const open = await openDatabase(to, migrations)
    await runOn(db, migrateDatabase, { to })
    expect(await open.read(contents)).toEqual(await db.read(contents))
    // Windows keeps the archive of the empty database, because a process has its log open.
    if (process.platform !== 'win32')
      expect(readdirSync(dirname(to)).filter((name) => name.includes('aside'))).toEqual([])
    await open.close()
  })

  it('does not change a target that was written to during the copy', async () => {
    const [db, to] = [await filled(), await temporaryPath()]
    const other = await openDatabase(to, migrations)
    const openDisturbed = async (address: string) => {
      const target = await openCopyTarget(address, migrations)
      const commit = async () => {
        await nextDraft(other)
        await target.commit()
      }
      return { ...target, commit }
    }
    const refused = runOn(db, migrateDatabase, { to }, { openTarget: openDisturbed })
    await expect(refused).rejects.toMatchObject({ code: 'conflict' })
    expect(await nextDraft(other)).toBe(2)
    await other.close()
  })

  it('reports if the file cannot be written', async () => {
    const [db, to] = [await filled(), await temporaryPath()]
    mkdirSync(to)
    await expect(runOn(db, migrateDatabase, { to })).rejects.toMatchObject({ code: 'invalid' })
  })

  it('rejects the current database, however its address is written', async () => {
    const db = await openMemoryDatabase(migrations)
    const current = 'postgres://studio:secret@db.example.com/studio'
    for (const to of ['postgres://studio@db.example.com/studio', 'postgresql://studio@db.example.com/studio'])
      await expect(runOn(db, migrateDatabase, { to }, { current })).rejects.toMatchObject({ code: 'conflict' })
    await db.close()
  })

  it('requires a target', async () => {
    const db = await openMemoryDatabase(migrations)
    await expect(runOn(db, migrateDatabase, {})).rejects.toMatchObject({ code: 'invalid', details: [{ path: 'to' }] })
    await db.close()
  })
})

describe('a password', () => {
  const places = (opened: string[]) => ({
    openTarget: async (address: string) => {
      opened.push(address)
      const db = await openMemoryDatabase(migrations)
      return { db, existing: null, commit: async () => {}, close: () => db.close() }
    },
  })

  it.each([
    'postgres://studio:hunter2@db.example.com/studio',
    'postgres://db.example.com/studio?user=studio&password=hunter2',
  ])('is rejected in the option, and not shown: %s', async (to) => {
    const db = await openMemoryDatabase(migrations)
    const opened: string[] = []
    const refusal = await runOn(db, migrateDatabase, { to }, places(opened)).catch((error) => error)
    expect(refusal).toMatchObject({ code: 'invalid', hint: expect.stringContaining('STUDIO_DB_TO') })
    expect(JSON.stringify([refusal.message, refusal.hint, refusal.details])).not.toContain('hunter2')
    expect(opened).toEqual([])
    await db.close()
  })

  it.each([
    ['is read from STUDIO_DB_TO if the option names the same server', 'postgres://studio@db.example.com/studio'],
    ['is read from STUDIO_DB_TO if there is no option', undefined],
  ])('%s, and not shown', async (_, to) => {
    const db = await openMemoryDatabase(migrations)
    const opened: string[] = []
    const target = 'postgres://studio:hunter2@db.example.com/studio'
    const answer = await runOn(db, migrateDatabase, { to }, { ...places(opened), target })
    expect(opened).toEqual([target])
    expect(answer.to).toBe('postgres://db.example.com/studio')
    await db.close()
  })

  it('is not read from STUDIO_DB_TO if the option names another server', async () => {
    const db = await openMemoryDatabase(migrations)
    const opened: string[] = []
    const target = 'postgres://studio:hunter2@db.example.com/studio'
    await runOn(
      db,
      migrateDatabase,
      { to: 'postgres://studio@other.example.com/studio' },
      { ...places(opened), target },
    )
    expect(opened).toEqual(['postgres://studio@other.example.com/studio'])
    await db.close()
  })
})
