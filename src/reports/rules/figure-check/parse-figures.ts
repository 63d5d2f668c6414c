import { formatPercent } from '../wording'

const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

const WORD_VALUES = new Map<string, number>([
  ...ONES.map((word, value) => [word, value] as const),
  ...TENS.map((word, index) => [word, (index + 2) * 10] as const),
  ['dozen', 12],
  ['hundred', 100],
  ['thousand', 1000],
])

const word = [...WORD_VALUES.keys()].sort((a, b) => b.length - a.length).join('|')

/** Word boundaries. Unlike `\\b` they also match next to an underscore, which is markup in Markdown. */
const WORD_START = '(?<![\\p{L}\\p{N}])'
const WORD_END = '(?![\\p{L}\\p{N}])'

/** `twelve`, `twenty-one`, `two hundred and six`; as the source of a regular expression. */
const NUMBER_WORDS = `${WORD_START}(?:${word})(?:(?:[ -]|\\s+and\\s+)(?:${word}))*${WORD_END}`

function parseNumberWords(text: string): number {
  let [sum, group] = [0, 0]
  for (const part of text.toLowerCase().match(/[a-z]+/g) ?? []) {
    const value = WORD_VALUES.get(part)
    if (value === undefined) continue
    if (value === 1000) [sum, group] = [sum + Math.max(group, 1) * 1000, 0]
    else if (value === 100 || part === 'dozen') group = Math.max(group, 1) * value
    else group += value
  }
  return sum + group
}

const DENOMINATORS = new Map([
  ['third', 3],
  ['quarter', 4],
  ['fourth', 4],
  ['fifth', 5],
  ['sixth', 6],
  ['seventh', 7],
  ['eighth', 8],
  ['ninth', 9],
  ['tenth', 10],
])
const DENOMINATOR = [...DENOMINATORS.keys()].join('|')

/** "The second half" is a time and "a third feature" a position: neither is an amount. */
const HALF = `(?<!(?:first|second|former|latter|other|last|next)\\s)${WORD_START}half(?=\\s+(?:of|the|its|all|are|is|were|was|done)${WORD_END})`
const FEW_PARTS = `${WORD_START}(?:a|one|two|three|four|five|six|seven|eight|nine)[ -](?:${DENOMINATOR})(?:s${WORD_END}|(?=\\s+of${WORD_END}))`

/** `half of`, `two thirds`, `a quarter of`, `¾`; as the source of a regular expression. */
const FRACTION = `${HALF}|${FEW_PARTS}|[¼½¾⅐-⅞]`

/** In percent, rounded as in a report: 67 for two thirds. */
function parseFraction(text: string): number {
  const [count, whole] = splitFraction(text.toLowerCase())
  return Number.parseInt(formatPercent(count / whole), 10)
}

function splitFraction(text: string): [number, number] {
  if (text === 'half') return [1, 2]
  const [count = '', name = ''] = text.split(/[ -]/)
  if (name !== '') return [parseNumberWords(count) || 1, DENOMINATORS.get(name.replace(/s$/, ''))!]
  const [above, below] = text.normalize('NFKC').split('\u2044')
  return [Number(above), Number(below)]
}

/** A figure found in a text. */
export interface Figure {
  /** `item`: a work item ID. `day`: a calendar date, with or without a year. */
  kind: 'item' | 'percent' | 'day' | 'month' | 'time' | 'number'
  /** Normalized: `101`, `38`, `2026-11-18` or `11-18`, `2026-11`, `09:30`, `12.5`. */
  value: string
  /** What is counted, if the next words say so. */
  unit: Unit | null
  /** As written, and its position. */
  text: string
  at: number
}

const UNITS = ['point', 'item', 'feature', 'blocker', 'day', 'week'] as const
export type Unit = (typeof UNITS)[number]

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?'
const DAY_OF_MONTH = '[0-3]?\\d(?:st|nd|rd|th)?'
const DIGITS = '\\d{1,3}(?:[,\\u00a0\\u202f]\\d{3})+(?:\\.\\d+)?|\\d+(?:\\.\\d+)?'

