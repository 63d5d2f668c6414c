import { hint, StudioError, suggestCommand } from '../../kernel'
import { isLoopbackHost } from '../../kernel/loopback'
import { commandToProtect } from '../../kernel/text/shell'
import { DAY_MS, formatInstant } from '../../kernel/time'
import { type Database, type Finding, findRightOfOthers, ok, problem, warning } from '../../storage'
import { countLiveCredentials, listTokenRows } from '../queries/tokens'
import { type JwtSettings, loadJwtIssuer } from './jwt-issuer'

/** Where a service listens, and which callers it accepts. */
export interface AccessPolicy {
  host: string
  port: number
  /** A Unix socket in place of host and port. */
  socket: string | null
  allowedHosts: readonly string[]
  /** Whether local callers may omit the credential. */
  local: boolean
  jwt: JwtSettings | null
  /** The provider whose people may sign in to the console; null for none. */
  oidc: { issuer: string } | null
}

/** Whether local callers need no credential. */
export function isLocalTrusted(policy: AccessPolicy): boolean {
  return policy.local && policy.socket === null && isLoopbackHost(policy.host)
}

/** The accepted callers in words: for a terminal, with the commands that create what they need. */
export function describeAccessPolicy(policy: AccessPolicy, { withCommands }: { withCommands: boolean }): string[] {
  const named = (thing: string, command: string) => (withCommands ? `${thing} (${command})` : thing)
  const token = named('a token', 'studio token create')
  const credential = policy.jwt ? `${token} or a JWT of ${policy.jwt.issuer}` : token
  const stories = isLocalTrusted(policy)
    ? `callers on this machine need no credential, all others ${credential}`
    : `every call needs ${credential}`
  const people = policy.oidc ? [`console: people also sign in with ${policy.oidc.issuer}`] : []
  const docks = `every call needs ${named('a dock key', 'studio tenant key create')}`
  return [`story API: ${stories}`, `dock API: ${docks}`, ...people]
}

/** Throws if the service would admit unauthorized callers, or if no caller could authenticate. `now` is in epoch milliseconds. */
export async function requireSafeAccessPolicy(policy: AccessPolicy, db: Database, now: number): Promise<void> {
  if (policy.socket === null && isLoopbackHost(policy.host)) return
  if (policy.jwt !== null || policy.oidc !== null) return
  const { tokens, keys } = await db.read((tx) => countLiveCredentials(tx, now))
  if (tokens + keys === 0) throw missingCredentialError(policy)
}

function missingCredentialError({ host, socket }: AccessPolicy): StudioError {
  const where = socket ?? host
  return new StudioError(
    'invalid',
    `Refusing to listen on ${where}: callers there need a credential, and none is configured.`,
    {
      hint: hint`Create one: ${suggestCommand('tokens.create', { name: '<name>' })}; or stay on this machine: --host 127.0.0.1`,
    },
  )
}

const EXPIRY_WARNING_MS = 7 * DAY_MS

/** Checks the policy and, unless `db` is null, the stored tokens. */
export async function inspectAccess(policy: AccessPolicy, db: Database | null, now: number): Promise<Finding[]> {
  const findings = [ok('access', describeAccessPolicy(policy, { withCommands: true }).join('; '))]
  if (policy.socket === null && !isLoopbackHost(policy.host))
    findings.push(
      warning('access', `Tokens are sent to ${policy.host} unencrypted.`, 'Listen on 127.0.0.1 behind a TLS proxy.'),
    )
  findings.push(...inspectIssuer(policy.jwt))
  if (db === null) return findings
  try {
    await requireSafeAccessPolicy(policy, db, now)
    findings.push(...(await inspectTokens(db, now)))
  } catch (error) {
    // The storage check reports a database that cannot be read.
    if (error instanceof StudioError && error.code === 'invalid')
      findings.push(problem('access', error.message, error.hint!))
  }
  return findings
}

function inspectIssuer(jwt: JwtSettings | null): Finding[] {
  if (jwt === null) return []
  try {
    loadJwtIssuer(jwt)
    const isReadableByOthers = jwt.secretFile !== null && findRightOfOthers(jwt.secretFile) !== null
    return isReadableByOthers
      ? [warning('access', `Other users can read ${jwt.secretFile}.`, commandToProtect(jwt.secretFile!, 'file'))]
      : [ok('access', `JWTs of ${jwt.issuer} can be verified.`)]
  } catch (error) {
    if (error instanceof StudioError) return [problem('access', error.message, error.hint!)]
    throw error
  }
}

async function inspectTokens(db: Database, now: number): Promise<Finding[]> {
  const { tokens, keys } = await db.read((tx) => countLiveCredentials(tx, now))
  const rows = await db.read(listTokenRows)
  const expiring = rows.filter(
    ({ expires_at, revoked_at }) =>
      revoked_at === null && expires_at !== null && expires_at > now && expires_at <= now + EXPIRY_WARNING_MS,
  )
  return [
    ok('access', `Valid credentials: ${tokens} personal access tokens, ${keys} dock keys.`),
    ...expiring.map(({ name, expires_at }) =>
      warning(
        'access',
        `The token ${name} expires at ${formatInstant(expires_at!)}.`,
        hint`Create a new one: ${suggestCommand('tokens.create', { name: '<name>' })}`,
      ),
    ),
  ]
}
