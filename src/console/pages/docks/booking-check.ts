import type { ResultOf } from '../../../catalog'
import { StudioError } from '../../../kernel'
import type { PageRequest } from '../../console-page'
import { operationForm } from '../../forms/operation-form'
import { type Html, html } from '../../html'
import { facilityPath } from './facility-path'

type Facility = Pick<ResultOf<'facilities.get'>, 'id' | 'code'>

/** The endpoint that checks the bookings of a facility, in its settings. */
export async function checkSection(run: PageRequest['run'], { id, code }: Facility): Promise<Html> {
  const check = await findCheck(run, id)
  const hidden = { id, next: facilityPath(code, '/settings') }
  const quiet = true
  const remove = `Book at ${code} without asking the endpoint`
  return html`<h2>Booking check</h2>
<p>An endpoint of yours accepts, refuses or changes each booking before it is made.</p>
${operationForm('facilities.set-check', { hidden, fields: [{ name: 'url', attributes: { required: true } }, 'timeoutSeconds', { name: 'ifAway', empty: check === null ? 'refuse (default)' : undefined }], values: check ?? undefined, onlyChanges: true, word: 'Save the check' })}
${check === null ? '' : html`<div class="bar">${operationForm('facilities.test-check', { hidden, word: 'Ask it once', quiet })}${operationForm('facilities.remove-check', { hidden, word: 'Remove the check', confirm: `${remove}?`, quiet })}</div>`}`
}

/** Null if bookings are not checked. */
export async function findCheck(run: PageRequest['run'], id: string): Promise<ResultOf<'facilities.get-check'> | null> {
  try {
    return await run('facilities.get-check', { id })
  } catch (error) {
    if (error instanceof StudioError && error.code === 'not_found') return null
    throw error
  }
}
