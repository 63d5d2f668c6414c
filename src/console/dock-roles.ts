/** What the roles at the docks allow, for the choice of one. */
export const dockRoleTexts = {
  viewer: 'viewer: look at the docks',
  gate: 'gate: record arrivals and steps of trucks too',
  clerk: 'clerk: book, move and cancel too',
  manager: 'manager: set up facilities too',
  admin: 'admin: staff, keys and webhooks too',
}
