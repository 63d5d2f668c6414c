import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, SignJWT } from 'jose'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { JwtSettings } from '../../../src/access/services/jwt-issuer'
import { loadJwtIssuer } from '../../../src/access/services/jwt-issuer'
import { createJwtVerifier } from '../../../src/access/services/verify-jwt'

const NOW = Date.parse('2026-11-16T14:00:00Z')
const IN_AN_HOUR = NOW / 1000 + 3600
const ISSUER = 'https://issuer.example'
const AUDIENCE = 'studio'
const SECRET = 'a secret of more than thirty-two bytes'

const none: JwtSettings = {
  issuer: ISSUER,
  audience: AUDIENCE,
  jwksUrl: null,
  publicKeyFile: null,
  secretFile: null,
}

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const otherRsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'studio-jwt-'))
  return () => rm(folder, { recursive: true, force: true })
})

async function fileOf(name: string, content: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, content, { mode: 0o600 })
  return path
}

const pemOf = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString()

interface Claims {
  iss?: string
  aud?: string
  sub?: unknown
  exp?: number
  nbf?: number
  scope?: unknown
}

const good: Claims = { iss: ISSUER, aud: AUDIENCE, sub: 'ada', exp: IN_AN_HOUR, scope: 'openid read write' }

function signed(
  claims: Claims,
  key: KeyObject | Uint8Array = rsa.privateKey,
  alg = 'RS256',
  kid?: string,
): Promise<string> {
  return new SignJWT(claims as never).setProtectedHeader({ alg, ...(kid ? { kid } : {}) }).sign(key as never)
}

const byPublicKey = async () =>
  createJwtVerifier(loadJwtIssuer({ ...none, publicKeyFile: await fileOf('rsa.pem', pemOf(rsa.publicKey)) }))
const bySecret = async () =>
  createJwtVerifier(loadJwtIssuer({ ...none, secretFile: await fileOf('secret', `${SECRET}\n`) }))

describe('a JWT of the issuer', () => {
  it('authenticates its subject with the role of its claim', async () => {
    const verify = await byPublicKey()
    expect(await verify(await signed(good), NOW)).toEqual({
      kind: 'user',
      name: 'ada',
      role: 'publisher',
      tokenId: null,
    })
    for (const scope of [undefined, '', 'READ', 'readwrite', ['read'], 7])
      expect(await verify(await signed({ ...good, scope }), NOW)).toMatchObject({ kind: 'user', role: null })
  })

  it('can be signed with the shared secret', async () => {
    const verify = await bySecret()
    const token = await signed(good, Buffer.from(SECRET), 'HS256')
    expect(await verify(token, NOW)).toMatchObject({ kind: 'user', name: 'ada' })
    expect(await verify(await signed(good, Buffer.from(`${SECRET}!`), 'HS256'), NOW)).toMatchObject({ kind: 'bad' })
  })

  it.each<[string, Claims, RegExp]>([
    ['has expired', { ...good, exp: NOW / 1000 }, /expired/],
    ['has no expiry', { ...good, exp: undefined }, /exp/],
    ['is not valid yet', { ...good, nbf: NOW / 1000 + 1 }, /nbf/],
    ['is for another audience', { ...good, aud: 'another' }, /aud/],
    ['has no audience', { ...good, aud: undefined }, /aud/],
    ['is from another issuer', { ...good, iss: 'https://evil.example' }, /iss/],
    ['has no issuer', { ...good, iss: undefined }, /iss/],
    ['has no subject', { ...good, sub: undefined }, /sub/],
    ['has an empty subject', { ...good, sub: '' }, /subject/],
    ['has a subject that is too long', { ...good, sub: 'x'.repeat(256) }, /subject/],
    ['has a subject that is not text', { ...good, sub: 7 }, /accepted|subject|sub/],
  ])('is refused if it %s', async (_, claims, reason) => {
    const verify = await byPublicKey()
    const refused = await verify(await signed(JSON.parse(JSON.stringify(claims))), NOW)
    expect(refused).toMatchObject({ kind: 'bad', reason: expect.stringMatching(reason) })
    expect(await verify(await signed(good), NOW)).toMatchObject({ kind: 'user' })
  })
})

