import { formatDate, formatDateTime } from '../../../src/reports/rules/dates'
import { formatNumber, formatPercent } from '../../../src/reports/rules/wording'
import { escapeHtml, renderPage } from './page'
import {
  blockersOf,
  flowTexts,
  groupingsOf,
  groupName,
  type Lines,
  listsOf,
  overviewOf,
  riskyOf,
  type Summary,
  share,
  weekText,
} from './summary-texts'

const TITLE = 'Leadership summary'

/** A page to forward or print: the most important parts first, and how the figures are made at the end. */
export function renderSummaryPage(answer: Summary): string {
  const { asOf } = answer
  if (asOf === null)
    return renderPage(TITLE, `<h1>${TITLE}</h1>\n<p>Nothing is imported yet: studio import &lt;featureId&gt;</p>`)
  const body = [
    `<h1>${TITLE}, ${escapeHtml(formatDate(asOf))}</h1>`,
    `<p>As of <time datetime="${escapeHtml(asOf)}">${escapeHtml(formatDateTime(asOf))}</time>, the newest moment that the workspace knows of.</p>`,
    overview(answer),
    features(answer),
    atRisk(answer),
    list(blockersOf(answer)),
    list({ title: 'Flow', lines: flowTexts(answer.flow) }),
    weeks(answer),
    ...listsOf(answer).map(list),
    ...groupings(answer),
    sources(answer),
  ]
  return renderPage(`${TITLE}, ${formatDate(asOf)}`, body.filter(Boolean).join('\n'))
}

function overview(answer: Summary): string {
  const rows = [
    ['Done', progress(answer.completion)],
    ...overviewOf(answer).map(([name, text]) => [name, escapeHtml(text)]),
  ]
  const lines = rows.map(([name, cell]) => `<tr><th scope="row">${name}</th><td class="share">${cell}</td></tr>`)
  return `<table>\n<tbody>\n${lines.join('\n')}\n</tbody>\n</table>`
}

function features({ features: all }: Summary): string {
  const rows = all.map((feature) => [
    escapeHtml(`${feature.reference} ${feature.title}`),
    escapeHtml(feature.state),
    progress(feature.completion),
    `${formatNumber(feature.donePoints)} of ${formatNumber(feature.points)}`,
    `${feature.doneItems} of ${feature.items}`,
    String(feature.blockers),
    feature.atRisk ? '<span class="held">at risk</span>' : '',
  ])
  return table('Features', ['Feature', 'State', 'Done', 'Points done', 'Items done', 'Blockers', 'Risk'], rows, {
    share: [2],
    figures: [3, 4, 5],
  })
}

function atRisk(answer: Summary): string {
  const risky = riskyOf(answer).map(({ reference, title, risks }) => {
    const reasons = risks.map(({ evidence }) => escapeHtml(evidence)).join('; ')
    return `<li><strong>${escapeHtml(`${reference} ${title}`)}</strong>: ${reasons}</li>`
  })
  return risky.length === 0 ? '' : `<h2>At risk</h2>\n<ul>\n${risky.join('\n')}\n</ul>`
}

function list({ title, lines }: Lines): string {
  const entries = lines.map((line) => `<li>${escapeHtml(line)}</li>`)
  return entries.length === 0 ? '' : `<h2>${title}</h2>\n<ul>\n${entries.join('\n')}\n</ul>`
}

function weeks({ flow }: Summary): string {
  const rows = (flow?.weeks ?? []).map((week) => [
    escapeHtml(weekText(week)),
    String(week.items),
    formatNumber(week.points),
    String(week.remainingItems),
    formatNumber(week.remainingPoints),
  ])
  return table('Week by week', ['Week of', 'Items done', 'Points done', 'Items left', 'Points left'], rows, {
    figures: [1, 2, 3, 4],
  })
}

function groupings(answer: Summary): string[] {
  return groupingsOf(answer).map(([noun, groups]) => {
    const rows = groups.map((group) => [
      escapeHtml(groupName(group)),
      String(group.totals.items),
      formatNumber(group.totals.points),
      share(group.completion),
    ])
    return table(`By ${noun.toLowerCase()}`, [noun, 'Items', 'Points', 'Done'], rows, { figures: [1, 2, 3] })
  })
}

function sources({ rules }: Summary): string {
  return list({
    title: 'How the figures are made',
    lines: Object.values(rules).map((rule) => rule.replaceAll('`', '')),
  })
}

/** Columns, from 0, that contain figures, or a bar with its share. */
interface Alignment {
  figures: number[]
  share?: number[]
}

/** `rows` are HTML; the first cell of each is its header. */
function table(caption: string, heads: readonly string[], rows: readonly string[][], aligned: Alignment): string {
  if (rows.length === 0) return ''
  const classOf = (column: number) =>
    aligned.figures.includes(column) ? ' class="n"' : aligned.share?.includes(column) ? ' class="share"' : ''
  const head = heads.map((name, column) => `<th scope="col"${classOf(column)}>${name}</th>`).join('')
  const lines = rows.map(([first, ...cells]) => {
    const others = cells.map((cell, i) => `<td${classOf(i + 1)}>${cell}</td>`).join('')
    return `<tr><th scope="row">${first}</th>${others}</tr>`
  })
  return `<h2>${caption}</h2>
<div class="scroll" role="region" aria-label="${caption}" tabindex="0">
<table>
<thead><tr>${head}</tr></thead>
<tbody>
${lines.join('\n')}
</tbody>
</table>
</div>`
}

function progress(completion: number | null): string {
  if (completion === null) return '-'
  const width = formatPercent(completion)
  return `<span class="bar" aria-hidden="true"><i style="width:${width}"></i></span>${width}`
}
