import type { BriefingFigures, Figures } from '../../schemas'
import { collectBasisFigures } from './basis-figures'
import { blankNames, collectNames, type TitlesByName } from './item-names'
import { type Figure, parseFigures } from './parse-figures'

const MAX_WARNINGS = 20

/** Returns a warning for each figure of a text that is not in the basis. The names of items and the titles after them are not checked. */
export function checkFigures(text: string, figures: BriefingFigures): string[] {
  const plain = normalizeMarkdown(text)
  const basis = collectBasisFigures(figures)
  const strays = new Map<string, Figure>()
  const claims = blankRules(blankNames(plain, normalizeTitles(collectNames(figures))), figures.rules)
  for (const figure of parseFigures(claims)) {
    const key = `${figure.kind} ${figure.value} ${figure.unit}`
    if (!basis.has(figure) && !strays.has(key)) strays.set(key, figure)
  }
  const all = [...strays.values()]
  const named = all.slice(0, MAX_WARNINGS).map((figure) => formatWarning(figure, plain))
  const more = all.length - named.length
  return more > 0 ? [...named, `${more} more figures are not in the field basis.`] : named
}

const CONTEXT = 40

function formatWarning({ text, unit, at }: Figure, whole: string): string {
  const before = whole.slice(Math.max(0, at - CONTEXT), at)
  const after = whole.slice(at + text.length, at + text.length + CONTEXT)
  const excerpt = `${before}${text}${after}`.replace(/\s+/g, ' ').trim()
  const counted = unit !== null ? ` ${unit}s` : ''
  return `${text.trim()}${counted} is not in the basis: "…${excerpt}…"`
}

/** Removes Markdown escapes and invisible characters, and writes digits and percent signs in one form. */
function normalizeMarkdown(markdown: string): string {
  return normalizeDigits(
    markdown
      .replace(/\\([!-/:-@[-`{-~])/g, '$1')
      .replace(/&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));/gi, (_, hex?: string, decimal?: string) =>
        decodeCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal)),
      ),
  )
}

function decodeCodePoint(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
}

/** The sentences that explain how a figure is made contain numbers that are no claims about the work. */
function blankRules(text: string, rules: Figures['rules']): string {
  return Object.values(rules).reduce((rest, rule) => rest.replaceAll(rule, ' '.repeat(rule.length)), text)
}

function normalizeTitles(titles: TitlesByName): TitlesByName {
  return new Map([...titles].map(([name, title]) => [name, title === null ? null : toSingleLine(title)]))
}

function toSingleLine(text: string): string {
  return normalizeDigits(text.replace(/\s+/g, ' ').trim())
}

/** Writes digits of every script as `0` to `9` and percent signs as `%`, and removes invisible characters. */
function normalizeDigits(text: string): string {
  return text
    .replace(/\p{Cf}/gu, '')
    .replace(/[\uff05\u066a\ufe6a]/g, '%')
    .replace(/[^\P{Nd}0-9]/gu, toAsciiDigit)
}

const DIGIT = /^\p{Nd}$/u

/** The digits of a script are consecutive code points, beginning with zero. */
function toAsciiDigit(digit: string): string {
  const folded = digit.normalize('NFKC')
  if (/^[0-9]$/.test(folded)) return folded
  const code = digit.codePointAt(0)!
  let value = 0
  while (value < 9 && DIGIT.test(String.fromCodePoint(code - value - 1))) value++
  return String(value)
}
