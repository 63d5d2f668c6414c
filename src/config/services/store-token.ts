import { withFileLock, writeFileAtomic } from '../../storage'
import { type Credentials, getCredentialsFile, listTokens, readCredentials } from './credentials'
import type { Paths } from './paths'

/** Stores the token beside those of other addresses. Two processes that store tokens at once lose none. Returns the file. */
export function saveTrackerToken(paths: Paths, { url, token }: { url: string; token: string }): Promise<string> {
  return changeTokens(paths, 'tokens', (tokens) => tokens.set(url, token))
}

/** The same for a language model server. */
export function saveModelToken(paths: Paths, { host, token }: { host: string; token: string }): Promise<string> {
  return changeTokens(paths, 'modelTokens', (tokens) => tokens.set(host, token))
}

/** Deletes the stored token for the address, if there is one. */
export async function deleteTrackerToken(paths: Paths, url: string): Promise<void> {
  await changeTokens(paths, 'tokens', (tokens) => (tokens.delete(url) ? tokens : null))
}

/** `change` returns the changed tokens, or null if there is nothing to write. */
async function changeTokens(
  paths: Paths,
  kind: keyof Credentials,
  change: (tokens: Map<string, string>) => Map<string, string> | null,
): Promise<string> {
  const file = getCredentialsFile(paths)
  await withFileLock(`${file}.lock`, async (lock) => {
    const stored = readCredentials(file)
    const changed = change(listTokens(stored, kind))
    if (changed === null) return
    await lock.assertHeld()
    const content = { ...stored, [kind]: Object.fromEntries(changed) } satisfies Credentials
    await writeFileAtomic(file, `${JSON.stringify(content, null, 2)}\n`)
  })
  return file
}
