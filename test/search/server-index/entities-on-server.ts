import { saveAverages } from '../../../src/search/queries/entries'
import { averageFieldLengths } from '../../../src/search/rules/term-impacts'
import { createTokenStemmer } from '../../../src/search/rules/token-stemmer'
import { encodeEntityKey } from '../../../src/search/server-index/entity-key'
import { analyzeEntity, WordFormSet } from '../../../src/search/server-index/index-entry'
import { ServerIndex } from '../../../src/search/server-index/server-index'
import { storeEntities } from '../../../src/search/server-index/store-entities'
import type { Entity } from '../../../src/search/services/entity'
import type { Database } from '../../../src/storage'
import { AT } from '../desk'

const termsOf = createTokenStemmer()

/** An index on a server over entities that are no rows of it. */
export async function serverIndexOf(db: Database, entities: readonly Entity[]): Promise<ServerIndex> {
  const known = new Map(entities.map((entity) => [encodeEntityKey(entity), entity]))
  await db.write(
    async (tx) => {
      await saveAverages(
        tx,
        averageFieldLengths(entities.map((entity) => analyzeEntity(entity, termsOf, new WordFormSet()))),
        'replace',
      )
      await storeEntities(tx, entities, { termsOf, at: AT })
    },
    { locksRows: true },
  )
  return new ServerIndex(
    (work) => db.read(work),
    async (_, keys) => new Map(keys.map((key) => [key, known.get(key)!])),
  )
}
