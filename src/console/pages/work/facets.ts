import { StudioError } from '../../../kernel'
import { type Html, html } from '../../html'
import { type ItemNode, isOpen, lastPart } from './item-rows'

interface Facet {
  title: string
  /** Empty for an item without a value. */
  valuesOf(node: ItemNode): readonly string[]
  /** The text of an item without a value. */
  none?: string
  isPath?: true
}

/** By what items are counted and filtered. Several values of one facet are alternatives. */
const facets = {
  state: { title: 'State', valuesOf: ({ state }) => [state] },
  type: { title: 'Type', valuesOf: ({ type }) => [type] },
  assignee: {
    title: 'Assigned to',
    valuesOf: ({ assignedTo }) => [assignedTo?.displayName ?? ''],
    none: 'no one',
  },
  tag: { title: 'Tag', valuesOf: ({ tags }) => tags },
  iteration: { title: 'Iteration', valuesOf: ({ iterationPath }) => [iterationPath], none: 'none', isPath: true },
  area: { title: 'Area', valuesOf: ({ areaPath }) => [areaPath], none: 'none', isPath: true },
  tracker: { title: 'Tracker', valuesOf: ({ tracker }) => [tracker] },
} as const satisfies Record<string, Facet>

type FacetName = keyof typeof facets
const names = Object.keys(facets) as FacetName[]

/** What items must also be. */
const properties: Record<string, { text: string; holds(node: ItemNode): boolean }> = {
  open: { text: 'Open', holds: isOpen },
  blocked: { text: 'Blocked', holds: ({ blockers }) => blockers.length > 0 },
  unestimated: { text: 'Without points', holds: (node) => node.points === null && isOpen(node) },
}

/** The choices of a reader: `f=state:Active`, `is=blocked`. */
export interface Chosen {
  values: ReadonlyMap<FacetName, ReadonlySet<string>>
  is: readonly string[]
}

/** Each link of the page has them all in its address. */
const MAX_CHOSEN = 50

export function readChosen(query: URLSearchParams): Chosen {
  const values = new Map<FacetName, Set<string>>()
  const entries = query.getAll('f')
  if (entries.length + query.getAll('is').length > MAX_CHOSEN)
    throw new StudioError('too_complex', `The page takes at most ${MAX_CHOSEN} filters.`)
  for (const entry of entries) {
    const [, name = '', value = ''] = /^([a-z]+):(.*)$/s.exec(entry) ?? []
    if (!Object.hasOwn(facets, name)) continue
    const known = values.get(name as FacetName) ?? new Set<string>()
    values.set(name as FacetName, known.add(value))
  }
  return { values, is: query.getAll('is').filter((name) => Object.hasOwn(properties, name)) }
}

export function isFiltered({ values, is }: Chosen): boolean {
  return values.size + is.length > 0
}

/** The facets by whose choices the item is left out, at most two. */
function findRefusing(node: ItemNode, { values }: Chosen): FacetName[] {
  const refusing: FacetName[] = []
  for (const [name, wanted] of values) {
    const own = facets[name].valuesOf(node)
    if (own.some((value) => wanted.has(value))) continue
    refusing.push(name)
    if (refusing.length > 1) break
  }
  return refusing
}

function hasProperties(node: ItemNode, { is }: Chosen): boolean {
  return is.every((name) => properties[name]!.holds(node))
}

export function passes(node: ItemNode, chosen: Chosen): boolean {
  return hasProperties(node, chosen) && findRefusing(node, chosen).length === 0
}

/** How many items each value would show beside the choices of the other facets. */
function countValues(nodes: readonly ItemNode[], chosen: Chosen): Map<FacetName, Map<string, number>> {
  const counts = new Map(names.map((name) => [name, new Map<string, number>()]))
  for (const node of nodes) {
    if (!hasProperties(node, chosen)) continue
    const refusing = findRefusing(node, chosen)
    if (refusing.length > 1) continue
    for (const name of refusing.length === 1 ? refusing : names) {
      const count = counts.get(name)!
      for (const value of facets[name].valuesOf(node)) count.set(value, (count.get(value) ?? 0) + 1)
    }
  }
  return counts
}

