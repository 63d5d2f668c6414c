import type { DockCaller } from '../src/kernel'

/** A system with a dock key of the tenant `t`. */
export function dockCaller(changes: Partial<DockCaller> = {}): DockCaller {
  return {
    kind: 'dock',
    tenantId: 't',
    role: 'clerk',
    carrier: null,
    credential: { kind: 'key', id: 'k', name: 'Gate tablet' },
    ...changes,
  }
}
