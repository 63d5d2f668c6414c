import { describe, expect, it } from 'vitest'
import { openMemory } from '../../../src/storage/embedded/engine/open-file'
import { addNote, migrations, notesIn } from './note-database'

describe('databases in memory that begin from the same empty one', () => {
  it('have no rows of each other', async () => {
    const [one, two] = [await openMemory(migrations), await openMemory(migrations)]
    await addNote(one, 1)
    await addNote(two, 2)
    expect([await notesIn(one), await notesIn(two)]).toEqual([[1], [2]])
    expect(await notesIn(await openMemory(migrations))).toEqual([])
  })

  it('open again after the first one failed', async () => {
    let attempts = 0
    const once = migrations.map((migration) => ({
      ...migration,
      up: async (...given: Parameters<typeof migration.up>) => {
        attempts += 1
        if (attempts === 1) throw new Error('Out of memory')
        await migration.up(...given)
      },
    }))
    await expect(openMemory(once)).rejects.toThrow('Out of memory')
    expect(await notesIn(await openMemory(once))).toEqual([])
  })
})
