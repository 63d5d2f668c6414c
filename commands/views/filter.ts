import type { ResultOf } from '../../src/catalog'
import { pluralize } from '../../src/kernel/text'
import { type Canvas, facts, printableLine, table } from '../layout'

type SavedFilter = ResultOf<'filters.save'>
type Criteria = SavedFilter['criteria']

export function renderFilters(list: readonly SavedFilter[], canvas: Canvas): string {
  if (list.length === 0) return 'No saved filters. Save one: studio filter save <name> --state <text>\n'
  return table(canvas, list, [
    { title: 'ID', text: ({ id }) => String(id), align: 'right' },
    { title: 'NAME', text: ({ name }) => name, shrink: 'cut' },
    { title: 'STATE', text: ({ criteria }) => criteria.state ?? '' },
    { title: 'ASSIGNED TO', text: ({ criteria }) => criteria.assignedTo ?? '' },
    { title: 'SEARCH', text: ({ criteria }) => criteria.search ?? '' },
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

function describeCriteria({ state, assignedTo, search }: Criteria): string {
  const parts = [
    state === null ? null : `state ${state}`,
    assignedTo === null ? null : `assigned to ${assignedTo}`,
    search === null ? null : `containing ${search}`,
  ]
  return printableLine(parts.filter((part) => part !== null).join(', '))
}
