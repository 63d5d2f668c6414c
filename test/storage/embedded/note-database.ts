import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Database, type Migration, tables, type WriteTx } from '../../../src/storage'
import { type FileOptions, openFile } from '../../../src/storage/embedded/engine/open-file'
import { exportDatabase } from '../../../src/storage/embedded/repair/backup'
import { temporaryFolder } from '../../temporary-folder'

interface Tables {
  note: { id: number; part: number; text: string }
  tally: { notes: number }
}

export const migrations: Migration[] = [
  {
    name: '0001-note',
    async up(db) {
      await db.schema
        .createTable('note')
        .addColumn('id', 'integer', (c) => c.notNull())
        .addColumn('part', 'integer', (c) => c.notNull())
        .addColumn('text', 'text', (c) => c.notNull())
        .addPrimaryKeyConstraint('note_key', ['id', 'part'])
        .execute()
      await db.schema
        .createTable('tally')
        .addColumn('notes', 'integer', (c) => c.notNull())
        .execute()
      await db.insertInto('tally').values({ notes: 0 }).execute()
    },
  },
]

/** Returns the path of a database in a folder that is removed at the end of the test. */
export async function newPath(): Promise<string> {
  return join(temporaryFolder(), 'studio.db')
}

export const openBook = (path: string, options: FileOptions = {}) =>
  openFile(path, migrations, { compactsInProcess: true, ...options })

/** Writes a note in two parts and updates the number of notes, in one transaction. */
export async function putNote(tx: WriteTx, id: number, text = `note ${id}`): Promise<void> {
  const book = tables<Tables>(tx)
  await book.insertInto('note').values({ id, part: 1, text }).execute()
  await book
    .updateTable('tally')
    .set(({ eb }) => ({ notes: eb('notes', '+', 1) }))
    .execute()
  await book.insertInto('note').values({ id, part: 2, text }).execute()
}

export const addNote = (db: Database, id: number, text?: string) => db.write((tx) => putNote(tx, id, text))

/** Returns the stored notes. Fails if a note is incomplete or the number of notes is wrong. */
export async function notesIn(db: Database): Promise<number[]> {
  return db.read(async (tx) => {
    const rows = await tables<Tables>(tx).selectFrom('note').selectAll().orderBy('id').orderBy('part').execute()
    const { notes } = await tables<Tables>(tx).selectFrom('tally').selectAll().executeTakeFirstOrThrow()
    const ids = [...new Set(rows.map(({ id }) => id))]
    const halves = ids.filter((id) => rows.filter((row) => row.id === id).length !== 2)
    if (halves.length > 0 || notes !== ids.length) {
      throw new Error(`notes by half: ${halves}; ${ids.length} notes, and a tally of ${notes}`)
    }
    return ids
  })
}

export async function reopened(path: string): Promise<number[]> {
  const db = await openBook(path)
  try {
    return await notesIn(db)
  } finally {
    await db.close()
  }
}

/** The bytes of a backup; null if there is no database. */
export const exportBytes = (path: string) => exportDatabase(path, async (pieces) => Buffer.concat([...pieces]))

export const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1)

/** The numbers of the log segments. */
export function segmentsOf(path: string): number[] {
  return readdirSync(dirname(path))
    .flatMap((name) => /\.log\.(\d+)$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b)
}
