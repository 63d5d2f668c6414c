import { statSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { StudioError } from '../../kernel'
import type { ProtectedFiles } from '../../storage'
import { getTrustFile, type Paths, readStoredFile } from './paths'

/** The stored tokens of trackers by their addresses. */
const Credentials = z.strictObject({
  tokens: z.record(z.string(), z.string().min(1)).optional(),
})
export type Credentials = z.infer<typeof Credentials>

/** The path of the credentials file, which has mode 0600. */
export function getCredentialsFile(paths: Paths): string {
  return join(paths.config, 'credentials.json')
}

/** The stored token for the address; null if there is none. Refuses a file that other users can read. */
export function readTrackerToken(paths: Paths, url: string): string | null {
  return listTokens(readCredentials(getCredentialsFile(paths))).get(url) ?? null
}

/** The stored tokens by their addresses. */
export function listTokens({ tokens = {} }: Credentials): Map<string, string> {
  return new Map(Object.entries(tokens))
}

export function readCredentials(file: string): Credentials {
  const credentials = readStoredFile(file, Credentials, 'Remove it, and run: studio init')
  if (credentials === null || process.platform === 'win32' || (statSync(file).mode & 0o077) === 0)
    return credentials ?? {}
  throw new StudioError('invalid', `${file} contains a token, and other users can read it.`, {
    hint: `chmod 600 ${file}. Replace the token, because others may have seen it.`,
    places: [{ text: file, name: 'the file of credentials' }],
  })
}

/** The files that no command may write its output to. */
export function listProtectedFiles({ db, paths }: { db: string; paths: Paths }): ProtectedFiles {
  return {
    database: db,
    others: [
      join(paths.config, 'config.json'),
      getCredentialsFile(paths),
      getTrustFile(paths),
      join(paths.data, 'sandbox.json'),
    ],
  }
}

/** The address without credentials, query and trailing slash, which is safe to show and a stable key. */
export function stripCredentials(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname.replace(/(?<!\/)\/+$/, '')}`
}
