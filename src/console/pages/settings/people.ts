import type { ResultOf } from '../../../catalog'
import { empty, pageHead } from '../../components/page-head'
import type { ConsolePage } from '../../console-page'
import { detailsForm } from '../../forms/details-form'
import { operationForm } from '../../forms/operation-form'
import { type Html, html, table, time } from '../../html'
import { settingsLinks } from '../../settings-links'
import { roleTexts } from './role-texts'

const HERE = '/console/settings/people'

type Person = ResultOf<'people.list'>[number]

/** Settings, People: who signs in to the stories and the settings with a link by mail. */
export const peoplePage: ConsolePage = {
  section: 'settings',
  access: 'admin',
  async render({ run, service }) {
    const people = await run('people.list', {})
    return {
      title: 'People',
      body: html`${pageHead({ title: 'People', about: 'People sign in to the stories and the settings with a link that is sent to their address. People of an identity provider are not listed: the provider has them.' })}
${settingsLinks(HERE)}
${service.sendsSignInLinks ? '' : html`<p class="notice warn" role="status">This service cannot send links yet: it needs a mail server (the setting smtp.url) and its own address (serve.publicUrl).</p>`}
${people.length === 0 ? empty('No one is listed yet.') : list(people)}
${operationForm('people.add', {
  className: 'card',
  head: html`<h2>Add a person</h2>`,
  hidden: { next: HERE },
  fields: [
    { name: 'email', label: 'E-mail address', attributes: { type: 'email' } },
    'name',
    { name: 'role', texts: roleTexts },
  ],
  values: { role: 'reader' },
  word: 'Add person',
})}`,
    }
  },
}

function list(people: readonly Person[]): Html {
  return table(
    'People',
    ['Name', 'E-mail', 'Role', 'Added', 'Action'],
    people.map(
      ({ email, name, role, createdAt }) =>
        html`<tr><th scope="row">${name ?? email}</th><td>${email}</td><td>${role}</td><td>${time(createdAt)}</td>
<td>${detailsForm('Change', 'people.update', {
          key: email,
          hidden: { email, next: HERE },
          fields: ['name', { name: 'role', texts: roleTexts }],
          values: { name: name ?? '', role },
          onlyChanges: true,
          word: 'Save',
          about: `Save ${email}`,
        })}
${operationForm('people.remove', { hidden: { email, next: HERE }, word: 'Remove', about: `Remove ${email}`, confirm: `Remove ${email}? Open sessions of this person end.`, quiet: true })}</td></tr>`,
    ),
  )
}
