import { followLink, withFileLock, writeFileAtomic } from '../../storage'
import { type Credentials, getCredentialsFile, isInKeychain, readCredentials } from './credentials'
import { forgetInKeychain } from './keychain'
import type { Paths } from './paths'

/** Stores the token beside those of other addresses, in the place of a sign-in. Returns the file. */
export async function saveTrackerToken(paths: Paths, { url, token }: { url: string; token: string }): Promise<string> {
  let wasInKeychain = false
  const file = await changeCredentials(paths, ({ tokens, logins = {}, ...others }) => {
    const { [url]: login, ...otherLogins } = logins
    wasInKeychain = isInKeychain(login)
    return { ...others, tokens: { ...tokens, [url]: token }, logins: otherLogins }
  })
  if (wasInKeychain) await forgetInKeychain(url)
  return file
}

/** The same for a language model server. */
export function saveModelToken(paths: Paths, { host, token }: { host: string; token: string }): Promise<string> {
  return changeCredentials(paths, (stored) => ({ ...stored, modelTokens: { ...stored.modelTokens, [host]: token } }))
}

/** Deletes the stored token and the sign-in of an address, which come before a command that prints a token. */
export async function deleteTrackerCredentials(paths: Paths, url: string): Promise<void> {
  let wasInKeychain = false
  await changeCredentials(paths, ({ tokens = {}, logins = {}, ...others }) => {
    const { [url]: token, ...otherTokens } = tokens
    const { [url]: login, ...otherLogins } = logins
    if (token === undefined && login === undefined) return null
    wasInKeychain = isInKeychain(login)
    return { ...others, tokens: otherTokens, logins: otherLogins }
  })
  if (wasInKeychain) await forgetInKeychain(url)
}

/** Deletes the stored token for the address, if there is one. */
export async function deleteTrackerToken(paths: Paths, url: string): Promise<void> {
  await changeCredentials(paths, ({ tokens = {}, ...others }) => {
    const { [url]: stored, ...rest } = tokens
    return stored === undefined ? null : { ...others, tokens: rest }
  })
}

/**
 * Changes the file of credentials, and returns its path. Two processes that change it at once lose nothing. `change` returns null if there is
 * nothing to write.
 */
export async function changeCredentials(
  paths: Paths,
  change: (stored: Credentials) => Credentials | null | Promise<Credentials | null>,
): Promise<string> {
  const file = getCredentialsFile(paths)
  await withFileLock(`${file}.lock`, async (lock) => {
    const changed = await change(readCredentials(file))
    if (changed === null) return
    await lock.assertHeld()
    const { logins = {} } = changed
    const content = { ...changed, logins: Object.keys(logins).length === 0 ? undefined : logins } satisfies Credentials
    await writeFileAtomic(followLink(file), `${JSON.stringify(content, null, 2)}\n`, { isSecret: true })
  })
  return file
}
