import { pluralize } from '../../../kernel/text/text'
import { menu } from '../../components/menu'
import { type Html, html } from '../../html'
import { withParameters } from './facets'
import { type ColumnName, cells, chooseBox, columnOf, columns, isColumn, pickHeading, titleLink } from './item-cells'
import type { ItemNode } from './item-rows'
import type { MatchingItems } from './matching-items'

const PAGE_SIZE = 100
const DEFAULT_COLUMNS: readonly ColumnName[] = ['reference', 'state', 'points', 'assignee', 'iteration', 'changed']

export interface ListOptions {
  canChoose: boolean
  /** Unless the reader chooses others. */
  columns?: readonly ColumnName[]
  sort?: string | null
}

/** Items as a table, a page of it at a time. A heading sorts by its column. */
export function itemList(found: MatchingItems, options: ListOptions): Html {
  const { shown, query, hits } = found
  const chosen = readColumns(query, options.columns ?? DEFAULT_COLUMNS)
  const sort = query.get('sort') ?? options.sort ?? null
  const sorted = sortNodes(shown, sort)
  const pages = Math.max(1, Math.ceil(sorted.length / PAGE_SIZE))
  const page = Math.min(pages, Math.max(1, Number(query.get('page')) || 1))
  const rows = sorted.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Table: Items"><table class="items"><caption>Items</caption>
<thead><tr>${options.canChoose ? pickHeading() : ''}<th scope="col">Title</th>${chosen.map((name) => heading(name, sort, query))}</tr></thead>
<tbody>${rows.map((node) => html`<tr>${options.canChoose ? chooseBox(node) : ''}<th scope="row">${titleLink(node)}${around(hits.get(node.id))}</th>${cells(node, chosen)}</tr>`)}</tbody></table></div>
${pages === 1 ? '' : pager({ page, pages, total: sorted.length }, query)}`
}

/** Which columns a list has: a menu of links. */
export function columnMenu(query: URLSearchParams, usual: readonly ColumnName[] = DEFAULT_COLUMNS): Html {
  const chosen = readColumns(query, usual)
  const links = (Object.keys(columns) as ColumnName[]).map((name) => {
    const isShown = chosen.includes(name)
    const next = isShown ? chosen.filter((other) => other !== name) : [...chosen, name]
    const href = withParameters(query, (parameters) => parameters.set('columns', next.join(',')))
    return html`<a href="${href}"${isShown ? html` aria-current="true"` : ''}>${isShown ? '✓ ' : ''}${columnOf(name).title}</a>`
  })
  return menu('Columns', links)
}

function readColumns(query: URLSearchParams, usual: readonly ColumnName[]): readonly ColumnName[] {
  const given = query.get('columns')
  return given === null ? usual : [...new Set(given.split(',').filter(isColumn))]
}

/** A click sorts by the column, another one the other way around. */
function heading(name: ColumnName, sort: string | null, query: URLSearchParams): Html {
  const { title, isNumber } = columnOf(name)
  const direction = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : null
  const next = direction === 'ascending' ? `-${name}` : name
  const href = withParameters(query, (parameters) => parameters.set('sort', next))
  return html`<th scope="col"${isNumber ? html` class="number"` : ''}${direction === null ? '' : html` aria-sort="${direction}"`}><a href="${href}">${title}${direction === null ? '' : direction === 'ascending' ? ' ↑' : ' ↓'}</a></th>`
}

/** `state,-points`. Without an order the rows stay as they were found. Rows without a value come last. */
export function sortNodes(nodes: readonly ItemNode[], sort: string | null): readonly ItemNode[] {
  const signs = new Map<ColumnName, number>()
  for (const text of (sort ?? '').split(',')) {
    const name = text.replace(/^-/, '')
    // Only the first time counts.
    if (isColumn(name) && !signs.has(name)) signs.set(name, text.startsWith('-') ? -1 : 1)
  }
  if (signs.size === 0) return nodes
  const keys = [...signs].map(([name, sign]) => ({ key: columnOf(name).key, sign }))
  const keyed = nodes.map((node) => ({ node, values: keys.map(({ key }) => key(node)) }))
  keyed.sort((a, b) => {
    for (const [at, { sign }] of keys.entries()) {
      const order = compareValues(a.values[at]!, b.values[at]!, sign)
      if (order !== 0) return order
    }
    return 0
  })
  return keyed.map(({ node }) => node)
}

function compareValues(a: string | number | null, b: string | number | null, sign: number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return typeof a === 'number' && typeof b === 'number' ? sign * (a - b) : sign * collator.compare(String(a), String(b))
}

const collator = new Intl.Collator('en', { numeric: true })

function pager({ page, pages, total }: { page: number; pages: number; total: number }, query: URLSearchParams): Html {
  const link = (to: number, text: string, rel: string) =>
    to < 1 || to > pages
      ? ''
      : html`<a class="button quiet" rel="${rel}" href="${withParameters(query, (next) => next.set('page', String(to)))}">${text}</a>`
  return html`<nav class="bar pager" aria-label="Pages">${link(page - 1, 'Previous', 'prev')}
<span>Page ${page} of ${pages}, ${pluralize(total, 'item')}</span> ${link(page + 1, 'Next', 'next')}</nav>`
}

/** The words around what a search found. */
function around(hit: { snippet: string; highlights: readonly number[][] } | undefined): Html | '' {
  if (!hit || hit.highlights.length === 0) return ''
  return html`<span class="around soft">${highlight(hit.snippet, hit.highlights)}</span>`
}

/** A snippet with its hits marked. */
export function highlight(snippet: string, places: readonly number[][]): Html[] {
  const parts: Html[] = []
  let at = 0
  for (const [start = 0, end = 0] of places) {
    parts.push(html`${snippet.slice(at, start)}<mark>${snippet.slice(start, end)}</mark>`)
    at = end
  }
  return [...parts, html`${snippet.slice(at)}`]
}
