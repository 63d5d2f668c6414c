import type { Paint } from '../../paint'

/** `████░░░░░░`. Full only when all is done, and never empty once something is. */
export function bar(share: number, cells: number): string {
  const rounded = Math.round(share * cells)
  const filled = share >= 1 ? cells : share <= 0 ? 0 : Math.min(cells - 1, Math.max(1, rounded))
  return '█'.repeat(filled) + '░'.repeat(cells - filled)
}

export function paintedBar(share: number, cells: number, paint: Paint): string {
  const text = bar(share, cells)
  const filled = text.lastIndexOf('█') + 1
  const colour = share >= 1 ? paint.good : paint.accent
  return colour(text.slice(0, filled)) + paint.faint(text.slice(filled))
}
