/** Who calls. `terminal` is the person at this machine, who owns the files. */
export type Actor =
  | { kind: 'terminal'; tenant: string }
  | { kind: 'local' }
  | DockCaller
  /**
   * The owner of a token, or a person who signed in. `tokenId` is null for a token of another issuer and for a person, `role` is null for a
   * token that allows nothing.
   */
  | { kind: 'user'; name: string; role: Role | null; tokenId: string | null; personId?: string }
  | { kind: 'anonymous' }

/**
 * Who acts for a tenant at its docks: a system with a key, a member of the staff, a browser that a link of the terminal signed in, a carrier
 * that was invited to the portal, the reader of a mail that offers a slot, or drivers with a gate link.
 */
export interface DockCaller {
  kind: 'dock'
  tenantId: string
  role: DockRole
  /** The only carrier whose appointments the caller sees and books; null for the tenant itself. */
  carrier: string | null
  /** The only facility whose trucks a gate link checks in; absent for the others. */
  facilityId?: string
  credential: DockCredential
}

/** What the caller was recognized by. Changes are recorded with its ID and the name that it has at that time. */
export interface DockCredential {
  kind: 'key' | 'member' | 'link' | 'invitation' | 'offer' | 'gate-link'
  id: string
  name: string
}

/** A text that is the same for all calls of one caller. Callers without a credential are one caller. */
export function callerOf(actor: Actor): string {
  if (actor.kind === 'dock') return `${actor.credential.kind} ${actor.credential.id}`
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

/**
 * What a caller may do at the docks of a tenant. Each role may also do what those before it may: a viewer reads; gate records visits; a clerk
 * books, moves and cancels; a manager sets up facilities, and changes many appointments at once; an admin manages staff, keys and webhooks.
 */
export const dockRoles = ['viewer', 'gate', 'clerk', 'manager', 'admin'] as const
export type DockRole = (typeof dockRoles)[number]

/** Whether the role includes what the other one may do. */
export function includesDockRole(role: DockRole, other: DockRole): boolean {
  return dockRoles.indexOf(role) >= dockRoles.indexOf(other)
}

/** An older name for a role, of a token or at the docks. */
export type Scope = 'read' | 'write' | 'admin'
