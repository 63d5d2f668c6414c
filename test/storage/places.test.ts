import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { readCredentials } from '../../src/config/services/credentials'
import { readConfigFile, readStoredFile } from '../../src/config/services/paths'
import { requireTrust } from '../../src/config/services/project-trust'
import { asStudioError, errorBody, type StudioError, withoutPlaces } from '../../src/kernel'
import * as storageErrors from '../../src/storage/embedded/storage-errors'
import {
  ConnectionError,
  findReadOnlyError,
  StandbyError,
  toStudioError,
  UnreplicatedError,
} from '../../src/storage/postgres/postgres-errors'
import { databaseTooNewError } from '../../src/storage/services/apply-migrations'
import { withFileLock } from '../../src/storage/services/file-lock'
import { toFileError } from '../../src/storage/services/files'
import { hasFileModes } from '../file-mode'
import { temporaryFolder } from '../temporary-folder'

const SERVER = 'The database postgres://db.internal.example/studio'
const systemError = (code: string) => Object.assign(new Error('said the system'), { code })
const serverError = (code: string, message: string) => Object.assign(new Error(message), { severity: 'FATAL', code })
const refused = (code: string, message: string) =>
  toStudioError(new ConnectionError('connecting', serverError(code, message)), SERVER)

async function thrownBy(work: () => unknown): Promise<unknown> {
  try {
    await work()
  } catch (error) {
    return error
  }
  throw new Error('expected an error')
}

/** Every kind of error that names a file or an address, by the file that creates it. */
async function createErrors(folder: string): Promise<Record<string, unknown[]>> {
  const file = join(folder, 'studio.db')
  const { damagedError, changedError, interruptedChangeError, unconfirmedWriteError, unsyncedFileError } = storageErrors
  const settings = join(folder, 'config.json')
  writeFileSync(settings, '[]', { mode: 0o644 })
  chmodSync(settings, 0o644)
  const paths = { config: folder, data: folder, state: folder }
  return {
    'src/storage/embedded/storage-errors.ts': [
      damagedError(file, 5, 'it is cut'),
      changedError(file, `Another program has written to ${file}.`),
      storageErrors.changedJournalError(file),
      storageErrors.missingFileError(file),
      storageErrors.notADatabaseError(file),
      storageErrors.foreignJournalError(file),
      interruptedChangeError(file, { isOurs: true }),
      unconfirmedWriteError(file, null),
      unsyncedFileError(file, null),
    ],
    'src/storage/services/files.ts': [toFileError(systemError('EACCES'), file)],
    'src/storage/services/file-lock.ts': [
      await withFileLock(join(folder, 'lock'), () =>
        thrownBy(() => withFileLock(join(folder, 'lock'), async () => {}, { waitMs: 0 })),
      ),
    ],
    'src/storage/services/apply-migrations.ts': [databaseTooNewError(file), databaseTooNewError(SERVER)],
    'src/storage/postgres/postgres-errors.ts': [
      findReadOnlyError({ isStandby: true, isReadOnly: false }, SERVER),
      findReadOnlyError({ isStandby: false, isReadOnly: true }, SERVER),
      toStudioError(serverError('25006', 'cannot execute UPDATE'), SERVER),
      toStudioError(serverError('53100', 'disk full'), SERVER),
      toStudioError(serverError('40001', 'conflict'), SERVER),
      toStudioError(serverError('3F000', 'no schema'), SERVER),
      toStudioError(new UnreplicatedError(), SERVER),
      toStudioError(new ConnectionError('connecting', new StandbyError()), SERVER),
      toStudioError(new ConnectionError('connecting', systemError('ECONNREFUSED')), SERVER),
      toStudioError(
        new ConnectionError('connecting', new Error('self-signed certificate of db.internal.example')),
        SERVER,
      ),
      toStudioError(new ConnectionError('working', new Error('ended')), SERVER),
      toStudioError(new ConnectionError('committing', new Error('ended')), SERVER),
      refused('28000', 'no pg_hba.conf entry for host "10.2.0.7", user "ana"'),
      refused('3D000', 'database "studio" does not exist'),
      refused('08P01', 'no such user: ana'),
      refused('57P03', 'the database system is starting up'),
      refused('08P01', 'unsupported startup parameter: options'),
      refused('08P01', 'unknown, in statement pooling mode'),
      toStudioError(new ConnectionError('connecting', systemError('ECONNREFUSED')), 'The replica db.internal.example'),
    ],
    'src/config/services/paths.ts': [
      await thrownBy(() => readConfigFile(folder)),
      await thrownBy(() => readStoredFile(settings, z.strictObject({}), `Remove ${settings}.`)),
    ],
    'src/config/services/credentials.ts': hasFileModes
      ? [
          await thrownBy(() => {
            writeFileSync(settings, '{}')
            return readCredentials(settings)
          }),
        ]
      : [],
    'src/config/services/project-trust.ts': [
      await thrownBy(() => requireTrust({ path: settings, text: '{}', keys: ['db'] }, paths)),
    ],
  }
}

