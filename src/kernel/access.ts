import type { DockRole } from './actor'

/**
 * Who may call it. `public`: every caller. `workspace`: users of the story studio. `admin`: the person at the terminal, or a user with that
 * role; a local call is not enough. Otherwise callers of a tenant with a role at its docks, or the terminal.
 */
export type Access = 'public' | 'workspace' | 'admin' | DockAccess

export interface DockAccess {
  /** The role at the docks that a call needs. */
  docks: DockRole
  /** Also for a caller that is bound to a carrier. Such an operation must show and change only what belongs to the carrier. */
  carriers?: true
  /** Also for drivers with a gate link. Such an operation must show and change only what belongs to the facility of the link. */
  gateLinks?: true
  /** Also for an admin of the service, who names the tenant. */
  serviceAdmins?: true
}

/** Whether callers authenticate at the docks of a tenant. */
export function isDockAccess(access: Access): access is DockAccess {
  return typeof access === 'object'
}
