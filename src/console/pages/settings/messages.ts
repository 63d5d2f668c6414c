import type { ResultOf } from '../../../catalog'
import { eventTypes, nameEventType } from '../../../docks'
import { webhookValues } from '../../actions/bases'
import type { ConsolePage } from '../../console-page'
import { operationForm } from '../../forms/operation-form'
import type { InputField } from '../../forms/schema-inputs'
import { type Html, html, table, time } from '../../html'
import { settingsLinks } from '../../settings-links'

export const MESSAGES_PAGE = '/console/settings/messages'

type Webhook = ResultOf<'webhooks.list'>[number]
type MailTemplate = ResultOf<'mail-templates.list'>[number]
type Facilities = ResultOf<'facilities.list'>

/** Where the tenant sends the changes of its appointments, and what its mails say. `?given-up=<id>` lists what a webhook did not accept. */
export const messagesPage: ConsolePage = {
  section: 'settings',
  access: { docks: 'admin' },
  async render({ run, query }) {
    const id = query['given-up']
    const [webhooks, facilities, templates, dead] = await Promise.all([
      run('webhooks.list', {}),
      run('facilities.list', {}),
      run('mail-templates.list', {}),
      id === undefined ? [] : run('webhooks.dead-letters', { id }),
    ])
    const [first] = templates
    const { variables } = await run('mail-templates.get', { id: first!.id })
    return {
      title: 'Webhooks & mails',
      body: html`<h1>Webhooks &amp; mails</h1>
${settingsLinks(MESSAGES_PAGE)}
${webhookSection(webhooks, facilities)}
${id === undefined ? '' : deadSection(id, dead)}
${mailSection(templates, variables)}`,
    }
  },
}

function webhookSection(webhooks: readonly Webhook[], facilities: Facilities): Html {
  return html`<section aria-labelledby="webhooks"><h2 id="webhooks">Webhooks</h2>
<p>Each change of an appointment, and each offer of the waitlist, is sent to these addresses, in order, until it is accepted. An address with the body of text messages is that of a gateway, which gets a message for the phone of each appointment.</p>
${table(
  'Webhooks',
  ['Address', 'Gets', 'Waiting', 'Given up', 'Action'],
  webhooks.map(
    (webhook) =>
      html`<tr><th scope="row">${webhook.url}${describeRequests(webhook)}${webhook.stoppedAt === null ? '' : html`<br><strong>Stopped</strong> ${time(webhook.stoppedAt)}: ${webhook.stopReason ?? ''}`}</th>
<td>${describeEvents(webhook, facilities)}</td><td>${webhook.pending}</td><td>${givenUp(webhook)}</td><td>${webhookActions(webhook)}</td></tr>`,
  ),
)}
${webhooks.map((webhook) => updateForm(webhook, facilities))}
${operationForm('webhooks.add', {
  className: 'card',
  head: html`<h3>Add a webhook</h3>`,
  hidden: { next: MESSAGES_PAGE },
  fields: [
    { name: 'url', label: 'Address', attributes: { placeholder: 'contacts' } },
    ...filterInputs(facilities),
    bodyInput,
    authorizationInput,
  ],
  word: 'Add webhook',
})}</section>`
}

const bodyInput: InputField = { name: 'bodyTemplate', label: 'Body of text messages', rows: 3 }
/** The value that is set is not shown, and stays if nothing is typed. */
const authorizationInput: InputField = {
  name: 'authorization',
  label: 'Authorization',
  attributes: { type: 'password', autocomplete: 'off' },
}

function describeRequests({ bodyTemplate, hasAuthorization }: Webhook): Html {
  const facts = [bodyTemplate === null ? '' : 'text messages', hasAuthorization ? 'authorization set' : '']
  const shown = facts.filter((fact) => fact !== '').join(', ')
  return shown === '' ? html`` : html`<br><small>${shown}</small>`
}

const DELETED_FACILITY = 'a deleted facility'

const eventTexts = Object.fromEntries(eventTypes.map((type) => [type, nameEventType(type)]))

function filterInputs(facilities: Facilities, chosen: string | null = null): InputField[] {
  const choices = facilities.map(({ id, code, name }) => [id, `${code} ${name}`] as const)
  // Without it, the form would choose all facilities.
  const isDeleted = chosen !== null && !facilities.some(({ id }) => id === chosen)
  return [
    {
      name: 'facility',
      choices: isDeleted ? [[chosen, DELETED_FACILITY], ...choices] : choices,
      empty: 'All facilities',
    },
    { name: 'carrierName' },
    { name: 'events[]', label: 'Events', texts: eventTexts },
  ]
}

function describeEvents({ facilityId, carrierName, events }: Webhook, facilities: Facilities): string {
  const facility = facilities.find(({ id }) => id === facilityId)
  const place = facilityId === null ? null : (facility?.code ?? DELETED_FACILITY)
  const kinds = events?.map(nameEventType).join(', ')
  return [kinds, place, carrierName].filter(Boolean).join('; ') || 'everything'
}

