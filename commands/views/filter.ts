import type { z } from 'zod'
import type { deleteFilter } from '../../src/items/operations/delete-filter'
import type { getWorkingFilter } from '../../src/items/operations/get-working-filter'
import type { saveFilter } from '../../src/items/operations/save-filter'
import { pluralize } from '../../src/kernel/text'
import { type Canvas, facts, printableLine, table } from '../layout'

type SavedFilter = z.infer<typeof saveFilter.output>
type Criteria = SavedFilter['criteria']

export function filters(list: readonly SavedFilter[], canvas: Canvas): string {
  if (list.length === 0) return 'No saved filters. Save one: studio filter save <name> --state <text>\n'
  return table(
    list,
    [
      { title: 'ID', text: ({ id }) => String(id), align: 'right' },
      { title: 'NAME', text: ({ name }) => name, shrink: 'cut' },
      { title: 'STATE', text: ({ criteria }) => criteria.state ?? '' },
      { title: 'ASSIGNED TO', text: ({ criteria }) => criteria.assignedTo ?? '' },
      { title: 'SEARCH', text: ({ criteria }) => criteria.search ?? '' },
    ],
    canvas,
  )
}

export function savedFilter({ id, name, criteria }: SavedFilter, { paint }: Canvas): string {
  const what = `filter ${id}, ${paint.strong(printableLine(name))}`
  return `${paint.good('✓')} Saved ${what}: ${words(criteria)}\nUse it: studio item list --filter ${id}\n`
}

export function deletedFilter(answer: z.infer<typeof deleteFilter.output>, { paint }: Canvas): string {
  const what = `filter ${answer.id}, ${paint.strong(printableLine(answer.name))}`
  return answer.deleted ? `${paint.good('✓')} Deleted ${what}.\n` : `Would delete ${what}.\n`
}

export function workingFilter(shown: z.infer<typeof getWorkingFilter.output>, canvas: Canvas): string {
  const { criteria, itemCount, updatedAt } = shown
  if (updatedAt === null) {
    return `No working filter is set: all ${pluralize(itemCount, 'cached item')} pass.\nSet one: studio filter working --state <text>\n`
  }
  return [
    facts(
      [
        ['Filter', words(criteria)],
        ['Pass it', pluralize(itemCount, 'cached item')],
        ['Set at', updatedAt],
      ],
      canvas,
    ),
    '\nIt applies where you name it: studio item list --filter working\n',
  ].join('')
}

function words({ state, assignedTo, search }: Criteria): string {
  const parts = [
    state === null ? null : `state ${state}`,
    assignedTo === null ? null : `assigned to ${assignedTo}`,
    search === null ? null : `holding ${search}`,
  ]
  return printableLine(parts.filter((part) => part !== null).join(', '))
}
