import { type Html, html } from '../html'

/** Above and below the plotted area, in pixels: for a label above the highest mark, and for the labels of the axis. */
const TOP = 18
const BOTTOM = 26

export interface Plot {
  /** What the chart says, for those who do not see it. */
  label: string
  /** The question that it answers. */
  caption: Html | string
  /** The highest value that is shown. */
  most: number
  unit?: string
  /** Labels below the area; `at` is from 0 to 1. */
  marksBelow: readonly { at: number; text: string }[]
  height?: number
  /** Whether what is drawn has links. */
  hasLinks?: true
  /** What is drawn, from the places of values. */
  draw(place: Place): readonly Html[] | Html
}

export interface Place {
  /** Shares of the width, because a chart is as wide as its page. */
  x(share: number): string
  /** Pixels from the top. */
  y(value: number): number
}

/**
 * A chart with lines at round values. Its width is that of the page and its text has the size of other text, on a phone too: so all places
 * across are percentages.
 */
export function plot({ label, caption, most, unit = '', marksBelow, height = 220, hasLinks, draw }: Plot): Html {
  const ticks = roundValues(most)
  const top = ticks.at(-1)!
  const bottom = height - BOTTOM
  const y = (value: number) => round(bottom - (value / top) * (bottom - TOP))
  const x = (share: number) => `${round(share * 100)}%`
  return html`<figure><svg class="chart" height="${height}" role="${hasLinks ? 'group' : 'img'}" aria-label="${label}">
${ticks.map((tick) => html`<line class="axis" x1="0" x2="100%" y1="${y(tick)}" y2="${y(tick)}"/><text class="before" x="-6" y="${y(tick) + 4}">${tick}${unit}</text>`)}
${draw({ x, y })}
${marksBelow.map(({ at, text }) => html`<text class="${at > 0.96 ? 'end' : 'below'}" x="${x(at)}" y="${height - 8}">${text}</text>`)}
</svg><figcaption>${caption}</figcaption></figure>`
}

/** From 0 to at least `most` in four steps or so, each of 1, 2 or 5 times a power of ten. */
function roundValues(most: number): number[] {
  const least = Math.max(most, 1) / 4
  const power = 10 ** Math.floor(Math.log10(least))
  const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= least)!)
  return Array.from({ length: Math.ceil(Math.max(most, 1) / step) + 1 }, (_, index) => index * step)
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

/** What a color of a chart means. */
export function legend(className: string, text: string): Html {
  return html`<span class="key"><svg width="12" height="12" aria-hidden="true"><rect class="${className}" width="12" height="12"/></svg> ${text}</span>`
}
