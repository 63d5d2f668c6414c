import { resolvePaths } from '../src/config'
import { getCredentialsFile, readTrackerToken } from '../src/config/services/credentials'
import { listTrackerAddresses } from '../src/config/services/list-settings'
import { deleteTrackerToken } from '../src/config/services/store-token'
import type { Invocation } from './start/invocation'
import { askYesNo, canAsk } from './terminal/ask'
import { writeMessage } from './terminal/write-message'

/** The addresses of the trackers in the settings whose token is stored. */
export function listStoredTokens({ env, cwd }: Invocation['terminal']): string[] {
  const paths = resolvePaths(env)
  return listTrackerAddresses({ env, cwd }).filter((address) => readTrackerToken(paths, address) !== null)
}

/** Offers to delete the tokens of those addresses that no tracker uses. Without an answer they stay stored. */
export async function offerToDeleteTokens(addresses: readonly string[], invocation: Invocation): Promise<void> {
  const { terminal, flags } = invocation
  const paths = resolvePaths(terminal.env)
  const used = listTrackerAddresses(terminal)
  for (const address of addresses.filter((each) => !used.includes(each))) {
    const isAgreed =
      flags.yes || (canAsk(invocation) && (await askYesNo(`Delete the stored token of ${address} too?`, invocation)))
    if (isAgreed) await deleteTrackerToken(paths, address)
    if (flags.quiet) continue
    const file = getCredentialsFile(paths)
    writeMessage(
      terminal,
      isAgreed
        ? `The token of ${address} was deleted from ${file}`
        : `The token of ${address} is still stored. To delete it, remove its line from ${file}`,
    )
  }
}
