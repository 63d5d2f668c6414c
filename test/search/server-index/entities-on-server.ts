import type { Entity } from '../../../src/search/entity'
import { averageLengths } from '../../../src/search/impacts'
import { saveAverages } from '../../../src/search/queries/entries'
import { analyse, Forms } from '../../../src/search/server-index/entry'
import { keepEntities } from '../../../src/search/server-index/keep-entries'
import { keyOf } from '../../../src/search/server-index/key'
import { ServerIndex } from '../../../src/search/server-index/server-index'
import { termsOfTokens } from '../../../src/search/terms-of'
import type { Database } from '../../../src/storage'
import { AT } from '../desk'

const termsOf = termsOfTokens()

/** An index on a server over entities that are no rows of it. */
export async function serverIndexOf(db: Database, entities: readonly Entity[]): Promise<ServerIndex> {
  const known = new Map(entities.map((entity) => [keyOf(entity), entity]))
  await db.write(
    async (tx) => {
      await saveAverages(tx, averageLengths(entities.map((entity) => analyse(entity, termsOf, new Forms()))), 'replace')
      await keepEntities(tx, entities, { termsOf, at: AT })
    },
    { locksRows: true },
  )
  return new ServerIndex(
    (work) => db.read(work),
    async (_, keys) => new Map(keys.map((key) => [key, known.get(key)!])),
  )
}
