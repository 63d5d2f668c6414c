import { type ChildProcess, spawn } from 'node:child_process'
import { fdatasync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CompiledQuery } from 'kysely'
import initSqlJs from 'sql.js'
import { insertDraft } from '../../src/drafts/queries'
import { type Database, tables } from '../../src/storage'
import { toBaseSource } from '../../src/storage/embedded/base/base-source'
import { installBase } from '../../src/storage/embedded/base/install-base'
import { realDisk } from '../../src/storage/embedded/disk'
import { Connection } from '../../src/storage/embedded/engine/connection'
import { createEmptyDatabase, type FileOptions, openFile } from '../../src/storage/embedded/engine/open-file'
import { migrations } from '../../src/studio'
import { median, printFigure, ratioInTurn } from './figures'
import { openNative } from './native-sqlite'
import { measureSizes, measureUnderLimit } from './storage-size'

const MB = 1_000_000
const ONE_KIB = 'A story of ordinary length. '.repeat(37).slice(0, 1_024)

/** Measures the embedded engine on the disk of the temporary folder; with `size`, whole processes on a database of a gigabyte. */
export async function run([part, megabytes]: string[] = []): Promise<void> {
  if (part === 'limit') return measureUnderLimit(megabytes ? Number(megabytes) : undefined)
  if (part === 'size') return measureSizes(megabytes ? Number(megabytes) : undefined)
  const folder = mkdtempSync(join(tmpdir(), 'studio-bench-'))
  try {
    await commits(folder)
    await writers(folder)
    await bytesWritten(folder)
    await opening(folder)
    await overtaking(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const open = (path: string, options: FileOptions = {}) =>
  openFile(path, migrations, { compactsInProcess: true, ...options })

/** The smallest useful commit: one row of one KiB. */
const saveRow = (db: Database) => db.write((tx) => tables(tx).executeQuery(insertRow))

/** The same commit by an operation: it builds the query, returns the row, and marks the workspace as changed. */
const saveDraft = (db: Database) => db.write((tx) => insertDraft(tx, draft()))

async function commits(folder: string): Promise<void> {
  const [small, large] = [join(folder, 'small.db'), join(folder, 'large.db')]
  await fill(small, MB)
  await fill(large, 100 * MB)
  const [inSmall, inLarge] = [await open(small), await open(large)]
  await warmUp(inSmall, inLarge)
  printFigure({
    name: 'a commit in a database of 100 MB ÷ in one of 1 MB',
    value: await ratioInTurn(
      300,
      timed(() => saveRow(inLarge)),
      timed(() => saveRow(inSmall)),
    ),
    atMost: 1.3,
  })

  const bare = openSync(join(folder, 'bare.log'), 'a')
  const sync = promisify(fdatasync)
  const overBare = async (save: (db: Database) => Promise<unknown>) => {
    let record: Uint8Array = Buffer.alloc(0)
    const append = (fd: number, bytes: Uint8Array) => {
      record = bytes
      return realDisk.append(fd, bytes)
    }
    const db = await open(small, { disk: { ...realDisk, append } })
    await warmUp(db)
    const appendAndSync = async () => {
      writeSync(bare, record)
      await sync(bare)
    }
    const ratio = await ratioInTurn(
      500,
      timed(() => save(db)),
      timed(appendAndSync),
    )
    await db.close()
    return ratio
  }
  await Promise.all([inSmall.close(), inLarge.close()])
  const figure = { name: 'a commit ÷ a bare append and fdatasync of the same bytes', atMost: 1.5 }
  printFigure({ ...figure, value: await overBare(saveRow) })
  printFigure({ name: '  the same with a draft, its query built and answered', value: await overBare(saveDraft) })
}

async function writers(folder: string): Promise<void> {
  const db = await open(join(folder, 'writers.db'))
  await warmUp(db)
  const commitsBy = (writers: number, each: number) => async () => {
    const startedAt = performance.now()
    const writer = async () => {
      for (let i = 0; i < each; i++) await saveRow(db)
    }
    await Promise.all(Array.from({ length: writers }, writer))
    return ((writers * each) / (performance.now() - startedAt)) * 1_000
  }
  printFigure({
    name: 'commits a second, 32 writers ÷ one writer',
    value: await ratioInTurn(15, commitsBy(32, 30), commitsBy(1, 200)),
    atLeast: 6,
  })
  const native = openNative(join(folder, 'native.db'), row)
  if (native === null) console.log('  native SQLite could not be had: see what npm install says on this machine')
  else {
    printFigure({
      name: 'commits a second, 32 writers ÷ native SQLite, WAL, synchronous = FULL',
      value: await ratioInTurn(15, commitsBy(32, 30), async () => native.commitsASecond(200)),
      atLeast: 1,
    })
    native.close()
  }
  await db.close()
}

async function bytesWritten(folder: string): Promise<void> {
  const path = join(folder, 'bytes.db')
  let bytes = 0
  const append = (fd: number, part: Uint8Array) => {
    bytes += part.length
    return realDisk.append(fd, part)
  }
  const DRAFTS = 16_000
  for (let saved = 0; saved < DRAFTS; ) {
    const db = await open(path, { disk: { ...realDisk, append } })
    for (let i = 0; i < 40; i++, saved += 10) await Promise.all(Array.from({ length: 10 }, () => saveDraft(db)))
    await db.close()
  }
  const size = (statSync(path).size / MB).toFixed(0)
  printFigure({
    name: `bytes written for a draft of 1 KiB, with all compaction up to ${size} MB`,
    value: bytes / DRAFTS / 1_024,
    unit: 'KiB',
    atMost: 16,
  })
}

async function opening(folder: string): Promise<void> {
  const path = join(folder, 'folded.db')
  await fill(path, 100 * MB)
  const { Database: SqlJs } = await initSqlJs()
  const bare = async () => {
    const db = new SqlJs(readFileSync(path))
    db.exec('select count(*) from sqlite_master')
    db.close()
  }
  const ours = async () => (await open(path)).close()
  printFigure({
    name: 'opening a database of 100 MB ÷ reading the file and opening it with sql.js',
    value: await ratioInTurn(15, timed(ours), timed(bare)),
    atMost: 1.3,
  })
  const db = await open(path)
  for (let i = 0; i < 20; i++) await Promise.all(Array.from({ length: 100 }, () => saveRow(db)))
  await db.close()
  printFigure({
    name: '  the same with 2,000 commits in its log',
    value: await ratioInTurn(15, timed(ours), timed(bare)),
  })
}

/** Measures the delay when a writer in another process exits or is paused while it holds the write lock. */
async function overtaking(folder: string): Promise<void> {
  const path = join(folder, 'small.db')
  for (const [what, signal] of [
    ['killed', 'SIGKILL'],
    ['stopped', 'SIGSTOP'],
  ] as const) {
    const times: number[] = []
    for (let round = 0; round < 5; round++) {
      const holder = await holderOf(`${path}.lock`)
      holder.kill(signal)
      const db = await open(path)
      times.push((await timed(() => saveDraft(db))()) / 1_000)
      await db.close()
      holder.kill('SIGKILL')
    }
    printFigure({ name: `a commit behind a writer that was ${what}`, value: median(times), unit: 's', atMost: 2 })
  }
}

/** Starts a process that has just taken the write lock. */
function holderOf(lock: string): Promise<ChildProcess> {
  const program = `
    const { utimesSync, writeFileSync } = require('node:fs')
    const holder = JSON.stringify({ pid: process.pid, host: require('node:os').hostname() })
    writeFileSync(process.argv[1], holder, { flag: 'wx' })
    setInterval(() => utimesSync(process.argv[1], new Date(), new Date()), 400)
    console.log('holds')`
  rmSync(lock, { force: true })
  const child = spawn(process.execPath, ['-e', program, lock], { stdio: ['ignore', 'pipe', 'inherit'] })
  return new Promise((resolve) => child.stdout.once('data', () => resolve(child)))
}

function timed(work: () => Promise<unknown>): () => Promise<number> {
  return async () => {
    const startedAt = performance.now()
    await work()
    return performance.now() - startedAt
  }
}

async function warmUp(...databases: Database[]): Promise<void> {
  for (const db of databases) for (let i = 0; i < 200; i++) await saveRow(db)
}

/** Creates a database of about this size with a compacted log. */
async function fill(path: string, bytes: number): Promise<void> {
  const connection = await Connection.open(await createEmptyDatabase(migrations))
  connection.runControl('begin')
  for (let written = 0; written < bytes; written += 1_300) connection.run(insertRow.sql, insertRow.parameters)
  connection.runControl('commit')
  const placing = {
    source: toBaseSource(connection.export()),
    segment: 1,
    mayReplace: () => true,
    yieldsToOthers: false,
  }
  await installBase(path, placing, realDisk)
  connection.close()
}

const row = {
  title: 'A story',
  description: ONE_KIB,
  folder_id: 1,
  tags: 'a; b',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
}

const insertRow = CompiledQuery.raw(
  `insert into draft (${Object.keys(row)}) values (${Object.keys(row).map(() => '?')})`,
  Object.values(row),
)

function draft(): Parameters<typeof insertDraft>[1] {
  return {
    title: row.title,
    description: row.description,
    acceptanceCriteria: null,
    storyPoints: 3,
    assignedTo: null,
    areaPath: null,
    iterationPath: null,
    tags: row.tags,
    fields: {},
    folderId: 1,
    sourceItemId: null,
    sourceRev: null,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
