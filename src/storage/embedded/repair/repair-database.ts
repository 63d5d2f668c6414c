import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { pluralize } from '../../../kernel/text/text'
import type { Migration } from '../../services/apply-migrations'
import { BaseFile, readNamedSegment, readStamp } from '../base/base-file'
import { type BaseSource, toBaseSource, withChanges } from '../base/base-source'
import { realDisk } from '../disk'
import { Connection } from '../engine/connection'
import { toPageStorage } from '../engine/database-pages'
import { createEmptyDatabase, createFileWithoutTables } from '../engine/open-file'
import { fingerprintDatabase, replaceDatabase } from '../engine/replace-database'
import { ScratchPages } from '../engine/scratch-pages'
import { isSameEra, listSegments, type SegmentEntry, segmentPath } from '../log/segments'
import { needsRepair } from '../storage-errors'
import { openCurrentState } from './backup'
import { type Corrected, correctPages, withoutChecksums } from './correct-pages'
import { addMissingRows, type SalvagedLog, salvageLog, salvageRows } from './salvage'
import {
  correctSchemaTexts,
  describeObjects,
  findSchemaDifferences,
  hasDifferences,
  listMissingTables,
  repairSchema,
} from './schema-differences'
import { verifyFiles } from './verify-files'

export interface RepairResult {
  /** The folder with the damaged files. */
  keptAside: string
  /** Commits of the log that were applied. */
  commits: number
  /** Commits of the log that could not be applied. */
  lostCommits: number
  /** Where a change was taken back, so that the bytes are again what studio wrote. */
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
    const { connection, commits, lostCommits } = salvaged
    const differences = await findSchemaDifferences(connection, migrations)
    repairSchema(connection, differences, path)
    const lost = [
      ...salvaged.lost,
      ...listMissingTables(differences).map((table) => `all rows of the table ${table}`),
      ...connection.findIntegrityErrors(),
    ]
    // The rows may be in another file by now, so that the source does not close the base that is replaced.
    const source = { ...connection.toBaseSource(salvaged.source), close: () => salvage.closeBase() }
    return {
      keptAside: (await replaceDatabase(path, source, realDisk, { onlyIf }))!,
      commits,
      lostCommits,
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
    if (needsRepair(error)) return false
    throw error
  }
}

interface State {
  source: BaseSource
  commits: number
  lostCommits: number
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
  #base: BaseFile | null = null

  constructor(path: string, migrations: readonly Migration[]) {
    this.#path = path
    this.#migrations = migrations
  }

  async run(): Promise<Salvaged> {
    const base = openReadableBase(this.#path)
    this.#base = base
    if (base) this.#open.push(base)
    if (base?.isForeign) {
      const source = withoutChecksums(base)
      return this.#chooseState([{ source, commits: 0, lostCommits: 0, corrected: [], lost: [] }])
    }
    const empty = toBaseSource(await createEmptyDatabase(this.#migrations))
    const log = findSegments(this.#path)
    if (base && base.footer === null) return this.#salvageWithoutChecksums(base, empty, log)
    const corrected = base
      ? correctPages(base, empty)
      : { source: empty, corrected: [], lost: [`the whole base ${this.#path}`], isHeaderLost: true }
    return this.#chooseState(this.#applyLog(corrected, log))
  }

  /** The states with all commits that fit, and before the first one that does not. */
  #applyLog({ source, corrected, lost, isHeaderLost }: Corrected, { found, missing }: FoundLog): State[] {
    const whole = this.#tryLog(source, found, { acceptsHeader: isHeaderLost })
    const wholeState = { ...whole, corrected, lost: [...lost, ...missing, ...whole.lost] }
    if (whole.lost.length === 0) return [wholeState]
    const before = this.#tryLog(source, found, { acceptsHeader: isHeaderLost, untilDamage: true })
    const dropped = whole.commits - before.commits
    const alsoLost = dropped > 0 ? [`${dropped} later commits, which do not fit without it`] : []
    const lostCommits = whole.lostCommits + dropped
    return [wholeState, { ...before, corrected, lostCommits, lost: [...wholeState.lost, ...alsoLost] }]
  }

  #tryLog(
    source: BaseSource,
    segments: readonly SegmentEntry[],
    options: { untilDamage?: boolean; acceptsHeader?: boolean } = {},
  ): SalvagedLog & { source: BaseSource } {
    const pages = this.#createScratch()
    const log = salvageLog(toPageStorage(source), segments, pages, options)
    return { ...log, source: withChanges(source, pages) }
  }

  /**
   * Without checksums, only the log can tell whether the pages are at their places. A log that continues the base of a new database
   * contains everything.
   */
  async #salvageWithoutChecksums(base: BaseFile, empty: BaseSource, log: FoundLog): Promise<Salvaged> {
    const source = base.hasAutoVacuum ? toBaseSource(await vacuum(base)) : withoutChecksums(base)
    const fromEmpty = this.#tryLog(empty, log.found)
    if (fromEmpty.fitsBase && fromEmpty.lost.length === 0 && log.missing.length === 0) {
      const connection = await this.#connect(fromEmpty.source)
      const added = addMissingRows(await this.#connect(source, { isDamaged: true }), connection)
      const also = added > 0 ? [`${this.#path}: ${pluralize(added, 'row')} of another program were added`] : []
      return { ...fromEmpty, connection, corrected: [`${this.#path}: all pages`, ...also] }
    }
    const unknown = `${this.#path}: its checksums are missing, so that changes by other programs cannot be found`
    const corrected = { source, corrected: [], lost: [unknown], isHeaderLost: true }
    const { fitsBase } = this.#tryLog(source, log.found, { acceptsHeader: true })
    if (fitsBase || !base.isRewritten) return this.#chooseState(this.#applyLog(corrected, log))
    const lostCommits = fromEmpty.commits + fromEmpty.lostCommits
    const lost =
      lostCommits > 0 ? [`${pluralize(lostCommits, 'commit')} of the log: the pages that they change were moved`] : []
    return this.#chooseState([{ ...corrected, commits: 0, lostCommits, lost: [...log.missing, ...lost] }])
  }

  closeBase(): void {
    this.#base?.close()
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
      lostCommits: last.commits + last.lostCommits,
      corrected: [],
      lost: [...lost, 'all rows: the list of tables cannot be read'],
    }
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

/** Null if nothing of it can be read. */
function openReadableBase(path: string): BaseFile | null {
  try {
    return BaseFile.open(path, { isDamaged: true })
  } catch (error) {
    if (needsRepair(error)) return null
    throw error
  }
}

/** The file without `auto_vacuum`, with which SQLite moves pages. */
async function vacuum(base: BaseFile): Promise<Uint8Array> {
  const whole = Buffer.alloc(base.pageCount * base.pageSize)
  base.readInto(whole, 1)
  const connection = await Connection.open(whole, base.path)
  try {
    connection.runScript('pragma auto_vacuum = none; vacuum')
    return connection.export()
  } finally {
    connection.close()
  }
}

interface FoundLog {
  found: SegmentEntry[]
  missing: string[]
}

/** The segments that the base does not contain, and descriptions of the missing ones. */
function findSegments(path: string): FoundLog {
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
