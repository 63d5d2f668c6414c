import { statSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { inspectDatabase } from '../../../src/storage/embedded/repair/inspect-database'
import { addNote, migrations, newPath, notesIn, openBook, putNote, reopened, upTo } from './note-database'

/** A sql.js that copies what it opens, byte by byte, and finds none in an object that only looks like an array. */
vi.mock('sql.js', async (importOriginal) => {
  const { default: initSqlJs } = await importOriginal<typeof import('sql.js')>()
  const init = async () => {
    const { Database } = await initSqlJs()
    return {
      Database: class extends Database {
        constructor(data?: ArrayLike<number> | null) {
          super(data instanceof Uint8Array ? data : null)
        }
      },
    }
  }
  return { default: init }
})

describe('a sql.js that cannot read pages', () => {
  it('gets the whole file, with the same results', async () => {
    const path = await newPath()
    const options = { minSegmentBytes: 3_000 }
    const [db, other] = [await openBook(path, options), await openBook(path, options)]
    for (const id of upTo(10)) {
      await addNote(id % 2 ? db : other, id, 'x'.repeat(900))
      expect(await notesIn(id % 2 ? other : db)).toEqual(upTo(id))
    }
    await expect(addNote(db, 3)).rejects.toThrow('UNIQUE')
    const failing = db.write(async (tx) => {
      await putNote(tx, 11)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(statSync(`${path}.log.1`).size).toBeLessThan(20_000)
    await Promise.all([db.close(), other.close()])
    expect(await reopened(path)).toEqual(upTo(10))
    expect(await inspectDatabase(path, migrations)).toContainEqual(
      expect.objectContaining({ about: 'memory', level: 'warning' }),
    )
  })
})
