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
  /**
   * The owner of a token, or a person who signed in. `tokenId` is null for a token of another issuer and for a person, `role` is null for a
   * token that allows nothing.
   */
  | { kind: 'user'; name: string; role: Role | null; tokenId: string | null; personId?: string }
  | { kind: 'anonymous' }

/** A text that is the same for all calls of one caller. Callers without a credential are one caller. */
export function callerOf(actor: Actor): string {
  if (actor.kind === 'tenant-key') return `key ${actor.keyId}`
  if (actor.kind !== 'user') return actor.kind
  if (actor.personId !== undefined) return `person ${actor.personId}`
  return actor.tokenId === null ? `jwt ${actor.name}` : `token ${actor.tokenId}`
}

/**
 * What a person or a token may do with stories. Each role may also do what those before it may: a reader reads; an editor changes what is
 * stored here, such as drafts, views and priorities; a publisher changes the tracker; an admin manages tokens, sessions and the service.
 */
export const roles = ['reader', 'editor', 'publisher', 'admin'] as const
export type Role = (typeof roles)[number]

/** What a dock key allows; `write` allows what `read` does, and `admin` all. A token may name its role by such scopes. */
export type Scope = 'read' | 'write' | 'admin'
