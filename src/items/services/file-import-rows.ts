import * as z from 'zod'
import { familyOf } from '../../kernel'
import type { ImportedItem, ImportedItems } from '../../tracker'
import type { JudgedRow } from './keep-told'

/** What became of one row of a file. */
export const FileRow = z.object({
  line: z.int().describe('Line of the file, from 1; in JSON the entry, or its line where each has one'),
  id: z.int().nullable(),
  outcome: z.enum(['added', 'changed', 'unchanged', 'refused', 'taken_back']),
  fields: z.array(z.string()).describe('What was not as it is kept'),
  column: z.string().nullable().describe('Where in the row the reason of a refusal stands'),
  code: z.string().nullable().describe('Why it was refused'),
  message: z.string().nullable(),
})
export type FileRow = z.infer<typeof FileRow>

/** The rows that can be read, each item once; and what is said of the others. */
export function sortedRows({ rows, format }: ImportedItems): {
  unread: FileRow[]
  rows: { line: number; item: ImportedItem }[]
} {
  const noun = nounOf(format)
  const first = new Map<number, { line: number; item: ImportedItem }>()
  const unread: FileRow[] = []
  for (const row of rows) {
    if (!('item' in row)) {
      const { line, id, column } = row
      unread.push(refusal({ line, id, column, code: 'invalid', message: worded(noun, row) }))
      continue
    }
    const before = first.get(row.item.id)
    if (before === undefined) first.set(row.item.id, row)
    else unread.push(again(noun, row, before))
  }
  return { unread, rows: [...first.values()] }
}

/** A query of links shows an item below each that it is linked with. */
function again(
  noun: Noun,
  row: { line: number; item: ImportedItem },
  before: { line: number; item: ImportedItem },
): FileRow {
  const isAlike = JSON.stringify(row.item) === JSON.stringify(before.item)
  const { line, item } = row
  if (isAlike)
    return {
      ...plainRow(line, item.id),
      outcome: 'unchanged',
      message: `The same stands in ${noun.toLowerCase()} ${before.line}.`,
    }
  const message = `${noun} ${line}: the item stands in ${noun.toLowerCase()} ${before.line} already, and otherwise.`
  return refusal({ line, id: item.id, column: null, code: 'invalid', message })
}

/** What a row of the file is called. */
type Noun = 'Line' | 'Entry'

function nounOf(format: ImportedItems['format']): Noun {
  return format === 'csv' ? 'Line' : 'Entry'
}

function worded(
  noun: Noun,
  { line, column, problem }: { line: number; column: string | null; problem: string },
): string {
  return column === null ? `${noun} ${line}: ${problem}` : `${noun} ${line}, ${column}: ${problem}.`
}

function plainRow(line: number, id: number | null): Omit<FileRow, 'outcome'> {
  return { line, id, fields: [], column: null, code: null, message: null }
}

function refusal(row: Pick<FileRow, 'line' | 'id' | 'column' | 'code' | 'message'>): FileRow {
  return { ...row, outcome: 'refused', fields: [] }
}

export function shownRow({ line, id, verdict }: JudgedRow, format: ImportedItems['format']): FileRow {
  const noun = nounOf(format)
  switch (verdict.outcome) {
    case 'added':
      return { ...plainRow(line, id), outcome: 'added' }
    case 'changed':
      return { ...plainRow(line, id), outcome: 'changed', fields: verdict.fields }
    case 'unchanged':
      return { ...plainRow(line, id), outcome: 'unchanged', message: verdict.message }
    case 'refused': {
      const { code, column, message } = verdict
      const isFlaw = familyOf(code) === 'invalid'
      return refusal({
        line,
        id,
        column,
        code,
        message: isFlaw ? worded(noun, { line, column, problem: message }) : `${noun} ${line}: ${message}`,
      })
    }
  }
}

export function takenBack(row: FileRow): FileRow {
  return row.outcome === 'refused' || row.outcome === 'unchanged' ? row : { ...row, outcome: 'taken_back' }
}

export function countsOf(rows: readonly FileRow[]) {
  const count = (outcome: FileRow['outcome']) => rows.filter((row) => row.outcome === outcome).length
  return { added: count('added'), changed: count('changed'), unchanged: count('unchanged') }
}

const MOST_NAMED = 10

/** What the file could not tell, and what that means for reports. */
export function notesOn(judged: readonly JudgedRow[]): string[] {
  const items = judged.flatMap(({ verdict }) => ('item' in verdict ? [verdict.item] : []))
  const unknownStates = [...new Set(items.filter((item) => item.stateCategory === null).map(({ state }) => state))]
  const undated = items.filter(({ changedAt }) => changedAt.startsWith('1970-01-01T00:00:00')).length
  const notes: string[] = []
  if (unknownStates.length > 0) {
    const named = unknownStates.slice(0, MOST_NAMED).join(', ')
    const more = unknownStates.length > MOST_NAMED ? ` and ${unknownStates.length - MOST_NAMED} more` : ''
    notes.push(`Nothing tells whether these states are open or done: ${named}${more}. Reports count them as neither.`)
  }
  if (undated > 0) {
    notes.push(
      `${undated === 1 ? 'One item tells' : `${undated} items tell`} no Changed Date: reports cannot say what is recent or stale among them.`,
    )
  }
  return notes
}
