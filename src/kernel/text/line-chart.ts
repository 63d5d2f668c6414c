import { escapeHtml } from './text'

/** A line through points with `x` and `y` from 0 to 1, from the left to the right. */
export interface LineChart {
  /** What the chart says, for those who do not see it. */
  label: string
  points: readonly { x: number; y: number }[]
  /** What the line would be if all was right, from the lower left to the upper right. */
  hasDiagonal?: boolean
  /** Dashed lines down from the points, each with a text beside its top. */
  marks?: readonly { x: number; y: number; text: string }[]
  /** Texts below the chart. */
  below: readonly { x: number; text: string }[]
}

const HEIGHT = 240
const TOP = 16
const BOTTOM = 28
const TICKS = [0, 0.25, 0.5, 0.75, 1]

/**
 * An SVG image without a style or script of its own; the page has the rules of the class `chart`. All places across are percentages, so
 * that its text has the size of the page's on a phone too.
 */
export function drawLineChart({ label, points, hasDiagonal = false, marks = [], below }: LineChart): string {
  const across = (share: number) => `${round(share * 100)}%`
  const down = (share: number) => round(HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP))
  const line = (from: Point, to: Point, name: string) =>
    `<line class="${name}" x1="${across(from.x)}" y1="${down(from.y)}" x2="${across(to.x)}" y2="${down(to.y)}"/>`
  const text = (at: { x: string | number; y: number }, name: string, shown: string) =>
    `<text class="${name}" x="${at.x}" y="${at.y}">${escapeHtml(shown)}</text>`
  return [
    `<svg class="chart" height="${HEIGHT}" role="img" aria-label="${escapeHtml(label)}">`,
    ...TICKS.flatMap((tick) => [
      line({ x: 0, y: tick }, { x: 1, y: tick }, 'axis'),
      text({ x: -6, y: down(tick) + 4 }, 'before', `${tick * 100}%`),
    ]),
    hasDiagonal ? line({ x: 0, y: 0 }, { x: 1, y: 1 }, 'scope') : '',
    ...marks.flatMap(({ x, y, text: shown }) => [
      line({ x, y: 0 }, { x, y }, 'percentile'),
      text({ x: across(x), y: down(y) - 6 }, 'end', shown),
    ]),
    ...points.slice(1).map((to, i) => line(points[i]!, to, 'line')),
    ...below.map(({ x, text: shown }) => text({ x: across(x), y: HEIGHT - 8 }, x > 0.9 ? 'end' : 'below', shown)),
    '</svg>',
  ].join('')
}

interface Point {
  x: number
  y: number
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
