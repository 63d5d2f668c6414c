import type { ResultOf } from '../../../catalog'
import type { ConsolePage } from '../../console-page'
import { hasDockRole } from '../../dock-roles'
import { operationForm } from '../../forms/operation-form'
import type { InputField } from '../../forms/schema-inputs'
import { type Html, html, table } from '../../html'
import { facilityPath } from './facility-path'

/** A facility is created with one window, the same on each day. */
const newFacility: (string | InputField)[] = [
  'code',
  'name',
  { name: 'timeZone', attributes: { placeholder: 'America/Chicago' } },
  { name: 'queues.0.start', label: 'Open from', value: '06:00', attributes: { required: true } },
  { name: 'queues.0.end', label: 'Open to', value: '18:00', attributes: { required: true } },
  { name: 'doors[lines]', rows: 3, attributes: { required: true } },
  { name: 'queues.0.days[]', value: ['mon', 'tue', 'wed', 'thu', 'fri'] },
]

/** The facilities of the tenant. */
export const docksPage: ConsolePage = {
  section: 'docks',
  access: { docks: 'viewer' },
  async render({ run, actorFor }) {
    const isManager = hasDockRole({ actorFor }, 'manager')
    const facilities = await run('facilities.list', {})
    const deleted = await run('facilities.list', { archived: true })
    return {
      title: 'Docks',
      body: html`<h1>Docks</h1>
${hasDockRole({ actorFor }, 'admin') ? html`<p><a href="/console/settings/staff">Staff and keys</a> <a href="/console/settings/messages">Webhooks and mails</a></p>` : ''}
${table(
  'Facilities',
  ['Code', 'Name', 'Time zone', 'Doors'],
  facilities.map(
    ({ code, name, timeZone, doors }) =>
      html`<tr><th scope="row"><a href="${facilityPath(code)}">${code}</a></th><td>${name}</td><td>${timeZone}</td><td>${doors.length}</td></tr>`,
  ),
)}
${deleted.length === 0 || !isManager ? '' : html`<details><summary>Deleted facilities</summary>${deleted.map(restoreForm)}</details>`}
${isManager ? createForm(facilities.length === 0) : ''}`,
    }
  },
}

function createForm(isOpen: boolean): Html {
  return html`<details${isOpen ? html` open` : ''}><summary>Create a facility</summary>
${operationForm('facilities.create', { fields: newFacility, inColumns: true, word: 'Create facility' })}</details>`
}

function restoreForm({ id, code, name }: ResultOf<'facilities.list'>[number]): Promise<Html> {
  const head = html`<span>${code} ${name}</span>`
  const button = { word: 'Restore', about: `Restore ${code}`, quiet: true }
  return operationForm('facilities.restore', {
    className: 'bar',
    head,
    hidden: { id, next: '/console/docks' },
    ...button,
  })
}
