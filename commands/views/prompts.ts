import type { z } from 'zod'
import type { Prompt } from '../../src/assistant/schemas'
import { type Canvas, facts, printable, printableLine, table } from '../layout'

type Shown = z.infer<typeof Prompt>

export function renderPrompts(list: readonly Shown[], canvas: Canvas): string {
  return table(
    list,
    [
      { title: 'PROMPT', text: (renderPrompt) => renderPrompt.id },
      { title: 'WRITES', text: (prompt) => prompt.target },
      { title: 'ABOUT', text: (prompt) => prompt.description || prompt.name },
      { title: '', text: (prompt) => (prompt.own ? 'yours' : '') },
    ],
    canvas,
  )
}

export function prompt(shown: Shown, canvas: Canvas): string {
  const head = facts(
    [
      ['Prompt', `${shown.id}${shown.own ? ' (yours)' : ''}`],
      ['About', printableLine(shown.description)],
      ['Writes', shown.target],
      ['Variables', shown.variables.join(', ')],
    ],
    canvas,
  )
  return `${canvas.colors.strong(printableLine(shown.name))}\n${head}\n${printable(shown.template)}\n`
}