describe('a forged JWT', () => {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

  it('is refused with another key, without a signature, and with the public key as a secret', async () => {
    const verify = await byPublicKey()
    const token = await signed(good)
    const [head, , signature] = token.split('.')
    const unsigned = `${part({ alg: 'none' })}.${part(good)}.`
    const confused = `${part({ alg: 'HS256' })}.${part(good)}`
    const mac = createHmac('sha256', pemOf(rsa.publicKey)).update(confused).digest('base64url')
    const forged = [
      await signed(good, otherRsa.privateKey),
      unsigned,
      `${confused}.${mac}`,
      `${head}.${part({ ...good, scope: 'admin' })}.${signature}`,
      token.slice(0, -4),
      'a.b.c',
      'nonsense',
      '',
    ]
    for (const one of forged) expect([one, (await verify(one, NOW)).kind]).toEqual([one, 'bad'])
    expect((await verify(token, NOW)).kind).toBe('user')
  })
})

describe('the issuer’s published keys', () => {
  const keyOf = async (key: KeyObject, kid: string) => ({ ...(await exportJWK(key)), kid, alg: 'RS256' })

  async function published(more: unknown[] = []): Promise<{ url: string; requestCount(): number; break(): void }> {
    const keys = [await keyOf(rsa.publicKey, 'one'), ...more]
    let requestCount = 0
    let status = 200
    const server = createServer((_, response) => {
      requestCount++
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ keys }))
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`
    return {
      url,
      requestCount: () => requestCount,
      break: () => {
        status = 500
      },
    }
  }

  it('are fetched once, also for unknown key IDs', async () => {
    const issuer = await published()
    const verify = createJwtVerifier(loadJwtIssuer({ ...none, jwksUrl: issuer.url }))
    expect(issuer.requestCount()).toBe(0)
    for (let n = 0; n < 3; n++)
      expect(await verify(await signed(good, rsa.privateKey, 'RS256', 'one'), NOW)).toMatchObject({ kind: 'user' })
    for (let n = 0; n < 3; n++)
      expect(await verify(await signed(good, rsa.privateKey, 'RS256', `unknown-${n}`), NOW)).toMatchObject({
        kind: 'bad',
      })
    expect(issuer.requestCount()).toBe(1)
  })

  it('are tried in turn if the token has no key ID', async () => {
    const issuer = await published([await keyOf(otherRsa.publicKey, 'two')])
    const verify = createJwtVerifier(loadJwtIssuer({ ...none, jwksUrl: issuer.url }))
    const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 })
    for (const { privateKey } of [rsa, otherRsa])
      expect(await verify(await signed(good, privateKey), NOW)).toMatchObject({ kind: 'user', name: 'ada' })
    expect(await verify(await signed(good, stranger.privateKey), NOW)).toMatchObject({ kind: 'bad' })
    for (const { privateKey } of [rsa, otherRsa])
      expect(await verify(await signed({ ...good, exp: NOW / 1000 }, privateKey), NOW)).toMatchObject({
        kind: 'bad',
        reason: 'The token has expired.',
      })
    expect(await verify(await signed(good, otherRsa.privateKey, 'RS256', 'one'), NOW)).toMatchObject({ kind: 'bad' })
  })

  it.each([
    [200_000, 'are accepted'],
    [300_000, 'are refused'],
  ])('of %i bytes %s', async (bytes) => {
    const issuer = await published([{ kty: 'oct', k: 'x'.repeat(bytes) }])
    const verify = createJwtVerifier(loadJwtIssuer({ ...none, jwksUrl: issuer.url }))
    const verified = verify(await signed(good, rsa.privateKey, 'RS256', 'one'), NOW)
    if (bytes < 262_144) expect(await verified).toMatchObject({ kind: 'user' })
    else await expect(verified).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('that cannot be fetched do not make the token invalid', async () => {
    const issuer = await published()
    issuer.break()
    const verify = createJwtVerifier(loadJwtIssuer({ ...none, jwksUrl: issuer.url }))
    const requestCount = verify(await signed(good, rsa.privateKey, 'RS256', 'one'), NOW)
    await expect(requestCount).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 10 })
  })

  it('are not fetched again for a while after they could not be', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const issuer = await published()
    issuer.break()
    const verify = createJwtVerifier(loadJwtIssuer({ ...none, jwksUrl: issuer.url }))
    const tokens = await Promise.all(
      Array.from({ length: 30 }, (_, n) => signed(good, rsa.privateKey, 'RS256', `key-${n}`)),
    )
    const verifyAll = async () => {
      const verified = await Promise.allSettled([...tokens, ...tokens].map((token) => verify(token, NOW)))
      for (const token of tokens) verified.push(...(await Promise.allSettled([verify(token, NOW)])))
      expect(new Set(verified.map((each) => each.status === 'rejected' && each.reason.code))).toEqual(
        new Set(['unavailable']),
      )
    }
    await verifyAll()
    expect(issuer.requestCount()).toBe(1)
    vi.advanceTimersByTime(9_000)
    await verifyAll()
    expect(issuer.requestCount()).toBe(1)
    vi.advanceTimersByTime(2_000)
    await verifyAll()
    expect(issuer.requestCount()).toBe(2)
  })
})

describe('invalid settings', () => {
  const refusal = (settings: Partial<JwtSettings>): string => {
    try {
      loadJwtIssuer({ ...none, ...settings })
    } catch (error) {
      return (error as Error).message
    }
    throw new Error('they were accepted')
  }

  it('are refused if a setting is missing or two conflict', () => {
    const jwksUrl = 'https://issuer.example/keys'
    expect(refusal({ issuer: null, jwksUrl })).toMatch(/issuer/)
    expect(refusal({ audience: null, jwksUrl })).toMatch(/audience/)
    expect(refusal({})).toMatch(/^None of/)
    expect(refusal({ jwksUrl, secretFile: '/x' })).toMatch(/^More than one/)
  })

  it('are refused for a secret that is too short, by its length in bytes', async () => {
    expect(refusal({ secretFile: await fileOf('short', `${'x'.repeat(31)}\n`) })).toMatch(/31 bytes/)
    expect(refusal({ secretFile: await fileOf('empty', '') })).toMatch(/0 bytes/)
    expect(loadJwtIssuer({ ...none, secretFile: await fileOf('long', `${'x'.repeat(32)}\r\n`) }).algorithms).toEqual([
      'HS256',
    ])
  })

  it('are refused for keys over http, except from this machine', () => {
    for (const jwksUrl of ['http://issuer.example/keys', 'http://127.0.0.1.evil.example/keys', 'http://10.0.0.1/'])
      expect(refusal({ jwksUrl })).toMatch(/unencrypted http/)
    for (const jwksUrl of [
      'https://issuer.example/keys',
      'http://127.0.0.1:9/keys',
      'http://[::1]:9/',
      'http://localhost/',
    ])
      expect(loadJwtIssuer({ ...none, jwksUrl }).algorithms).not.toContain('HS256')
  })

  it('are refused for a key that is weak, of an unsupported type, or missing', async () => {
    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey
    const other = generateKeyPairSync('x25519').publicKey
    expect(refusal({ publicKeyFile: await fileOf('weak.pem', pemOf(weak)) })).toMatch(/type of the key/)
    expect(refusal({ publicKeyFile: await fileOf('other.pem', pemOf(other)) })).toMatch(/type of the key/)
    expect(refusal({ publicKeyFile: await fileOf('none.pem', 'hello') })).toMatch(/does not contain a public key/)
    expect(refusal({ publicKeyFile: join(folder, 'missing.pem') })).toMatch(/cannot be read/)
    const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
    expect(loadJwtIssuer({ ...none, publicKeyFile: await fileOf('ec.pem', pemOf(curve)) }).algorithms).toEqual([
      'ES256',
    ])
  })
})
