import type { Settings } from '../../src/config'
import { stripCredentials } from '../../src/config/services/credentials'
import { deleteTrackerCredentials } from '../../src/config/services/store-token'

/**
 * Deletes what is stored for a tracker whose token a command prints from now on, because a stored token would come first. It stays if another
 * tracker at the same address uses it too.
 */
export async function preferCommand(
  { paths, tracker, trackers }: Pick<Settings, 'paths' | 'tracker' | 'trackers'>,
  address: string,
): Promise<void> {
  const key = stripCredentials(address)
  const usesIt = ({ url, tokenCommand }: { url: string | null; tokenCommand: string | null }) =>
    url !== null && stripCredentials(url) === key && tokenCommand === null
  if (!usesIt(tracker) && !trackers.some(usesIt)) await deleteTrackerCredentials(paths, key)
}
