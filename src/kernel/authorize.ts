import { type DockAccess, isDockAccess } from './access'
import { type Actor, includesDockRole, type Role, roles } from './actor'
import { StudioError } from './errors'
import { hint, suggestCommand } from './hint'
import type { AnyOperation } from './operation'

/** The parts of an operation that decide who may call it. */
export type Guarded = Pick<AnyOperation, 'access' | 'effect' | 'http' | 'changesTracker'>

/** How to call the dock API. */
export const dockKeyHint = hint`Send the header X-API-Key: <TENANT_API_KEY>. Create a key: ${suggestCommand('tenants.create-key')}`

/** Throws for a caller who may not call the operation. */
export function authorize(op: Guarded, actor: Actor): void {
  if (isAuthorized(op, actor)) return
  throw isDockAccess(op.access) ? explainDockRefusal(op.access, actor) : explainRefusal(op, actor)
}

/** Whether the caller may call the operation. */
export function isAuthorized(op: Guarded, actor: Actor): boolean {
  const { access } = op
  if (access === 'public' || actor.kind === 'terminal') return true
  if (isDockAccess(access))
    return isDockCaller(access, actor) || (access.serviceAdmins === true && hasRole(actor, 'admin'))
  if (access === 'workspace' && actor.kind === 'local') return true
  return hasRole(actor, roleFor(op))
}

function isDockCaller({ docks, carriers, gateLinks }: DockAccess, actor: Actor): boolean {
  if (actor.kind !== 'dock' || !includesDockRole(actor.role, docks)) return false
  if (actor.credential.kind === 'gate-link') return gateLinks === true
  return actor.carrier === null || carriers === true
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

/** Reading an item stores a snapshot of it, and is still a read. */
function isRead({ effect, http }: Guarded): boolean {
  return effect === 'read' || (effect === 'mirror' && http?.method === 'get')
}

function explainDockRefusal({ docks, serviceAdmins }: DockAccess, actor: Actor): StudioError {
  if (actor.kind === 'user' && serviceAdmins) return explainRefusal({ access: 'admin', effect: 'write' }, actor)
  if (actor.kind !== 'dock')
    return new StudioError('unauthenticated', 'This call needs a tenant key in the header X-API-Key.', {
      hint: dockKeyHint,
    })
  const { role, credential } = actor
  if (credential.kind === 'gate-link')
    return new StudioError('forbidden', 'A gate link allows a check-in on its page and nothing else.', {
      hint: dockKeyHint,
    })
  if (includesDockRole(role, docks))
    return new StudioError('forbidden', 'The key of a carrier does not allow this call.', {
      hint: hint`Create a key of the tenant: ${suggestCommand('tenants.create-key', { role: docks })}`,
    })
  const isKey = credential.kind === 'key'
  return new StudioError(
    'forbidden',
    `This call needs the role ${docks} at the docks. ${isKey ? 'This dock key has the role' : 'Yours is'} ${role}.`,
    {
      hint: isKey
        ? hint`Create a key: ${suggestCommand('tenants.create-key', { role: docks })}`
        : 'Ask an administrator of the docks for the role.',
    },
  )
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
  if (actor.kind === 'dock')
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
