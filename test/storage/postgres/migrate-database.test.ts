import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openDatabase, openMemoryDatabase } from '../../../src/storage'
import { migrateDatabase } from '../../../src/storage/operations/migrate-database'
import { migrations } from '../../../src/studio'
import { contents, fill, nextDraft, runOn } from '../run-on-database'
import { describeWithPostgres } from './server'

describeWithPostgres('moving to PostgreSQL', (server) => {
  it('and back preserves every row, every checksum and the next ID', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'studio-move-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const [address, file] = [await server().createDatabase(), join(folder, 'studio.db')]
    const db = await openMemoryDatabase(migrations)
    await fill(db)
    const before = await db.read(contents)

    const there = await runOn(db, migrateDatabase, { to: address }, { current: '/data/studio.db' })
    expect(there.to).toBe(address.replace('studio_test@', ''))
    const onServer = await openDatabase(address, migrations)
    expect(await onServer.read(contents)).toEqual(before)
    expect(await db.read(contents)).toEqual(before)

    const back = await runOn(onServer, migrateDatabase, { to: file }, { current: address })
    expect(back.tables).toEqual(there.tables)
    const home = await openDatabase(file, migrations)
    expect(await home.read(contents)).toEqual(before)

    expect(await nextDraft(onServer)).toBe(701)
    expect(await nextDraft(home)).toBe(701)
    await Promise.all([db.close(), onServer.close(), home.close()])
  })

  it('and from there to another server does the same', async () => {
    const [from, to] = [await server().createDatabase(), await server().createDatabase()]
    const db = await openDatabase(from, migrations)
    await fill(db, 20)
    await runOn(db, migrateDatabase, { to }, { current: from })
    const target = await openDatabase(to, migrations)
    expect(await target.read(contents)).toEqual(await db.read(contents))
    await Promise.all([db.close(), target.close()])
  })

  it('does not change a target that contains data', async () => {
    const address = await server().createDatabase()
    const target = await openDatabase(address, migrations)
    await nextDraft(target)
    const before = await target.read(contents)
    const db = await openMemoryDatabase(migrations)
    await fill(db, 3)
    await expect(runOn(db, migrateDatabase, { to: address })).rejects.toMatchObject({ code: 'conflict' })
    expect(await target.read(contents)).toEqual(before)
    await Promise.all([db.close(), target.close()])
  })
})
