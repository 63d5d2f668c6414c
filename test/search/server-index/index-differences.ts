import { sql } from 'kysely'
import { findAverages } from '../../../src/search/queries/entries'
import { findSearchables, listSearchableStamps } from '../../../src/search/searchables'
import { analyse, entryOf, Forms } from '../../../src/search/server-index/entry'
import { plainEntity, USUAL } from '../../../src/search/server-index/keep-entries'
import { entityAt, keyOf } from '../../../src/search/server-index/key'
import { termsOfTokens } from '../../../src/search/terms-of'
import { type Database, tables } from '../../../src/storage'

/** Which entities the index on a server holds otherwise than they are; impacts apart, which go by averages that change. */
export function indexDifferences(db: Database): Promise<string[]> {
  return db.read(async (tx) => {
    const { rows } = await sql<{ key: number; lexemes: string[] }>`
      select key, array_agg(lexeme) as lexemes
      from search_terms cross join lateral unnest(tsvector_to_array(terms)) as lexeme group by key`.execute(tables(tx))
    const held = new Map(rows.map(({ key, lexemes }) => [key, lexemes.map(withoutStep).sort().join()]))
    const average = (await findAverages(tx)) ?? USUAL
    const different: string[] = []
    for (const { type, id } of await listSearchableStamps(tx)) {
      const entity = plainEntity((await findSearchables(tx, type, [id]))[0]!)
      const { key, lexemes } = entryOf(entity, analyse(entity, termsOfTokens(), new Forms()), average)
      const expected = [...new Set(lexemes.map(withoutStep))].sort().join()
      if (held.get(key) !== expected) different.push(`${type} ${id}`)
      held.delete(keyOf({ type, id }))
    }
    return [...different, ...[...held.keys()].map((key) => `${entityAt(key).type} ${entityAt(key).id} is gone`)]
  })
}

function withoutStep(lexeme: string): string {
  return /^[wxtu]/.test(lexeme) ? lexeme[0] + lexeme.slice(2) : lexeme
}
