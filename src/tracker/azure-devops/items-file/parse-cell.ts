import { Temporal } from 'temporal-polyfill'
import { DAY_MS } from '../../../kernel/time'
import type { DayOrder } from '../../tracker'
import { parseInstant, parsePerson } from '../field-values'
import type { FileFieldKind } from './imported-fields'

export interface CellFormat {
  /** Whether the decimal separator is a comma. It is if the cells are separated by another character. */
  hasDecimalComma: boolean
  dayOrder: DayOrder | null
  timeZone: string
}

/** Its message follows the name of the column. */
export class InvalidCellError extends Error {}

/** Parses a cell that is not empty into the value that the tracker's API would have. */
export function parseCell(kind: FileFieldKind, cell: string, format: CellFormat): unknown {
  switch (kind) {
    case 'number':
    case 'integer':
      return parseNumberCell(cell.trim(), kind, format)
    case 'date':
      return parseInstantCell(cell, format).at
    case 'person':
      return parsePerson(cell.trim())
    case 'long':
      return cell
    default:
      return cell.trim()
  }
}

function parseNumberCell(text: string, kind: 'number' | 'integer', { hasDecimalComma }: CellFormat): number {
  const plain = hasDecimalComma ? text.replace(',', '.') : text
  const number = /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : Number.NaN
  if (Number.isFinite(number) && (kind === 'number' || Number.isInteger(number))) return number
  throw new InvalidCellError(`${quote(text)} is not ${kind === 'integer' ? 'an integer' : 'a number'}`)
}

const DATE_PATTERN =
  /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?:,?\s+(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?(?:[\s\u202f]*([ap])\.?m\.?)?)?$/i
const ISO_DATE_PATTERN = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?$/

/** A time, and how much later the actual time may be. */
interface CellInstant {
  at: string
  precisionMs: number
}

/** A time without a zone is local time in `timeZone`. */
export function parseInstantCell(cell: string, format: CellFormat): CellInstant {
  const text = cell.trim()
  if (/^\d{4}-\d{2}-\d{2}T.*(?:z|[+-]\d{2}:?\d{2})$/i.test(text)) {
    const at = parseInstant(text)
    if (at !== null) return { at, precisionMs: /:\d{2}\.\d/.test(text) ? 1 : 1_000 }
  }
  const parts = ISO_DATE_PATTERN.test(text) ? parseIsoDate(text) : parseLocalDate(text, format.dayOrder)
  const local = parts && toPlainDateTime(parts)
  if (!parts || !local) throw new InvalidCellError(`${quote(text)} is not a date`)
  const at = new Date(local.toZonedDateTime(format.timeZone).epochMilliseconds).toISOString()
  return { at, precisionMs: parts.hour === undefined ? DAY_MS : parts.second === undefined ? 60_000 : 1_000 }
}

type DateParts = Record<'year' | 'month' | 'day', number> & Partial<Record<'hour' | 'minute' | 'second', number>>

function parseIsoDate(text: string): DateParts {
  const [year, month, day, hour, minute, second] = text.split(/[-T :.]/).map(Number)
  return { year: year!, month: month!, day: day!, hour, minute, second }
}

function parseLocalDate(text: string, order: DayOrder | null): DateParts | null {
  const [, first, separator, second, year, hour, minute, seconds, dayPeriod] = DATE_PATTERN.exec(text) ?? []
  if (first === undefined) return null
  const isDayFirst = separator === '.' || order === 'dmy'
  const [day, month] = isDayFirst ? [first, second] : [second, first]
  const date = { year: Number(year), month: Number(month), day: Number(day) }
  if (hour === undefined) return date
  if (dayPeriod && (Number(hour) < 1 || Number(hour) > 12)) return null
  const hour24 = dayPeriod ? (Number(hour) % 12) + (dayPeriod.toLowerCase() === 'p' ? 12 : 0) : Number(hour)
  return {
    ...date,
    hour: hour24,
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
 * Detects whether the day or the month comes first: `13/4/2026` shows it, `3/4/2026` does not. Without such a date, `order` is null, and
 * `ambiguous` is a date that can be read in both ways, if there is one.
 */
export function detectDayOrder(cells: Iterable<string>): { order: DayOrder | null; ambiguous: string | null } {
  let ambiguous: string | null = null
  for (const cell of cells) {
    const [, first, separator, second] = DATE_PATTERN.exec(cell.trim()) ?? []
    if (first === undefined || separator === '.' || first === second) continue
    if (Number(first) > 12) return { order: 'dmy', ambiguous: null }
    if (Number(second) > 12) return { order: 'mdy', ambiguous: null }
    ambiguous ??= cell.trim()
  }
  return { order: null, ambiguous }
}

const MAX_QUOTED_LENGTH = 40

/** Quotes and shortens a value for a message. */
export function quote(text: string): string {
  return JSON.stringify(text.length > MAX_QUOTED_LENGTH ? `${text.slice(0, MAX_QUOTED_LENGTH)}…` : text)
}