/** The address of the page with other choices, on its first page. */
export function withParameters(query: URLSearchParams, change: (next: URLSearchParams) => void): string {
  const next = new URLSearchParams(query)
  for (const name of ['page', 'done']) next.delete(name)
  change(next)
  const text = next.toString()
  return text === '' ? '?' : `?${text}`
}

export function toggle(query: URLSearchParams, name: string, value: string): string {
  return withParameters(query, (next) => {
    if (next.getAll(name).includes(value)) next.delete(name, value)
    else next.append(name, value)
  })
}

const MAX_VALUES = 8
/** Items may have any number of tags. */
const MAX_LISTED = 100

/** The values of every facet that tells items apart, with counts, as links. */
export function facetPanel(nodes: readonly ItemNode[], chosen: Chosen, query: URLSearchParams): Html {
  const counts = countValues(nodes, chosen)
  const clear = isFiltered(chosen)
    ? html`<p><a href="${withParameters(query, (next) => {
        next.delete('f')
        next.delete('is')
      })}">Clear all filters</a></p>`
    : ''
  return html`<nav class="facets" id="filters" aria-label="Filters">${clear}
${facetList('Show', propertyLinks(nodes, chosen, query))}
${names.map((name) => {
  const values = counts.get(name)!
  const wanted = chosen.values.get(name) ?? new Set<string>()
  for (const value of wanted) if (!values.has(value)) values.set(value, 0)
  if (values.size < 2 && wanted.size === 0) return ''
  const sorted = [...values].sort(
    ([a, n], [b, m]) => Number(wanted.has(b)) - Number(wanted.has(a)) || m - n || (a < b ? -1 : 1),
  )
  const links = sorted
    .slice(0, MAX_LISTED)
    .map(([value, count]) => valueLink(name, { value, count, isChosen: wanted.has(value) }, query))
  return facetList(facets[name].title, links, sorted.length - links.length)
})}</nav>`
}

/** The rarest values are left out of a long list. A search finds them. */
function facetList(title: string, links: readonly Html[], leftOut = 0): Html {
  const rest = links.slice(MAX_VALUES)
  const note = leftOut === 0 ? '' : html`<p class="soft">And ${leftOut} that are rarer: search for them.</p>`
  return html`<details open><summary>${title}</summary><ul>${links.slice(0, MAX_VALUES)}</ul>${
    rest.length === 0
      ? ''
      : html`<details><summary>${rest.length + leftOut} more</summary><ul>${rest}</ul>${note}</details>`
  }</details>`
}

function propertyLinks(nodes: readonly ItemNode[], chosen: Chosen, query: URLSearchParams): Html[] {
  return Object.entries(properties).map(([value, { text, holds }]) => {
    const isChosen = chosen.is.includes(value)
    const count = nodes.filter((node) => holds(node) && passes(node, chosen)).length
    return link({ href: toggle(query, 'is', value), text, count, isChosen })
  })
}

function valueLink(
  name: FacetName,
  { value, count, isChosen }: { value: string; count: number; isChosen: boolean },
  query: URLSearchParams,
): Html {
  const { none = 'none', isPath }: Facet = facets[name]
  const text = value === '' ? none : isPath ? lastPart(value) : value
  return link({ href: toggle(query, 'f', `${name}:${value}`), text, title: isPath ? value : null, count, isChosen })
}

function link({
  href,
  text,
  title = null,
  count,
  isChosen,
}: {
  href: string
  text: string
  title?: string | null
  count: number
  isChosen: boolean
}): Html {
  return html`<li><a href="${href}"${title === null ? '' : html` title="${title}"`}${isChosen ? html` aria-current="true"` : ''}><span class="value">${text}</span> <span class="count">${count}</span></a></li>`
}
