import type { ResultOf } from '../../../catalog'
import { describeItemsOf } from '../../../kernel/text/item-reference'
import { pluralize } from '../../../kernel/text/text'
import { assetUrl } from '../../assets'
import { pageHead } from '../../components/page-head'
import type { ConsolePage, PageContent, PageRequest } from '../../console-page'
import { operationForm } from '../../forms/operation-form'
import { inputs } from '../../forms/schema-inputs'
import { type Html, html, time } from '../../html'
import { hitPath, itemName } from '../item-path'
import { fieldPanel, readCustomColumns } from './custom-columns'
import { facetPanel, isFiltered, withParameters } from './facets'
import { importForms } from './import-forms'
import { columnMenu, findColumns, itemList, type ListDefaults, readListChoice } from './item-list'
import type { ItemNode } from './item-rows'
import { itemTree } from './item-tree'
import { findMatches, type MatchingItems, queryOf } from './matching-items'
import { workTabs } from './saved-tabs'
import { saveViewLink, selectionBar } from './selection'

/** Work: everything cached as trees or as a list, with search, filters and what can be done with it. */
export const workPage: ConsolePage = {
  section: 'work',
  access: 'workspace',
  async render(request) {
    const query = queryOf(request)
    const isList = query.get('view') === 'list' || query.has('q')
    const filter = query.get('filter')
    const tab = isList ? `/console/work?view=list${filter === null ? '' : `&filter=${filter}`}` : '/console/work'
    return renderWork(request, { tab, isList })
  },
}

interface WorkOptions extends ListDefaults {
  tab: string
  isList: boolean
  title?: string
  /** A saved filter or view whose items are shown. */
  filter?: string
  /** What is below the items. */
  foot?: Html | Promise<Html>
}

export async function renderWork(
  request: PageRequest,
  { tab, isList, title = 'Work', filter, foot, ...list }: WorkOptions,
): Promise<PageContent> {
  const { run, may } = request
  const [found, views, filters, sync, canChoose] = await Promise.all([
    findMatches(request, filter === undefined ? {} : { filter }),
    run('views.list', {}),
    run('filters.list', {}),
    run('items.sync-status', {}),
    may('items.batch-update'),
  ])
  const { query, hints } = found
  if (found.trees.length === 0) {
    const body = html`<h1>Work</h1>${await importForms(request)}
<script type="module" src="${assetUrl('work.js')}"></script>`
    return { title: 'Work', body, styles: ['work.css'] }
  }
  const choice = readListChoice(query, list)
  const custom = await readCustomColumns(request, isList ? choice.custom : [], filter ?? query.get('filter'))
  const columns = findColumns(choice.columns, custom)
  const actions = [
    (await may('items.create')) ? html`<a class="button" href="/console/work/new">New item</a>` : '',
    (await may('features.import-many')) ? html`<a class="button quiet" href="/console/work/import">Import</a>` : '',
    operationForm('items.sync', {
      hidden: { next: '/console/work' },
      word: 'Read changes from the tracker',
      quiet: true,
    }),
  ]
  return {
    title: query.get('q') ? `Search: ${query.get('q')}` : title,
    styles: ['work.css'],
    body: html`${pageHead({ title, about: html`${syncAges(sync)}`, actions })}
${workTabs(tab, { views, filters })}
${syncFailures(sync)}
${searchForm(query)}
${[...hints, ...custom.problems].map((text) => html`<p class="notice warn">${text}</p>`)}
<div class="beside work"><div>
${isList ? '' : focusNote(found)}
${summary(found, html`${canChoose ? selectionBar(found, filter) : ''}${(await may('views.save')) ? saveViewLink(found) : ''}${isList ? columnMenu(query, columns) : ''}`)}
${isList && query.has('fields') ? await fieldPanel(request, found, choice.columns) : ''}
${isList ? itemList(found, { canChoose, columns, sort: choice.sort, custom }) : tree(found, canChoose)}
${query.get('q') ? await otherHits(request, query.get('q')!) : ''}
</div>${facetPanel(found.found, found.chosen, query)}</div>
${foot ?? ''}
<script type="module" src="${assetUrl('work.js')}"></script>`,
  }
}

