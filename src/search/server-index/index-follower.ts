import { changedSearchables } from '../../items'
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
    const { kept, gone } = changedSearchables(tx)
    if (gone.length > 0) await removeEntries(tx, gone.map(encodeEntityKey))
    for (let start = 0; start < kept.length; start += BATCH_SIZE) {
      await storeEntities(tx, kept.slice(start, start + BATCH_SIZE).map(plainEntity), { termsOf, at: now() })
    }
  }
}
