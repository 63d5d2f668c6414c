import type { ResultOf } from '../../../catalog'
import { badge } from '../../components/badge'
import { facts } from '../../components/facts'
import { pageHead } from '../../components/page-head'
import type { ConsolePage } from '../../console-page'
import { operationForm } from '../../forms/operation-form'
import { type Html, html, table, time } from '../../html'
import { settingsLinks } from '../../settings-links'

const HERE = '/console/settings/storage'

/** Settings, Storage: the size and the state of the database, its copies, and the search index. */
export const storagePage: ConsolePage = {
  section: 'settings',
  access: 'admin',
  async render({ run }) {
    const [index, { findings }] = await Promise.all([
      run('search.stats', {}),
      run('system.doctor', { quick: true, offline: true }),
    ])
    return {
      title: 'Storage',
      body: html`${pageHead({ title: 'Storage' })}
${settingsLinks(HERE)}
<h2>Database</h2>
${findingTable(findings.filter(({ about }) => !ELSEWHERE.has(about)))}
<div class="cards">
<div>${operationForm('storage.backup', { className: 'card', head: html`<h2>Back up now</h2><p>A copy of the database, in its folder on the machine of the service.</p>`, hidden: { next: HERE }, word: 'Back up now', quiet: true })}<div class="answer"></div></div>
<section class="card"><h2>Search index</h2>
${facts([
  ['Texts', index.total],
  ['Size', `${Math.ceil(index.bytes / 1024)} KiB`],
  ['Changed', time(index.lastIndexedAt)],
])}
${operationForm('search.reindex', { hidden: { next: HERE }, word: 'Build it again', quiet: true })}</section>
</div>`,
    }
  },
}

/** What the page of the system shows. */
const ELSEWHERE = new Set(['access', 'home', 'model', 'node', 'port', 'settings', 'time zones', 'tracker'])

function findingTable(findings: ResultOf<'system.doctor'>['findings']): Html {
  return table(
    'Database',
    ['Part', 'State', 'What was found', 'How to fix it'],
    findings.map(
      ({ about, level, message, fix }) =>
        html`<tr><th scope="row">${about}</th><td>${badge(level === 'ok' ? 'good' : level === 'warning' ? 'warn' : 'bad', level)}</td><td>${message}</td><td>${fix ?? ''}</td></tr>`,
    ),
  )
}
