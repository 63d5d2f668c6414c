import { type Canvas, facts, printable, table } from '../terminal/layout'

/** A list as a table and an object as facts, for operations whose results are flat. */
export function renderAnyResult(result: unknown, canvas: Canvas): string {
  if (Array.isArray(result))
    return result.length === 0 ? 'nothing\n' : renderRows(result as Record<string, unknown>[], canvas)
  const pairs = Object.entries(result as Record<string, unknown>).map(
    ([name, value]) => [name, formatValue(value)] as const,
  )
  return facts(canvas, pairs)
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
