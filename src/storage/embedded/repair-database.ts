import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { StudioError } from '../../kernel'
import type { Migration } from '../services/apply-migrations'
import { openCurrentState } from './backup'
import { BaseFile, readNamedSegment, readStamp } from './base-file'
import { type BaseSource, readPage, toBaseSource, withChanges } from './base-source'
import { findChangedByte } from './changed-byte'
import { Connection } from './connection'
import { toPageStorage } from './database-pages'
import { realDisk } from './disk'
import { createEmptyDatabase, createFileWithoutTables } from './open-file'
import { fingerprintDatabase, replaceDatabase } from './replace-database'
import { salvageLog, salvageRows } from './salvage'
import {
  correctSchemaTexts,
  describeObjects,
  findSchemaDifferences,
  hasDifferences,
  listMissingTables,
  repairSchema,
} from './schema-differences'
import { ScratchPages } from './scratch-pages'
import { isSameEra, listSegments, type SegmentEntry, segmentPath } from './segments'
import { replayStatementLog } from './statement-log'
import { verifyFiles } from './verify-files'

export interface RepairResult {
  /** The folder with the damaged files. */
  keptAside: string
  /** Commits of the log that were applied. */
  commits: number
  /** Where a single byte had changed, which its page's checksum tells: it is as it was. */
  corrected: string[]
  /** Descriptions of the data that could not be saved. */
  lost: string[]
  /** Tables, indexes, triggers and views that studio did not create. */
  removed: string[]
  /** Tables, indexes, triggers and views that were missing, or existed in another form. A table is empty. */
  recreated: string[]
}

/** Creates a new database from all data that can be read, with the schema of the migrations. Null if nothing had to be repaired. */
export async function repairDatabase(path: string, migrations: readonly Migration[]): Promise<RepairResult | null> {
  if (!existsSync(dirname(path))) return null
  // If only the schema needs repair, other processes may write until the database is replaced.
  const onlyIf = fingerprintDatabase(path)
  if (await isSound(path, migrations)) return null
  const salvage = new Salvage(path, migrations)
  try {
    const salvaged = await salvage.run()
    const { connection, commits } = salvaged
    const differences = await findSchemaDifferences(connection, migrations)
    repairSchema(connection, differences, path)
    const lost = [
      ...salvaged.lost,
      ...listMissingTables(differences).map((table) => `all rows of the table ${table}`),
      ...connection.findIntegrityErrors(),
    ]
    const source = connection.toBaseSource(salvaged.source)
    return {
      keptAside: (await replaceDatabase(path, source, realDisk, { onlyIf }))!,
      commits,
      corrected: salvaged.corrected,
      lost,
      removed: describeObjects(differences.foreign),
      recreated: describeObjects(differences.missing),
    }
  } finally {
    salvage.close()
  }
}

async function isSound(path: string, migrations: readonly Migration[]): Promise<boolean> {
  try {
    const files = await openCurrentState(path)
    if (files === null) return true
    try {
      verifyFiles(files)
      if (files.connection.findIntegrityErrors().length > 0) return false
      return !hasDifferences(await findSchemaDifferences(files.connection, migrations))
    } finally {
      files.unload()
    }
  } catch (error) {
    if (error instanceof StudioError && error.code === 'database_damaged') return false
    throw error
  }
}

interface State {
  source: BaseSource
  commits: number
  corrected: string[]
  lost: string[]
}

/** A state that was saved, with a connection to it. */
interface Salvaged extends State {
  connection: Connection
}

/** What can be read of a damaged database. Changed pages are in scratch files, because they may be larger than the memory. */
class Salvage {
  readonly #path: string
  readonly #migrations: readonly Migration[]
  readonly #open: { close(): void }[] = []

  constructor(path: string, migrations: readonly Migration[]) {
    this.#path = path
    this.#migrations = migrations
  }

