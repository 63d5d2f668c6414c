import { sql } from 'kysely'
import { findAverages } from '../../../src/search/queries/entries'
import { createTokenStemmer } from '../../../src/search/rules/stem'
import {
  analyzeEntity,
  createIndexEntry,
  DEFAULT_FIELD_LENGTHS,
  WordFormSet,
} from '../../../src/search/server-index/store-entities'
import { decodeEntityKey, encodeEntityKey } from '../../../src/search/services/entity'
import { findSearchables, listSearchableStamps, toEntity } from '../../../src/search/services/find-searchables'
import { type Database, tables } from '../../../src/storage'

/** Finds entities that differ from their entry in the index on the server. Ignores impacts, because they depend on changing averages. */
export function indexDifferences(db: Database): Promise<string[]> {
  return db.read(async (tx) => {
    const { rows } = await sql<{ key: number; lexemes: string[] }>`
      select key, array_agg(lexeme) as lexemes
      from search_terms cross join lateral unnest(tsvector_to_array(terms)) as lexeme group by key`.execute(tables(tx))
    const held = new Map(rows.map(({ key, lexemes }) => [key, lexemes.map(withoutStep).sort().join()]))
    const average = (await findAverages(tx)) ?? DEFAULT_FIELD_LENGTHS
    const different: string[] = []
    for (const { type, id } of await listSearchableStamps(tx)) {
      const entity = toEntity((await findSearchables(tx, type, [id]))[0]!)
      const { key, lexemes } = createIndexEntry(
        entity,
        analyzeEntity(entity, createTokenStemmer(), new WordFormSet()),
        average,
      )
      const expected = [...new Set(lexemes.map(withoutStep))].sort().join()
      if (held.get(key) !== expected) different.push(`${type} ${id}`)
      held.delete(encodeEntityKey({ type, id }))
    }
    return [
      ...different,
      ...[...held.keys()].map((key) => `${decodeEntityKey(key).type} ${decodeEntityKey(key).id} is gone`),
    ]
  })
}

function withoutStep(lexeme: string): string {
  return /^[wxtu]/.test(lexeme) ? lexeme[0] + lexeme.slice(2) : lexeme
}
