import * as z from 'zod'
import { familyOf } from '../../kernel'
import type { ImportedItem, ImportedItems } from '../../tracker'
import type { DecidedRow } from './save-imported-items'

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
export function separateRows({ rows, format }: ImportedItems): {
  unread: FileRow[]
  rows: { line: number; item: ImportedItem }[]
} {
  const noun = getNoun(format)
  const first = new Map<number, { line: number; item: ImportedItem }>()
  const unread: FileRow[] = []
  for (const row of rows) {
    if (!('item' in row)) {
      const { line, id, column } = row
      unread.push(createRefusal({ line, id, column, code: 'invalid', message: formatProblem(noun, row) }))
      continue
    }
    const before = first.get(row.item.id)
    if (before === undefined) first.set(row.item.id, row)
    else unread.push(describeDuplicate(noun, row, before))
  }
  return { unread, rows: [...first.values()] }
}

/** A query of links shows an item below each that it is linked with. */
function describeDuplicate(
  noun: Noun,
  row: { line: number; item: ImportedItem },
  before: { line: number; item: ImportedItem },
): FileRow {
  const isAlike = JSON.stringify(row.item) === JSON.stringify(before.item)
  const { line, item } = row
  if (isAlike)
    return {
      ...createRow(line, item.id),
      outcome: 'unchanged',
      message: `The same stands in ${noun.toLowerCase()} ${before.line}.`,
    }
  const message = `${noun} ${line}: the item stands in ${noun.toLowerCase()} ${before.line} already, and otherwise.`
  return createRefusal({ line, id: item.id, column: null, code: 'invalid', message })
}

/** What a row of the file is called. */
type Noun = 'Line' | 'Entry'

function getNoun(format: ImportedItems['format']): Noun {
  return format === 'csv' ? 'Line' : 'Entry'
}

function formatProblem(
  noun: Noun,
  { line, column, problem }: { line: number; column: string | null; problem: string },
): string {
  return column === null ? `${noun} ${line}: ${problem}` : `${noun} ${line}, ${column}: ${problem}.`
}

function createRow(line: number, id: number | null): Omit<FileRow, 'outcome'> {
  return { line, id, fields: [], column: null, code: null, message: null }
}

function createRefusal(row: Pick<FileRow, 'line' | 'id' | 'column' | 'code' | 'message'>): FileRow {
  return { ...row, outcome: 'refused', fields: [] }
}

export function toFileRow({ line, id, decision }: DecidedRow, format: ImportedItems['format']): FileRow {
  const noun = getNoun(format)
  switch (decision.outcome) {
    case 'added':
      return { ...createRow(line, id), outcome: 'added' }
    case 'changed':
      return { ...createRow(line, id), outcome: 'changed', fields: decision.fields }
    case 'unchanged':
      return { ...createRow(line, id), outcome: 'unchanged', message: decision.message }
    case 'refused': {
      const { code, column, message } = decision
      const isFlaw = familyOf(code) === 'invalid'
      return createRefusal({
        line,
        id,
        column,
        code,
        message: isFlaw ? formatProblem(noun, { line, column, problem: message }) : `${noun} ${line}: ${message}`,
      })
    }
  }
}

export function takeBackRow(row: FileRow): FileRow {
  return row.outcome === 'refused' || row.outcome === 'unchanged' ? row : { ...row, outcome: 'taken_back' }
}

export function countOutcomes(rows: readonly FileRow[]) {
  const count = (outcome: FileRow['outcome']) => rows.filter((row) => row.outcome === outcome).length
  return { added: count('added'), changed: count('changed'), unchanged: count('unchanged') }
}

const MAX_NAMED = 10

/** What the file could not tell, and what that means for reports. */
export function writeNotes(judged: readonly DecidedRow[]): string[] {
  const items = judged.flatMap(({ decision }) => ('item' in decision ? [decision.item] : []))
  const unknownStates = [...new Set(items.filter((item) => item.stateCategory === null).map(({ state }) => state))]
  const undated = items.filter(({ changedAt }) => changedAt.startsWith('1970-01-01T00:00:00')).length
  const notes: string[] = []
  if (unknownStates.length > 0) {
    const named = unknownStates.slice(0, MAX_NAMED).join(', ')
    const more = unknownStates.length > MAX_NAMED ? ` and ${unknownStates.length - MAX_NAMED} more` : ''
    notes.push(`Nothing tells whether these states are open or done: ${named}${more}. Reports count them as neither.`)
  }
  if (undated > 0) {
    notes.push(
      `${undated === 1 ? 'One item tells' : `${undated} items tell`} no Changed Date: reports cannot say what is recent or stale among them.`,
    )
  }
  return notes
}
