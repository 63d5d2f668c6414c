import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { isRecord, parseJson } from '../../../kernel/json'

/** The tokens of a person at the provider. */
export interface ProviderTokens {
  idToken: string
  accessToken: string
  refreshToken: string | null
}

export interface TokenSealer {
  seal(tokens: ProviderTokens): string
  /** Null for what was sealed with another key. */
  unseal(text: string): ProviderTokens | null
}

const IV_BYTES = 12
const TAG_BYTES = 16

/** Encrypts tokens with a key that is derived from the secret of the client, so that a copy of the database alone gives no access. */
export function createTokenSealer(clientSecret: string): TokenSealer {
  const key = Buffer.from(hkdfSync('sha256', clientSecret, '', 'studio provider tokens', 32))
  return {
    seal(tokens) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, iv)
      const encrypted = Buffer.concat([cipher.update(JSON.stringify(tokens), 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString('base64')
    },
    unseal(text) {
      const bytes = Buffer.from(text, 'base64')
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
        decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
        const decrypted = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
        const tokens = parseJson(decrypted.toString('utf8'))
        return isRecord(tokens) ? (tokens as unknown as ProviderTokens) : null
      } catch {
        return null
      }
    },
  }
}
