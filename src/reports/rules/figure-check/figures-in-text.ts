import { FRACTION, fractionValue } from './fractions'
import { SPOKEN, spokenValue, WORD_BEGINS, WORD_ENDS } from './spoken-numbers'

/** A figure as a text says it. */
export interface Figure {
  /** `item`: the number of a work item. `day`: a calendar day, of which the year may be left out. */
  kind: 'item' | 'percent' | 'day' | 'month' | 'time' | 'number'
  /** In one form for each kind: `101`, `38`, `2026-11-18` or `11-18`, `2026-11`, `09:30`, `12.5`. */
  value: string
  /** What is counted, where the next words say it; null otherwise. */
  unit: Unit | null
  /** As it is written, and where. */
  text: string
  at: number
}

export const units = ['point', 'item', 'feature', 'blocker', 'day', 'week'] as const
export type Unit = (typeof units)[number]

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?'
const DAY = '[0-3]?\\d(?:st|nd|rd|th)?'
const DIGITS = '\\d{1,3}(?:[,\\u00a0\\u202f]\\d{3})+(?:\\.\\d+)?|\\d+(?:\\.\\d+)?'

/** In the order in which they are tried: what is part of a longer figure comes after it. */
const forms: readonly [name: string, source: string][] = [
  ['iso', `${WORD_BEGINS}\\d{4}-\\d{2}-\\d{2}`],
  ['dayFirst', `${WORD_BEGINS}(?<d1>${DAY})\\s+(?:of\\s+)?(?<m1>${MONTH})(?:,?\\s+(?<y1>\\d{4})${WORD_ENDS})?`],
  ['monthFirst', `${WORD_BEGINS}(?<m2>${MONTH})\\s+(?<d2>${DAY})${WORD_ENDS}(?:,?\\s+(?<y2>\\d{4})${WORD_ENDS})?`],
  ['month', `${WORD_BEGINS}(?<m3>${MONTH})\\s+(?<y3>\\d{4})${WORD_ENDS}`],
  ['time', `${WORD_BEGINS}(?<hour>[012]?\\d):(?<minute>[0-5]\\d)(?::[0-5]\\d)?${WORD_ENDS}`],
  ['item', '#(?<id>\\d+)'],
  ['percent', `(?<![\\p{L}\\p{N}.])(?<share>${DIGITS})\\s*(?:%|percent${WORD_ENDS}|per\\s+cent${WORD_ENDS})`],
  ['spokenPercent', `(?<spokenShare>${SPOKEN})\\s+(?:percent|per\\s+cent)${WORD_ENDS}`],
  ['part', `(?<fraction>${FRACTION})`],
  [
    'number',
    `(?<![\\p{L}\\p{N}.])(?<number>(?:(?<=[\\s(])-)?(?:${DIGITS}))(?<scale>\\s?(?:k|m|bn|million|billion|thousand)${WORD_ENDS})?`,
  ],
  ['spoken', `(?<spoken>${SPOKEN})`],
]

const anyForm = new RegExp(forms.map(([name, source]) => `(?<${name}_>${source})`).join('|'), 'giu')

/** Every figure of a text, in order: digits, percentages, dates, times, numbers of items, and numbers and fractions in words. */
export function figuresInText(text: string): Figure[] {
  const figures: Figure[] = []
  for (const match of unnumbered(text).matchAll(anyForm)) {
    const said = figureOf(match.groups as Groups)
    if (said)
      figures.push({ ...said, unit: unitAfter(text, match.index + match[0].length), text: match[0], at: match.index })
  }
  return figures
}

/** The numbers of a numbered list count its lines, and say nothing. */
function unnumbered(text: string): string {
  return text.replace(
    /^([^\S\n\r\u2028\u2029]*(?:>[^\S\n\r\u2028\u2029]*)?)(\d+)([.)]\s)/gm,
    (_, lead: string, digits: string, dot: string) => {
      return `${lead}${' '.repeat(digits.length)}${dot}`
    },
  )
}

type Groups = Record<string, string | undefined>

function figureOf(said: Groups): Pick<Figure, 'kind' | 'value'> | null {
  if (said['iso_']) return { kind: 'day', value: said['iso_'] }
  const day = said['d1'] ?? said['d2']
  if (day) return { kind: 'day', value: dayValue(day, said['m1'] ?? said['m2']!, said['y1'] ?? said['y2']) }
  if (said['m3']) return { kind: 'month', value: `${said['y3']}-${monthValue(said['m3'])}` }
  if (said['hour']) return { kind: 'time', value: `${said['hour'].padStart(2, '0')}:${said['minute']}` }
  if (said['id']) return { kind: 'item', value: String(Number(said['id'])) }
  if (said['share']) return { kind: 'percent', value: String(digitsValue(said['share'])) }
  if (said['spokenShare']) return { kind: 'percent', value: String(spokenValue(said['spokenShare'])) }
  if (said['fraction']) return { kind: 'percent', value: String(fractionValue(said['fraction'])) }
  if (said['number']) return { kind: 'number', value: String(digitsValue(said['number']) * scaleValue(said['scale'])) }
  // "One of the features" counts nothing.
  return said['spoken'] && !/^one$/i.test(said['spoken'])
    ? { kind: 'number', value: String(spokenValue(said['spoken'])) }
    : null
}

function dayValue(day: string, month: string, year: string | undefined): string {
  const monthAndDay = `${monthValue(month)}-${String(Number.parseInt(day, 10)).padStart(2, '0')}`
  return year ? `${year}-${monthAndDay}` : monthAndDay
}

function monthValue(month: string): string {
  return String(MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1).padStart(2, '0')
}

function digitsValue(digits: string): number {
  return Number(digits.replace(/[,\u00a0\u202f]/g, ''))
}

const scales: readonly [RegExp, number][] = [
  [/^(k|thousand)$/i, 1e3],
  [/^(m|million)$/i, 1e6],
  [/^(bn|billion)$/i, 1e9],
]

function scaleValue(scale: string | undefined): number {
  return scales.find(([form]) => form.test(scale?.trim() ?? ''))?.[1] ?? 1
}

const nouns: Record<Unit, string> = {
  point: 'points?',
  item: '(?:items?|stories|story|tasks?|bugs?)',
  feature: 'features?',
  blocker: 'blockers?',
  day: 'days?',
  week: 'weeks?',
}
const unitForms = units.map(
  (unit) =>
    [
      unit,
      new RegExp(`^[\\s*_-]{0,4}(?:(?:story|open|work|backlog)[ -]){0,2}${nouns[unit]}${WORD_ENDS}`, 'iu'),
    ] as const,
)

function unitAfter(text: string, at: number): Unit | null {
  const next = text.slice(at, at + 40)
  return unitForms.find(([, form]) => form.test(next))?.[0] ?? null
}
