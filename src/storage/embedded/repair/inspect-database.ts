import { existsSync, statfsSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname } from 'node:path'
import { asStudioError, hint, StudioError, suggest } from '../../../kernel'
import { type Finding, ok, problem, warning } from '../../../kernel/finding'
import { pluralize } from '../../../kernel/text/text'
import type { Migration } from '../../services/apply-migrations'
import { isAlive } from '../../services/file-lock'
import { listArchives } from '../archives'
import { listClaims } from '../base/install-base'
import type { Connection } from '../engine/connection'
import type { DatabaseFiles } from '../engine/database-files'
import { requireWritableFiles } from '../engine/require-writable-files'
import { readLockHolder } from '../engine/write-lock'
import { isLastOfEra, listSegments } from '../log/segments'
import { hasUnconfirmedWrite } from '../log/unconfirmed-write'
import { openCurrentState } from './backup'
import { describeObjects, findSchemaDifferences, listMissingTables, type SchemaDifferences } from './schema-differences'
import { type LogSummary, verifyFiles } from './verify-files'

/** Checks the database in a file without changing anything. With `quick`, it reads neither the whole file nor the whole log. */
export async function inspectDatabase(
  path: string,
  migrations: readonly Migration[],
  { quick = false } = {},
): Promise<Finding[]> {
  if (!existsSync(dirname(path))) return [ok('database', `There is none at ${path} yet. The first command creates it.`)]
  return [...(await inspectContents(path, migrations, quick)), inspectWriteLock(path), ...inspectFolder(path)]
}

async function inspectContents(path: string, migrations: readonly Migration[], quick: boolean): Promise<Finding[]> {
  try {
    const files = await openCurrentState(path)
    if (files === null) return [ok('database', `There is none at ${path} yet. The first command creates it.`)]
    const { connection } = files
    try {
      const findings = quick ? inspectStart(path, files) : inspectAll(path, files)
      if (files.base !== null && !connection.isPaged) findings.push(warning('memory', WHOLE_IN_MEMORY, UPDATE))
      const differences = await findSchemaDifferences(connection, migrations)
      return [...findings, inspectSchema(connection, migrations.length), ...inspectSchemaObjects(differences)]
    } finally {
      files.unload()
    }
  } catch (error) {
    if (error instanceof StudioError)
      return [problem('database', error.message, error.hint ?? 'See: studio doctor --help')]
    throw error
  }
}

function inspectAll(path: string, files: DatabaseFiles): Finding[] {
  const summary = verifyFiles(files)
  return [inspectBase(path, files), inspectLog(path, files, summary), inspectIntegrity(files.connection)]
}

function inspectStart(path: string, { base }: DatabaseFiles): Finding[] {
  const what = `${path}, ${formatSize(base?.stamp.size ?? 0)}, can be opened. Its contents were not checked.`
  return [ok('base', what), ...(hasUnconfirmedWrite(path) ? [UNCONFIRMED_WRITE] : [])]
}

function inspectBase(path: string, { base }: DatabaseFiles): Finding {
  const what = `${path}, ${formatSize(base?.stamp.size ?? 0)}`
  if (base?.footer && (base.isHeaderChanged || !base.areChecksumsSound()))
    return warning('base', `${what}, matches its checksums. Another program has changed its header.`, USE_BACKUP)
  if (base?.footer) return ok('base', `${what}, matches its checksums.`)
  return ok('base', `${what}, was created by another tool. The first write adopts it.`)
}

function inspectLog(path: string, { cursor }: DatabaseFiles, summary: LogSummary | null): Finding {
  if (hasUnconfirmedWrite(path)) {
    return UNCONFIRMED_WRITE
  }
  if (summary === null) return ok('log', 'There is none yet.')
  const { commits, bytes, files, isCut } = summary
  const cut = isCut ? '; an incomplete record at the end is ignored' : ''
  const length = `${pluralize(commits, 'commit')} since the base, ${formatSize(bytes)} in ${pluralize(files, 'file')}${cut}.`
  if (isLastOfEra(cursor!.segment)) return warning('log', `${length} It has reached the last segment number.`, RENUMBER)
  if (files <= MAX_SEGMENTS) return ok('log', length)
  return warning('log', `${length} It should have been compacted into a new base.`, FREE_SPACE)
}

const WHOLE_IN_MEMORY = 'SQLite cannot read single pages of the file here, so each process loads the whole database.'
const UPDATE = 'Report it, with the version of Node.js. The data is safe.'
const RENUMBER = hint`Start a new range of numbers: ${suggest('storage.backup', { file: 'copy.db' })}, then ${suggest('storage.restore', { file: 'copy.db' })}`
const CHECK_DISK = 'Check the system log for disk errors. The next command writes that commit again.'
const UNCONFIRMED_WRITE = warning('log', 'The disk has not confirmed the last commit.', CHECK_DISK)

const USE_BACKUP = hint`Nothing was lost. Let other programs open a copy: ${suggest('storage.backup', { file: 'copy.db' })}`

