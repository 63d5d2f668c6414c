import { pluralize } from '../../../kernel/text/text'
import { type Html, html } from '../../html'
import { isFiltered } from './facets'
import type { MatchingItems } from './matching-items'

/** What one update takes. */
export const MAX_CHANGED = 1_000

/** Leads to the form that changes the chosen items, or all that match. */
export function selectionBar({ shown, query, chosen }: MatchingItems, filter: string | undefined): Html {
  const matching = new URLSearchParams([...query].filter(([name]) => ['q', 'f', 'is', 'filter'].includes(name)))
  if (filter !== undefined) matching.set('filter', filter)
  matching.set('all', '')
  const isNarrowed = isFiltered(chosen) || query.has('q') || matching.has('filter')
  const all =
    !isNarrowed || shown.length === 0 || shown.length > MAX_CHANGED
      ? ''
      : html`<a class="button quiet" href="/console/work/change?${matching.toString()}">Change all ${pluralize(shown.length, 'item')} that match</a>`
  return html`<form id="chosen" class="bar selection" method="get" action="/console/work/change">
<button type="submit" class="quiet">Change the chosen items</button> ${all} <output></output></form>`
}

const criteria = {
  state: 'state',
  type: 'type',
  assignee: 'assignedTo',
  tag: 'tag',
  iteration: 'iteration',
  area: 'area',
} as const

/**
 * Leads to the form that saves what is chosen as a view. A criterion separates its values by commas, so that such a value cannot be saved. Views
 * have no column for the progress.
 */
export function saveViewLink({ chosen, query }: MatchingItems): Html | '' {
  const given = new URLSearchParams()
  for (const [facet, criterion] of Object.entries(criteria)) {
    const values = [...(chosen.values.get(facet as keyof typeof criteria) ?? [])].filter((value) => value !== '')
    if (values.length > 0 && !values.some((value) => value.includes(','))) given.set(criterion, values.join(','))
  }
  if (chosen.is.includes('open') && !given.has('state')) given.set('state', 'open')
  const q = query.get('q') ?? ''
  if (q !== '' && !/[:"]/.test(q)) given.set('search', q)
  for (const name of ['columns', 'sort']) {
    const names = (query.get(name) ?? '').split(',').filter((one) => !/^-?progress$/.test(one))
    if (names.join('') !== '') given.set(name, names.join(','))
  }
  return given.size === 0
    ? ''
    : html`<a class="button quiet" href="/console/work/saved?${given.toString()}">Save as a view</a>`
}
