import * as z from 'zod'
import { familyOf } from '../../../kernel'
import { pluralize } from '../../../kernel/text/text'
import type { ImportedItems } from '../../../tracker'
import type { DecidedRow, ImportRow } from './file-import'

export const FileRow = z.object({
  line: z.int().describe('Line of the file, from 1; for JSON, the number or line of the entry'),
  id: z.int().nullable(),
  outcome: z.enum(['added', 'changed', 'unchanged', 'refused', 'taken_back']),
  fields: z.array(z.string()).describe('Properties and fields that differ from the cached item'),
  column: z.string().nullable().describe('The column of the row that caused a refusal'),
  code: z.string().nullable().describe('Error code of a refusal'),
  message: z.string().nullable(),
})
export type FileRow = z.infer<typeof FileRow>

type Format = ImportedItems['format']

/** Separates the first row of each item from rows that cannot be read and from duplicates. */
export function separateRows({ rows, format }: ImportedItems): { unread: FileRow[]; rows: ImportRow[] } {
  const first = new Map<number, ImportRow>()
  const unread: FileRow[] = []
  for (const row of rows) {
    if (!('item' in row)) {
      const { line, id, column, problem } = row
      unread.push(createRefusal({ line, id, column, code: 'invalid', message: locate(format, row, problem) }))
      continue
    }
    const before = first.get(row.item.id)
    if (before === undefined) first.set(row.item.id, row)
    else unread.push(describeDuplicate(format, row, before))
  }
  return { unread, rows: [...first.values()] }
}

/** A query of links lists an item below each item that it is linked with. */
function describeDuplicate(format: Format, { line, item }: ImportRow, before: ImportRow): FileRow {
  const place = `${getNoun(format).toLowerCase()} ${before.line}`
  if (JSON.stringify(item) === JSON.stringify(before.item))
    return createRow({ line, id: item.id }, { outcome: 'unchanged', message: `This is a duplicate of ${place}.` })
  const message = locate(format, { line, column: null }, `The item is already in ${place}, with other values.`)
  return createRefusal({ line, id: item.id, column: null, code: 'invalid', message })
}

function getNoun(format: Format): 'Line' | 'Entry' {
  return format === 'csv' ? 'Line' : 'Entry'
}

function locate(format: Format, { line, column }: { line: number; column: string | null }, problem: string): string {
  const place = `${getNoun(format)} ${line}`
  return column === null ? `${place}: ${problem}` : `${place}, ${column}: ${problem}.`
}

function createRow(row: Pick<FileRow, 'line' | 'id'>, outcome: Pick<FileRow, 'outcome'> & Partial<FileRow>): FileRow {
  return { line: row.line, id: row.id, fields: [], column: null, code: null, message: null, ...outcome }
}

function createRefusal(row: Pick<FileRow, 'line' | 'id' | 'column' | 'code' | 'message'>): FileRow {
  return { ...row, outcome: 'refused', fields: [] }
}

export function toFileRow({ line, id, decision }: DecidedRow, format: Format): FileRow {
  switch (decision.outcome) {
    case 'added':
      return createRow({ line, id }, { outcome: 'added' })
    case 'changed':
      return createRow({ line, id }, { outcome: 'changed', fields: decision.fields })
    case 'unchanged':
      return createRow({ line, id }, { outcome: 'unchanged', message: decision.message })
    case 'refused': {
      const { code, column, message } = decision
      const place = { line, column: familyOf(code) === 'invalid' ? column : null }
      return createRefusal({ line, id, column, code, message: locate(format, place, message) })
    }
  }
}

/** An atomic import that refuses a row takes back all changes. */
export function takeBackRow(row: FileRow): FileRow {
  return row.outcome === 'refused' || row.outcome === 'unchanged' ? row : { ...row, outcome: 'taken_back' }
}

export function countOutcomes(rows: readonly FileRow[]) {
  const count = (outcome: FileRow['outcome']) => rows.filter((row) => row.outcome === outcome).length
  return { added: count('added'), changed: count('changed'), unchanged: count('unchanged') }
}

const MAX_NAMED = 10

/** What the file lacks, and the effect on reports. */
export function writeNotes(decided: readonly DecidedRow[]): string[] {
  const items = decided.flatMap(({ decision }) => ('item' in decision ? [decision.item] : []))
  const unknownStates = [...new Set(items.filter((item) => item.stateCategory === null).map(({ state }) => state))]
  const undated = items.filter(({ changedAt }) => changedAt.startsWith('1970-01-01T00:00:00')).length
  const notes: string[] = []
  if (unknownStates.length > 0) {
    const named = unknownStates.slice(0, MAX_NAMED).join(', ')
    const more = unknownStates.length > MAX_NAMED ? ` and ${unknownStates.length - MAX_NAMED} more` : ''
    notes.push(`It is unknown whether these states are open or done: ${named}${more}. Reports count them as neither.`)
  }
  if (undated > 0) {
    const have = undated === 1 ? 'has' : 'have'
    notes.push(`${pluralize(undated, 'item')} ${have} no Changed Date, so reports cannot call them recent or stale.`)
  }
  return notes
}
