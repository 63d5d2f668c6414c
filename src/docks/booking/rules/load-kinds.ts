import * as z from 'zod'
import { isRecord, parseJson } from '../../../kernel/json'
import { parsePairs } from '../../../kernel/text/pairs'

/** Values of the custom fields of a facility, by the names of the fields. */
export type CustomValues = Record<string, string | number>

/** The kinds of fields that a load has, with the type of a value in requests and answers. */
export interface Kinds {
  number: number
  text: string
  /** Words without spaces. In forms and tables they are one text, with spaces between them. */
  words: string[]
  /** In tables, and in what people read, it is one text: `temperature=-18; seal=A-7`. */
  values: CustomValues
}

/** How a value is stored: lists and records as one text. */
export type StoredValue<Value> = Value extends number ? number : string

interface Kind<Value> {
  /** The schema of a value in an answer; null only if `isNullable`. */
  shown: z.ZodType<Value>
  /** Whether an answer about an appointment has null for no value. Lists and records are empty then. */
  isNullable: boolean
  store(value: Value): StoredValue<Value> | null
  read(stored: StoredValue<Value> | null): Value | null
  /** A cell of a table: what the schema of the field takes. */
  parse(text: string): unknown
  /** A cell of a table. */
  format(value: Value): string | number
  /** For people to read. */
  describe(value: Value): string
}

export const loadKinds: { [Name in keyof Kinds]: Kind<Kinds[Name]> } = {
  number: {
    shown: z.int(),
    isNullable: true,
    store: (value) => value,
    read: (stored) => stored,
    parse: (text) => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text),
    format: (value) => value,
    describe: String,
  },
  text: {
    shown: z.string(),
    isNullable: true,
    store: (value) => (value === '' ? null : value),
    read: (stored) => stored,
    parse: (text) => text,
    format: (value) => value,
    describe: (value) => value,
  },
  words: {
    shown: z.array(z.string()),
    isNullable: false,
    store: (words) => (words.length === 0 ? null : words.join(' ')),
    read: splitWords,
    parse: (text) => text.split(/\s+/),
    format: (words) => words.join(' '),
    describe: (words) => words.join(', '),
  },
  values: {
    shown: z.record(z.string(), z.union([z.number(), z.string()])),
    isNullable: false,
    store: storeValues,
    read: (stored) => (stored === null ? {} : JSON.parse(stored)),
    parse: parseValues,
    format: formatValues,
    describe: (values) => formatPairs(values).join('; '),
  },
}

export function splitWords(text: string | null): string[] {
  return text?.split(' ') ?? []
}

/** In the order of their names, so that equal values are equal texts. */
function storeValues(values: CustomValues): string | null {
  const names = Object.keys(values).sort()
  return names.length === 0 ? null : JSON.stringify(Object.fromEntries(names.map((name) => [name, values[name]])))
}

const formatPairs = (values: CustomValues) => Object.entries(values).map(([name, value]) => `${name}=${value}`)

/** A value with a semicolon makes it JSON, so that the cell can be read again. */
function formatValues(values: CustomValues): string {
  return Object.values(values).some((value) => String(value).includes(';'))
    ? JSON.stringify(values)
    : formatPairs(values).join('; ')
}

function parseValues(text: string): unknown {
  if (text.startsWith('{')) return parseJsonRecord(text)
  return parsePairs(text.split(';').filter((pair) => pair.trim() !== '')) ?? text
}

function parseJsonRecord(text: string): unknown {
  const value = parseJson(text)
  return isRecord(value) ? value : text
}
