import type { ResultOf } from '../../../catalog'
import { empty } from '../../components/page-head'
import type { ConsolePage } from '../../console-page'
import { operationForm } from '../../forms/operation-form'
import { type Html, html, number, table } from '../../html'
import { facilityHead } from './facility-head'
import { facilityPath } from './facility-path'

type Facility = ResultOf<'facilities.get'>

/** The carriers that book at a facility themselves, with their limits. */
export const carriersPage: ConsolePage = {
  section: 'docks',
  access: { docks: 'manager' },
  async render({ run, params, may }) {
    const facility = await run('facilities.get', { id: params['code']! })
    const invite = (await may('carriers.invite'))
      ? html`<a class="button quiet" href="/console/settings/staff#invitations">Invite to the portal</a>`
      : ''
    const hidden = { id: facility.id, next: facilityPath(facility.code, '/carriers') }
    return {
      title: `Carriers of ${facility.code}`,
      body: html`${facilityHead(facility, '/carriers', invite)}
<p>These carriers see and book their own appointments here, in the portal or with a key.</p>
${facility.carriers.length === 0 ? empty('No carrier is admitted yet: the staff books for all of them.') : list(facility, hidden)}
${operationForm('carriers.admit', {
  className: 'card',
  head: html`<h2>Admit a carrier</h2><p>Admitting a carrier again replaces its limits.</p>`,
  hidden,
  fields: ['name', 'daysAhead', 'perDay', 'changeCutoffMinutes', 'cancelCutoffMinutes', 'makeRoom'],
  word: 'Admit',
})}`,
    }
  },
}

function list({ carriers }: Facility, hidden: { id: string; next: string }): Html {
  return table(
    'Carriers',
    [
      'Carrier',
      number('Days ahead'),
      number('Per day'),
      number('Changes until, minutes'),
      number('Cancels until, minutes'),
      'Makes room',
      'Action',
    ],
    carriers.map(
      ({ name, daysAhead, perDay, changeCutoffMinutes, cancelCutoffMinutes, makeRoom }) =>
        html`<tr><th scope="row">${name}</th><td class="number">${daysAhead ?? 'any'}</td><td class="number">${perDay ?? 'any'}</td><td class="number">${changeCutoffMinutes}</td><td class="number">${cancelCutoffMinutes}</td><td>${makeRoom ? 'yes' : 'no'}</td>
<td>${operationForm('carriers.exclude', { hidden: { ...hidden, name }, word: 'Exclude', about: `Exclude ${name}`, confirm: `Exclude ${name}? Its appointments stay, and it no longer sees the facility.`, quiet: true })}</td></tr>`,
    ),
  )
}
