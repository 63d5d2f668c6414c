import type { Figures } from '../figures'
import { basisFigures } from './basis-figures'
import { type Figure, figuresInText } from './figures-in-text'
import { withPlainDigits } from './plain-digits'

const MOST_WARNINGS = 20

/** Names each figure of a text that the basis does not hold; empty where all of them are from it. Titles that follow their `#id` are quotes. */
export function checkFigures(text: string, figures: Figures): string[] {
  const plain = asRead(text)
  const basis = basisFigures(figures)
  const strays = new Map<string, Figure>()
  const claims = withoutRules(withoutTitles(plain, titlesOf(figures)), figures.rules)
  for (const figure of figuresInText(claims)) {
    const key = `${figure.kind} ${figure.value} ${figure.unit}`
    if (!basis.has(figure) && !strays.has(key)) strays.set(key, figure)
  }
  const all = [...strays.values()]
  const named = all.slice(0, MOST_WARNINGS).map((figure) => warningOn(figure, plain))
  const more = all.length - named.length
  return more > 0 ? [...named, `${more} more figures are not in the basis.`] : named
}

const CONTEXT = 40

function warningOn({ text, unit, at }: Figure, whole: string): string {
  const before = whole.slice(Math.max(0, at - CONTEXT), at)
  const after = whole.slice(at + text.length, at + text.length + CONTEXT)
  const excerpt = `${before}${text}${after}`.replace(/\s+/g, ' ').trim()
  const counted = unit !== null ? ` ${unit}s` : ''
  return `${text.trim()}${counted} is not in the basis: "…${excerpt}…"`
}

/** The text as a reader sees it: without Markdown's backslashes and what is not seen, its digits and percent signs in one form. */
function asRead(markdown: string): string {
  return withPlainDigits(
    markdown
      .replace(/\\([!-/:-@[-`{-~])/g, '$1')
      .replace(/&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));/gi, (_, hex?: string, decimal?: string) =>
        characterOf(hex ? Number.parseInt(hex, 16) : Number(decimal)),
      ),
  )
}

function characterOf(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
}

/** A sentence of ours on how a figure is made claims nothing of the work. */
function withoutRules(text: string, rules: Figures['rules']): string {
  return Object.values(rules).reduce((rest, rule) => rest.replaceAll(rule, ' '.repeat(rule.length)), text)
}

function titlesOf({
  features,
  blockers,
  recentlyCompleted,
  staleItems,
  unestimated,
  changes,
}: Figures): Map<number, string> {
  const titles = new Map<number, string>()
  for (const { itemId, evidence } of blockers) {
    const lead = `waits for #${itemId} `
    if (itemId !== null && evidence.startsWith(lead)) titles.set(itemId, asLine(evidence.slice(lead.length)))
  }
  const changed = changes ? [changes.completed, changes.started, changes.added] : []
  for (const { id, title } of [features, blockers, recentlyCompleted, staleItems, unestimated, ...changed].flat())
    titles.set(id, asLine(title))
  return titles
}

function asLine(text: string): string {
  return withPlainDigits(text.replace(/\s+/g, ' ').trim())
}

/** Each title that stands right behind its `#id` is blanked; all else stays at its place. */
function withoutTitles(text: string, titles: ReadonlyMap<number, string>): string {
  let kept = ''
  let at = 0
  for (const match of text.matchAll(/#(\d+)[\s*_"'`“‘:,–—(-]{0,4}/g)) {
    const title = titles.get(Number(match[1]))
    const start = match.index + match[0].length
    if (!title || start < at || !beginsWith(text.slice(start, start + title.length + 1), title)) continue
    kept += text.slice(at, start) + ' '.repeat(title.length)
    at = start + title.length
  }
  return kept + text.slice(at)
}

/** A title `5` is no quote at the beginning of `55 points`. */
function beginsWith(text: string, title: string): boolean {
  return (
    text.slice(0, title.length).toLowerCase() === title.toLowerCase() &&
    !(/[\p{L}\p{N}]$/u.test(title) && /^[\p{L}\p{N}%]/u.test(text.slice(title.length)))
  )
}
