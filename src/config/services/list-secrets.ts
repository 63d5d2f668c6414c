import { readFileSync } from 'node:fs'
import { listLoginTokens, stripCredentials } from './credentials'
import type { Settings } from './load-settings'

/** A shorter one would be found in texts that have nothing to do with it. */
const MIN_LENGTH = 5

/** The secrets of the settings, in every form in which a text may contain them: as they are, and as a part of an address. */
export function listSecrets(settings: Settings, env: NodeJS.ProcessEnv): string[] {
  const { db, dbRead } = settings
  const trackers = readIfValid(() => [settings.tracker, ...settings.trackers]) ?? []
  const addresses = [
    db,
    dbRead,
    env['STUDIO_DB_TO'],
    readIfValid(() => settings.mail.url),
    readIfValid(() => settings.llm.host),
    ...trackers.flatMap(({ url, proxy }) => [url, proxy?.http, proxy?.https]),
  ]
  const secrets = [
    env['PGPASSWORD'],
    // The file of the database can be replaced while the service runs: this is the password with which it starts.
    readSecretFile(env['STUDIO_DB_PASSWORD_FILE']),
    readSecretFile(readIfValid(() => settings.auth.jwt?.secretFile)),
    readIfValid(() => settings.auth.oidc?.clientSecret),
    ...trackers.map(({ token }) => token),
    ...trackers.flatMap(({ url }) =>
      url === null ? [] : (readIfValid(() => listLoginTokens(settings.paths, stripCredentials(url))) ?? []),
    ),
    readIfValid(() => settings.llm.token),
    ...addresses.flatMap((address) => (address ? readPasswords(address) : [])),
  ].flatMap((secret) => (secret ? [secret, encodeURIComponent(secret), decode(secret)] : []))
  return [...new Set(secrets)].filter(({ length }) => length >= MIN_LENGTH).sort((a, b) => b.length - a.length)
}

/** The password of an address, as it is written there. The address of several database servers is no URL. */
function readPasswords(address: string): string[] {
  const [, beforeHost] = /^[a-z][a-z\d+.-]*:\/\/[^/?#@:]*:([^/?#]*)@/i.exec(address) ?? []
  const [, inQuery] = /[?&]password=([^&#]*)/i.exec(address) ?? []
  return [beforeHost, inQuery].filter((password) => password !== undefined && password !== '') as string[]
}

/** Without the line break at its end, which a text that quotes the secret lacks. An unreadable file is reported where it is used. */
function readSecretFile(path: string | null | undefined): string | null {
  return path ? readIfValid(() => readFileSync(path, 'utf8').replace(/\r?\n$/, '')) : null
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** An invalid part is reported when the service starts. */
function readIfValid<Value>(read: () => Value): Value | null {
  try {
    return read()
  } catch {
    return null
  }
}
