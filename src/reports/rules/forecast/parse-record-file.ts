import { StudioError } from '../../../kernel'
import { parseCsv } from '../../../kernel/text/csv'

/** Reads the finished items of a CSV file: a column `finished` with days or instants, and perhaps `points`. Rows without a day are not finished. */
export function parseRecordFile(text: string, name: string): { record: { finished: string; points: number | null }[] } {
  const [head, ...rows] = parseCsv(text.replace(/^\ufeff/, ''))
  const columns = (head?.cells ?? []).map((cell) => cell.trim().toLowerCase())
  const [finishedAt, pointsAt] = [columns.indexOf('finished'), columns.indexOf('points')]
  if (finishedAt < 0)
    throw new StudioError('invalid', `${name} has no column "finished".`, {
      hint: 'Its first line names the columns, and "finished" has dates such as 2026-11-29.',
    })
  const record = rows.flatMap(({ cells, line }) => {
    const finished = (cells[finishedAt] ?? '').trim()
    if (finished === '') return []
    if (!DAY.test(finished) || Number.isNaN(Date.parse(finished)))
      throw new StudioError('invalid', `${name}, line ${line}: "${finished.slice(0, 40)}" is not a date.`, {
        hint: 'Write dates as 2026-11-29.',
      })
    const points = Number(cells[pointsAt] ?? '')
    return [{ finished: finished.slice(0, 10), points: points > 0 ? points : null }]
  })
  return { record }
}

const DAY = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]{1,20}Z?)?$/
