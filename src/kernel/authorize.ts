import { type Access, isDockAccess } from './access'
import { type Actor, type Role, roles, type Scope } from './actor'
import { StudioError } from './errors'
import { hint, suggestCommand } from './hint'
import type { AnyOperation } from './operation'

/** The parts of an operation that decide who may call it. */
export type Guarded = Pick<AnyOperation, 'access' | 'effect' | 'http' | 'changesTracker'>

/** How to call the dock API. */
export const dockKeyHint = hint`Send the header X-API-Key: <TENANT_API_KEY>. Create a key: ${suggestCommand('tenants.create-key')}`

/** Throws for a caller who may not call the operation. */
export function authorize(op: Guarded, actor: Actor): void {
  if (admitted[op.access](actor, op)) return
  throw isDockAccess(op.access) ? explainDockRefusal(op, actor) : explainRefusal(op, actor)
}

const admitted: Record<Access, (actor: Actor, op: Guarded) => boolean> = {
  public: () => true,
  workspace: (actor, op) => actor.kind === 'terminal' || actor.kind === 'local' || hasRole(actor, roleFor(op)),
  carrier: (actor, op) => actor.kind === 'terminal' || isKeyFor(actor, op),
  tenant: (actor, op) => actor.kind === 'terminal' || (isKeyFor(actor, op) && actor.carrier === null),
  'tenant-admin': (actor, op) => actor.kind === 'terminal' || (isKeyFor(actor, op) && actor.carrier === null),
  admin: (actor) => actor.kind === 'terminal' || hasRole(actor, 'admin'),
}

/** The role that a call needs. */
export function roleFor(op: Guarded): Role {
  if (op.access === 'admin') return 'admin'
  if (isRead(op)) return 'reader'
  return op.changesTracker ? 'publisher' : 'editor'
}

function hasRole(actor: Actor, needed: Role): boolean {
  return actor.kind === 'user' && actor.role !== null && roles.indexOf(actor.role) >= roles.indexOf(needed)
}

const implied: Record<Scope, readonly Scope[]> = {
  read: ['read', 'write', 'admin'],
  write: ['write', 'admin'],
  admin: ['admin'],
}

function isKeyFor(actor: Actor, op: Guarded): actor is Extract<Actor, { kind: 'tenant-key' }> {
  return actor.kind === 'tenant-key' && implied[scopeFor(op)].includes(actor.scope)
}

/** The scope that a dock key needs for a call. */
function scopeFor(op: Guarded): Scope {
  if (op.access === 'tenant-admin') return 'admin'
  return isRead(op) ? 'read' : 'write'
}

/** Reading an item stores a snapshot of it, and is still a read. */
function isRead({ effect, http }: Guarded): boolean {
  return effect === 'read' || (effect === 'mirror' && http?.method === 'get')
}

function explainDockRefusal(op: Guarded, actor: Actor): StudioError {
  if (actor.kind !== 'tenant-key')
    return new StudioError('unauthenticated', 'This call needs a tenant key in the header X-API-Key.', {
      hint: dockKeyHint,
    })
  const scope = scopeFor(op)
  const message = implied[scope].includes(actor.scope)
    ? 'The key of a carrier does not allow this call.'
    : `This dock key does not allow the call: it lacks the scope ${scope}.`
  return new StudioError('forbidden', message, {
    hint: hint`Create a key: ${suggestCommand('tenants.create-key', { scope })}`,
  })
}

function explainRefusal(op: Guarded, actor: Actor): StudioError {
  const role = roleFor(op)
  const create = hint`Create a token: ${suggestCommand('tokens.create', { name: '<name>', role })}`
  if (actor.kind === 'user' && actor.personId !== undefined)
    return new StudioError('forbidden', `${needsRole(role)} ${describeRole(actor.role)}`, {
      hint: 'Ask an administrator of this service for the role.',
    })
  if (actor.kind === 'user')
    return new StudioError('forbidden', `${needsRole(role)} ${describeRole(actor.role, 'The token')}`, { hint: create })
  if (actor.kind === 'tenant-key')
    return new StudioError('forbidden', 'A dock key does not allow this call.', {
      hint: hint`${create}; send it as Authorization: Bearer <token>`,
    })
  return new StudioError('unauthenticated', `This call needs a token with the role ${role}.`, {
    hint: hint`Send Authorization: Bearer <token>. ${create}`,
  })
}

function needsRole(role: Role): string {
  return `This call needs the role ${role}.`
}

function describeRole(role: Role | null, owner?: string): string {
  if (owner === undefined) return role === null ? 'You have none.' : `Yours is ${role}.`
  return role === null ? `${owner} has none.` : `${owner} has the role ${role}.`
}
