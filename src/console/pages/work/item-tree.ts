import { letOthersRun } from '../../../kernel/work/budget'
import { assetUrl } from '../../assets'
import { type Html, html } from '../../html'
import { itemName } from '../item-path'
import { withParameters } from './facets'
import { type Column, type ColumnName, cells, chooseBox, columnOf, pickHeading, titleLink } from './item-cells'
import type { ItemNode } from './item-rows'

const NAMES = ['reference', 'state', 'points', 'progress', 'assignee', 'blocked'] as const satisfies ColumnName[]
const COLUMNS = new Map<string, Column>(NAMES.map((name) => [name, columnOf(name)]))

/** A page with more rows than these shows its branches closed, and loads one when a reader opens it. */
const MAX_OPEN_ROWS = 150
const MAX_ROOTS = 500
/** Deeper levels are indented like this one. */
const MAX_INDENT = 9

export interface TreeOptions {
  query: URLSearchParams
  /** The items to show. Their ancestors are shown too, in soft color. Null for all. */
  only: ReadonlySet<number> | null
  /** Whether rows have boxes that choose them. */
  canChoose: boolean
}

/** Items as a tree with aligned columns. Without a script its links open and close the branches, each on a page of its own. */
export async function itemTree(roots: readonly ItemNode[], options: TreeOptions): Promise<Html> {
  const shown = roots.map((node) => narrow(node, options.only)).flatMap((node) => node ?? [])
  const isOpen = countRows(shown) <= MAX_OPEN_ROWS || options.query.has('feature')
  const rest = shown.length - MAX_ROOTS
  const drawn: Html[] = []
  for (const place of listPlaces(shown.slice(0, MAX_ROOTS), isOpen ? Number.POSITIVE_INFINITY : 1)) {
    drawn.push(await row(place, { ...options, isOpen }))
    await letOthersRun()
  }
  const headings = [...COLUMNS].map(
    ([name, { title, isNumber }]) =>
      html`<th scope="col"${isNumber ? html` class="number"` : ''} data-column="${name}">${title}</th>`,
  )
  return html`<div class="scroll"><table class="items" role="treegrid" aria-label="Items" data-tree>
<thead><tr>${options.canChoose ? pickHeading() : ''}<th scope="col" data-column="Title">Title</th>${headings}</tr></thead>
<tbody>${drawn}</tbody></table></div>
${rest > 0 ? html`<p class="soft">And ${rest} more at the top level: choose filters, or search.</p>` : ''}
<script type="module" src="${assetUrl('work-tree.js')}"></script>`
}

interface ShownNode extends Omit<ItemNode, 'children'> {
  node: ItemNode
  children: ShownNode[]
  /** Whether it is shown only for what is below it. */
  isContext: boolean
}

/** The branch with the items to show and their ancestors; null for none. */
function narrow(node: ItemNode, only: ReadonlySet<number> | null): ShownNode | null {
  const children = node.children.map((child) => narrow(child, only)).flatMap((child) => child ?? [])
  const isWanted = only === null || only.has(node.id)
  return isWanted || children.length > 0 ? { ...node, node, children, isContext: !isWanted } : null
}

function countRows(nodes: readonly ShownNode[]): number {
  return nodes.reduce((sum, { children }) => sum + 1 + countRows(children), 0)
}

interface Place {
  shown: ShownNode
  level: number
  index: number
  count: number
}

/** Each node before those below it. Of a long tree, only the first level: the script loads the others from the page of the branch. */
function* listPlaces(nodes: readonly ShownNode[], maxLevel: number): Generator<Place> {
  const placesOf = (some: readonly ShownNode[], level: number): Place[] =>
    some.map((shown, index) => ({ shown, level, index, count: some.length })).reverse()
  const open = placesOf(nodes, 1)
  for (let place = open.pop(); place; place = open.pop()) {
    yield place
    if (place.level < maxLevel) for (const below of placesOf(place.shown.children, place.level + 1)) open.push(below)
  }
}

function row(
  { shown, level, index, count }: Place,
  { isOpen, canChoose, query }: TreeOptions & { isOpen: boolean },
): Html {
  const { node, children, isContext } = shown
  const expanded = children.length === 0 ? '' : html` aria-expanded="${String(isOpen)}"`
  const indent = Math.min(level, MAX_INDENT)
  return html`<tr data-id="${node.id}" aria-level="${level}" aria-posinset="${index + 1}" aria-setsize="${count}"${expanded}${isContext ? html` class="off"` : ''}>${canChoose ? chooseBox(node) : ''}<th scope="row" class="level-${indent}">${twist(shown, query)}${titleLink(node)}</th>${cells(node, COLUMNS)}</tr>
`
}

/** The link that opens a branch as a page of its own. */
function twist({ node, children }: ShownNode, query: URLSearchParams): Html {
  if (children.length === 0) return html`<span class="twist"></span>`
  const href = withParameters(query, (next) => next.set('feature', String(node.id)))
  return html`<a class="twist" href="${href}" aria-label="Show only ${itemName(node)} with its ${children.length} below"></a>`
}
