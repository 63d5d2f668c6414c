import type { ResultOf } from '../../../src/catalog'
import { formatPercent } from '../../../src/reports/rules/wording'
import { type Canvas, printableLine, table } from '../../terminal/layout'

type Priorities = ResultOf<'priorities.get'>

export function renderPriorities({ designated, available, gone }: Priorities, canvas: Canvas): string {
  const places = new Map(designated.map((id, index) => [id, index + 1]))
  if (available.length === 0) return 'There are no features in the workspace. Import one: studio import <featureId>\n'
  const rows = table(canvas, available, [
    { title: 'PRIORITY', text: ({ id }) => String(places.get(id) ?? '-'), align: 'right' },
    { title: 'FEATURE', text: ({ reference, title }) => `${reference} ${title}`, shrink: 'cut' },
    { title: 'STATE', text: ({ state }) => state },
    {
      title: 'DONE',
      text: ({ completion }) => (completion === null ? '-' : formatPercent(completion)),
      align: 'right',
    },
  ])
  const missing = gone
    .map(({ reference }) => `${printableLine(reference)} has a priority but is no longer a feature.\n`)
    .join('')
  const hint =
    designated.length === 0
      ? '\nNo feature has a priority. To set priorities: studio priorities set <featureId…>\n'
      : ''
  return rows + missing + hint
}
