import { type DockRole, isAuthorized } from '../kernel'
import type { PageRequest } from './console-page'

/** Whether the caller has the role at the docks, without which a page does not offer what needs it. */
export function hasDockRole({ actorFor }: Pick<PageRequest, 'actorFor'>, docks: DockRole): boolean {
  return isAuthorized({ access: { docks }, effect: 'read' }, actorFor({ docks }))
}

/** What the roles at the docks allow, for the choice of one. */
export const dockRoleTexts = {
  viewer: 'viewer: look at the docks',
  gate: 'gate: record arrivals and steps of trucks too',
  clerk: 'clerk: book, move and cancel too',
  manager: 'manager: set up facilities too',
  admin: 'admin: staff, keys and webhooks too',
}
