import type { Paths } from '../../src/config'
import { findTrackerCredential } from '../../src/config/services/credentials'
import { openLoginStore } from '../../src/config/services/logins'
import type { NewTracker } from './call-tracker'

interface CredentialChoice {
  /** What was entered now. */
  given: { token: string | null; tokenCommand?: string | null }
  /** What variables and settings say. */
  known: { token: string | undefined; tokenCommand: string | null | undefined }
  /** Where the tracker is, as the key of what is stored. */
  address: string
  paths: Paths
}

/** How a new tracker is called. A command that was entered now comes before all that is set or stored, which it replaces. */
export function chooseCredential({
  given,
  known,
  address,
  paths,
}: CredentialChoice): Pick<NewTracker, 'token' | 'login' | 'tokenCommand'> {
  if (given.tokenCommand) return { token: null, login: null, tokenCommand: given.tokenCommand }
  const { token, isSignedIn } = findTrackerCredential(paths, address, given.token ?? known.token)
  return {
    token,
    login: isSignedIn ? openLoginStore(paths, address) : null,
    tokenCommand: known.tokenCommand || null,
  }
}
