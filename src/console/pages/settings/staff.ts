import type { ResultOf } from '../../../catalog'
import type { ConsolePage } from '../../console-page'
import { dockRoleTexts } from '../../dock-roles'
import { operationForm } from '../../forms/operation-form'
import { type Html, html, table, time } from '../../html'
import { settingsLinks } from '../../settings-links'
import { invitationSection } from './invitations'

export const STAFF_PAGE = '/console/settings/staff'
const ACCESS = { docks: 'admin', serviceAdmins: true } as const

/** The staff, the dock keys and the invited carriers of a tenant. An admin of the service chooses the tenant, an admin of the docks has its own. */
export const staffPage: ConsolePage = {
  section: 'settings',
  access: ACCESS,
  async render({ run, query, actorFor }) {
    const isService = actorFor(ACCESS).kind === 'user'
    const tenants = isService ? (await run('tenants.list', {})).map(({ name }) => name) : []
    const name = isService ? (query['tenant'] ?? tenants[0] ?? 'default') : undefined
    const tenant = name === undefined ? {} : { tenant: name }
    const [members, keys, invitations] = await Promise.all([
      run('staff.list', tenant),
      run('tenants.list-keys', tenant),
      run('carriers.list-invitations', tenant),
    ])
    const next = name === undefined ? STAFF_PAGE : `${STAFF_PAGE}?${new URLSearchParams({ tenant: name })}`
    const hidden = { ...tenant, next }
    return {
      title: 'Staff & keys',
      body: html`<h1>Staff &amp; keys</h1>
${settingsLinks(STAFF_PAGE)}
${name === undefined ? '' : chooseTenant(tenants, name)}
${staffSection(members, hidden)}
${keySection(keys, hidden)}
${invitationSection(invitations, hidden)}`,
    }
  },
}

type Hidden = { next: string; tenant?: string }

function chooseTenant(tenants: readonly string[], current: string): Html {
  const options = tenants.map((name) => html`<option${name === current ? html` selected` : ''}>${name}</option>`)
  return html`<form class="bar" method="get" data-auto><label>Tenant <select name="tenant">${options}</select></label><button type="submit">Show</button></form>`
}

function staffSection(members: ResultOf<'staff.list'>, hidden: Hidden): Html {
  return html`<section aria-labelledby="staff"><h2 id="staff">Staff</h2>
<p>Members sign in with their e-mail address. The history of an appointment names them.</p>
${table(
  'Staff',
  ['Name', 'E-mail', 'Added', 'Role', 'Action'],
  members.map(
    ({ email, name, role, createdAt }) =>
      html`<tr><th scope="row">${name}</th><td>${email}</td><td>${time(createdAt)}</td><td>${roleForm({ email, name, role }, hidden)}</td>
<td>${removeForm({ email, name }, hidden)}</td></tr>`,
  ),
)}
${operationForm('staff.add', {
  className: 'card',
  head: html`<h3>Add a member</h3>`,
  hidden,
  fields: [
    { name: 'email', label: 'E-mail address', attributes: { type: 'email' } },
    'name',
    { name: 'role', texts: dockRoleTexts },
  ],
  values: { role: 'clerk' },
  word: 'Add member',
})}</section>`
}

function roleForm({ email, name, role }: { email: string; name: string; role: string }, hidden: Hidden): Promise<Html> {
  return operationForm('staff.update', {
    className: 'bar',
    inRow: true,
    key: email,
    hidden: { ...hidden, email },
    fields: [{ name: 'role', label: `Role of ${name}`, value: role }],
    onlyChanges: true,
    word: 'Change',
    about: `Change the role of ${name}`,
    quiet: true,
  })
}

function removeForm({ email, name }: { email: string; name: string }, hidden: Hidden): Promise<Html> {
  const about = `Remove ${name} from the staff`
  return operationForm('staff.remove', {
    hidden: { ...hidden, email },
    confirm: `${about}?`,
    about,
    word: 'Remove',
    quiet: true,
  })
}

function keySection(keys: ResultOf<'tenants.list-keys'>, hidden: Hidden): Html {
  return html`<section aria-labelledby="keys"><h2 id="keys">Dock keys</h2>
<p>Give each system its own key with the role that it needs.</p>
${table(
  'Dock keys',
  ['Name', 'Role', 'Carrier', 'Prefix', 'Created', 'Last used', 'Action'],
  keys.map(
    ({ id, name, role, carrier, prefix, createdAt, lastUsedAt, revokedAt }) =>
      html`<tr${revokedAt === null ? '' : html` class="off"`}><td>${name}</td><td>${role}</td><td>${carrier ?? ''}</td><td><code>${prefix}</code></td>
<td>${time(createdAt)}</td><td>${time(lastUsedAt)}</td><td>${revokedAt === null ? revokeForm({ id, name }, hidden.next) : 'revoked'}</td></tr>`,
  ),
)}
${operationForm('tenants.create-key', {
  className: 'card',
  head: html`<h3>Create a dock key</h3>`,
  hidden,
  fields: ['name', { name: 'role', texts: dockRoleTexts }, 'carrier'],
  values: { role: 'clerk' },
  word: 'Create dock key',
})}</section>`
}

function revokeForm({ id, name }: { id: string; name: string }, next: string): Promise<Html> {
  const about = `Revoke the key ${name}`
  return operationForm('tenants.revoke-key', {
    hidden: { id, next },
    confirm: `${about}?`,
    about,
    word: 'Revoke',
    quiet: true,
  })
}
