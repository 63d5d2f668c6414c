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
  const words = Math.round(8 * count ** 0.75)
  for (let id = 1; id <= count; id++) {
    const title = text(6 + Math.floor(chance() * 6), words, chance)
    yield { id, title, text: text(40 + Math.floor(chance() * 90), words, chance) }
  }
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

/** Pseudorandom numbers from 0 to 1, by a linear congruential generator. */
function chances(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
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
