import type { ResultOf } from '../../catalog'
import { pluralize } from '../../kernel/text/text'
import type { ConsolePage } from '../console-page'
import { describeTotals, progress } from '../feature-tree'
import { inputs } from '../forms/schema-inputs'
import { type Html, html, table, time } from '../html'
import { pageLinks } from '../page-links'
import { richText } from '../rich-text'
import { itemPath } from './item-path'

type Summary = ResultOf<'reports.summary'>

/** The leadership summary: progress, pace, risks and blockers. */
export const reportsPage: ConsolePage = {
  section: 'reports',
  access: 'workspace',
  async render({ run }) {
    const summary = await run('reports.summary', {})
    const { totals, completion, asOf, features, blockers, flow } = summary
    return {
      title: 'Leadership summary',
      styles: ['reports.css'],
      body: html`<h1>Leadership summary</h1>
${reportLinks('/console/reports')}
<p>As of ${time(asOf, 'no time: nothing is cached')}. ${totals.doneItems} of ${totals.items} items and ${totals.donePoints} of ${totals.points} points are completed; ${pluralize(totals.blockers, 'blocker')}, ${pluralize(totals.unestimated, 'open item')} without an estimate.</p>
${completion === null ? '' : html`<p>${progress(completion, 'of the workspace')}</p>`}
${flow === null ? '' : pace(flow)}
<h2>Features</h2>
${table(
  'Features',
  ['Feature', 'State', 'Progress', 'Blockers', 'Risk'],
  features.map((feature) => {
    const { id, title, state, completion: share, blockers: count, risks } = feature
    return html`<tr><th scope="row"><a href="${itemPath(id)}">${title}</a> <span class="soft">${feature.reference}</span></th><td>${state}</td><td>${share === null ? '' : progress(share, describeTotals(feature))}</td><td>${count}</td><td>${risks.map(({ evidence }) => evidence).join('; ') || 'none'}</td></tr>`
  }),
)}
${byTracker(summary)}
<h2>Blockers</h2>
${blockers.length === 0 ? html`<p>Nothing is blocked.</p>` : html`<ul>${blockers.map((blocker) => html`<li><a href="${itemPath(blocker.id)}">${blocker.title}</a> <span class="soft">${blocker.reference}</span>: ${blocker.evidence}</li>`)}</ul>`}
<h2>Not changed for a long time</h2>
${summary.staleItems.length === 0 ? html`<p>Every open item was changed recently.</p>` : html`<ul>${summary.staleItems.map((item) => html`<li><a href="${itemPath(item.id)}">${item.title}</a> <span class="soft">${item.reference}</span>: ${pluralize(item.daysSinceChange, 'day')}</li>`)}</ul>`}`,
    }
  },
}

const links = {
  '/console/reports': 'Summary',
  '/console/reports/briefing': 'Briefing',
  '/console/reports/priorities': 'Priorities',
}

/** Where the work is tracked, if that is more than one tracker. */
function byTracker({ byTracker: groups }: Summary): Html {
  if (groups.length < 2) return html``
  return html`<h2>Trackers</h2>${table(
    'Trackers',
    ['Tracker', 'Progress', 'Blockers'],
    groups.map(
      ({ name, totals, completion }) =>
        html`<tr><th scope="row">${name}</th><td>${completion === null ? '' : progress(completion, describeTotals(totals))}</td><td>${totals.blockers}</td></tr>`,
    ),
  )}`
}

/** The pages of the reports. */
export function reportLinks(current: keyof typeof links): Html {
  return pageLinks('Reports', links, current)
}

function pace({ weeks, throughput, cycleTime, notes }: NonNullable<Summary['flow']>): Html {
  return html`<h2>Pace</h2>
${weeks.length > 0 ? burnUp(weeks) : ''}
<dl class="facts">
${throughput === null ? '' : html`<dt>Throughput</dt><dd>${throughput.items} items and ${throughput.points} points a week, over ${throughput.weeks} weeks</dd>`}
${cycleTime === null ? '' : html`<dt>Cycle time</dt><dd>half of the ${cycleTime.items} items took at most ${cycleTime.p50} days${cycleTime.p85 === null ? '' : `, 85% of them at most ${cycleTime.p85} days`}${cycleTime.p95 === null ? '' : `, 95% at most ${cycleTime.p95} days`}</dd>`}
</dl>${notes.map((note) => html`<p class="soft">${note}</p>`)}`
}

/** What was completed since the first week, with its numbers as text: the drawing of the table below it. */
function burnUp(weeks: NonNullable<Summary['flow']>['weeks']): Html {
  const done = weeks.map((_, index) => weeks.slice(0, index + 1).reduce((sum, { items }) => sum + items, 0))
  const scope = weeks.map(({ remainingItems }, index) => done[index]! + remainingItems)
  const most = Math.max(1, ...scope)
  const x = (index: number) => Math.round(((index + 0.5) / weeks.length) * 1000) / 10
  const y = (count: number) => Math.round((130 - (count / most) * 110) * 10) / 10
  const lines = (values: readonly number[], className: string) =>
    values
      .slice(1)
      .map(
        (value, index) =>
          html`<line class="${className}" x1="${x(index)}%" y1="${y(values[index]!)}" x2="${x(index + 1)}%" y2="${y(value)}"/>`,
      )
  return html`<figure><svg class="chart" width="100%" height="160" role="img" aria-label="Burn-up: ${done.at(-1)} items were completed in these weeks, ${scope.at(-1)! - done.at(-1)!} are open">
<line class="axis" x1="0" y1="130" x2="100%" y2="130"/>
${lines(scope, 'scope')}${lines(done, 'done')}
${weeks.map(({ week }, index) => html`<text x="${x(index)}%" y="150">${week.slice(5)}</text><text x="${x(index)}%" y="${y(done[index]!) - 6}">${done[index]}</text>`)}
</svg><figcaption>Items that were completed since the first of these weeks (solid), and the same with the open ones (dashed).</figcaption></figure>
<details><summary>The figures as a table</summary>${table(
    'Weeks',
    ['Week', 'Completed items', 'Completed points', 'Open items', 'Open points'],
    weeks.map(
      (week) =>
        html`<tr><td>${week.week}${week.isWhole ? '' : ' (not over)'}</td><td>${week.items}</td><td>${week.points}</td><td>${week.remainingItems}</td><td>${week.remainingPoints}</td></tr>`,
    ),
  )}</details>`
}

/** The briefing by fixed rules, as a page to print. */
export const briefingPage: ConsolePage = {
  section: 'reports',
  access: 'workspace',
  async render({ run, toPageHtml, query }) {
    const since = query['since'] || null
    const { markdown } = await run('reports.briefing', { mode: 'deterministic', since })
    return {
      title: 'Briefing',
      body: html`<h1>Briefing</h1>
${reportLinks('/console/reports/briefing')}
<form class="bar" method="get" data-auto>${inputs('reports.briefing', [{ name: 'since', label: 'Changes since', attributes: { type: 'date' } }], { values: { since }, inRow: true })}<button type="submit" class="quiet">Show</button></form>
${richText(toPageHtml, markdown)}`,
    }
  },
}
