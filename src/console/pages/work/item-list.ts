import { pluralize } from '../../../kernel/text/text'
import { menu } from '../../components/menu'
import { type Html, html } from '../../html'
import { type CustomColumns, toggleColumn } from './custom-columns'
import { withParameters } from './facets'
import { type Column, cells, chooseBox, columnOf, columns, isColumn, pickHeading, titleLink } from './item-cells'
import type { ItemNode } from './item-rows'
import type { MatchingItems } from './matching-items'

const PAGE_SIZE = 100
const DEFAULT_COLUMNS = ['reference', 'state', 'points', 'assignee', 'iteration', 'changed']

/** What a view says of a list, unless the reader chooses something else. */
export interface ListDefaults {
  /** Names of columns, and of fields of the tracker. */
  columns?: readonly string[]
  sort?: string | null
}

/** What the address or the view chooses. */
interface ListChoice {
  columns: readonly string[]
  sort: string | null
  /** The names among these that are fields of the tracker. */
  custom: readonly string[]
}

interface ListOptions extends Pick<ListChoice, 'sort'> {
  canChoose: boolean
  columns: ReadonlyMap<string, Column>
  custom: CustomColumns
}

export function readListChoice(
  query: URLSearchParams,
  { columns = DEFAULT_COLUMNS, sort = null }: ListDefaults,
): ListChoice {
  const chosen = query.get('columns')?.split(',') ?? columns
  const names = [...new Set(chosen)].filter((name) => name !== '')
  const order = query.get('sort') ?? sort
  const sorted = (order ?? '').split(',').map((text) => text.replace(/^-/, ''))
  const custom = [...new Set([...names, ...sorted])].filter((name) => name !== '' && !isColumn(name))
  return { columns: names, sort: order, custom }
}

/** The columns that there are, of those that were chosen. */
export function findColumns(names: readonly string[], custom: CustomColumns): Map<string, Column> {
  return new Map(
    names.flatMap((name) => {
      const column = isColumn(name) ? columnOf(name) : custom.columns.get(name)
      return column ? [[name, column] as const] : []
    }),
  )
}

/** Items as a table, a page of it at a time. A heading sorts by its column. */
export function itemList(found: MatchingItems, { canChoose, columns: chosen, sort, custom }: ListOptions): Html {
  const { shown, query, hits } = found
  const sorted = sortNodes(shown, sort, custom)
  const pages = Math.max(1, Math.ceil(sorted.length / PAGE_SIZE))
  const page = Math.min(pages, Math.max(1, Number(query.get('page')) || 1))
  const rows = sorted.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Table: Items"><table class="items"><caption>Items</caption>
<thead><tr>${canChoose ? pickHeading() : ''}<th scope="col">Title</th>${[...chosen].map(([name, column]) => heading(name, column, { sort, query }))}</tr></thead>
<tbody>${rows.map((node) => html`<tr>${canChoose ? chooseBox(node) : ''}<th scope="row">${titleLink(node)}${around(hits.get(node.id))}</th>${cells(node, chosen)}</tr>`)}</tbody></table></div>
${pages === 1 ? '' : pager({ page, pages, total: sorted.length }, query)}`
}

/** Which columns a list has: a menu of links, with one to the fields of the tracker. */
export function columnMenu(query: URLSearchParams, chosen: ReadonlyMap<string, Column>): Html {
  const names = [...chosen.keys()]
  const links = Object.entries({ ...columns, ...Object.fromEntries(chosen) }).map(([name, { title }]) => {
    const isShown = chosen.has(name)
    return html`<a href="${toggleColumn(query, names, name)}"${isShown ? html` aria-current="true"` : ''}>${isShown ? '✓ ' : ''}${title}</a>`
  })
  const further = withParameters(query, (next) => next.set('fields', ''))
  return menu('Columns', [...links, html`<a href="${further}#fields">Fields of the tracker…</a>`])
}

/** A click sorts by the column, another one the other way around. */
function heading(
  name: string,
  { title, isNumber }: Column,
  { sort, query }: { sort: string | null; query: URLSearchParams },
): Html {
  const direction = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : null
  const next = direction === 'ascending' ? `-${name}` : name
  const href = withParameters(query, (parameters) => parameters.set('sort', next))
  return html`<th scope="col"${isNumber ? html` class="number"` : ''}${direction === null ? '' : html` aria-sort="${direction}"`}><a href="${href}">${title}${direction === null ? '' : direction === 'ascending' ? ' ↑' : ' ↓'}</a></th>`
}

/** `state,-points`. Without an order the rows stay as they were found. Rows without a value come last. */
function sortNodes(nodes: readonly ItemNode[], sort: string | null, custom: CustomColumns): readonly ItemNode[] {
  const signs = new Map<string, number>()
  for (const text of (sort ?? '').split(',')) {
    const name = text.replace(/^-/, '')
    // Only the first time counts.
    if (!signs.has(name)) signs.set(name, text.startsWith('-') ? -1 : 1)
  }
  const known = findColumns([...signs.keys()], custom)
  if (known.size === 0) return nodes
  const keys = [...known].map(([name, { key }]) => ({ key, sign: signs.get(name)! }))
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
