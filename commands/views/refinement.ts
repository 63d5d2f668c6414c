import type { z } from 'zod'
import type { refineDraft } from '../../src/assistant/operations/refine-draft'
import { diffLines } from '../diff'
import { type Canvas, printable } from '../layout'

type Refined = z.infer<typeof refineDraft.output>

const names = { title: 'Title', description: 'Description', acceptanceCriteria: 'Acceptance criteria' }

export function renderRefinement(shown: Refined, canvas: Canvas): string {
  const { colors } = canvas
  const again = shown.attempts > 1 ? ', at the second attempt' : ''
  const head = `${colors.strong(`Draft ${shown.draftId}`)}  ${colors.faint(`${shown.promptId} by ${printable(shown.model)}${again}`)}\n`
  const changes = shown.changes.map(
    ({ field, before, after }) => `\n${colors.strong(names[field])}\n${renderDifference(before ?? '', after, canvas)}`,
  )
  const notice = shown.notice === null ? '' : `\n${printable(shown.notice)}\n`
  const done = shown.applied ? `\n${colors.good('✓')} Saved. To undo: studio draft undo ${shown.draftId}\n` : ''
  return [head, ...changes, notice, done].join('')
}

function renderDifference(before: string, after: string, { colors }: Canvas): string {
  return diffLines(before, after)
    .map(({ kind, text }) => {
      const line = `${kind} ${printable(text)}`.trimEnd()
      return `${kind === '+' ? colors.good(line) : kind === '-' ? colors.bad(line) : colors.faint(line)}\n`
    })
    .join('')
}
