import { equalsIgnoringCase } from '../../../kernel/text/text'
import { splitTags } from '../../services/update-after-reading'
import type { ProcessField } from '../../tracker'
import type { BoardField } from './project-board'

const PROCESS_KINDS = {
  number: 'number',
  text: 'string',
  date: 'date',
  option: 'string',
  options: 'list',
  iteration: 'string',
} as const

/** A field of the board or of the organization, as the process lists it. */
export function createCustomField({ id, name, kind }: BoardField): ProcessField {
  return { referenceName: id, name, kind: PROCESS_KINDS[kind], readOnly: false, property: null }
}

/** The value of a field as GitHub takes it, by the kind of the field; null clears it. Otherwise why it cannot have the value. */
export type ParsedValue =
  | { value: { kind: BoardField['kind']; text: string | number | readonly string[] } | null }
  | { problem: string }

export function parseValue(field: BoardField, value: unknown): ParsedValue {
  if (value === null || value === '') return { value: null }
  const { name, kind, options } = field
  const text = String(value).trim()
  if (kind === 'number') {
    const number = Number(text)
    return Number.isFinite(number) && text !== ''
      ? { value: { kind, text: number } }
      : { problem: `"${text}" is no number for ${name}.` }
  }
  if (kind === 'date') {
    const [date] = /^\d{4}-\d{2}-\d{2}/.exec(text) ?? []
    const isDate = date !== undefined && !Number.isNaN(Date.parse(date))
    return isDate
      ? { value: { kind, text: date } }
      : { problem: `"${text}" is no date for ${name}. Write it as 2026-11-30.` }
  }
  if (options === null) return { value: { kind, text: String(value) } }
  const ids: string[] = []
  for (const one of kind === 'options' ? splitTags(text) : [text]) {
    const found = options.find((option) => equalsIgnoringCase(option.name, one))
    const names = options.slice(0, 20).map((option) => option.name)
    if (!found) return { problem: `The field ${name} has no option "${one}". It has ${names.join(', ') || 'none'}.` }
    if (!ids.includes(found.id)) ids.push(found.id)
  }
  if (kind === 'options') return { value: ids.length === 0 ? null : { kind, text: ids } }
  return { value: { kind, text: ids[0]! } }
}
