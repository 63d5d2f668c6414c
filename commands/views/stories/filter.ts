import type { ResultOf } from '../../../src/catalog'
import { pluralize } from '../../../src/kernel/text/text'
import { type Canvas, facts, printableLine, table } from '../../terminal/layout'

type SavedFilter = ResultOf<'filters.save'>
type SavedView = ResultOf<'views.get'>
type Criteria = SavedFilter['criteria']

export function renderFilters(list: readonly SavedFilter[], canvas: Canvas): string {
  if (list.length === 0) return 'No saved filters. Save one: studio filter save <name> --state <text>\n'
  return table(canvas, list, [
    { title: 'ID', text: ({ id }) => String(id), align: 'right' },
    { title: 'NAME', text: ({ name }) => name, shrink: 'cut' },
    { title: 'FILTER', text: ({ criteria }) => describeCriteria(criteria), shrink: 'wrap' },
  ])
}

export function renderSavedFilter({ id, name, criteria }: SavedFilter, { colors }: Canvas): string {
  const what = `filter ${id}, ${colors.strong(printableLine(name))}`
  return `${colors.good('✓')} Saved ${what}: ${describeCriteria(criteria)}\nUse it: studio item list --filter ${id}\n`
}

export function renderDeletedFilter(answer: ResultOf<'filters.delete'>, { colors }: Canvas): string {
  const what = `filter ${answer.id}, ${colors.strong(printableLine(answer.name))}`
  return answer.deleted ? `${colors.good('✓')} Deleted ${what}.\n` : `Would delete ${what}.\n`
}

export function renderWorkingFilter(shown: ResultOf<'filters.working'>, canvas: Canvas): string {
  const { criteria, itemCount, updatedAt } = shown
  if (updatedAt === null) {
    return `No working filter is set: it would match all ${pluralize(itemCount, 'cached item')}.\nSet one: studio filter working --state <text>\n`
  }
  return [
    facts(canvas, [
      ['Filter', describeCriteria(criteria)],
      ['Matches', pluralize(itemCount, 'cached item')],
      ['Set at', updatedAt],
    ]),
    '\nTo apply it: studio item list --filter working\n',
  ].join('')
}

const LABELS: { [Name in keyof Criteria]: string } = {
  state: 'state',
  assignedTo: 'assigned to',
  search: 'containing',
  type: 'type',
  area: 'area',
  iteration: 'iteration',
  tag: 'tag',
  parent: 'parent',
}

function describeCriteria(criteria: Criteria): string {
  const parts = Object.entries(LABELS).flatMap(([name, label]) => {
    const value = criteria[name as keyof Criteria]
    return value === null ? [] : `${label} ${value}`
  })
  return printableLine(parts.join(', '))
}

export function renderViews(list: readonly SavedView[], canvas: Canvas): string {
  if (list.length === 0) return 'No saved views. Save one: studio view save <name> --state open --sort -priority\n'
  return table(canvas, list, [
    { title: 'ID', text: ({ id }) => String(id), align: 'right' },
    { title: 'NAME', text: ({ name }) => name, shrink: 'cut' },
    { title: 'FILTER', text: ({ criteria }) => describeCriteria(criteria), shrink: 'wrap' },
    { title: 'COLUMNS', text: ({ columns }) => columns.join(', '), shrink: 'wrap' },
    { title: 'SORT', text: ({ sort }) => sort ?? '' },
  ])
}

export function renderView(view: SavedView, canvas: Canvas): string {
  const shown = facts(canvas, [
    ['View', `${view.id}, ${canvas.colors.strong(printableLine(view.name))}`],
    ['Filter', describeCriteria(view.criteria) || 'none: every cached item'],
    ['Columns', view.columns.join(', ')],
    ['Sort', printableLine(view.sort ?? 'id')],
  ])
  return `${shown}\nList its items: studio item list --view ${view.id}\n`
}

export function renderSavedView(view: SavedView, canvas: Canvas): string {
  const what = `view ${view.id}, ${canvas.colors.strong(printableLine(view.name))}`
  return `${canvas.colors.good('✓')} Saved ${what}.\nUse it: studio item list --view ${view.id}\n`
}

export function renderDeletedView(answer: ResultOf<'views.delete'>, { colors }: Canvas): string {
  const what = `view ${answer.id}, ${colors.strong(printableLine(answer.name))}`
  return answer.deleted ? `${colors.good('✓')} Deleted ${what}.\n` : `Would delete ${what}.\n`
}
