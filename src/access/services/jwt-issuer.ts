import { createPublicKey, createSecretKey, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { StudioError } from '../../kernel'
import { isLoopbackHost } from '../../kernel/loopback'

/** The settings of the accepted JWTs; null if not set. */
export interface JwtSettings {
  issuer: string | null
  audience: string | null
  /** The address of the issuer's published keys. */
  jwksUrl: string | null
  /** A PEM file with the issuer's public key. */
  publicKeyFile: string | null
  /** A file with the shared secret. */
  secretFile: string | null
}

/** An issuer with its key or set of keys, and the algorithms of that kind of key. */
export interface JwtIssuer {
  issuer: string
  audience: string
  algorithms: string[]
  keys: { key: KeyObject } | { jwksUrl: URL }
}

/** RFC 7518, 3.2: the key must be at least as long as the hash. */
const MIN_SECRET_BYTES = 32
/** RFC 7518, 3.3. */
const MIN_RSA_BITS = 2048

const RSA_ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512']
const CURVE_ALGORITHMS: Record<string, string> = { prime256v1: 'ES256', secp384r1: 'ES384', secp521r1: 'ES512' }
const EDWARDS_ALGORITHMS = ['EdDSA', 'Ed25519']

/** Reads the issuer and its key file from the settings. Throws an error that names the setting to fix. */
export function loadJwtIssuer(settings: JwtSettings): JwtIssuer {
  const { issuer, audience } = settings
  if (issuer === null) throw invalidSetting('auth.jwt.issuer is not set.', 'Set it to the `iss` claim of the issuer.')
  if (audience === null)
    throw invalidSetting(
      'auth.jwt.audience is not set.',
      'Set it to the `aud` claim that the issuer uses for this service.',
    )
  return { issuer, audience, ...loadKeys(settings) }
}

function loadKeys({ jwksUrl, publicKeyFile, secretFile }: JwtSettings): Pick<JwtIssuer, 'algorithms' | 'keys'> {
  const given = [jwksUrl, publicKeyFile, secretFile].filter((each) => each !== null)
  if (given.length !== 1) {
    throw invalidSetting(
      `${given.length === 0 ? 'None' : 'More than one'} of auth.jwt.jwksUrl, auth.jwt.publicKeyFile and auth.jwt.secretFile is set.`,
      'Set exactly one of them. Tokens are verified with it.',
    )
  }
  if (jwksUrl !== null) {
    const algorithms = [...RSA_ALGORITHMS, ...Object.values(CURVE_ALGORITHMS), ...EDWARDS_ALGORITHMS]
    return { keys: { jwksUrl: requireSafeUrl(jwksUrl) }, algorithms }
  }
  return publicKeyFile !== null ? loadPublicKey(publicKeyFile) : loadSharedSecret(secretFile!)
}

/** Keys that came over plain http could be anybody's, but for this very machine's. */
function requireSafeUrl(text: string): URL {
  const url = new URL(text)
  if (url.protocol === 'https:' || isLoopbackHost(url.hostname)) return url
  throw invalidSetting('auth.jwt.jwksUrl is an unencrypted http address of another machine.', 'Use an https address.')
}

function loadPublicKey(path: string): Pick<JwtIssuer, 'algorithms' | 'keys'> {
  const key = parsePublicKey(readKeyFile(path, 'auth.jwt.publicKeyFile'), path)
  return { keys: { key }, algorithms: requireAlgorithms(key, path) }
}

function parsePublicKey(pem: Buffer, path: string): KeyObject {
  try {
    return createPublicKey(pem)
  } catch (error) {
    throw invalidSetting(
      `${path} does not contain a public key.`,
      'Use the PEM format: -----BEGIN PUBLIC KEY-----',
      error,
    )
  }
}

function requireAlgorithms({ asymmetricKeyType, asymmetricKeyDetails = {} }: KeyObject, path: string): string[] {
  if (asymmetricKeyType === 'ed25519') return EDWARDS_ALGORITHMS
  const curve = CURVE_ALGORITHMS[asymmetricKeyDetails.namedCurve ?? '']
  if (asymmetricKeyType === 'ec' && curve) return [curve]
  if (asymmetricKeyType === 'rsa' && (asymmetricKeyDetails.modulusLength ?? 0) >= MIN_RSA_BITS) return RSA_ALGORITHMS
  throw invalidSetting(
    `The type of the key in ${path} is not supported.`,
    'Use RSA with at least 2048 bits, P-256, P-384, P-521 or Ed25519.',
  )
}

function loadSharedSecret(path: string): Pick<JwtIssuer, 'algorithms' | 'keys'> {
  const bytes = readKeyFile(path, 'auth.jwt.secretFile')
  const secret = bytes.at(-1) === NEWLINE ? bytes.subarray(0, bytes.at(-2) === RETURN ? -2 : -1) : bytes
  if (secret.length < MIN_SECRET_BYTES) {
    throw invalidSetting(
      `The secret in ${path} has ${secret.length} bytes; it must have at least ${MIN_SECRET_BYTES}.`,
      'Create one: openssl rand -base64 48',
    )
  }
  return { keys: { key: createSecretKey(secret) }, algorithms: ['HS256'] }
}

const NEWLINE = 0x0a
const RETURN = 0x0d

function readKeyFile(path: string, setting: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw invalidSetting(`${path} cannot be read.`, `Check ${setting}, and that this user can read the file.`, error)
  }
}

function invalidSetting(message: string, hint: string, cause?: unknown): StudioError {
  return new StudioError('invalid', message, { hint, cause })
}