/** Twice as many as a database usually has when it is compacted. */
const MAX_SEGMENTS = 128
/** Windows does not replace a base that another process reads. */
const FREE_SPACE = `Free some space on the disk${process.platform === 'win32' ? ', or close other programs that have the database open' : ''}. The next process that writes compacts the log when it ends.`

function inspectIntegrity(connection: Connection): Finding {
  const [integrityError] = connection.findIntegrityErrors()
  if (integrityError !== undefined)
    return problem(
      'contents',
      `SQLite reports: ${integrityError}.`,
      hint`${suggest('system.doctor', { repair: true })}`,
    )
  const orphans = connection.run<{ table: string; rows: number }>(
    'select "table", count(*) as rows from pragma_foreign_key_check group by "table"',
  ).rows
  if (orphans.length === 0) return ok('contents', 'SQLite found no errors.')
  const tables = orphans.map(({ table }) => table).join(', ')
  const count = orphans.reduce((sum, { rows }) => sum + rows, 0)
  return problem('contents', `${pluralize(count, 'row')} of ${tables} refer to rows that do not exist.`, RESTORE)
}

const RESTORE = hint`Restore a backup that contains them: ${suggest('storage.restore', { file: '<file>' })}`

function inspectSchema(connection: Connection, known: number): Finding {
  const steps = connection.countSchemaSteps()
  if (steps === known) return ok('schema', `Step ${steps}, the newest of this version.`)
  if (steps < known)
    return warning(
      'schema',
      `Step ${steps} of ${known}.`,
      'Nothing to do: the next command that opens the database updates it.',
    )
  return problem(
    'schema',
    `Step ${steps}; this version knows ${known}.`,
    'Install the newest version: npm install --global story-studio',
  )
}

function inspectSchemaObjects(differences: SchemaDifferences): Finding[] {
  const { foreign, missing } = differences
  const findings: Finding[] = []
  if (foreign.length > 0) {
    const what = `Studio did not create these parts of its database: ${describeObjects(foreign).join(', ')}.`
    findings.push(problem('schema', what, hint`Remove them: ${suggest('system.doctor', { repair: true })}`))
  }
  if (missing.length > 0) {
    const what = `These parts of the schema are missing or differ: ${describeObjects(missing).join(', ')}.`
    const canRecreate = listMissingTables(differences).length === 0
    findings.push(
      problem(
        'schema',
        what,
        canRecreate ? hint`Create them again: ${suggest('system.doctor', { repair: true })}` : RESTORE,
      ),
    )
  }
  return findings
}

function inspectWriteLock(path: string): Finding {
  const lock = `${path}.lock`
  const holder = readLockHolder(lock)
  if (holder === null) return ok('writing', 'No process is writing.')
  if (holder.host !== hostname()) return ok('writing', `Process ${holder.pid} on ${holder.host} is writing.`)
  if (isAlive(holder.pid)) return ok('writing', `Process ${holder.pid} is writing.`)
  return ok('writing', `Process ${holder.pid} died while it was writing. The next writer takes over its lock.`)
}

function inspectFolder(path: string): Finding[] {
  const folder = dirname(path)
  const findings: Finding[] = []
  const dead = listClaims(path).filter(({ alive }) => !alive)
  if (dead.length > 0) {
    findings.push(
      ok(
        'folder',
        `${pluralize(dead.length, 'compaction')} failed and left temporary files. The next one removes them.`,
      ),
    )
  }
  const archives = listArchives(path)
  if (archives.length > 0) {
    const names = archives.map((archive) => basename(archive)).join(', ')
    findings.push(ok('folder', `Archived files that you can remove: ${names}.`))
  }
  return [...findings, ...inspectDisk(path, folder)]
}

function inspectDisk(path: string, folder: string): Finding[] {
  try {
    requireWritableFiles(path)
  } catch (error) {
    const { message, hint } = asStudioError(error)
    return [problem('disk', message, hint ?? 'Fix its permissions.')]
  }
  const { blocks, bavail, bsize, files, ffree } = statfsSync(folder)
  // Some file systems count no space, and some count no files: they report 0 of 0.
  if (blocks > 0 && bavail === 0)
    return [problem('disk', `Nothing can be written. No space is left in ${folder}.`, 'Free some space.')]
  if (files > 0 && ffree === 0)
    return [problem('disk', `Nothing can be written. No more files fit into ${folder}.`, 'Remove some files.')]
  const free = bavail * bsize
  const needed = 2 * listSegments(path).reduce((sum, { size }) => sum + size, MIN_FREE_BYTES)
  const message = `${formatSize(free)} free in ${folder}.`
  return [
    free < needed
      ? warning('disk', message, 'Free some space: writes fail when the disk is full.')
      : ok('disk', message),
  ]
}

const MIN_FREE_BYTES = 16 * 1024 * 1024

function formatSize(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  return power === 0 ? `${bytes} bytes` : `${(bytes / 1024 ** power).toFixed(1)} ${units[power]}`
}
