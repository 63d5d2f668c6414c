/**
 * Who may call it. `public`: every caller. `workspace`: users of the story studio. `tenant`: a tenant with a dock key, or the terminal.
 * `carrier`: also a key that is bound to a carrier; such an operation must show and change only what belongs to the carrier.
 * `tenant-admin`: a tenant with a key of the scope admin, or the terminal.
 * `admin`: the person at the terminal, or a user with that role; a local call is not enough.
 */
export type Access = 'public' | 'workspace' | 'carrier' | 'tenant' | 'tenant-admin' | 'admin'

/** Whether callers authenticate with a dock key. */
export function isDockAccess(access: Access): boolean {
  return access === 'carrier' || access === 'tenant' || access === 'tenant-admin'
}
