import type { z } from 'zod'
import type { refineDraft } from '../../src/assistant/operations/refine-draft'
import { diffLines } from '../diff'
import { type Canvas, printable } from '../layout'

type Refined = z.infer<typeof refineDraft.output>

const names = { title: 'Title', description: 'Description', acceptanceCriteria: 'Acceptance criteria' }

export function refinement(shown: Refined, canvas: Canvas): string {
  const { paint } = canvas
  const again = shown.attempts > 1 ? ', at the second attempt' : ''
  const head = `${paint.strong(`Draft ${shown.draftId}`)}  ${paint.faint(`${shown.promptId} by ${printable(shown.model)}${again}`)}\n`
  const changes = shown.changes.map(
    ({ field, before, after }) => `\n${paint.strong(names[field])}\n${difference(before ?? '', after, canvas)}`,
  )
  const notice = shown.notice === null ? '' : `\n${printable(shown.notice)}\n`
  const done = shown.applied ? `\n${paint.good('✓')} Saved. To undo: studio draft undo ${shown.draftId}\n` : ''
  return [head, ...changes, notice, done].join('')
}

function difference(before: string, after: string, { paint }: Canvas): string {
  return diffLines(before, after)
    .map(({ kind, text }) => {
      const line = `${kind} ${printable(text)}`.trimEnd()
      return `${kind === '+' ? paint.good(line) : kind === '-' ? paint.bad(line) : paint.faint(line)}\n`
    })
    .join('')
}
