import type { ResultOf } from '../../catalog'
import { pluralize } from '../../kernel/text/text'
import { type Html, html, number, table } from '../html'
import { itemPath } from '../pages/item-path'
import { legend, plot } from './plot'

/** The keyboard reaches these; the points are for a pointer. */
const SLOWEST = 20

type Flow = NonNullable<ResultOf<'reports.summary'>['flow']>

/** How much was completed by the end of each week, and how much there is in all. */
export function completionChart({ weeks }: Flow): Html {
  const sums = sumByWeek(weeks)
  const { done, scope } = sums.at(-1)!
  const width = 1 / weeks.length
  const text = `${done} of ${scope} items are completed, ${weeks.at(-1)!.remainingItems} are open`
  return html`${plot({
    label: `Completion by week: ${text}`,
    caption: html`${legend('done', 'completed in the week')} ${legend('before', 'completed before')} ${legend('scope', 'all of today’s items')}`,
    most: Math.max(...sums.map((sum) => sum.scope)),
    marksBelow: spread(
      weeks.map(({ week }, index) => ({ at: (index + 0.5) * width, text: formatDay(week) })),
      8,
    ),
    draw: ({ x, y }) =>
      sums.map((sum, index) => {
        const [left, from] = [x((index + 0.2) * width), sum.done - sum.items]
        return html`<g><title>Week of ${weeks[index]!.week}: ${sum.items} completed, ${sum.done} of ${sum.scope} in all</title>
<rect class="before" x="${left}" width="${x(0.6 * width)}" y="${y(from)}" height="${y(0) - y(from)}"/>
<rect class="done" x="${left}" width="${x(0.6 * width)}" y="${y(sum.done)}" height="${y(from) - y(sum.done)}"/>
<line class="scope" x1="${x(index * width)}" x2="${x((index + 1) * width)}" y1="${y(sum.scope)}" y2="${y(sum.scope)}"/></g>`
      }),
  })}
<details><summary>The figures as a table</summary>${table(
    'Weeks',
    ['Week', ...['Completed items', 'Completed points', 'Open items', 'Open points'].map(number)],
    weeks.map(
      (week) =>
        html`<tr><td>${week.week}${week.isWhole ? '' : ' (not over)'}</td><td class="number">${week.items}</td><td class="number">${week.points}</td><td class="number">${week.remainingItems}</td><td class="number">${week.remainingPoints}</td></tr>`,
    ),
  )}</details>`
}

interface Sum {
  /** Completed in the week, and until its end. */
  items: number
  done: number
  scope: number
}

function sumByWeek(weeks: Flow['weeks']): Sum[] {
  let done = 0
  return weeks.map(({ items, remainingItems }) => {
    done += items
    return { items, done, scope: done + remainingItems }
  })
}

/** When each item was completed, and how long it took; with the lines that half of them, and most of them, do not exceed. */
export function cycleTimeChart({ completed, cycleTime }: Flow): Html {
  const timed = completed.flatMap(({ days, ...item }) => (days === null ? [] : [{ ...item, days }]))
  if (cycleTime === null || timed.length === 0) return html``
  const [first, last] = [Date.parse(timed[0]!.completedAt), Date.parse(timed.at(-1)!.completedAt)]
  const at = (instant: string) =>
    last === first ? 0.5 : 0.02 + ((Date.parse(instant) - first) / (last - first)) * 0.96
  const lines = Object.entries({ 50: cycleTime.p50, 85: cycleTime.p85, 95: cycleTime.p95 }).flatMap(([share, days]) =>
    days === null ? [] : [{ share, days }],
  )
  return html`${plot({
    label: `Cycle time of ${pluralize(timed.length, 'item')}: ${lines.map(({ share, days }) => `${share}% took at most ${days} days`).join(', ')}`,
    caption: 'Each point is an item: when it was completed, and how many days it took from the first work on it.',
    most: Math.max(...timed.map(({ days }) => days)),
    unit: ' d',
    hasLinks: true,
    marksBelow: spread(
      timed.map(({ completedAt }) => ({ at: at(completedAt), text: formatDay(completedAt) })),
      6,
    ),
    draw: ({ x, y }) => [
      ...lines.map(
        ({ share, days }) =>
          html`<line class="percentile" x1="0" x2="100%" y1="${y(days)}" y2="${y(days)}"/><text class="end" x="100%" y="${y(days) - 4}">${share}% within ${days} d</text>`,
      ),
      ...timed.map(
        ({ id, reference, title, completedAt, days }) =>
          html`<a href="${itemPath(id)}" tabindex="-1"><circle cx="${x(at(completedAt))}" cy="${y(days)}" r="4.5"><title>${reference} ${title}: ${days} days, completed ${completedAt.slice(0, 10)}</title></circle></a>`,
      ),
    ],
  })}
<details><summary>The slowest items</summary>${table(
    'The slowest items',
    ['Item', 'Completed', number('Days')],
    timed
      .toSorted((a, b) => b.days - a.days)
      .slice(0, SLOWEST)
      .map(
        ({ id, reference, title, completedAt, days }) =>
          html`<tr><th scope="row"><a href="${itemPath(id)}">${title}</a> <span class="soft">${reference}</span></th><td>${completedAt.slice(0, 10)}</td><td class="number">${days}</td></tr>`,
      ),
  )}</details>`
}

/** Some of the labels, so that each has room. The last one stays. */
function spread<T extends { at: number }>(labels: readonly T[], most: number): T[] {
  const shown: T[] = []
  for (const label of labels.toReversed())
    if (shown.length === 0 || shown.at(-1)!.at - label.at >= 1 / most) shown.push(label)
  return shown
}

/** `12 Nov`. */
function formatDay(date: string): string {
  return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(date))
}
