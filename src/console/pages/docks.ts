import type { ResultOf } from '../../catalog'
import type { ConsolePage } from '../console-page'
import { type Html, html, table } from '../html'
import { facilityPath } from './facility-path'

/** The facilities of the tenant. */
export const docksPage: ConsolePage = {
  section: 'docks',
  access: 'tenant',
  async render({ run }) {
    const facilities = await run('facilities.list', {})
    const deleted = await run('facilities.list', { archived: true })
    return {
      title: 'Docks',
      body: html`<h1>Docks</h1>
${table(
  'Facilities',
  ['Code', 'Name', 'Time zone', 'Doors'],
  facilities.map(
    ({ code, name, timeZone, doors }) =>
      html`<tr><th scope="row"><a href="${facilityPath(code)}">${code}</a></th><td>${name}</td><td>${timeZone}</td><td>${doors.length}</td></tr>`,
  ),
)}
${deleted.length === 0 ? '' : html`<details><summary>Deleted facilities</summary>${deleted.map(restoreForm)}</details>`}
<details${facilities.length === 0 ? html` open` : ''}><summary>Create a facility</summary>
<form method="post" action="/console/run/facilities.create"><div class="columns">
<label>Code <input name="code" required maxlength="100"></label>
<label>Name <input name="name" required maxlength="100"></label>
<label>Time zone <input name="timeZone" required placeholder="America/Chicago"></label>
<label>Open from <input type="time" name="queues.0.start" required value="06:00"></label>
<label>To <input type="time" name="queues.0.end" required value="18:00"></label>
<label>Doors <textarea name="doors[lines]" required rows="3" placeholder="One per line"></textarea></label></div>
<p role="group" aria-label="Days">${['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => html`<label class="choice"><input type="checkbox" name="queues.0.days[]" value="${day}"${day.startsWith('s') ? '' : html` checked`}> ${day}</label> `)}</p>
<p class="error" role="alert"></p><button type="submit">Create facility</button></form></details>`,
    }
  },
}

function restoreForm({ id, code, name }: ResultOf<'facilities.list'>[number]): Html {
  return html`<form class="bar" method="post" action="/console/run/facilities.restore"><input type="hidden" name="id" value="${id}"><input type="hidden" name="next" value="/console/docks">
<span>${code} ${name}</span> <button type="submit" class="quiet" aria-label="Restore ${code}">Restore</button> <span class="error" role="alert"></span></form>`
}
