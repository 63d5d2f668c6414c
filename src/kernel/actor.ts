/** Who calls. `terminal` is the person at this machine, who owns the files. */
export type Actor =
  | { kind: 'terminal'; tenant: string }
  | { kind: 'local' }
  | {
      kind: 'tenant-key'
      tenantId: string
      keyId: string
      /** What the key allows at the docks of the tenant; `admin` is their set-up. */
      scope: Scope
      /** The only carrier whose appointments the caller sees and books; null for the tenant itself. */
      carrier: string | null
    }
  /** The owner of a token; `tokenId` is null for a token of another issuer. */
  | { kind: 'user'; name: string; scopes: readonly Scope[]; tokenId: string | null }
  | { kind: 'anonymous' }

/** A text that is the same for all calls of one caller. Callers without a credential are one caller. */
export function callerOf(actor: Actor): string {
  if (actor.kind === 'tenant-key') return `key ${actor.keyId}`
  if (actor.kind === 'user') return actor.tokenId === null ? `jwt ${actor.name}` : `token ${actor.tokenId}`
  return actor.kind
}

/** What a token or a dock key allows; `write` allows what `read` does, and `admin` all. */
export type Scope = 'read' | 'write' | 'admin'
