import { withFileLock, writeFileAtomic } from '../../storage'
import { type Credentials, getCredentialsFile, listTokens, readCredentials } from './credentials'
import type { Paths } from './paths'

/** Stores the token beside those of other addresses. Two processes that store tokens at once lose none. */
export async function saveTrackerToken(paths: Paths, tracker: { url: string; token: string }): Promise<string> {
  const file = getCredentialsFile(paths)
  await withFileLock(`${file}.lock`, async (lock) => {
    const tokens = listTokens(readCredentials(file)).set(tracker.url, tracker.token)
    await lock.assertHeld()
    await writeTokens(file, tokens)
  })
  return file
}

/** Deletes the stored token for the address, if there is one. */
export async function deleteTrackerToken(paths: Paths, url: string): Promise<void> {
  const file = getCredentialsFile(paths)
  await withFileLock(`${file}.lock`, async (lock) => {
    const tokens = listTokens(readCredentials(file))
    if (!tokens.delete(url)) return
    await lock.assertHeld()
    await writeTokens(file, tokens)
  })
}

async function writeTokens(file: string, tokens: ReadonlyMap<string, string>): Promise<void> {
  const content = { tokens: Object.fromEntries(tokens) } satisfies Credentials
  await writeFileAtomic(file, `${JSON.stringify(content, null, 2)}\n`)
}
