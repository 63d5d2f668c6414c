import { readSearchableChanges } from '../../items'
import type { Follower } from '../../storage'
import { removeEntries } from '../queries/entries'
import { createTokenStemmer } from '../rules/token-stemmer'
import { encodeEntityKey } from './entity-key'
import { plainEntity, storeEntities } from './store-entities'

const BATCH_SIZE = 500

/** Keeps the index of a server in the same transaction as what has changed. */
export function createIndexFollower(now: () => string): Follower {
  const termsOf = createTokenStemmer()
  return async (tx) => {
    const { changed, removed } = readSearchableChanges(tx)
    if (removed.length > 0) await removeEntries(tx, removed.map(encodeEntityKey))
    for (let start = 0; start < changed.length; start += BATCH_SIZE) {
      await storeEntities(tx, changed.slice(start, start + BATCH_SIZE).map(plainEntity), { termsOf, at: now() })
    }
  }
}
