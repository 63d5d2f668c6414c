import { describe, expect, it } from 'vitest'
import { loadAllOperations } from '../../src/catalog'
import {
  type Actor,
  type AnyOperation,
  authorize,
  type DockAccess,
  type DockRole,
  dockRoles,
  includesDockRole,
  isDockAccess,
  type OperationId,
  type StudioError,
} from '../../src/kernel'
import { dockCaller } from '../dock-caller'

const operations = (await loadAllOperations()).filter(({ access }) => isDockAccess(access))

/** The operations of each role that the roles before it may not call. */
const added: Record<DockRole, readonly OperationId[]> = {
  viewer: [
    'appointments.list',
    'appointments.find',
    'appointments.get',
    'attachments.list',
    'attachments.get',
    'appointments.history',
    'appointments.events',
    'holds.list',
    'waitlist.list',
    'series.list',
    'series.get',
    'facilities.list',
    'facilities.get',
    'facilities.availability',
    'facilities.board',
    'facilities.plan',
    'yard.board',
    'yard.list',
    'yard.get',
    'facilities.conflicts',
    'facilities.report',
    'doors.list',
  ],
  gate: [
    'appointments.check-in',
    'appointments.step',
    'appointments.undo-step',
    'yard.arrive',
    'yard.move',
    'yard.update',
    'yard.leave',
    'yard.undo',
    'appointments.complete',
    'appointments.reopen',
    'attachments.add',
  ],
  clerk: [
    'appointments.book',
    'appointments.update',
    'appointments.reschedule',
    'appointments.swap',
    'appointments.pin',
    'appointments.unpin',
    'appointments.cancel',
    'attachments.remove',
    'holds.create',
    'holds.confirm',
    'holds.release',
    'waitlist.add',
    'waitlist.accept',
    'waitlist.decline',
    'waitlist.remove',
    'waitlist.offer',
    'appointments.remind',
    'series.create',
    'series.update',
    'series.end',
    'series.skip',
    'series.move',
    'series.materialize',
  ],
  manager: [
    'appointments.clear',
    'facilities.accept-plan',
    'appointments.import',
    'facilities.create',
    'facilities.update',
    'facilities.delete',
    'facilities.restore',
    'facilities.close',
    'facilities.reopen',
    'facilities.block',
    'facilities.unblock',
    'doors.add',
    'doors.update',
    'doors.remove',
    'carriers.admit',
    'carriers.exclude',
    'yard.import',
    'yard.add-spots',
    'yard.remove-spot',
    'facilities.create-gate-link',
    'sessions.create-screen',
    'facilities.list-gate-links',
    'facilities.revoke-gate-link',
  ],
  admin: [
    'facilities.set-check',
    'facilities.get-check',
    'facilities.remove-check',
    'facilities.test-check',
    'webhooks.add',
    'webhooks.list',
    'webhooks.update',
    'webhooks.rotate-secret',
    'webhooks.remove',
    'webhooks.test',
    'webhooks.dead-letters',
    'webhooks.replay',
    'webhooks.resume',
    'mail-templates.list',
    'mail-templates.get',
    'mail-templates.set',
    'mail-templates.reset',
    'mail-templates.preview',
    'mail-templates.test',
    'carriers.invite',
    'carriers.list-invitations',
    'carriers.revoke-invitation',
    'staff.add',
    'staff.list',
    'staff.update',
    'staff.remove',
    'tenants.create-key',
    'tenants.list-keys',
    'tenants.revoke-key',
  ],
}

function isAllowed(op: Pick<AnyOperation, 'access' | 'effect'>, actor: Actor): boolean {
  try {
    authorize(op, actor)
    return true
  } catch {
    return false
  }
}

const user = (role: 'publisher' | 'admin'): Actor => ({ kind: 'user', name: 'ann', role, tokenId: 't1' })

it('each operation of the docks has its role', () => {
  const roles = Object.fromEntries(operations.map(({ id, access }) => [id, (access as DockAccess).docks]))
  const expected = dockRoles.flatMap((role) => added[role].map((id) => [id, role]))
  expect(roles).toEqual(Object.fromEntries(expected))
})

describe.each(operations.map((op) => [op.id, op] as const))('%s', (_id, op) => {
  const { docks, carriers = false, serviceAdmins = false } = op.access as DockAccess

  it('may be called with its role and with those above it', () => {
    for (const role of dockRoles)
      expect([role, isAllowed(op, dockCaller({ role }))]).toEqual([role, includesDockRole(role, docks)])
  })

  it('may be called for a carrier only where it shows and changes what belongs to the carrier', () => {
    for (const role of dockRoles) {
      const isCarrierAllowed = carriers && includesDockRole(role, docks)
      expect([role, isAllowed(op, dockCaller({ role, carrier: 'Blue Freight' }))]).toEqual([role, isCarrierAllowed])
    }
  })

  it('is open to the terminal, and to no caller without a credential of the docks', () => {
    expect(isAllowed(op, { kind: 'terminal', tenant: 'default' })).toBe(true)
    for (const actor of [{ kind: 'local' }, { kind: 'anonymous' }, user('publisher')] as const)
      expect(isAllowed(op, actor)).toBe(false)
    expect(isAllowed(op, user('admin'))).toBe(serviceAdmins)
  })
})

describe('a refusal at the docks', () => {
  const refusalOf = (actor: Actor, access: DockAccess = { docks: 'manager' }) => {
    try {
      authorize({ access, effect: 'write' }, actor)
    } catch (error) {
      const { code, message } = error as StudioError
      return [code, message]
    }
  }

  it('names the role that is needed, and the one that the caller has', () => {
    expect(refusalOf(dockCaller({ role: 'gate' }))).toEqual([
      'forbidden',
      'This call needs the role manager at the docks. This dock key has the role gate.',
    ])
    expect(refusalOf(dockCaller({ role: 'gate', credential: { kind: 'member', id: 'm', name: 'Ana' } }))).toEqual([
      'forbidden',
      'This call needs the role manager at the docks. Yours is gate.',
    ])
  })

  it('says that a carrier is not admitted, and which credential is missing', () => {
    expect(refusalOf(dockCaller({ carrier: 'Blue Freight' }), { docks: 'clerk' })).toEqual([
      'forbidden',
      'The key of a carrier does not allow this call.',
    ])
    expect(refusalOf({ kind: 'anonymous' })).toEqual([
      'unauthenticated',
      'This call needs a tenant key in the header X-API-Key.',
    ])
    expect(refusalOf(user('publisher'), { docks: 'admin', serviceAdmins: true })).toEqual([
      'forbidden',
      'This call needs the role admin. The token has the role publisher.',
    ])
  })
})
