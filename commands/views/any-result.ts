import { type Canvas, facts, printable, table } from '../layout'

/** Lists as tables, all else as facts: good enough where a result is flat. */
export function renderAnyResult(result: unknown, canvas: Canvas): string {
  if (Array.isArray(result))
    return result.length === 0 ? 'nothing\n' : renderRows(result as Record<string, unknown>[], canvas)
  const pairs = Object.entries(result as Record<string, unknown>).map(
    ([name, value]) => [name, formatValue(value)] as const,
  )
  return facts(pairs, canvas)
}

function renderRows(rows: readonly Record<string, unknown>[], canvas: Canvas): string {
  const names = Object.keys(rows[0]!)
  return table(
    rows,
    names.map((name) => ({ title: name, text: (row) => formatValue(row[name]) ?? '' })),
    canvas,
  )
}

function formatValue(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return printable(typeof value === 'object' ? JSON.stringify(value) : String(value))
}
