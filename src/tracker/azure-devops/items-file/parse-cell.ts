import { Temporal } from 'temporal-polyfill'
import { DAY_MS } from '../../../kernel/time'
import type { DayOrder } from '../../tracker'
import { parseInstant, parsePerson } from '../field-values'
import type { FileFieldKind } from './imported-fields'

/** How the cells of a file are written. */
export interface CellFormat {
  /** A comma stands before the decimals: it does not stand between the cells. */
  hasDecimalComma: boolean
  dayOrder: DayOrder | null
  timeZone: string
}

/** What a cell cannot be read as: a text that follows the name of its column. */
export class UnreadableCell extends Error {}

/** A cell that holds something, as the tracker would tell it over the wire. */
export function parseCell(kind: FileFieldKind, cell: string, form: CellFormat): unknown {
  switch (kind) {
    case 'number':
    case 'whole':
      return parseNumberCell(cell.trim(), kind, form)
    case 'date':
      return parseInstantCell(cell, form).at
    case 'person':
      return parsePerson(cell.trim())
    case 'long':
      return cell
    default:
      return cell.trim()
  }
}

function parseNumberCell(text: string, kind: 'number' | 'whole', { hasDecimalComma }: CellFormat): number {
  const plain = hasDecimalComma ? text.replace(',', '.') : text
  const number = /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : Number.NaN
  if (Number.isFinite(number) && (kind === 'number' || Number.isInteger(number))) return number
  throw new UnreadableCell(`${quote(text)} is no ${kind === 'whole' ? 'whole ' : ''}number`)
}

const DATE_PATTERN =
  /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?:,?\s+(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?(?:[\s\u202f]*([ap])\.?m\.?)?)?$/i
const ISO_DATE_PATTERN = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?$/

/** A moment, and how much later than it the true one may be. */
export interface CellInstant {
  at: string
  precisionMs: number
}

/** With a zone it is that instant; without, what the clock of `timeZone` showed. */
export function parseInstantCell(cell: string, form: CellFormat): CellInstant {
  const text = cell.trim()
  if (/^\d{4}-\d{2}-\d{2}T.*(?:z|[+-]\d{2}:?\d{2})$/i.test(text)) {
    const at = parseInstant(text)
    if (at !== null) return { at, precisionMs: /:\d{2}\.\d/.test(text) ? 1 : 1_000 }
  }
  const parts = ISO_DATE_PATTERN.test(text) ? parseIsoDate(text) : parseLocalDate(text, form.dayOrder)
  const wall = parts && toPlainDateTime(parts)
  if (!parts || !wall) throw new UnreadableCell(`${quote(text)} is no date`)
  const at = new Date(wall.toZonedDateTime(form.timeZone).epochMilliseconds).toISOString()
  return { at, precisionMs: parts.hour === undefined ? DAY_MS : parts.second === undefined ? 60_000 : 1_000 }
}

interface DateParts {
  year: number
  month: number
  day: number
  hour?: number
  minute?: number
  second?: number
}

function parseIsoDate(text: string): DateParts {
  const [year, month, day, hour, minute, second] = text.split(/[-T :.]/).map(Number)
  return { year: year!, month: month!, day: day!, hour, minute, second }
}

function parseLocalDate(text: string, order: DayOrder | null): DateParts | null {
  const [, first, separator, second, year, hour, minute, seconds, half] = DATE_PATTERN.exec(text) ?? []
  if (first === undefined) return null
  const isDayFirst = separator === '.' || order === 'dmy'
  const [day, month] = isDayFirst ? [first, second] : [second, first]
  const date = { year: Number(year), month: Number(month), day: Number(day) }
  if (hour === undefined) return date
  if (half && (Number(hour) < 1 || Number(hour) > 12)) return null
  const afternoon = half ? (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hour)
  return {
    ...date,
    hour: afternoon,
    minute: Number(minute),
    ...(seconds === undefined ? {} : { second: Number(seconds) }),
  }
}

function toPlainDateTime({ hour = 0, minute = 0, second = 0, ...date }: DateParts): Temporal.PlainDateTime | null {
  try {
    return Temporal.PlainDateTime.from({ ...date, hour, minute, second }, { overflow: 'reject' })
  } catch {
    return null
  }
}

/**
 * Whether the day or the month comes first, as far as the dates tell: `13/4/2026` does, `3/4/2026` does not. `null` where none needs
 * it, or all fit one order; a date that could be either is given back as `doubtful`.
 */
export function detectDayOrder(cells: Iterable<string>): { order: DayOrder | null; doubtful: string | null } {
  let doubtful: string | null = null
  for (const cell of cells) {
    const [, first, separator, second] = DATE_PATTERN.exec(cell.trim()) ?? []
    if (first === undefined || separator === '.' || first === second) continue
    if (Number(first) > 12) return { order: 'dmy', doubtful: null }
    if (Number(second) > 12) return { order: 'mdy', doubtful: null }
    doubtful ??= cell.trim()
  }
  return { order: null, doubtful }
}

const MAX_QUOTED_LENGTH = 40

/** A value as a refusal shows it. */
export function quote(text: string): string {
  return JSON.stringify(text.length > MAX_QUOTED_LENGTH ? `${text.slice(0, MAX_QUOTED_LENGTH)}…` : text)
}
