import type { Login, LoginStore } from '../../credentials'
import { getCredentialsFile, isInKeychain, readCredentials } from './credentials'
import { deleteFromKeychain, forgetInKeychain, readFromKeychain, saveInKeychain } from './keychain'
import type { Paths } from './paths'
import { changeCredentials } from './store-token'

/** The sign-in to the tracker at an address, in the file of credentials or in the keychain of the system. */
export function openLoginStore(paths: Paths, url: string): LoginStore {
  const read = async (): Promise<Login | null> => {
    const stored = readCredentials(getCredentialsFile(paths)).logins?.[url]
    if (stored === undefined) return null
    return isInKeychain(stored) ? readFromKeychain(url) : stored
  }
  return {
    read,
    async update(change) {
      let result: Login | null = null
      await changeCredentials(paths, async (stored) => {
        const current = await read()
        result = current && (await change(current))
        if (result === null || result === current) return null
        if (isInKeychain(stored.logins?.[url])) {
          await saveInKeychain(url, result)
          return null
        }
        return { ...stored, logins: { ...stored.logins, [url]: result } }
      })
      return result
    },
  }
}

/** Stores a sign-in in the place of the token of the same address. Returns where it is. */
export async function saveLogin(
  paths: Paths,
  { url, login, inKeychain }: { url: string; login: Login; inKeychain: boolean },
): Promise<string> {
  if (inKeychain) await saveInKeychain(url, login)
  let wasInKeychain = false
  const file = await changeCredentials(paths, ({ tokens = {}, logins, ...others }) => {
    const { [url]: _, ...otherTokens } = tokens
    wasInKeychain = isInKeychain(logins?.[url])
    return { ...others, tokens: otherTokens, logins: { ...logins, [url]: inKeychain ? { keychain: true } : login } }
  })
  if (wasInKeychain && !inKeychain) await forgetInKeychain(url)
  return inKeychain ? 'the keychain of this system' : file
}

/** Deletes the sign-in to an address. False if there is none. */
export async function deleteLogin(paths: Paths, url: string): Promise<boolean> {
  let isDeleted = false
  await changeCredentials(paths, async ({ logins = {}, ...others }) => {
    const { [url]: stored, ...otherLogins } = logins
    if (stored === undefined) return null
    if (isInKeychain(stored)) await deleteFromKeychain(url)
    isDeleted = true
    return { ...others, logins: otherLogins }
  })
  return isDeleted
}
