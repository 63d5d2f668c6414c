import type { ResultOf } from '../../../catalog'
import type { OperationId } from '../../../kernel'
import type { ConsolePage } from '../../console-page'
import { dockRoleTexts } from '../../dock-roles'
import { type OperationForm, operationForm } from '../../forms/operation-form'
import { type Html, html, table, time } from '../../html'
import { settingsLinks } from '../../settings-links'
import { roleTexts } from './role-texts'
import { STAFF_PAGE } from './staff'

const HERE = '/console/settings'

/** Settings, Security & Access: tokens, tenants, and the browsers that are signed in. */
export const securityPage: ConsolePage = {
  section: 'settings',
  access: 'admin',
  async render({ run, now, service }) {
    const [tokens, tenants, sessions] = await Promise.all([
      run('tokens.list', {}),
      run('tenants.list', {}),
      run('sessions.list', {}),
    ])
    return {
      title: 'Security & Access',
      body: html`<h1>Security &amp; Access</h1>
${settingsLinks(HERE)}
<h2>Who can call this service</h2>
<ul>${service.accessSummary.map((line) => html`<li>${line}</li>`)}</ul>
${tokenSection(tokens, now)}
${tenantSection(tenants)}
${sessionSection(sessions)}`,
    }
  },
}

function tokenSection(tokens: ResultOf<'tokens.list'>, now: number): Html {
  return html`<section aria-labelledby="tokens"><h2 id="tokens">Tokens</h2>
<p>A token lets a program or a person use the story API from elsewhere.</p>
${table(
  'Tokens',
  ['Name', 'Role', 'Prefix', 'Created', 'Last used', 'Expires', 'Action'],
  tokens.map((token) => {
    const { id, name, role, prefix, createdAt, lastUsedAt, expiresAt, revokedAt } = token
    const isLive = revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > now)
    return html`<tr${isLive ? '' : html` class="off"`}><td>${name}</td><td>${role}</td><td><code>${prefix}</code></td>
<td>${time(createdAt)}</td><td>${time(lastUsedAt)}</td><td>${revokedAt === null ? time(expiresAt) : 'revoked'}</td>
<td>${revokedAt === null ? endButton('tokens.revoke', id, `Revoke the token ${name}`, 'Revoke') : ''}</td></tr>`
  }),
)}
${card('tokens.create', 'Create a token', { fields: ['name', { name: 'role', texts: roleTexts, empty: 'Choose a role', attributes: { required: true } }, { name: 'expires', choices: lifetimes }], word: 'Create token' })}</section>`
}

const lifetimes = [
  ['30d', 'in 30 days'],
  ['7d', 'in 7 days'],
  ['52w', 'in a year'],
  ['', 'never'],
] as const

function tenantSection(tenants: ResultOf<'tenants.list'>): Html {
  const page = (name: string) => `${STAFF_PAGE}?${new URLSearchParams({ tenant: name })}`
  return html`<section aria-labelledby="tenants"><h2 id="tenants">Tenants</h2>
<p>A tenant is an organization whose docks no other organization sees. It has its own staff and dock keys.</p>
${table(
  'Tenants',
  ['Tenant', 'Dock keys', 'Created', 'Action'],
  tenants.map(
    ({ name, liveKeys, createdAt }) =>
      html`<tr><th scope="row">${name}</th><td>${liveKeys}</td><td>${time(createdAt)}</td><td><a href="${page(name)}" aria-label="Staff &amp; keys of ${name}">Staff &amp; keys</a></td></tr>`,
  ),
)}
${card('tenants.create', 'Create a tenant', { fields: ['name'], word: 'Create tenant' })}</section>`
}

const link: CardOptions = {
  fields: [
    { name: 'name', attributes: { placeholder: 'Wall screen' } },
    'scope',
    { name: 'role', empty: 'as the scope says' },
    { name: 'dockRole', label: 'Role at the docks', empty: 'as the scope says', texts: dockRoleTexts },
    'tenant',
  ],
  values: { scope: 'read', tenant: 'default' },
  word: 'Create link',
}

function sessionSection(sessions: ResultOf<'sessions.list'>): Html {
  return html`<section aria-labelledby="sessions"><h2 id="sessions">Signed-in browsers</h2>
${table(
  'Signed-in browsers',
  ['User', 'Role', 'Docks of', 'Address', 'Browser', 'Signed in', 'Last used', 'Action'],
  sessions.map(
    ({ id, kind, isScreen, name, role, tenant, address, userAgent, createdAt, lastUsedAt }) =>
      html`<tr><td>${name ?? 'dock key'}</td><td>${isScreen ? 'screen' : (role ?? 'none')}</td><td>${tenant ?? 'none'}</td><td>${address ?? ''}</td>
<td class="wide">${kind === 'link' ? 'A link that was not opened yet' : (userAgent ?? '')}</td><td>${time(createdAt)}</td><td>${time(lastUsedAt)}</td>
<td>${endButton('sessions.revoke', id, `Sign out ${name ?? 'the dock key'} at ${address ?? 'no address'}`, 'Sign out')}</td></tr>`,
  ),
)}
${card('sessions.create-link', 'Sign another browser in', link, 'A link works once, within ten minutes.')}</section>`
}

type CardOptions = Pick<OperationForm, 'fields' | 'values' | 'word'>

function card(operation: OperationId, title: string, form: CardOptions, about = ''): Promise<Html> {
  const head = html`<h3>${title}</h3>${about && html`<p>${about}</p>`}`
  return operationForm(operation, { className: 'card', head, hidden: { next: HERE }, ...form })
}

/** What it ends is in its name, because a screen reader reads the buttons of a table without their rows. */
function endButton(operation: OperationId, id: string, about: string, word: string): Promise<Html> {
  return operationForm(operation, { hidden: { next: HERE, id }, confirm: `${about}?`, about, word, quiet: true })
}