function givenUp({ id, url, dead }: Webhook): Html | number {
  if (dead === 0) return 0
  const page = `${MESSAGES_PAGE}?${new URLSearchParams({ 'given-up': id })}#given-up`
  return html`<a href="${page}" aria-label="${dead} given up for ${url}">${dead}</a>`
}

function webhookActions({ id, url, dead, stoppedAt, bodyTemplate }: Webhook): Html {
  const button = (
    operation: 'webhooks.test' | 'webhooks.replay' | 'webhooks.resume' | 'webhooks.rotate-secret' | 'webhooks.remove',
    word: string,
    { about, confirm }: { about: string; confirm?: string },
  ) => operationForm(operation, { word, about, confirm, quiet: true, hidden: { id, next: MESSAGES_PAGE } })
  const remove = `Remove the webhook ${url}`
  return html`<div class="bar">${bodyTemplate === null ? button('webhooks.test', 'Test', { about: `Test ${url}` }) : ''}
${dead === 0 ? '' : button('webhooks.replay', 'Send again', { about: `Send again what ${url} did not accept` })}
${stoppedAt === null ? '' : button('webhooks.resume', 'Resume', { about: `Resume ${url}` })}
${url.startsWith('http') ? button('webhooks.rotate-secret', 'New secret', { about: `New secret for ${url}` }) : ''}
${button('webhooks.remove', 'Remove', { about: remove, confirm: `${remove}? What waits for it is not sent.` })}</div>`
}

/** A test of text messages needs the phone that gets it. */
function textTestForm({ id, url }: Webhook): Html {
  return html`${operationForm('webhooks.test', {
    className: 'bar',
    key: id,
    inRow: true,
    hidden: { id, next: MESSAGES_PAGE },
    fields: [{ name: 'phone', label: 'Send a test to', attributes: { type: 'tel', required: true } }],
    word: 'Send',
    about: `Send a test message of ${url}`,
    quiet: true,
  })}`
}

function updateForm(webhook: Webhook, facilities: Facilities): Html {
  const { id, url, facilityId, bodyTemplate } = webhook
  return html`<details><summary>Change ${url}</summary>
${operationForm('webhooks.update', {
  key: id,
  hidden: { id, next: MESSAGES_PAGE },
  fields: [
    { name: 'url', label: 'Address' },
    ...filterInputs(facilities, facilityId),
    ...(bodyTemplate === null ? [] : [bodyInput]),
    ...(url.startsWith('http') ? [authorizationInput] : []),
  ],
  values: webhookValues(webhook),
  onlyChanges: true,
  word: 'Save',
  about: `Save the webhook ${url}`,
})}${bodyTemplate === null ? '' : textTestForm(webhook)}</details>`
}

function deadSection(id: string, dead: ResultOf<'webhooks.dead-letters'>): Html {
  return html`<section aria-labelledby="given-up"><h2 id="given-up">Given up</h2>
${table(
  'Given up',
  ['Event', 'Happened', 'Attempts', 'Error', 'Action'],
  dead.map(
    ({ eventId, event, timestamp, appointmentId, attempts, error }) =>
      html`<tr><th scope="row">${appointmentId === null ? event : html`<a href="/console/appointments/${appointmentId}">${event}</a>`}</th><td>${time(timestamp)}</td><td>${attempts}</td><td>${error ?? ''}</td>
<td>${operationForm('webhooks.replay', { hidden: { id, eventId, next: MESSAGES_PAGE }, word: 'Send again', about: `Send event ${eventId} again`, quiet: true })}</td></tr>`,
  ),
)}</section>`
}

function mailSection(templates: readonly MailTemplate[], variables: readonly { name: string; about: string }[]): Html {
  return html`<section aria-labelledby="mails"><h2 id="mails">Mails</h2>
<p>What the mails to addresses and contacts say. Words in double braces are replaced.</p>
<details><summary>What can be between double braces</summary><dl>${variables.map(({ name, about }) => html`<dt><code>${name}</code></dt><dd>${about}</dd>`)}</dl></details>
${templates.map(templateForms)}</section>`
}

function templateForms({ id, subject, text, own }: MailTemplate): Html {
  const name = id.replaceAll('_', ' ')
  const hidden = { id, next: `${MESSAGES_PAGE}#${id}` }
  const quiet = true
  return html`<details id="${id}"><summary>${name}${own ? ' (your own)' : ''}</summary>
${operationForm('mail-templates.set', { key: id, hidden, fields: ['subject', { name: 'text', rows: 8 }], values: { subject, text }, onlyChanges: true, word: 'Save', about: `Save the mail ${name}`, also: { operation: 'mail-templates.preview', word: 'Preview', about: `Preview the mail ${name}` } })}
<div class="answer"></div>
${own ? operationForm('mail-templates.reset', { hidden, word: 'Use the default', about: `Use the default of the mail ${name}`, confirm: `Replace the mail ${name} with the default?`, quiet }) : ''}
${operationForm('mail-templates.test', { className: 'bar', key: id, inRow: true, hidden, fields: [{ name: 'email', label: `Send a test of ${name} to`, attributes: { type: 'email' } }], word: 'Send', about: `Send a test of the mail ${name}`, quiet })}</details>`
}
