import { join } from 'node:path'
import * as z from 'zod'
import { Login } from '../../credentials'
import { StudioError } from '../../kernel'
import { commandToProtect } from '../../kernel/text/shell'
import { findRightOfOthers, type ProtectedFiles } from '../../storage'
import { getTrustFile, type Paths, readStoredFile } from './paths'

const Tokens = z.record(z.string(), z.string().min(1)).optional()

const InKeychain = z.strictObject({ keychain: z.literal(true) })
const StoredLogin = z.union([Login, InKeychain])

/**
 * The stored tokens by the addresses of what they are for: `tokens` of trackers, `modelTokens` of language model servers. `logins` are the
 * sign-ins to trackers, which may be in the keychain of the system.
 */
const Credentials = z.strictObject({
  tokens: Tokens,
  modelTokens: Tokens,
  logins: z.record(z.string(), StoredLogin).optional(),
})
export type Credentials = z.infer<typeof Credentials>

type TokenKind = 'tokens' | 'modelTokens'

/** The path of the credentials file, which only its owner can use. */
export function getCredentialsFile(paths: Paths): string {
  return join(paths.config, 'credentials.json')
}

/** The stored token for the address; null if there is none. Refuses a file that other users can read. */
export function readTrackerToken(paths: Paths, url: string): string | null {
  return readToken(paths, 'tokens', url)
}

/** The same for a language model server. A token of one is never sent to the other, even at the same address. */
export function readModelToken(paths: Paths, host: string): string | null {
  return readToken(paths, 'modelTokens', host)
}

function readToken(paths: Paths, kind: TokenKind, address: string): string | null {
  return listTokens(readCredentials(getCredentialsFile(paths)), kind).get(address) ?? null
}

/** The stored tokens of one kind by their addresses. */
export function listTokens(credentials: Credentials, kind: TokenKind): Map<string, string> {
  return new Map(Object.entries(credentials[kind] ?? {}))
}

/**
 * The token of a tracker: a given one, or else the one that is stored for its address. Without a token, whether a sign-in is stored. The
 * file is not read for a given token.
 */
export function findTrackerCredential(
  paths: Paths,
  url: string | null,
  given: string | undefined,
): { token: string | null; isSignedIn: boolean } {
  if (given || url === null) return { token: given || null, isSignedIn: false }
  const stored = readCredentials(getCredentialsFile(paths))
  const token = listTokens(stored, 'tokens').get(url) ?? null
  return { token, isSignedIn: token === null && stored.logins?.[url] !== undefined }
}

export function isInKeychain(login: z.infer<typeof StoredLogin> | undefined): login is z.infer<typeof InKeychain> {
  return login !== undefined && 'keychain' in login
}

/** The tokens of the sign-in to an address, as far as they are in the file. */
export function listLoginTokens(paths: Paths, url: string): string[] {
  const login = readCredentials(getCredentialsFile(paths)).logins?.[url]
  if (login === undefined || isInKeychain(login)) return []
  return [login.accessToken, login.refreshToken].filter((token) => token !== null)
}

export function readCredentials(file: string): Credentials {
  const credentials = readStoredFile(file, Credentials, 'Remove it, and run: studio init')
  if (credentials === null || findRightOfOthers(file) === null) return credentials ?? {}
  throw new StudioError('invalid', `${file} contains a token, and other users can read it.`, {
    hint: `Run: ${commandToProtect(file, 'file')}. Replace the token, because others may have seen it.`,
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