it.skipIf(!hasFileModes)(
  'remote callers read what each place is, in a sentence, and neither files nor addresses',
  async () => {
    const folder = join(temporaryFolder(), 'srv')
    mkdirSync(folder)
    const errors = await createErrors(folder)
    const shown = Object.values(errors)
      .flat()
      .map((error) => errorBody(withoutPlaces(error as StudioError)))
    for (const body of shown) {
      expect(JSON.stringify(body)).not.toMatch(/srv|internal\.example|10\.2\.0\.7|\bana\b|\[hidden\]|undefined/)
      expect(body.message).toMatch(/^(An?|The|Another|Cannot|No|PgBouncer) .*[^:.]\.$/)
      expect(body.code).not.toBe('internal')
    }
    // Windows does not say which of the two it is.
    const ofEverySystem = (message: string) => message.replace(', or another program has it open', '')
    expect(
      shown.map(({ message }) => ofEverySystem(message).replace(/process \d+/, 'process 1')),
    ).toMatchInlineSnapshot(`
    [
      "The database is damaged: the database file, at byte 5: it is cut.",
      "Another program has written to the database file. Only studio may write to this file.",
      "Another program has changed the database file: its changes are in its write-ahead log. Only studio may write to this file.",
      "The database is damaged: the database file: the file is missing, and the other files depend on it.",
      "The database file is not a database.",
      "Another tool left a part of the database file in its write-ahead log.",
      "Another tool was interrupted while it changed the database file, or changes it now.",
      "The disk did not confirm a write to the database file.",
      "The disk does not confirm the content of the database file.",
      "Cannot use a file of studio: permission was denied.",
      "A lock file has been held by process 1 for too long.",
      "The database file was written by a newer version of studio.",
      "The database was written by a newer version of studio.",
      "The database is a standby: nothing can be written.",
      "The database is read-only (default_transaction_read_only): nothing can be written.",
      "The database is read-only: it is a standby, or configured as read-only.",
      "The disk of the database is full; nothing was changed.",
      "The database is too busy; nothing was changed.",
      "The database does not have the schema that its address names.",
      "The database has saved the change, but no standby has confirmed it, so it may still be lost.",
      "No server of the database is the primary: those that answer are standbys.",
      "The database does not answer (ECONNREFUSED).",
      "No secure connection to the database.",
      "The connection to the database was lost; nothing was changed.",
      "The connection to the database was lost during the commit: the change may or may not have been saved.",
      "The database rejected the user name or the password.",
      "The database does not exist on its server.",
      "The database refused the connection (08P01).",
      "The database refused the connection (57P03).",
      "PgBouncer does not accept the parameter options in the address of the database.",
      "The database is behind PgBouncer in statement mode, which has no transactions.",
      "The replica does not answer (ECONNREFUSED).",
      "A settings file is not a regular file.",
      "A settings file has an unexpected format.",
      "The file of credentials contains a token, and other users can read it.",
      "A settings file sets db, which a file of a repository decides only if you trust it. You have not trusted this file.",
    ]
  `)
    expect(shown.flatMap(({ hint }) => (hint?.includes('<') ? [hint] : []))).toMatchInlineSnapshot(`
    [
      "Restore a backup: storage.restore {"file":"<file>"}. Or save all data that can be read: system.doctor {"repair":true}",
      "Restore a backup: storage.restore {"file":"<file>"}. Or keep all that studio has saved and that can be read: system.doctor {"repair":true}",
      "Close that program. To leave its changes out and archive them: system.doctor {"repair":true}. To write them into the file instead: sqlite3 <database file> 'pragma wal_checkpoint(truncate); pragma journal_mode = delete'",
      "Restore a backup: storage.restore {"file":"<file>"}. Or save all data that can be read: system.doctor {"repair":true}",
      "Restore a backup: storage.restore {"file":"<file>"}. Or save all data that can be read: system.doctor {"repair":true}. Or set STUDIO_DB to another file.",
      "Write it back: sqlite3 <database file> 'pragma wal_checkpoint(truncate); pragma journal_mode = delete'",
      "Roll the change back: sqlite3 <database file> 'select count(*) from sqlite_schema'",
      "Specify the certificate authority with ?sslrootcert=<file>. On a trusted network you can use ?sslmode=no-verify or disable instead.",
      "Remove it from the address, and set the schema for the role: alter role <role> set search_path = <schema>",
      "Remove <settings file>.",
      "Run: chmod 600 <file of credentials>. Replace the token, because others may have seen it.",
    ]
  `)
  },
)

it('are all tested above', async () => {
  const creating = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `src/${name.replaceAll(sep, '/')}`)
    .filter((file) => /\bplaces: (\[[{p]|placesOf)|\.places\.push\(/.test(readFileSync(file, 'utf8')))
  const known = Object.keys(await createErrors(temporaryFolder()))
  expect(creating.length).toBeGreaterThan(5)
  expect(creating.filter((file) => !known.includes(file))).toEqual([])
})

it('the operator reads what a pooler said, without credentials', () => {
  const error = refused('08P01', 'server login failed: FATAL password=hunter2\n for postgres://ana:hunter2@db/studio')
  expect(asStudioError(error).message).toBe(
    'The database postgres://db.internal.example/studio refused the connection: server login failed: FATAL password=… for postgres://db/studio (08P01).',
  )
})
