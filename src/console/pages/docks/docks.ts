import type { ResultOf } from '../../../catalog'
import { dockAttention } from '../../attention/dock-attention'
import { attention } from '../../components/attention'
import { empty, pageHead } from '../../components/page-head'
import type { ConsolePage } from '../../console-page'
import { detailsForm } from '../../forms/details-form'
import { operationForm } from '../../forms/operation-form'
import type { InputField } from '../../forms/schema-inputs'
import { type Html, html, number, table } from '../../html'
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
  async render(request) {
    const { run, may } = request
    const [facilities, deleted, waiting] = await Promise.all([
      run('facilities.list', {}),
      run('facilities.list', { archived: true }),
      dockAttention(request),
    ])
    const actions = html`<a class="button quiet" href="/console/appointments">Find an appointment</a>
${(await may('staff.list')) ? html`<a class="button quiet" href="/console/settings/staff">Staff and keys</a>` : ''}
${(await may('webhooks.list')) ? html`<a class="button quiet" href="/console/settings/messages">Webhooks and mails</a>` : ''}`
    return {
      title: 'Docks',
      refreshSeconds: 60,
      body: html`${pageHead({ title: 'Docks', actions })}
${waiting.length === 0 ? '' : html`<section aria-labelledby="attention"><h2 id="attention">Needs attention</h2>${attention(waiting)}</section>`}
${facilities.length === 0 ? empty('There is no facility yet. A facility has doors, opening hours and appointments.', createForm()) : list(facilities)}
${deleted.length === 0 || !(await may('facilities.restore')) ? '' : html`<details><summary>Deleted facilities</summary>${deleted.map(restoreForm)}</details>`}
${facilities.length === 0 ? '' : detailsForm('Create a facility', 'facilities.create', createOptions)}`,
    }
  },
}

function list(facilities: ResultOf<'facilities.list'>): Html {
  return table(
    'Facilities',
    ['Code', 'Name', 'Time zone', number('Doors'), 'Pages'],
    facilities.map(
      ({ code, name, timeZone, doors }) =>
        html`<tr><th scope="row"><a href="${facilityPath(code)}">${code}</a></th><td>${name}</td><td>${timeZone}</td><td class="number">${doors.length}</td>
<td class="nowrap">${['appointments', 'week', 'yard'].map((page) => html`<a href="${facilityPath(code, `/${page}`)}" aria-label="${page} of ${code}">${page}</a> `)}</td></tr>`,
    ),
  )
}

const createOptions = { fields: newFacility, inColumns: true, word: 'Create facility' } as const

function createForm(): Promise<Html> {
  return operationForm('facilities.create', createOptions)
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
