import type { ReadTx } from '../../storage'
import { findKeyNames } from '../queries/tenants'

const LINK_PREFIX = 'console '

/** In place of the ID of a dock key: the ID of the link that opened a session of the console. */
export function toLinkKeyId(linkId: string): string {
  return `${LINK_PREFIX}${linkId}`
}

/**
 * The names of the keys that changes were made with, by their IDs. A key without a name is identified by its public prefix. Others have
 * no entry.
 */
export async function findCallerNames(tx: ReadTx, ids: readonly string[]): Promise<Map<string, string>> {
  const links = ids.filter((id) => id.startsWith(LINK_PREFIX))
  const names = await findKeyNames(
    tx,
    ids.filter((id) => !id.startsWith(LINK_PREFIX)),
  )
  for (const id of links) names.set(id, LINK_PREFIX.trim())
  return names
}
