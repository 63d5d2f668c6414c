import { StudioError } from '../../../kernel'
import { parseCsv } from '../../../kernel/text/csv'
import { fromDayNumber, toDayNumber } from './record'

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
    const refuse = (what: string, hint: string) =>
      new StudioError('invalid', `${name}, line ${line}: ${what}.`, { hint })
    const day = readDay(finished)
    if (day === null) throw refuse(`"${cut(finished)}" is not a date`, 'Write dates as 2026-11-29.')
    const estimate = (cells[pointsAt] ?? '').trim()
    const points = estimate === '' ? null : Number(estimate)
    if (points !== null && !(points >= 0 && points <= MAX_POINTS))
      throw refuse(
        `"${cut(estimate)}" is not a number of points`,
        `Write points as 3 or 0.5, at most ${MAX_POINTS}, or leave them empty.`,
      )
    return [{ finished: day, points }]
  })
  if (record.length === 0)
    throw new StudioError('invalid', `${name} has no finished items.`, {
      hint: 'Each line below the first is an item, with the day on which it was finished in the column "finished".',
    })
  return { record }
}

export const MAX_POINTS = 10_000
const DAY = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]{1,20}(?:Z|[+-]\d{2}:?\d{2})?)?$/
const OFFSET = /[+-]\d{2}:?\d{2}$/

/** The day in UTC; null if there is no such day, such as the 30th of February. */
function readDay(text: string): string | null {
  const day = text.slice(0, 10)
  const moment = Date.parse(OFFSET.test(text) ? text : day)
  const isDay = DAY.test(text) && !Number.isNaN(moment) && fromDayNumber(toDayNumber(day)) === day
  return isDay ? new Date(moment).toISOString().slice(0, 10) : null
}

function cut(text: string): string {
  return text.slice(0, 40)
}
