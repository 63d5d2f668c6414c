import { diffArrays } from 'diff'
import { type Canvas, wrapLine } from './terminal/layout'
import { printable } from './terminal/printable'

/** A line of a comparison: `-` removed, `+` added, blank unchanged, `…` for unchanged lines that are left out. */
export interface DiffLine {
  kind: '-' | '+' | ' ' | '…'
  text: string
}

/** Unchanged lines to show around each change. */
const CONTEXT_LINES = 3
/** Texts that differ in more lines are not compared: one is removed and the other is added. */
const MAX_CHANGED_LINES = 2_000

export function diffLines(before: string, after: string): DiffLine[] {
  const [a, b] = [splitLines(before), splitLines(after)]
  const changes = diffArrays(a, b, { maxEditLength: MAX_CHANGED_LINES }) ?? [
    { removed: true, value: a },
    { added: true, value: b },
  ]
  return collapseUnchanged(
    changes.flatMap(({ added, removed, value }) =>
      value.map((text): DiffLine => ({ kind: added ? '+' : removed ? '-' : ' ', text })),
    ),
  )
}

function splitLines(text: string): string[] {
  return text === '' ? [] : text.split('\n')
}

function collapseUnchanged(lines: readonly DiffLine[]): DiffLine[] {
  const near = (at: number) =>
    lines.slice(Math.max(0, at - CONTEXT_LINES), at + CONTEXT_LINES + 1).some(({ kind }) => kind !== ' ')
  const shown: DiffLine[] = []
  for (const [at, line] of lines.entries()) {
    if (near(at)) shown.push(line)
    else if (shown.at(-1)?.kind !== '…') shown.push({ kind: '…', text: '' })
  }
  return shown
}

/** The lines of a comparison in colors, wrapped to the window. */
export function renderDiff(lines: readonly DiffLine[], { colors, width }: Canvas): string {
  const colorOf = { '+': colors.good, '-': colors.bad, ' ': colors.faint, '…': colors.faint }
  return lines
    .map(({ kind, text }) => {
      const line = `${kind} ${printable(text)}`.trimEnd()
      return `${colorOf[kind](width === null ? line : wrapLine(line, width, '  '))}\n`
    })
    .join('')
}
