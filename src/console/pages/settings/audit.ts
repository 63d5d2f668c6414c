import type { Operations, ResultOf } from '../../../catalog'
import { pluralize } from '../../../kernel/text/text'
import type { ConsolePage } from '../../console-page'
import { inputs } from '../../forms/schema-inputs'
import { type Html, html, table, time } from '../../html'
import { settingsLinks } from '../../settings-links'

const HERE = '/console/settings/audit'

const MAX_ROWS = 100

const filters = ['who', 'operation', 'target', 'outcome', 'surface'] as const

/** Settings, Audit: who changed what, when and from where. */
export const auditPage: ConsolePage = {
  section: 'settings',
  access: 'admin',
  async render({ runList, query }) {
    const given = Object.fromEntries(
      [...filters, 'until' as const].flatMap((name) => (query[name] ? [[name, query[name]]] : [])),
    )
    const { entries, total } = await runList('audit.list', given as Operations['audit.list']['input'], MAX_ROWS)
    return {
      title: 'Audit',
      body: html`<h1>Audit</h1>
${settingsLinks(HERE)}
<p>Every call that changed something, or tried to, the newest first.</p>
<form class="bar" method="get" action="${HERE}" role="search">
${inputs('audit.list', filterInputs, { values: given, inRow: true })}
<button type="submit">Show</button>
<a class="button quiet" href="${HERE}/export?${new URLSearchParams(given).toString()}" download="audit.ndjson">Download all of them</a></form>
<p role="status">${count(entries.length, total)}</p>
${table('Entries', ['Time', 'Who', 'Operation', 'Targets', 'Outcome', 'Via', 'From', 'Request'], entries.map(row))}
${olderLink(entries, total, given)}`,
    }
  },
}

const filterInputs = [
  { name: 'who', label: 'Who' },
  { name: 'operation', label: 'Operation', attributes: { placeholder: 'drafts.save' } },
  { name: 'target', label: 'Target', attributes: { placeholder: 'item:204' } },
  { name: 'outcome', label: 'Outcome', empty: 'any' },
  { name: 'surface', label: 'Via', empty: 'any' },
]

function count(shown: number, total: number): string {
  return shown < total
    ? `The newest ${shown} of ${pluralize(total, 'entry', 'entries')}.`
    : pluralize(total, 'entry', 'entries')
}

function row(entry: ResultOf<'audit.list'>[number]): Html {
  const {
    time: at,
    who,
    credential,
    tenant,
    operation,
    targets,
    outcome,
    code,
    times,
    surface,
    from,
    requestId,
  } = entry
  const how = `${outcome}${code === null ? '' : `: ${code}`}${times > 1 ? `, ${times} times` : ''}`
  const isBad = outcome === 'refused' || outcome === 'failed'
  return html`<tr><td>${time(at)}</td><td>${who}${credential === null ? '' : html`<br>${credentialLink(credential)}`}${tenant === null ? '' : html`<br><span class="soft">tenant ${tenant}</span>`}</td>
<td><code>${operation}</code></td><td>${targets.join(' ')}</td><td>${isBad ? html`<span class="blocker">${how}</span>` : how}</td>
<td>${surface}</td><td>${from}</td><td><code>${requestId}</code></td></tr>`
}

/** The entries of the last millisecond that is shown may come again. */
function olderLink(entries: ResultOf<'audit.list'>, total: number, given: Record<string, string>): Html | string {
  if (entries.length >= total) return ''
  const until = new Date(Date.parse(entries.at(-1)!.time) + 1).toISOString()
  return html`<p><a class="button quiet" href="${HERE}?${new URLSearchParams({ ...given, until }).toString()}">Older entries</a></p>`
}

/** Leads to all calls with the credential. */
function credentialLink(credential: string): Html {
  const [kind, id = ''] = credential.split(' ') as [string, string?]
  const short = id.length > 8 ? `${id.slice(0, 8)}…` : id
  return html`<a href="${HERE}?${new URLSearchParams({ who: credential }).toString()}">${kind} ${short}</a>`
}
