import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { onTestFinished } from 'vitest'

export interface ForgedProvider {
  issuer: string
  /** What its ID token says, besides what a right one would. */
  claims: Record<string, unknown>
  /** Writes the ID token in place of a signed one. */
  writeIdToken: ((claims: Record<string, unknown>) => Promise<string> | string) | null
  /** The nonce of the last sign-in, as a browser brought it. */
  nonce: string
  /** A token that its key signs. */
  sign(
    claims: Record<string, unknown>,
    key?: Awaited<ReturnType<typeof generateKeyPair>>['privateKey'],
  ): Promise<string>
  /** Code verifiers and codes that were sent to it. */
  received: URLSearchParams[]
}

/** A provider that says whatever a test wants. */
export async function openForgedProvider({ supportsIss = true } = {}): Promise<ForgedProvider> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), alg: 'RS256', use: 'sig', kid: 'k1' }
  const sign: ForgedProvider['sign'] = (claims, key = privateKey) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'k1' }).sign(key)
  const forged: ForgedProvider = { issuer: '', claims: {}, writeIdToken: null, nonce: '', sign, received: [] }
  const answers: Record<string, (body: string) => unknown> = {
    '/.well-known/openid-configuration': () => ({
      issuer: forged.issuer,
      authorization_endpoint: `${forged.issuer}/auth`,
      token_endpoint: `${forged.issuer}/token`,
      jwks_uri: `${forged.issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      ...(supportsIss && { authorization_response_iss_parameter_supported: true }),
    }),
    '/keys': () => ({ keys: [jwk] }),
    '/token': async (body) => {
      forged.received.push(new URLSearchParams(body))
      const now = Math.floor(Date.now() / 1000)
      const claims = {
        iss: forged.issuer,
        aud: 'studio',
        sub: 'ann',
        roles: ['staff'],
        nonce: forged.nonce,
        iat: now,
        exp: now + 300,
        ...forged.claims,
      }
      const idToken = await (forged.writeIdToken ?? sign)(claims)
      return { access_token: 'access', token_type: 'Bearer', expires_in: 300, id_token: idToken }
    },
  }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const answer = answers[new URL(request.url!, 'http://localhost').pathname]
    response.setHeader('Content-Type', 'application/json')
    response.statusCode = answer ? 200 : 404
    response.end(JSON.stringify((await answer?.(body)) ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  forged.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return forged
}
