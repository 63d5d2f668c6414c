import { toBaseSource } from '../../../src/storage/embedded/base/base-source'
import { installBase } from '../../../src/storage/embedded/base/install-base'
import { realDisk } from '../../../src/storage/embedded/disk'
import { Connection } from '../../../src/storage/embedded/engine/connection'
import { createEmptyDatabase } from '../../../src/storage/embedded/engine/open-file'
import { migrations } from '../../../src/studio'
import type { Text } from './minisearch'

/** Reproducible items with words by Zipf's law, from a vocabulary that grows with the number of items. */
export function* madeUpItems(count: number): Generator<Text> {
  const chance = chances(42)
  const words = vocabularyOf(count)
  for (let id = 1; id <= count; id++) {
    const title = text(6 + Math.floor(chance() * 6), words, chance)
    yield { id, title, text: text(40 + Math.floor(chance() * 90), words, chance) }
  }
}

/** The number of different words: 157,000 at 100,000 items. */
const vocabularyOf = (count: number) => Math.round(28 * count ** 0.75)

/** Words of ordinary length that no item contains, and that are no typing mistake of one. */
export function unknownQueries(count: number, words: number): string[] {
  const chance = chances(11)
  const letters = 'qxzjvkwy'
  const unknown = () =>
    Array.from({ length: 7 + Math.floor(4 * chance()) }, () => letters[Math.floor(letters.length * chance())]).join('')
  return Array.from({ length: count }, () => Array.from({ length: words }, unknown).join(' '))
}

/** A query of this many words, which are neither the most common nor the rarest ones. */
export function madeUpQueries(count: number, words: number): string[] {
  const chance = chances(7)
  const query = () => Array.from({ length: words }, () => word(30 + Math.floor(1_500 * chance() ** 2))).join(' ')
  return Array.from({ length: count }, query)
}

function text(length: number, vocabulary: number, chance: () => number): string {
  return Array.from({ length }, () => word(Math.floor(vocabulary ** chance()))).join(' ')
}

const SYLLABLES =
  'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu bra cle dri flo gru pla ste tri spo'.split(' ')

/** The word of this frequency rank. Common words are short. */
function word(rank: number): string {
  let made = ''
  for (let rest = rank + 1; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    made += SYLLABLES[rest % SYLLABLES.length]
  return `${made}n`
}

/** Pseudorandom numbers from 0 to 1 (mulberry32). */
function chances(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b_79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Creates a database with these items and an empty log. */
export async function placeDatabase(path: string, items: Iterable<Text>): Promise<void> {
  const connection = await Connection.open(await createEmptyDatabase(migrations))
  connection.runControl('begin')
  for (const { id, title, text } of items) {
    const row = {
      ...ROW,
      id,
      title,
      description: `<p>${text}</p>`,
      changed_at: new Date(1.7e12 + id * 60_000).toISOString(),
    }
    const columns = Object.keys(row)
    connection.run(`insert into work_item (${columns}) values (${columns.map(() => '?')})`, Object.values(row))
  }
  connection.runControl('commit')
  await installBase(
    path,
    { source: toBaseSource(connection.export()), segment: 1, mayReplace: () => true, yieldsToOthers: false },
    realDisk,
  )
  connection.close()
}

const ROW = {
  rev: 1,
  type: 'User Story',
  state: 'Active',
  area_path: 'Warehouse\\Docks',
  iteration_path: 'Warehouse\\Sprint 1',
  tags: '[]',
  predecessors: '[]',
  blocked_field: 0,
  description_format: 'html',
  url: 'https://tracker.example.com/items/1',
  relations_fingerprint: '',
  remote_rev: 1,
  fetched_at: '2026-01-01T00:00:00.000Z',
}
