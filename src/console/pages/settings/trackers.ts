import type { ResultOf } from '../../../catalog'
import { DEFAULT_TRACKER_NAME } from '../../../kernel/text/item-reference'
import { badge } from '../../components/badge'
import { facts } from '../../components/facts'
import { empty, pageHead } from '../../components/page-head'
import type { ConsolePage, Service } from '../../console-page'
import { detailsForm } from '../../forms/details-form'
import { operationForm } from '../../forms/operation-form'
import { type Html, html, table } from '../../html'
import { settingsLinks } from '../../settings-links'
import { secret } from '../../shown-secret'

const HERE = '/console/settings/trackers'

type Setting = Awaited<ReturnType<Service['listTrackerSettings']>>[number]

/** Settings, Trackers: what is set of each, where it is set, and whether the connection works. */
export const trackersPage: ConsolePage = {
  section: 'settings',
  access: 'admin',
  async render({ service }) {
    const settings = await service.listTrackerSettings()
    const names = [...new Set([DEFAULT_TRACKER_NAME, ...settings.flatMap(({ key }) => nameIn(key) ?? [])])]
    return {
      title: 'Trackers',
      body: html`${pageHead({ title: 'Trackers', about: 'The settings of a tracker are in files and variables of the machine of this service, so that no browser can change where its token is sent.' })}
${settingsLinks(HERE)}
${names.map((name) =>
  trackerSection(
    name,
    settings.filter(({ key }) => (nameIn(key) ?? DEFAULT_TRACKER_NAME) === name),
  ),
)}
<h2>Another tracker</h2>
${table(
  'Settings of another tracker',
  ['Setting', 'What it says'],
  steps.map(([key, about]) => html`<tr><th scope="row"><code>${key}</code></th><td>${about}</td></tr>`),
)}
<p>Restart the service after a change of its settings.</p>`,
    }
  },
}

/** What a settings file says of a tracker that is added. */
const steps = [
  ['trackers.<name>.url', 'Its address, such as https://github.com/acme or https://dev.azure.com/acme'],
  ['trackers.<name>.project', 'The project or the repository'],
  ['STUDIO_TRACKER_TOKEN_<NAME>', 'The variable with its token'],
] as const

/** The name in `trackers.<name>.url`; none for the default tracker. */
function nameIn(key: string): string | undefined {
  return /^trackers\.([^.]+)\./.exec(key)?.[1]
}

function trackerSection(name: string, settings: readonly Setting[]): Html {
  const hasAddress = settings.some(({ key }) => key.endsWith('.url'))
  const hidden = { tracker: name === DEFAULT_TRACKER_NAME ? undefined : name, next: HERE }
  const title = name === DEFAULT_TRACKER_NAME ? 'The default tracker' : name
  return html`<section aria-label="${title}"><h2>${title} ${hasAddress ? badge('good', 'set') : badge('plain', 'not set')}</h2>
${hasAddress ? settingsTable(title, settings) : empty('No address is set. The sandbox takes its place: a sample backlog that is stored nowhere.')}
<div class="bar">${operationForm('items.metadata', { hidden, key: name, word: 'Test the connection', about: `Test the connection: ${title}`, quiet: true })}</div><div class="answer"></div>
${
  hasAddress
    ? html`${detailsForm('Let it report changes at once', 'tracker.hooks', { hidden, key: name, fields: ['url', 'register', 'test', 'newSecret'], word: 'Show what to enter' })}<div class="answer"></div>`
    : ''
}</section>`
}

function settingsTable(title: string, settings: readonly Setting[]): Html {
  return table(
    `Settings: ${title}`,
    ['Setting', 'Value', 'Set in'],
    settings.map(
      ({ key, value, source }) =>
        html`<tr><th scope="row"><code>${key}</code></th><td>${[value].flat().join(', ')}</td><td><code>${source}</code></td></tr>`,
    ),
  )
}

/** A tracker that has answered: what there is. */
export function renderConnection({
  capabilities,
  workItemTypes,
  areaPaths,
  iterations,
}: ResultOf<'items.metadata'>): Html {
  const names = workItemTypes.map(({ name }) => name)
  return html`<section class="card wide" role="status"><h3>${badge('good', 'The tracker answers')}</h3>
${facts([
  ['Product', capabilities.tracker],
  ['Work item types', names.join(', ')],
  ['Areas', areaPaths.length || null],
  ['Iterations', iterations.length || null],
  ['Reports changes', capabilities.listsChanges ? 'yes' : 'no: items are compared'],
])}</section>`
}

/** What to enter in a tracker. Its secret is shown, because it is entered there. */
export function renderHook(hook: ResultOf<'tracker.hooks'>): Html {
  const { url, page, fields, events, registered, tested, receivedAt } = hook
  const done = [registered && `The webhook was ${registered} in the tracker.`, tested && 'A test event was accepted.']
  return html`<section class="card wide"><h3>${hook.product}</h3>
<p>${done.filter(Boolean).join(' ')}</p>
${facts([
  ['Address', url],
  ['Where to enter it', page],
  ...fields.map(({ name, value }) => [name, value] as const),
  ['Events', events.join(', ')],
  ['Last event', receivedAt ?? 'none yet'],
])}
${secret('secret', hook.secret, 'The tracker proves itself with it.')}</section>`
}
