import type { ResultOf } from '../../../catalog'
import { operationForm } from '../../forms/operation-form'
import { type Html, html, table, time } from '../../html'
import { secret } from '../../shown-secret'

/** The carriers that were invited to the portal. */
export function invitationSection(
  invitations: ResultOf<'carriers.list-invitations'>,
  hidden: { next: string; tenant?: string },
): Html {
  return html`<section aria-labelledby="invitations"><h2 id="invitations">Carriers in the portal</h2>
<p>A carrier without a system of its own books in the portal, at the facilities that admit it.</p>
${table(
  'Invitations',
  ['Carrier', 'E-mail', 'Created', 'Last used', 'Expires', 'Action'],
  invitations.map(
    ({ id, carrier, email, state, createdAt, lastUsedAt, expiresAt }) =>
      html`<tr${state === 'live' ? '' : html` class="off"`}><th scope="row">${carrier}</th><td>${email ?? ''}</td><td>${time(createdAt)}</td><td>${time(lastUsedAt)}</td>
<td>${time(expiresAt)}</td><td>${state === 'live' ? revokeForm({ id, carrier }, hidden.next) : state}</td></tr>`,
  ),
)}
${operationForm('carriers.invite', {
  className: 'card',
  head: html`<h3>Invite a carrier</h3>`,
  hidden,
  fields: ['carrier', { name: 'email', label: 'E-mail address', attributes: { type: 'email' } }, 'expires'],
  word: 'Invite',
})}</section>`
}

function revokeForm({ id, carrier }: { id: string; carrier: string }, next: string): Promise<Html> {
  const about = `Revoke the invitation of ${carrier}`
  return operationForm('carriers.revoke-invitation', {
    hidden: { id, next },
    confirm: `${about}?`,
    about,
    word: 'Revoke',
    quiet: true,
  })
}

/** The link is shown once. A mailed one is not shown. */
export function renderNewInvitation({ link, mailProblem }: ResultOf<'carriers.invite'>): Html | null {
  if (link === null) return null
  const use = 'Send it to the carrier. It works once, in one browser.'
  return html`${secret('link', link, mailProblem === null ? use : `It was not mailed: ${mailProblem}. ${use}`)}`
}
