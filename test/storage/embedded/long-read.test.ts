import { expect, it } from 'vitest'
import { isTurnOver } from '../../../src/kernel/work/budget'
import { type Database, pauseIfLong, type ReadTx, tables } from '../../../src/storage'
import { addNote, newPath, openBook, upTo } from './note-database'

async function openNotes(): Promise<Database> {
  const db = await openBook(await newPath())
  for (const id of upTo(3)) await addNote(db, id)
  return db
}

/** Pauses as a read does that has computed for a whole turn. */
async function computeAndPause(tx: ReadTx): Promise<void> {
  while (!isTurnOver());
  await pauseIfLong(tx)
}

const countNotes = async (tx: ReadTx) =>
  (await tables<{ note: { id: number; part: number } }>(tx).selectFrom('note').select('id').execute()).length / 2

it('a long read lets other transactions run, and sees one state', async () => {
  const db = await openNotes()
  const events: string[] = []
  const counts: number[][] = []
  const reading = db.read(async (tx) => {
    const seen = [await countNotes(tx)]
    counts.push(seen)
    await computeAndPause(tx)
    seen.push(await countNotes(tx))
    await computeAndPause(tx)
    events.push('read')
    return seen
  })
  const others = [
    db.read(countNotes).then(() => events.push('other read')),
    addNote(db, 4).then(() => events.push('written')),
  ]
  expect(await reading).toEqual([4, 4])
  await Promise.all(others)
  expect(events).toEqual(['other read', 'written', 'read'])
  expect(counts).toEqual([[3], [4, 4]])
  await db.close()
})

it('a read in whose pauses rows change again and again ends all the same', async () => {
  const db = await openNotes()
  let attempts = 0
  const reading = db.read(async (tx) => {
    attempts++
    const before = await countNotes(tx)
    const write = addNote(db, 3 + attempts)
    for (let i = 0; i < 10; i++) await computeAndPause(tx)
    return { isOneState: (await countNotes(tx)) === before, write }
  })
  const { isOneState, write } = await reading
  await write
  expect([isOneState, attempts]).toEqual([true, 3])
  await db.close()
})

it('a read that handles the error of its pause runs again, too', async () => {
  const db = await openNotes()
  let attempts = 0
  const reading = db.read(async (tx) => {
    attempts++
    await computeAndPause(tx).catch(() => {})
    return countNotes(tx)
  })
  await addNote(db, 4)
  expect([await reading, attempts]).toEqual([4, 2])
  await db.close()
})

it('a database that is closed meanwhile ends the reads before', async () => {
  const db = await openNotes()
  const reading = db.read(async (tx) => {
    await computeAndPause(tx)
    await computeAndPause(tx)
    return countNotes(tx)
  })
  await db.close()
  expect(await reading).toBe(3)
})
