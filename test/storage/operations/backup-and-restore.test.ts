import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import initSqlJs from 'sql.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type AnyOperation, execute } from '../../../src/kernel'
import { openDatabase, tables, type WriteTx } from '../../../src/storage'
import { MAGIC } from '../../../src/storage/embedded/log/log-record'
import { backupDatabase } from '../../../src/storage/operations/backup-database'
import { restoreDatabase } from '../../../src/storage/operations/restore-database'
import { migrations, openStudio } from '../../../src/studio'
import type { StudioContext } from '../../../src/studio-context'
import { runDoctor } from '../../../src/system/operations/run-doctor'
import { listDrafts } from '../../drafts/list-drafts'
import { nextDraft } from '../run-on-database'

/** Creates a home with `drafts` drafts, and a function that runs an operation on it as the local user. */
async function home(drafts = 3) {
  const folder = mkdtempSync(join(tmpdir(), 'studio-copies-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const database = join(folder, 'studio.db')
  const db = await openDatabase(database, migrations)
  for (let i = 0; i < drafts; i++) await nextDraft(db)
  await db.close()
  const run = async (
    op: AnyOperation<StudioContext>,
    input: object = {},
    env: Record<string, string> = {},
  ): Promise<any> => {
    const studio = openStudio({ env: { STUDIO_HOME: folder, ...env }, cwd: folder })
    try {
      return await execute(op, input, studio.context({ actor: { kind: 'terminal', tenant: 'default' } }))
    } finally {
      await studio.close()
    }
  }
  return { folder, database, run, count: () => countDrafts(database) }
}

const draftTable = (tx: WriteTx) => tables<any>(tx)

async function countDrafts(path: string): Promise<number> {
  const db = await openDatabase(path, migrations)
  try {
    return (await db.read(listDrafts)).length
  } finally {
    await db.close()
  }
}

/** The offsets of the records. */
function startsOf(log: Buffer): number[] {
  const starts: number[] = []
  for (let at = log.indexOf(MAGIC); at >= 0; at = log.indexOf(MAGIC, at + 1)) starts.push(at)
  return starts
}

function flip(path: string, at: number): void {
  const bytes = readFileSync(path)
  bytes[at]! ^= 0x20
  writeFileSync(path, bytes)
}

describe('studio backup', () => {
  it('creates a self-contained SQLite file', async () => {
    const { folder, run } = await home(3)
    const made = await run(backupDatabase, { file: 'copy.db' })
    const bytes = readFileSync(join(folder, 'copy.db'))
    expect(made).toEqual({
      file: join(folder, 'copy.db'),
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    })
    const { Database } = await initSqlJs()
    const plain = new Database(bytes)
    expect(
      plain.exec('select count(*) from draft; pragma user_version; pragma application_id; pragma integrity_check'),
    ).toEqual([[3], [0], [0], ['ok']].map((row) => expect.objectContaining({ values: [row] })))
    plain.close()
    expect(await countDrafts(join(folder, 'copy.db'))).toBe(3)
  })

  it('copies a consistent state while other processes write', async () => {
    const { folder, database, run } = await home(0)
    const db = await openDatabase(database, migrations)
    const writing = Promise.all(Array.from({ length: 30 }, () => nextDraft(db)))
    await run(backupDatabase, { file: 'copy.db' })
    await writing
    await db.close()
    expect(await countDrafts(join(folder, 'copy.db'))).toBeLessThanOrEqual(30)
  })

  it('replaces a file only with the force option, and never the database itself', async () => {
    const { folder, run } = await home()
    writeFileSync(join(folder, 'copy.db'), 'mine')
    await expect(run(backupDatabase, { file: 'copy.db' })).rejects.toMatchObject({
      code: 'conflict',
      hint: expect.stringContaining('--force'),
    })
    expect(readFileSync(join(folder, 'copy.db'), 'utf8')).toBe('mine')
    await run(backupDatabase, { file: 'copy.db', force: true })
    expect(await countDrafts(join(folder, 'copy.db'))).toBe(3)
    for (const file of [
      'studio.db',
      './studio.db',
      'studio.db.log.1',
      'studio.db.lock',
      'studio.db.search',
      'studio.db.search/1.seg',
    ]) {
      await expect(run(backupDatabase, { file, force: true })).rejects.toMatchObject({ code: 'invalid' })
    }
  })

  it('fails if there is no database to copy, or the database is on a server', async () => {
    const { folder, run } = await home()
    const elsewhere = { STUDIO_DB: join(folder, 'none.db') }
    await expect(run(backupDatabase, { file: 'copy.db' }, elsewhere)).rejects.toMatchObject({ code: 'not_found' })
    const server = { STUDIO_DB: 'postgres://me:secret@db.example.com/studio' }
    await expect(run(backupDatabase, { file: 'copy.db' }, server)).rejects.toMatchObject({
      code: 'invalid',
      message: expect.not.stringContaining('secret'),
    })
  })
})

describe('studio restore', () => {
  it('restores a backup, and saves the current database as a separate database', async () => {
    const { database, run, count } = await home(3)
    await run(backupDatabase, { file: 'copy.db' })
    const db = await openDatabase(database, migrations)
    await nextDraft(db)
    await nextDraft(db)
    await db.close()
    const { keptAside } = await run(restoreDatabase, { file: 'copy.db' })
    expect(await count()).toBe(3)
    expect(await countDrafts(join(keptAside, 'studio.db'))).toBe(5)
    await run(restoreDatabase, { file: join(keptAside, 'studio.db') })
    expect(await count()).toBe(5)
  })

  it('is immediately visible to a process that has the database open', async () => {
    const { database, run, count } = await home(2)
    await run(backupDatabase, { file: 'copy.db' })
    const db = await openDatabase(database, migrations)
    await nextDraft(db)
    await run(restoreDatabase, { file: 'copy.db' })
    expect((await db.read(listDrafts)).length).toBe(2)
    await nextDraft(db)
    await db.close()
    expect(await count()).toBe(3)
  })

  it('repairs a damaged database', async () => {
    const { database, run, count } = await home(3)
    await run(backupDatabase, { file: 'copy.db' })
    flip(`${database}.log.1`, 100)
    await expect(count()).rejects.toMatchObject({ code: 'database_damaged' })
    await run(restoreDatabase, { file: 'copy.db' })
    expect(await count()).toBe(3)
    flip(database, 5_000)
    await run(restoreDatabase, { file: 'copy.db' })
    expect(await count()).toBe(3)
  })

  it('works if there is no database yet', async () => {
    const { folder, run } = await home(3)
    await run(backupDatabase, { file: 'copy.db' })
    const elsewhere = { STUDIO_DB: join(folder, 'other', 'new.db') }
    expect(await run(restoreDatabase, { file: 'copy.db' }, elsewhere)).toMatchObject({ keptAside: null })
    expect(await countDrafts(elsewhere.STUDIO_DB)).toBe(3)
  })

  it('rejects an invalid backup, and does not change the database', async () => {
    const { folder, run, count } = await home(3)
    const file = (name: string) => join(folder, name)
    await run(backupDatabase, { file: 'copy.db' })
    writeFileSync(file('list.txt'), 'milk')
    const { Database } = await initSqlJs()
    writeFileSync(file('other.db'), new Database().run('create table milk (litres)').export())
    writeFileSync(file('cut.db'), readFileSync(file('copy.db')))
    truncateSync(file('cut.db'), 8_192)
    const newer = new Database(readFileSync(file('copy.db')))
    newer.run("insert into schema_migration values (99, '0099-later')")
    writeFileSync(file('newer.db'), newer.export())
    for (const [copy, code] of [
      ['none.db', 'not_found'],
      ['list.txt', 'database_damaged'],
      ['other.db', 'invalid'],
      ['cut.db', 'database_damaged'],
      ['newer.db', 'database_too_new'],
      ['studio.db', 'invalid'],
    ] as const) {
      await expect(run(restoreDatabase, { file: copy }), copy).rejects.toMatchObject({ code })
    }
    expect(await count()).toBe(3)
  })

  it('requires confirmation', () => {
    expect(restoreDatabase.cli!.confirm!({ file: 'copy.db' })).toContain('copy.db')
  })
})

describe('studio doctor', () => {
  const levels = (answer: any) => Object.fromEntries(answer.findings.map((f: any) => [f.about, f.level]))

  it('reports no problems for a valid or a missing database', async () => {
    const { folder, run } = await home(3)
    const answer = await run(runDoctor)
    expect(levels(answer)).toMatchObject({
      base: 'ok',
      log: 'ok',
      contents: 'ok',
      schema: 'ok',
      writing: 'ok',
      disk: 'ok',
      access: 'ok',
    })
    expect(answer.findings.find((f: any) => f.about === 'log').message).toContain('3 commits')
    expect(runDoctor.isPartial!(answer)).toBe(false)
    expect(await run(runDoctor, { repair: true })).toMatchObject({ repair: null })
    expect(levels(await run(runDoctor, {}, { STUDIO_DB: join(folder, 'no', 'none.db') }))).toMatchObject({
      database: 'ok',
    })
  })

  it('does not create or change a database', async () => {
    const { folder, run } = await home(3)
    const none = join(folder, 'none.db')
    expect(levels(await run(runDoctor, {}, { STUDIO_DB: none }))).toMatchObject({ database: 'ok' })
    expect(readdirSync(folder).filter((name) => name.startsWith('none.db'))).toEqual([])
  })

  it('reports the damage and the repair', async () => {
    const { database, run } = await home(3)
    flip(`${database}.log.1`, 100)
    const answer = await run(runDoctor)
    expect(answer.findings[0]).toMatchObject({
      about: 'database',
      level: 'problem',
      message: expect.stringContaining('studio.db.log.1, at byte 0'),
      fix: expect.stringContaining('studio doctor --repair'),
    })
    expect(runDoctor.isPartial!(answer)).toBe(true)
  })

  it('reports the holder of the write lock, and leftover files', async () => {
    const { database, run } = await home(1)
    writeFileSync(`${database}.lock`, JSON.stringify({ pid: process.pid, host: hostname() }))
    writeFileSync(`${database}.00000000-1-0123456789ab.new`, '')
    await run(backupDatabase, { file: 'copy.db' })
    const messages = (await run(runDoctor)).findings.map((f: any) => f.message)
    expect(messages).toContainEqual(`Process ${process.pid} is writing.`)
    rmSync(`${database}.lock`)
    await run(restoreDatabase, { file: 'copy.db' })
    expect((await run(runDoctor)).findings.map((f: any) => f.message).join()).toContain('Archived files')
  })

  it('includes the checks of other modules', async () => {
    const { run } = await home(1)
    const speaking = {
      ...runDoctor,
      run: (ctx: any, input: any) => runDoctor.run({ ...ctx, checkups: [async () => [finding]] }, input),
    }
    const finding = { about: 'tracker', level: 'warning', message: 'is slow', fix: 'wait' }
    expect((await run(speaking)).findings.at(-1)).toEqual(finding)
  })
})

describe('studio doctor --repair', () => {
  it('recovers every commit before the damaged one, and those after it that do not depend on it', async () => {
    const { database, run, count } = await home(5)
    const log = readFileSync(`${database}.log.1`)
    const third = startsOf(log)[2]!
    flip(`${database}.log.1`, third + 60)
    const { repair, findings } = await run(runDoctor, { repair: true })
    expect(repair.commits).toBe(2)
    expect(repair.lost[0]).toBe(
      `studio.db.log.1, at byte ${third}: ${startsOf(log)[3]! - third} bytes that cannot be read`,
    )
    expect(repair.lost).toHaveLength(3)
    expect(findings.every(({ level }: any) => level !== 'problem')).toBe(true)
    expect(existsSync(join(repair.keptAside, 'studio.db.log.1'))).toBe(true)
    expect(await count()).toBe(2)
  })

  it('reads the rows of a base before and after a damaged page', async () => {
    const { database, run, count } = await home(0)
    const db = await openDatabase(database, migrations)
    await db.write(async (tx) => {
      const row = (id: number) => ({
        id,
        title: `Draft ${id}`,
        description: 'x'.repeat(500),
        folder_id: 1,
        created_at: '',
        updated_at: '',
      })
      for (let id = 1; id <= 400; id++) await draftTable(tx).insertInto('draft').values(row(id)).execute()
    })
    await db.close()
    await run(backupDatabase, { file: 'copy.db' })
    const bytes = readFileSync(join(database, '..', 'copy.db'))
    // A page in the middle of the drafts.
    const page = Math.floor(bytes.indexOf('Draft 200') / 4096)
    bytes.fill(0xee, page * 4096, page * 4096 + 4096)
    writeFileSync(database, bytes)
    rmSync(`${database}.log.1`)
    const { repair } = await run(runDoctor, { repair: true })
    expect(repair.lost.join()).toContain('draft')
    const left = await count()
    expect(left).toBeGreaterThan(380)
    expect(left).toBeLessThan(400)
  })

  it('applies the log to an empty database if the base is missing', async () => {
    const { database, run, count } = await home(4)
    rmSync(database)
    const { repair } = await run(runDoctor, { repair: true })
    expect(repair).toMatchObject({ commits: 4, lost: [expect.stringContaining('the whole base')] })
    expect(await count()).toBe(4)
  })

  it('accepts a base without its log', async () => {
    const { folder, database, run } = await home(4)
    const copied = join(folder, 'copied.db')
    writeFileSync(copied, readFileSync(database))
    const elsewhere = { STUDIO_DB: copied }
    expect((await run(runDoctor, {}, elsewhere)).findings[0]).toMatchObject({ level: 'problem' })
    const { repair } = await run(runDoctor, { repair: true }, elsewhere)
    expect(repair.lost).toEqual([expect.stringContaining('copied.db.log.1')])
    expect(await countDrafts(copied)).toBe(0)
  })
})
