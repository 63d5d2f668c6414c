import type { Colors } from '../../terminal/layout'

/** `████░░░░░░`. Full only at 100 %, and never empty above 0 %. */
export function renderBar(share: number, cells: number): string {
  const rounded = Math.round(share * cells)
  const filled = share >= 1 ? cells : share <= 0 ? 0 : Math.min(cells - 1, Math.max(1, rounded))
  return '█'.repeat(filled) + '░'.repeat(cells - filled)
}

export function renderColoredBar(share: number, cells: number, colors: Colors): string {
  const text = renderBar(share, cells)
  const filled = text.lastIndexOf('█') + 1
  const colour = share >= 1 ? colors.good : colors.accent
  return colour(text.slice(0, filled)) + colors.faint(text.slice(filled))
}
