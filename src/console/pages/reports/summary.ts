import type { ResultOf } from '../../../catalog'
import { pluralize } from '../../../kernel/text/text'
import { bars } from '../../charts/bars'
import { completionChart, cycleTimeChart } from '../../charts/flow-charts'
import { badge, itemState } from '../../components/badge'
import { empty, pageHead } from '../../components/page-head'
import { describeTotals, progress } from '../../components/progress'
import type { ConsolePage } from '../../console-page'
import { type Html, html, number, table, time } from '../../html'
import { itemName, itemPath } from '../item-path'
import { reportLinks } from './report-links'

type Summary = ResultOf<'reports.summary'>

const HERE = '/console/reports'

/** How much of a long list the summary shows, and a page of that list alone. */
const SHOWN = 15
const PAGE = 100

/** The leadership summary: progress, pace, risks and blockers. A list of it may be long, and then has pages of its own. */
export const reportsPage: ConsolePage = {
  section: 'reports',
  access: 'workspace',
  async render({ run, query }) {
    const summary = await run('reports.summary', {})
    const chosen = lists(summary).find(({ name }) => name === query['list'])
    const title = chosen?.title ?? 'Leadership summary'
    const asOf = html`As of ${time(summary.asOf, 'no time: nothing is cached')}`
    const print = html`<button type="button" class="quiet" data-print>Print</button>`
    return {
      title,
      styles: ['reports.css'],
      body: html`${pageHead({ title, about: asOf, actions: print })}
${reportLinks(HERE)}
${summary.asOf === null ? empty('There is nothing to report on yet.', html`<a class="button" href="/console/work">Import work items</a>`) : chosen ? onePage(chosen, Number(query['page'] ?? 1)) : wholeSummary(summary)}`,
    }
  },
}

function wholeSummary(summary: Summary): Html {
  const { flow, blockers } = summary
  return html`${figures(summary)}
<div class="charts">
${flow === null || flow.weeks.length === 0 ? '' : html`<section><h2>How much is completed?</h2>${completionChart(flow)}</section>`}
${flow === null || flow.cycleTime === null ? '' : html`<section><h2>How long does an item take?</h2>${cycleTimeChart(flow)}</section>`}
<section><h2>How long has work been held up?</h2>${blockers.length === 0 ? html`<p>Nothing is blocked.</p>` : blockersByAge(blockers)}</section>
<section><h2>In which state is the work?</h2>${byState(summary)}</section>
</div>
${(flow?.notes ?? []).map((note) => html`<p class="soft">${note}</p>`)}
${lists(summary).map((list) => html`<h2 id="${list.name}">${list.title}</h2>${list.show(list.entries.slice(0, SHOWN))}${list.entries.length > SHOWN ? html`<p><a href="${HERE}?list=${list.name}">All ${list.entries.length}</a></p>` : ''}`)}
${byTracker(summary)}`
}

/** The figures that a leader asks for first. */
function figures({ totals, completion, flow, blockers, unestimated, staleItems }: Summary): Html {
  const { throughput = null, cycleTime = null } = flow ?? {}
  const rows: [string, string | number | null, string][] = [
    [
      'Completed',
      completion === null ? null : `${Math.round(completion * 100)}%`,
      `${totals.doneItems} of ${totals.items} items, ${totals.donePoints} of ${totals.points} points`,
    ],
    [
      'Pace',
      throughput && `${throughput.items} a week`,
      throughput ? `items; ${throughput.points} points, over ${pluralize(throughput.weeks, 'week')}` : '',
    ],
    [
      'Cycle time',
      cycleTime && pluralize(cycleTime.p50, 'day'),
      cycleTime ? `half of the ${cycleTime.items} items took at most that` : '',
    ],
    ['Blockers', blockers.length, `signals that an item is held up`],
    ['Without an estimate', unestimated.length, 'open items'],
    ['Not changed', staleItems.length, 'items in progress, for a long time'],
  ]
  return html`<dl class="figures">${rows.map(([name, value, about]) => (value === null ? '' : html`<div><dt>${name}</dt><dd>${value}<small>${about}</small></dd></div>`))}</dl>`
}

const ages: readonly (readonly [text: string, below: number])[] = [
  ['less than a week', 7],
  ['one to two weeks', 14],
  ['two to four weeks', 28],
  ['four weeks and more', Number.POSITIVE_INFINITY],
]

function blockersByAge(blockers: Summary['blockers']): Html {
  let from = 0
  const rows = ages.map(([text, below]) => {
    const value = blockers.filter(({ daysSinceChange }) => daysSinceChange >= from && daysSinceChange < below).length
    from = below
    return { text, value }
  })
  return html`${bars('Blockers by age', rows)}<p class="soft">Counted from the last change of the item: it has been held up at least so long.</p>`
}

