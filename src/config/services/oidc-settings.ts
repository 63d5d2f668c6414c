import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import * as z from 'zod'
import type { ProxySettings } from '../../credentials'
import { type Role, roles, StudioError } from '../../kernel'
import { isLoopbackHost } from '../../kernel/loopback'
import { readProxySettings } from './proxy-settings'

const text = z.string().min(1).max(500).optional()
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' })
const Values = z.array(z.string().min(1).max(500)).max(200)

/** The settings of the OpenID Connect provider whose people may sign in to the console. */
export const OidcFile = z.strictObject({
  issuer: httpUrl.optional(),
  clientId: text,
  clientSecretFile: text,
  label: z.string().min(1).max(60).optional(),
  scopes: Values.optional(),
  rolesClaim: text,
  /** For each role, the values of the claim that give it; `*` is everyone who may sign in. */
  roles: z
    .strictObject(
      Object.fromEntries(roles.map((role) => [role, Values.optional()])) as Record<Role, z.ZodOptional<typeof Values>>,
    )
    .optional(),
  allowedDomains: Values.optional(),
})
type OidcFile = z.infer<typeof OidcFile>

export interface OidcSettings {
  issuer: string
  clientId: string
  clientSecret: string
  /** Where browsers reach the service, without a path. */
  publicUrl: string
  /** What the button says: `Sign in with <label>`. */
  label: string
  scopes: readonly string[]
  rolesClaim: string
  roles: Partial<Record<Role, readonly string[]>>
  /** Domains of verified e-mail addresses; null for no rule. */
  allowedDomains: readonly string[] | null
  /** The proxies of requests to the provider; null for direct connections. */
  proxy: ProxySettings | null
}

interface FileAt {
  path: string
  oidc: OidcFile | undefined
}

/** Variables take precedence over the first file, and that over the second. Null if no issuer is set. */
export function loadOidcSettings(
  { env, cwd, publicUrl }: { env: NodeJS.ProcessEnv; cwd: string; publicUrl: string | null },
  files: readonly FileAt[],
): OidcSettings | null {
  const layers = files.map(({ path, oidc = {} }) => ({
    ...oidc,
    clientSecretFile: oidc.clientSecretFile && resolve(dirname(path), oidc.clientSecretFile),
  }))
  const find = <Name extends keyof OidcFile>(name: Name) =>
    layers.find((layer) => layer[name] !== undefined)?.[name] as OidcFile[Name]
  const issuer = readUrl(env, 'STUDIO_OIDC_ISSUER') ?? find('issuer')
  if (!issuer) return null
  const secretFile = env['STUDIO_OIDC_CLIENT_SECRET_FILE'] ? resolve(cwd, env['STUDIO_OIDC_CLIENT_SECRET_FILE']) : null
  const givenRoles = roles.flatMap((role) => {
    const values = readList(env, `STUDIO_OIDC_ROLE_${role.toUpperCase()}`) ?? find('roles')?.[role] ?? []
    return values.length > 0 ? [[role, values] as const] : []
  })
  if (givenRoles.length === 0)
    throw invalid('auth.oidc.roles gives no one a role.', 'For example: studio config set auth.oidc.roles.reader "*"')
  return {
    issuer: requireEncrypted(issuer, 'auth.oidc.issuer'),
    clientId: requireSet(env['STUDIO_OIDC_CLIENT_ID'] || find('clientId'), 'auth.oidc.clientId'),
    clientSecret: requireSet(
      env['STUDIO_OIDC_CLIENT_SECRET'] || readSecret(secretFile ?? find('clientSecretFile')),
      'STUDIO_OIDC_CLIENT_SECRET or auth.oidc.clientSecretFile',
    ),
    publicUrl: requireSet(publicUrl, 'serve.publicUrl'),
    label: env['STUDIO_OIDC_LABEL'] || find('label') || new URL(issuer).hostname,
    scopes: [
      ...new Set(['openid', ...(readList(env, 'STUDIO_OIDC_SCOPES') ?? find('scopes') ?? ['profile', 'email'])]),
    ],
    rolesClaim: env['STUDIO_OIDC_ROLES_CLAIM'] || find('rolesClaim') || 'roles',
    roles: Object.fromEntries(givenRoles),
    allowedDomains:
      (readList(env, 'STUDIO_OIDC_ALLOWED_DOMAINS') ?? find('allowedDomains'))?.map((domain) => domain.toLowerCase()) ??
      null,
    proxy: readProxySettings(env),
  }
}

/** The words of a variable; null if it is not set. */
function readList(env: NodeJS.ProcessEnv, name: string): string[] | null {
  const words = (env[name] ?? '').split(/[\s,]+/).filter(Boolean)
  return words.length > 0 ? words : null
}

/** Codes and secrets that are sent unencrypted to another machine could be read. */
function requireEncrypted(address: string, key: string): string {
  const { protocol, hostname } = new URL(address)
  if (protocol === 'https:' || isLoopbackHost(hostname)) return address
  throw invalid(`${key} is an unencrypted http address of another machine.`, 'Use an https address.')
}

function readUrl(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = env[name]
  if (!value) return undefined
  if (httpUrl.safeParse(value).success) return value
  throw invalid(`${name} must be an http or https address.`, 'For example: https://login.example.com')
}

function readSecret(path: string | undefined): string | undefined {
  if (path === undefined) return undefined
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw invalid(`${path} cannot be read.`, 'Check auth.oidc.clientSecretFile, and that this user can read it.', error)
  }
}

function requireSet(value: string | null | undefined, name: string): string {
  if (value) return value
  throw invalid(`${name} is not set.`, 'See: studio config list')
}

function invalid(message: string, hint: string, cause?: unknown): StudioError {
  return new StudioError('invalid', message, { hint, cause })
}
