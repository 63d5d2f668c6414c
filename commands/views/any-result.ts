import { type Canvas, facts, printable, printableLine, table } from '../terminal/layout'

/** What was done as its message, a list as a table and an object as facts, for operations whose results are flat. */
export function renderAnyResult(result: unknown, canvas: Canvas): string {
  if (Array.isArray(result))
    return result.length === 0 ? 'nothing\n' : renderRows(result as Record<string, unknown>[], canvas)
  const done = getMessage(result as Record<string, unknown>)
  if (done !== null) return `${canvas.colors.good('✓')} ${printableLine(done)}\n`
  const pairs = Object.entries(result as Record<string, unknown>).map(
    ([name, value]) => [name, formatValue(value)] as const,
  )
  return facts(canvas, pairs)
}

/** The message of an answer that says no more. */
function getMessage({ status, message, ...rest }: Record<string, unknown>): string | null {
  return status === 'success' && typeof message === 'string' && Object.keys(rest).length === 0 ? message : null
}

function renderRows(rows: readonly Record<string, unknown>[], canvas: Canvas): string {
  const names = Object.keys(rows[0]!)
  return table(
    canvas,
    rows,
    names.map((name) => ({ title: name, text: (row) => formatValue(row[name]) ?? '' })),
  )
}

function formatValue(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return printable(typeof value === 'object' ? JSON.stringify(value) : String(value))
}