function byState({ byState: groups }: Summary): Html {
  const rows = groups.map(({ name, totals }) => ({
    text: name ?? 'no state',
    value: totals.items,
    shown: totals.points > 0 ? `${totals.items}, ${pluralize(totals.points, 'point')}` : String(totals.items),
  }))
  return bars('Items by state', rows.slice(0, 12))
}

interface List<Entry = any> {
  name: string
  title: string
  entries: readonly Entry[]
  show(entries: readonly Entry[]): Html
}

/** The lists of the summary. */
function lists({ features, blockers, staleItems, unestimated }: Summary): List[] {
  const oldest = [...blockers].sort((a, b) => b.daysSinceChange - a.daysSinceChange || a.id - b.id)
  return [
    { name: 'features', title: 'Features', entries: features, show: showFeatures },
    { name: 'blockers', title: 'Blockers', entries: oldest, show: showBlockers },
    { name: 'stale', title: 'Not changed for a long time', entries: staleItems, show: showItems },
    { name: 'unestimated', title: 'Without an estimate', entries: unestimated, show: showItems },
  ]
}

function onePage({ name, entries, show }: List, requested: number): Html {
  const last = Math.max(1, Math.ceil(entries.length / PAGE))
  const page = Math.min(Math.max(1, Math.trunc(requested) || 1), last)
  const link = (to: number, text: string) =>
    to < 1 || to > last ? '' : html`<a class="button quiet" href="${HERE}?list=${name}&page=${to}">${text}</a>`
  return html`<p>${pluralize(entries.length, 'entry', 'entries')}${last === 1 ? '' : `, page ${page} of ${last}`}. <a href="${HERE}">Summary</a></p>
${show(entries.slice((page - 1) * PAGE, page * PAGE))}
<div class="bar">${link(page - 1, 'Previous')} ${link(page + 1, 'Next')}</div>`
}

function showFeatures(features: Summary['features']): Html {
  return table(
    'Features',
    ['Feature', 'State', 'Progress', number('Blockers'), 'Risk'],
    features.map((feature) => {
      const { id, title, state, stateCategory, completion, blockers, risks, atRisk } = feature
      return html`<tr><th scope="row"><a href="${itemPath(id)}">${title}</a> <span class="soft">${itemName(feature)}</span></th><td class="nowrap">${itemState(state, stateCategory)}</td><td>${completion === null ? '' : progress(completion, describeTotals(feature))}</td><td class="number">${blockers}</td><td class="wide">${atRisk ? badge('warn', 'at risk') : ''} ${risks.map(({ evidence }) => evidence).join('; ') || html`<span class="soft">none</span>`}</td></tr>`
    }),
  )
}

function showBlockers(blockers: Summary['blockers']): Html {
  if (blockers.length === 0) return html`<p>Nothing is blocked.</p>`
  return table(
    'Blockers',
    ['Item', 'State', 'Why', number('At least')],
    blockers.map(
      (blocker) =>
        html`<tr><th scope="row"><a href="${itemPath(blocker.id)}">${blocker.title}</a> <span class="soft">${itemName(blocker)}</span></th><td class="nowrap">${blocker.state}</td><td class="wide">${blocker.evidence}</td><td class="number">${pluralize(blocker.daysSinceChange, 'day')}</td></tr>`,
    ),
  )
}

function showItems(items: Summary['staleItems']): Html {
  if (items.length === 0) return html`<p>None.</p>`
  return table(
    'Items',
    ['Item', 'State', 'Assigned to', number('Points'), number('Not changed for')],
    items.map(
      (item) =>
        html`<tr><th scope="row"><a href="${itemPath(item.id)}">${item.title}</a> <span class="soft">${itemName(item)}</span></th><td class="nowrap">${item.state}</td><td>${item.assignedTo?.displayName ?? html`<span class="soft">no one</span>`}</td><td class="number">${item.points ?? ''}</td><td class="number">${pluralize(item.daysSinceChange, 'day')}</td></tr>`,
    ),
  )
}

/** Where the work is tracked, if that is more than one tracker. */
function byTracker({ byTracker: groups }: Summary): Html {
  if (groups.length < 2) return html``
  return html`<h2>Trackers</h2>${table(
    'Trackers',
    ['Tracker', 'Progress', number('Blockers')],
    groups.map(
      ({ name, totals, completion }) =>
        html`<tr><th scope="row">${name}</th><td>${completion === null ? '' : progress(completion, describeTotals(totals))}</td><td class="number">${totals.blockers}</td></tr>`,
    ),
  )}`
}