/** Tried in this order: a form that is part of a longer form comes after it. */
const FORMS: readonly [name: string, source: string][] = [
  ['iso', `${WORD_START}\\d{4}-\\d{2}-\\d{2}`],
  ['dayFirst', `${WORD_START}(?<d1>${DAY_OF_MONTH})\\s+(?:of\\s+)?(?<m1>${MONTH})(?:,?\\s+(?<y1>\\d{4})${WORD_END})?`],
  [
    'monthFirst',
    `${WORD_START}(?<m2>${MONTH})\\s+(?<d2>${DAY_OF_MONTH})${WORD_END}(?:,?\\s+(?<y2>\\d{4})${WORD_END})?`,
  ],
  ['month', `${WORD_START}(?<m3>${MONTH})\\s+(?<y3>\\d{4})${WORD_END}`],
  ['time', `${WORD_START}(?<hour>[012]?\\d):(?<minute>[0-5]\\d)(?::[0-5]\\d)?${WORD_END}`],
  ['item', '#(?<id>\\d+)'],
  ['percent', `(?<![\\p{L}\\p{N}.])(?<share>${DIGITS})\\s*(?:%|percent${WORD_END}|per\\s+cent${WORD_END})`],
  ['spokenPercent', `(?<spokenShare>${NUMBER_WORDS})\\s+(?:percent|per\\s+cent)${WORD_END}`],
  ['part', `(?<fraction>${FRACTION})`],
  [
    'number',
    `(?<![\\p{L}\\p{N}.])(?<number>(?:(?<=[\\s(])-)?(?:${DIGITS}))(?<scale>\\s?(?:k|m|bn|million|billion|thousand)${WORD_END})?`,
  ],
  ['spoken', `(?<spoken>${NUMBER_WORDS})`],
]

const ANY_FORM = new RegExp(FORMS.map(([name, source]) => `(?<${name}_>${source})`).join('|'), 'giu')

/** Finds every figure of a text, in order: numbers, percentages, dates, times, item IDs, and numbers and fractions in words. */
export function parseFigures(text: string): Figure[] {
  const figures: Figure[] = []
  for (const match of blankListNumbers(text).matchAll(ANY_FORM)) {
    const figure = toFigure(match.groups as Groups)
    if (figure)
      figures.push({
        ...figure,
        unit: findUnitAfter(text, match.index + match[0].length),
        text: match[0],
        at: match.index,
      })
  }
  return figures
}

/** The numbers of an ordered list are no figures. */
function blankListNumbers(text: string): string {
  return text.replace(
    /^([^\S\n\r\u2028\u2029]*(?:>[^\S\n\r\u2028\u2029]*)?)(\d+)([.)]\s)/gm,
    (_, lead: string, digits: string, dot: string) => {
      return `${lead}${' '.repeat(digits.length)}${dot}`
    },
  )
}

type Groups = Record<string, string | undefined>

function toFigure(groups: Groups): Pick<Figure, 'kind' | 'value'> | null {
  if (groups['iso_']) return { kind: 'day', value: groups['iso_'] }
  const day = groups['d1'] ?? groups['d2']
  if (day) return { kind: 'day', value: formatDay(day, groups['m1'] ?? groups['m2']!, groups['y1'] ?? groups['y2']) }
  if (groups['m3']) return { kind: 'month', value: `${groups['y3']}-${formatMonth(groups['m3'])}` }
  if (groups['hour']) return { kind: 'time', value: `${groups['hour'].padStart(2, '0')}:${groups['minute']}` }
  if (groups['id']) return { kind: 'item', value: String(Number(groups['id'])) }
  if (groups['share']) return { kind: 'percent', value: String(parseDigits(groups['share'])) }
  if (groups['spokenShare']) return { kind: 'percent', value: String(parseNumberWords(groups['spokenShare'])) }
  if (groups['fraction']) return { kind: 'percent', value: String(parseFraction(groups['fraction'])) }
  if (groups['number'])
    return {
      kind: 'number',
      value: String(parseDigits(groups['number']) * (SCALES[(groups['scale'] ?? '').trim().toLowerCase()] ?? 1)),
    }
  // "One of the features" is no count.
  return groups['spoken'] && !/^one$/i.test(groups['spoken'])
    ? { kind: 'number', value: String(parseNumberWords(groups['spoken'])) }
    : null
}

function formatDay(day: string, month: string, year: string | undefined): string {
  const monthAndDay = `${formatMonth(month)}-${String(Number.parseInt(day, 10)).padStart(2, '0')}`
  return year ? `${year}-${monthAndDay}` : monthAndDay
}

function formatMonth(month: string): string {
  return String(MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1).padStart(2, '0')
}

function parseDigits(digits: string): number {
  return Number(digits.replace(/[,\u00a0\u202f]/g, ''))
}

const SCALES: Readonly<Record<string, number>> = { k: 1e3, thousand: 1e3, m: 1e6, million: 1e6, bn: 1e9, billion: 1e9 }

const UNIT_NOUNS: Record<Unit, string> = {
  point: 'points?',
  item: '(?:items?|stories|story|tasks?|bugs?)',
  feature: 'features?',
  blocker: 'blockers?',
  day: 'days?',
  week: 'weeks?',
}
const UNIT_FORMS = UNITS.map(
  (unit) =>
    [
      unit,
      new RegExp(`^[\\s*_-]{0,4}(?:(?:story|open|work|backlog)[ -]){0,2}${UNIT_NOUNS[unit]}${WORD_END}`, 'iu'),
    ] as const,
)

function findUnitAfter(text: string, at: number): Unit | null {
  const next = text.slice(at, at + 40)
  return UNIT_FORMS.find(([, form]) => form.test(next))?.[0] ?? null
}