  async run(): Promise<Salvaged> {
    const base = openReadableBase(this.#path)
    if (base) this.#open.push(base)
    const { source, corrected, lost } = base
      ? correctPages(base)
      : {
          source: toBaseSource(await createEmptyDatabase(this.#migrations)),
          corrected: [],
          lost: [`the whole base ${this.#path}`],
        }
    if (base?.kind === 'foreign') return this.#chooseState([{ source, commits: 0, corrected, lost }])
    if (base?.kind === 'statements') return this.#salvageStatements(base)
    const { found, missing } = findSegments(this.#path)
    const applyLog = (options: { untilDamage?: boolean }) => {
      const pages = this.#createScratch()
      const log = salvageLog(toPageStorage(source), found, pages, options)
      return { ...log, corrected, source: withChanges(source, pages) }
    }
    const whole = applyLog({})
    const wholeState = { ...whole, lost: [...lost, ...missing, ...whole.lost] }
    if (whole.lost.length === 0) return this.#chooseState([wholeState])
    const before = applyLog({ untilDamage: true })
    const dropped = whole.commits - before.commits
    const alsoLost = dropped > 0 ? [`${dropped} later commits, which do not fit without it`] : []
    return this.#chooseState([wholeState, { ...before, lost: [...wholeState.lost, ...alsoLost] }])
  }

  /** Closes the connections before the files that they read. */
  close(): void {
    for (const open of this.#open.toReversed()) open.close()
  }

  /** The first state in which SQLite finds no errors, or the readable rows of the last one. */
  async #chooseState(states: readonly State[]): Promise<Salvaged> {
    for (const state of states) {
      const connection = await this.#connect(state.source, { isDamaged: true })
      if (isConsistent(connection)) return { ...state, connection }
    }
    const last = states.at(-1)!
    const damaged = await this.#connect(last.source, { isDamaged: true })
    try {
      await correctSchemaTexts(damaged, this.#migrations)
      if (isConsistent(damaged)) return { ...last, connection: damaged }
    } catch {
      // Its rows may be readable nevertheless.
    }
    const source = toBaseSource(await createFileWithoutTables())
    const connection = await this.#connect(source)
    const lost = [...last.lost, ...salvageRows(damaged, connection)]
    if (connection.countSchemaSteps() > 0) return { ...last, source, connection, lost }
    const blank = toBaseSource(await createEmptyDatabase(this.#migrations))
    return {
      source: blank,
      connection: await this.#connect(blank),
      commits: 0,
      corrected: [],
      lost: [...lost, 'all rows: the list of tables cannot be read'],
    }
  }

  async #salvageStatements(source: BaseFile): Promise<Salvaged> {
    const connection = await this.#connect(withoutChecksums(source))
    const { userVersion } = source.marks!
    const { commits, lost } = replayStatementLog(this.#path, userVersion, connection, { savesRest: true })
    return { source: withoutChecksums(source), connection, commits, corrected: [], lost }
  }

  async #connect(source: BaseSource, { isDamaged = false } = {}): Promise<Connection> {
    const scratch = this.#createScratch()
    const connection = await Connection.openPages(toPageStorage(source), { name: this.#path, scratch, isDamaged })
    this.#open.push(connection)
    return connection
  }

  #createScratch(): ScratchPages {
    const scratch = new ScratchPages(this.#path)
    this.#open.push(scratch)
    return scratch
  }
}

function isConsistent(connection: Connection): boolean {
  try {
    connection.runScript('pragma writable_schema = reset')
    return (
      connection.findIntegrityErrors().length === 0 &&
      connection.run('select 1 from pragma_foreign_key_check limit 1').rows.length === 0
    )
  } catch {
    return false
  }
}

/** The checksums are those of the pages before the damage. */
function withoutChecksums(base: BaseFile): BaseSource {
  return {
    pageSize: base.pageSize,
    pageCount: base.pageCount,
    readInto: (bytes, first) => base.readInto(bytes, first),
    checksumOf: () => null,
    close: () => base.close(),
  }
}

/** Null if nothing of it can be read. */
function openReadableBase(path: string): BaseFile | null {
  try {
    return BaseFile.open(path, { isDamaged: true })
  } catch (error) {
    if (error instanceof StudioError && error.code === 'database_damaged') return null
    throw error
  }
}

/** The pages of a damaged base, with all changes taken back that the checksums tell. */
function correctPages(base: BaseFile): Pick<State, 'source' | 'corrected' | 'lost'> {
  const { path, pageSize } = base
  const source = withoutChecksums(base)
  const pages = [...base.findDamagedPages()]
  if (pages.length === 0)
    return { source, corrected: [], lost: base.isDamaged() ? [`${path}, some bytes do not match its checksum`] : [] }
  const areChecksumsSound = base.areChecksumsSound()
  const changed = new Map<number, Uint8Array>()
  const [corrected, lost]: string[][] = [[], []]
  for (const page of pages) {
    const bytes = readPage(source, page)
    const change = areChecksumsSound ? findChangedByte(bytes, base.checksumOf(page)!) : null
    const at = (page - 1) * pageSize
    if (change === null) lost!.push(`${path}, at byte ${at}: the page may have lost some values`)
    else {
      bytes[change.at]! ^= change.bits
      changed.set(page, bytes)
      corrected!.push(`${path}, at byte ${at + change.at}`)
    }
  }
  return { source: withChanges(source, changed), corrected: corrected!, lost: lost! }
}

/** The segments that the base does not contain, and descriptions of the missing ones. */
function findSegments(path: string): { found: SegmentEntry[]; missing: string[] } {
  const named = readStamp(path) ? readNamedSegment(path) : null
  const all = listSegments(path)
  // A failed restore left the segments of another era.
  const own = named === null ? [] : all.filter(({ segment }) => segment >= named && isSameEra(segment, named))
  const found = own.length > 0 ? own : all
  if (named !== null && found.length === 0) return { found, missing: [`the whole file ${segmentPath(path, named)}`] }
  let expected = named ?? found[0]?.segment ?? 0
  const missing: string[] = []
  for (const { segment } of found) {
    if (segment > expected && isSameEra(segment, expected))
      missing.push(describeMissingFiles(path, expected, segment - 1))
    expected = segment + 1
  }
  return { found, missing }
}

function describeMissingFiles(path: string, first: number, last: number): string {
  return first === last
    ? `the whole file ${segmentPath(path, first)}`
    : `the whole files ${segmentPath(path, first)} to ${segmentPath(path, last)}`
}
