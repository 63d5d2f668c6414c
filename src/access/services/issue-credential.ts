import type { Context } from '../../kernel'
import { type CredentialKind, formatCredential, parsePublicPrefix, SECRET_LENGTH } from './credential'
import { hashCredential } from './verify-credential'

/** Generates a credential. The row has what is stored of it, the text is shown once. */
export function issueCredential({ ids, clock }: Pick<Context, 'ids' | 'clock'>, kind: CredentialKind) {
  const text = formatCredential(kind, ids.secret(SECRET_LENGTH))
  const row = {
    id: ids.uuid(),
    prefix: parsePublicPrefix(kind, text)!,
    hash: hashCredential(text),
    created_at: clock.now(),
    last_used_at: null,
    revoked_at: null,
  }
  return { text, row }
}
