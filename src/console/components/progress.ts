import type { ResultOf } from '../../catalog'
import { type Html, html } from '../html'

type Totals = ResultOf<'reports.hierarchy'>['features'][number]['totals']

/** The share is that of the points, where there are any. */
export function describeTotals({ doneItems, items, donePoints, points }: Totals): string {
  const ofItems = `${doneItems} of ${items} items`
  return points === 0 ? ofItems : `${donePoints} of ${points} points, ${ofItems}`
}

/** The bar and its value in words. */
export function progress(share: number, about: string): Html {
  const percent = Math.round(share * 100)
  return html`<span class="progress"><progress max="100" value="${percent}" aria-label="Completed"></progress> ${percent}%</span> <span class="soft">${about}</span>`
}
