import type { ResultOf } from '../../catalog'
import { familyOf, StudioError } from '../../kernel'
import { pluralize } from '../../kernel/text/text'
import type { ConsolePage } from '../console-page'
import { inputs } from '../forms/schema-inputs'
import { type Html, html, time } from '../html'
import { facilityPath } from './docks/facility-path'
import { itemPath } from './item-path'
import { searchBox } from './work'

const SHOWN = 8

/** Home: what is cached and how old, open blockers, the latest changes, and today's docks. */
export const homePage: ConsolePage = {
  section: 'home',
  access: 'public',
  async render({ run }) {
    const [summary, facilities] = await Promise.all([
      orNull(run('reports.summary', {})),
      orNull(run('facilities.list', {})),
    ])
    const shown = (facilities ?? []).slice(0, SHOWN)
    const boards = await orNull(Promise.all(shown.map(({ id }) => run('facilities.board', { id }))))
    return {
      title: 'Home',
      refreshSeconds: 300,
      body: html`<h1>Home</h1>
${summary === null ? '' : html`<form class="bar" method="get" action="/console/work" role="search">${inputs('search.fast', [searchBox], { inRow: true })}<button type="submit">Search</button></form>`}
<div class="cards">
${summary === null ? needsSignIn('Workspace', 'Sign in with a token to see the stories.') : html`${workspaceCard(summary)}${blockersCard(summary)}${changesCard(summary)}`}
${facilities === null || boards === null ? needsSignIn('Docks', 'Sign in with a dock key of the tenant to see the docks.') : docksCard(boards, facilities.length)}
</div>`,
    }
  },
}

/** Null where the caller may not see it. */
function orNull<T>(result: Promise<T>): Promise<T | null> {
  return result.catch((error) => {
    if (error instanceof StudioError && ['unauthenticated', 'forbidden'].includes(familyOf(error.code))) return null
    throw error
  })
}

function needsSignIn(title: string, text: string): Html {
  return html`<section class="card"><h2>${title}</h2><p><a href="/console/sign-in?next=/console">${text}</a></p></section>`
}

function workspaceCard({ totals, completion, fetched, sources, features }: ResultOf<'reports.summary'>): Html {
  const percent = completion === null ? null : Math.round(completion * 100)
  return html`<section class="card"><h2>Workspace</h2>
<dl class="facts">
<dt>Cached items</dt><dd>${sources.tracker + sources.files}</dd>
<dt>Features</dt><dd>${features.length}</dd>
<dt>Completed</dt><dd>${totals.doneItems} of ${totals.items} items, ${totals.donePoints} of ${totals.points} points${percent === null ? '' : ` (${percent}%)`}</dd>
<dt>Read from the tracker</dt><dd>${fetched === null ? 'nothing yet' : time(fetched.to)}</dd>
</dl>
${fetched === null ? html`<p>Import a feature: <code>studio import &lt;id&gt;</code></p>` : ''}</section>`
}

function blockersCard({ blockers }: ResultOf<'reports.summary'>): Html {
  return html`<section class="card"><h2>Open blockers (${blockers.length})</h2>
${blockers.length === 0 ? html`<p>Nothing is blocked.</p>` : html`<ul>${blockers.slice(0, SHOWN).map(({ id, title, evidence }) => html`<li><a href="${itemPath(id)}">${title}</a>: ${evidence}</li>`)}</ul>`}
${blockers.length > SHOWN ? html`<p>And ${blockers.length - SHOWN} more.</p>` : ''}</section>`
}

function changesCard({ changes }: ResultOf<'reports.summary'>): Html {
  if (changes === null) return html``
  const list = (title: string, items: readonly { id: number; title: string }[]) =>
    items.length === 0
      ? ''
      : html`<h3>${title} (${items.length})</h3><ul>${items.slice(0, SHOWN).map((item) => html`<li><a href="${itemPath(item.id)}">${item.title}</a></li>`)}</ul>`
  const { completed, started, added, since } = changes
  return html`<section class="card"><h2>Changes since ${since.slice(0, 10)}</h2>
${list('Completed', completed)}${list('Started', started)}${list('Added', added)}
${completed.length + started.length + added.length === 0 ? html`<p>Nothing changed.</p>` : ''}</section>`
}

function docksCard(boards: readonly ResultOf<'facilities.board'>[], count: number): Html {
  return html`<section class="card"><h2>Docks today</h2>
${count === 0 ? html`<p>There are no facilities. Create one: <code>studio facility create</code></p>` : ''}
<ul>${boards.map(({ facilityCode, facilityName, doors }) => {
    const appointments = doors.flatMap((door) => door.appointments)
    const conflicts = appointments.filter(({ conflict }) => conflict !== null).length
    return html`<li><a href="${facilityPath(facilityCode)}">${facilityCode} ${facilityName}</a>: ${pluralize(appointments.length, 'appointment')}${conflicts > 0 ? `, ${conflicts} in conflict` : ''}</li>`
  })}</ul>
${count > boards.length ? html`<p><a href="/console/docks">All ${count} facilities</a></p>` : ''}</section>`
}
