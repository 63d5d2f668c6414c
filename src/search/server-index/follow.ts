import { changedSearchables } from '../../items'
import type { Follower } from '../../storage'
import { removeEntries } from '../queries/entries'
import { termsOfTokens } from '../terms-of'
import { keepEntities, plainEntity } from './keep-entries'
import { keyOf } from './key'

const AT_ONCE = 500

/** Keeps the index of a server in the same transaction as what has changed. */
export function createFollower(now: () => string): Follower {
  const termsOf = termsOfTokens()
  return async (tx) => {
    const { kept, gone } = changedSearchables(tx)
    if (gone.length > 0) await removeEntries(tx, gone.map(keyOf))
    for (let start = 0; start < kept.length; start += AT_ONCE) {
      await keepEntities(tx, kept.slice(start, start + AT_ONCE).map(plainEntity), { termsOf, at: now() })
    }
  }
}
