import type { ResultOf } from '../../../catalog'
import type { OperationId } from '../../../kernel'
import { badge } from '../../components/badge'
import type { ConsolePage } from '../../console-page'
import { type OperationForm, operationForm } from '../../forms/operation-form'
import { type Html, html, table, time } from '../../html'
import { settingsLinks } from '../../settings-links'

const HERE = '/console/settings/system'

/** Settings, System: the tracker, the language model, the storage, and what this service is. */
export const systemPage: ConsolePage = {
  section: 'settings',
  access: 'admin',
  async render({ run, service }) {
    const [readiness, models] = await Promise.all([run('system.ready', {}), run('llm.models', {}).catch(() => null)])
    return {
      title: 'System',
      body: html`<h1>System</h1>
${settingsLinks(HERE)}
<h2>Connections</h2>
${table(
  'Connections',
  ['Part', 'Status', 'How to fix it'],
  [
    part('Database', readiness.database),
    part('Tracker', readiness.tracker),
    ...readiness.furtherTrackers.map((tracker) => part(`Tracker ${tracker.name}`, tracker)),
    part('Language model', readiness.model),
  ],
)}
<p>Tested ${time(readiness.checkedAt)}. <a class="button quiet" href="${HERE}">Test again</a></p>
<h2>Language model</h2>
${models === null ? html`<p>No model answers.</p>` : modelSection(models)}
<h2>Installation</h2>
${card('system.doctor', 'Check the installation', html`<p>Tests the database, the tracker with its token, the language model and the settings. Nothing is changed.</p>`)}
<h2>About</h2>
<dl class="facts"><dt>Version</dt><dd>studio ${service.version}</dd><dt>Node.js</dt><dd>${process.version}</dd>
<dt>API</dt><dd><a href="/openapi.json">/openapi.json</a></dd></dl>`,
    }
  },
}

function part(name: string, { status, message, hint }: ResultOf<'system.ready'>['tracker']): Html {
  return html`<tr><th scope="row">${name}</th><td>${status === 'ok' ? badge('good', 'works') : html`${badge('bad', 'fails')} ${message}`}</td><td>${hint}</td></tr>`
}

function modelSection(models: ResultOf<'llm.models'>): Html {
  return html`${table(
    'Models',
    ['Name', 'State', 'Action'],
    models.map(
      ({ name, isDefault, loaded }) =>
        html`<tr><th scope="row">${name}</th><td>${isDefault ? badge('info', 'default') : ''} ${loaded ? badge('good', 'loaded') : ''}</td>
<td>${loaded ? '' : operationForm('llm.load', { hidden: { model: name, next: HERE }, word: 'Load', about: `Load ${name}`, quiet: true })}</td></tr>`,
    ),
  )}
${card('llm.chat', 'Ask a question', '', { fields: ['prompt'], values: { prompt: 'Which model are you?' } })}`
}

function card(operation: OperationId, word: string, about: Html | '', form: Partial<OperationForm> = {}): Html {
  const head = html`<h3>${word}</h3>${about}`
  return html`${operationForm(operation, { word, className: 'card', head, hidden: { next: HERE }, quiet: true, ...form })}<div class="answer"></div>`
}

/** What the checks of all parts found. */
export function renderFindings({ findings }: ResultOf<'system.doctor'>): Html {
  const order = ['problem', 'warning', 'ok']
  const sorted = [...findings].sort((a, b) => order.indexOf(a.level) - order.indexOf(b.level))
  return html`<section class="wide">${table(
    'Findings',
    ['Part', 'Level', 'Finding', 'How to fix it'],
    sorted.map(
      ({ about, level, message, fix }) =>
        html`<tr><th scope="row">${about}</th><td>${level}</td><td>${level === 'problem' ? html`<span class="blocker">${message}</span>` : message}</td><td>${fix}</td></tr>`,
    ),
  )}</section>`
}
