import type { ResultOf } from '../../../catalog'
import { loadQrCode } from '../../../docks'
import type { ConsolePage } from '../../console-page'
import { operationForm } from '../../forms/operation-form'
import { type Html, html, raw, table, time } from '../../html'
import { secret } from '../../shown-secret'
import { facilityHead } from './facility-head'
import { facilityPath } from './facility-path'

type GateLink = ResultOf<'facilities.list-gate-links'>[number]

/** The links with which drivers check in at a facility themselves. */
export const gateLinksPage: ConsolePage = {
  section: 'docks',
  access: { docks: 'manager' },
  async render({ run, params }) {
    const { id, code, name } = await run('facilities.get', { id: params['code']! })
    const links = await run('facilities.list-gate-links', { facilityId: id })
    const here = facilityPath(code, '/gate-links')
    return {
      title: `Gate links of ${code}`,
      body: html`${facilityHead({ code, name }, '/gate-links')}
<p>With a link, drivers check in themselves: on their phones, or on a screen that they share.</p>
${links.length === 0 ? '' : list(links, here)}
${operationForm('facilities.create-gate-link', {
  className: 'card',
  head: html`<h2>Create a link</h2>`,
  hidden: { id, next: here },
  fields: ['name', 'kiosk', 'expires', 'replace'],
  word: 'Create the link',
})}`,
    }
  },
}

function list(links: readonly GateLink[], here: string): Html {
  return table(
    'Gate links',
    ['Name', 'For', 'State', 'Created', 'Last used', 'Expires', 'Action'],
    links.map(
      ({ id, name, kiosk, state, createdAt, lastUsedAt, expiresAt }) =>
        html`<tr${state === 'live' ? '' : html` class="off"`}><th scope="row">${name}</th><td>${kiosk ? 'a shared screen' : 'phones'}</td><td>${state}</td>
<td>${time(createdAt)}</td><td>${time(lastUsedAt)}</td><td>${time(expiresAt)}</td><td>${state === 'live' ? revokeForm({ id, name }, here) : ''}</td></tr>`,
    ),
  )
}

function revokeForm({ id, name }: Pick<GateLink, 'id' | 'name'>, next: string): Promise<Html> {
  const about = `Revoke the link ${name}`
  return operationForm('facilities.revoke-gate-link', {
    hidden: { id, next },
    confirm: `${about}? Its page ends, also for drivers who wait.`,
    about,
    word: 'Revoke',
    quiet: true,
  })
}

/** The link is shown once, with its code to print. The code needs the whole address. */
export async function renderNewGateLink({
  link,
  kiosk,
  facilityCode,
  facilityName,
}: ResultOf<'facilities.create-gate-link'>): Promise<Html> {
  const again = html`<p><a href="${facilityPath(facilityCode, '/gate-links')}">All gate links of ${facilityCode}</a></p>`
  if (!link.includes('://'))
    return html`<section>${secret('link', link, 'Put the address of the service before it. With the setting serve.publicUrl, the next link is whole and has a QR code.')}${again}</section>`
  const use = kiosk ? 'Open it as the start page of the screen.' : 'Print its QR code for the gate.'
  const { drawQrSvg } = await loadQrCode()
  return html`<section>${secret('link', link, use)}
<figure class="poster">${raw(drawQrSvg(link, facilityName))}</figure>
<p><button type="button" data-print>Print the QR code</button></p>${again}</section>`
}
