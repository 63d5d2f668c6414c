import type { ConsolePage } from '../console-page'
import { html, table } from '../html'
import { facilityPath } from './facility-path'

/** The facilities of the tenant. */
export const docksPage: ConsolePage = {
  path: '/console/docks',
  section: 'docks',
  access: 'tenant',
  async render({ run }) {
    const facilities = await run('facilities.list', {})
    return {
      title: 'Docks',
      body: html`<h1>Docks</h1>
${facilities.length === 0 ? html`<p>There are no facilities. Create one: <code>studio facility create</code></p>` : ''}
${table(
  'Facilities',
  ['Code', 'Name', 'Time zone', 'Doors'],
  facilities.map(
    ({ code, name, timeZone, doors }) =>
      html`<tr><th scope="row"><a href="${facilityPath(code)}">${code}</a></th><td>${name}</td><td>${timeZone}</td><td>${doors.length}</td></tr>`,
  ),
)}`,
    }
  },
}