/** A key leads to it. */
const searchBox = {
  name: 'q',
  label: 'Search',
  attributes: {
    type: 'search',
    size: 40,
    placeholder: 'words, state:open, assignee:@me, tag:…',
  },
}

/** It keeps the choices of the page. */
function searchForm(query: URLSearchParams): Html {
  const choices = [...query].filter(([name]) => ['f', 'is', 'sort', 'columns', 'filter'].includes(name))
  return html`<form class="bar" method="get" action="/console/work" role="search">${choices.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${inputs('search.fast', [searchBox], { values: { q: query.get('q') ?? '' }, inRow: true })}
<button type="submit" class="quiet">Search</button></form>`
}

/** How many there are, and what can be done with them. */
function summary({ found, shown, chosen, query }: MatchingItems, actions: Html): Html {
  const total = pluralize(shown.length, 'item')
  const text = isFiltered(chosen) ? `${total} of ${found.length}` : total
  const none =
    shown.length > 0
      ? ''
      : html` <a href="${withParameters(query, (next) => {
          for (const name of [...next.keys()]) if (name !== 'view') next.delete(name)
        })}">Show all items</a>`
  return html`<div class="bar between"><p role="status">${shown.length === 0 ? 'Nothing was found.' : `${text}.`}${none} <a class="narrow" href="#filters">Filters</a></p><div class="bar">${actions}</div></div>`
}

function tree(found: MatchingItems, canChoose: boolean): Promise<Html> {
  const { trees, shown, chosen, query } = found
  const only = isFiltered(chosen) || query.has('filter') ? new Set(shown.map(({ id }) => id)) : null
  const root = findNode(trees, Number(query.get('feature')))
  return itemTree(root === null ? trees : [root], { query, only, canChoose })
}

/** Says that the page shows one branch alone. */
function focusNote({ trees, query }: MatchingItems): Html | '' {
  const root = findNode(trees, Number(query.get('feature')))
  if (root === null) return ''
  const all = withParameters(query, (next) => next.delete('feature'))
  return html`<p class="soft">Only ${root.type} ${itemName(root)}, ${root.title}. <a href="${all}">Show all items</a></p>`
}

function findNode(nodes: readonly ItemNode[], id: number): ItemNode | null {
  for (const node of nodes) {
    const found = node.id === id ? node : findNode(node.children, id)
    if (found !== null) return found
  }
  return null
}

/** Drafts and folders have no columns and no facets. */
async function otherHits({ run }: PageRequest, q: string): Promise<Html | ''> {
  const found = await Promise.all(
    (['draft', 'folder'] as const).map((type) => run('search.fast', { q, type, limit: 10 })),
  )
  const hits = found.flatMap(({ results }) => results)
  if (hits.length === 0) return ''
  return html`<h2>Drafts and folders</h2><ul>${hits.map(({ type, id, title }) => html`<li><a href="${hitPath(type, id)}">${title}</a> <span class="soft">${type}</span></li>`)}</ul>`
}

/** How old the items are. */
function syncAges(sync: ResultOf<'items.sync-status'>): Html[] {
  return sync.map(({ tracker, checkedAt }) =>
    checkedAt === null
      ? html`${describeItemsOf(tracker)} were not compared with the tracker yet. `
      : html`${describeItemsOf(tracker)} were compared with the tracker ${time(checkedAt)}. `,
  )
}

function syncFailures(sync: ResultOf<'items.sync-status'>): Html[] {
  return sync.flatMap(({ tracker, failure }) =>
    failure === null
      ? []
      : [
          html`<p class="notice warn" role="status">The last sync of ${describeItemsOf(tracker).toLowerCase()} failed: ${failure.text}</p>`,
        ],
  )
}
