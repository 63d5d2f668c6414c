import { dirname, resolve } from 'node:path'
import * as z from 'zod'
import { StudioError } from '../../kernel'
import { parseChoice } from './environment-variables'
import { loadOidcSettings, OidcFile, type OidcSettings } from './oidc-settings'
import type { SettingsSource } from './paths'
import { needsNoTrust } from './project-trust'

const text = z.string().min(1).optional()

/** The settings for access to the service. */
export const AuthFile = z.strictObject({
  local: needsNoTrust(z.boolean().optional(), 'It can only make access stricter.'),
  jwt: z
    .strictObject({
      issuer: text,
      audience: text,
      jwksUrl: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
      publicKeyFile: text,
      secretFile: text,
    })
    .optional(),
  oidc: OidcFile.optional(),
})
type AuthFile = z.infer<typeof AuthFile>
type JwtFile = NonNullable<AuthFile['jwt']>

type JwtName = keyof Required<JwtFile>

export interface AuthSettings {
  /** Whether local callers need no credential for the story API. */
  local: boolean
  jwt: Record<JwtName, string | null> | null
  /** The provider whose people may sign in to the console; null for none. */
  oidc: OidcSettings | null
}

interface SettingsFileAt {
  path: string
  auth: AuthFile | undefined
}

const variables: Record<JwtName, string> = {
  issuer: 'STUDIO_JWT_ISSUER',
  audience: 'STUDIO_JWT_AUDIENCE',
  jwksUrl: 'STUDIO_JWT_JWKS_URL',
  publicKeyFile: 'STUDIO_JWT_PUBLIC_KEY_FILE',
  secretFile: 'STUDIO_JWT_SECRET_FILE',
}

/** Variables take precedence over the project's file, and that over the user's. Paths are relative to the settings file that contains them. */
export function loadAuthSettings(
  { env, cwd, publicUrl }: SettingsSource & { publicUrl: string | null },
  project: SettingsFileAt | null,
  user: SettingsFileAt,
): AuthSettings {
  const layers = [readVariables(env, cwd), readFileLayer(project), readFileLayer(user)]
  // The kind of key is one choice, so only the first layer with a key counts.
  const keyed = layers.find((layer) => layer.jwksUrl || layer.publicKeyFile || layer.secretFile)
  const findFirst = (name: JwtName) => layers.find((layer) => layer[name])?.[name] ?? null
  const jwt = {
    issuer: findFirst('issuer'),
    audience: findFirst('audience'),
    jwksUrl: keyed?.jwksUrl ?? null,
    publicKeyFile: keyed?.publicKeyFile ?? null,
    secretFile: keyed?.secretFile ?? null,
  }
  const access = parseChoice(env['STUDIO_AUTH'], 'STUDIO_AUTH', ['local', 'always'])
  return {
    // The variable is set by the user, so it takes precedence over all files. A project file can only make access stricter.
    local: access ? access === 'local' : project?.auth?.local !== false && user.auth?.local !== false,
    jwt: Object.values(jwt).some((value) => value !== null) ? jwt : null,
    oidc: loadOidcSettings(
      { env, cwd, publicUrl },
      [project, user].flatMap((file) => (file ? [{ path: file.path, oidc: file.auth?.oidc }] : [])),
    ),
  }
}

function readFileLayer(file: SettingsFileAt | null): JwtFile {
  return file?.auth?.jwt ? resolveKeyFiles(file.auth.jwt, dirname(file.path)) : {}
}

function readVariables(env: NodeJS.ProcessEnv, cwd: string): JwtFile {
  const jwksUrl = env[variables.jwksUrl]
  if (jwksUrl && !AuthFile.shape.jwt.unwrap().shape.jwksUrl.safeParse(jwksUrl).success)
    throw new StudioError('invalid', `${variables.jwksUrl} must be an http or https address.`)
  const set = Object.entries(variables).flatMap(([name, variable]) => (env[variable] ? [[name, env[variable]]] : []))
  return resolveKeyFiles(Object.fromEntries(set) as JwtFile, cwd)
}

function resolveKeyFiles(jwt: JwtFile, folder: string): JwtFile {
  const { publicKeyFile, secretFile, ...rest } = jwt
  return {
    ...rest,
    ...(publicKeyFile ? { publicKeyFile: resolve(folder, publicKeyFile) } : {}),
    ...(secretFile ? { secretFile: resolve(folder, secretFile) } : {}),
  }
}
