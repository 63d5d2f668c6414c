import type { z } from 'zod'
import type { searchTracker } from '../../src/items/operations/search-tracker'
import { type Canvas, table } from '../layout'

export function renderTrackerSearch(answer: z.infer<typeof searchTracker.output>, canvas: Canvas): string {
  if (answer.results.length === 0)
    return 'The tracker finds nothing. Search what is cached here: studio search <words>\n'
  const rows = table(
    answer.results,
    [
      { title: 'ID', text: (item) => String(item.id), align: 'right' },
      { title: 'TYPE', text: (item) => item.type },
      { title: 'STATE', text: (item) => item.state },
      { title: 'ASSIGNED TO', text: (item) => item.assignedTo?.displayName ?? '' },
      { title: 'TITLE', text: (item) => item.title, shrink: 'cut' },
      { title: '', text: (item) => (item.localRev === 0 ? '' : 'cached'), color: (text) => canvas.colors.faint(text) },
    ],
    canvas,
  )
  const partial = answer.partial ? '; the tracker says that it has not looked everywhere' : ''
  return `${rows}\n${answer.results.length} of ${answer.total} found${partial}\n`
}
