import type { ResultOf } from '../../catalog'
import { familyOf, StudioError } from '../../kernel'
import { pluralize } from '../../kernel/text/text'
import { dockAttention } from '../attention/dock-attention'
import { storyAttention } from '../attention/story-attention'
import { attention } from '../components/attention'
import { facts } from '../components/facts'
import { empty } from '../components/page-head'
import { progress } from '../components/progress'
import type { ConsolePage } from '../console-page'
import { type Html, html, number, table, time } from '../html'
import { facilityPath } from './docks/facility-path'
import { itemPath } from './item-path'

const SHOWN = 8

/** Home: what waits for a person, then the latest changes, the workspace and today's docks. */
export const homePage: ConsolePage = {
  section: 'home',
  access: 'public',
  async render(request) {
    const { run, may } = request
    const [summary, facilities] = await Promise.all([
      orNull(run('reports.summary', {})),
      orNull(run('facilities.list', {})),
    ])
    const shown = (facilities ?? []).slice(0, SHOWN)
    const boards = await orNull(Promise.all(shown.map(({ id }) => run('facilities.board', { id }))))
    const waiting = [
      ...((await orNull(dockAttention(request))) ?? []),
      ...(summary === null ? [] : storyAttention(summary)),
    ]
    return {
      title: 'Home',
      refreshSeconds: 300,
      body: html`<h1>Home</h1>
${summary === null && facilities === null ? '' : html`<h2>Needs attention</h2>${waiting.length === 0 ? html`<p>Nothing waits for a person.</p>` : attention(waiting)}`}
<div class="cards">
${summary === null ? needsSignIn('Workspace', 'Sign in with a token to see the stories.') : html`${workspaceCard(summary)}${changesCard(summary)}`}
${facilities === null || boards === null ? needsSignIn('Docks', 'Sign in with a dock key of the tenant to see the docks.') : docksCard(boards, { count: facilities.length, mayCreate: await may('facilities.create') })}
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
  const share = completion === null ? '' : progress(completion, '')
  return html`<section class="card"><h2>Workspace</h2>
${
  sources.tracker + sources.files === 0
    ? empty('No work items yet.', html`<a class="button" href="/console/work">Import work items</a>`)
    : facts([
        [
          'Items',
          html`<a href="/console/work">${sources.tracker + sources.files}</a>, ${pluralize(features.length, 'feature')}`,
        ],
        [
          'Completed',
          html`${share}${totals.doneItems} of ${totals.items} items, ${totals.donePoints} of ${totals.points} points`,
        ],
        ['Read', fetched === null ? null : time(fetched.to)],
      ])
}</section>`
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

function docksCard(
  boards: readonly ResultOf<'facilities.board'>[],
  { count, mayCreate }: { count: number; mayCreate: boolean },
): Html {
  if (count === 0)
    return html`<section class="card"><h2>Docks today</h2>${empty('No facilities yet.', mayCreate ? html`<a class="button" href="/console/docks">Create a facility</a>` : '')}</section>`
  return html`<section class="card"><h2>Docks today</h2>
${table(
  'Docks today',
  ['Facility', number('Booked'), number('Completed')],
  boards.map(({ facilityCode, facilityName, doors }) => {
    const appointments = doors.flatMap((door) => door.appointments)
    const done = appointments.filter(({ status }) => status === 'completed').length
    return html`<tr><th scope="row"><a href="${facilityPath(facilityCode)}">${facilityCode}</a> <span class="soft">${facilityName}</span></th><td class="number">${appointments.length}</td><td class="number">${done}</td></tr>`
  }),
)}
${count > boards.length ? html`<p><a href="/console/docks">All ${count} facilities</a></p>` : ''}</section>`
}
