import type { z } from 'zod'
import type { AnswerEvent, Prompt } from '../../../src/assistant/schemas'
import type { ResultOf } from '../../../src/catalog'
import { pluralize } from '../../../src/kernel/text/text'
import { diffLines, renderDiff } from '../../diff'
import type { PartView } from '../../operation/command-parts'
import { type Canvas, facts, printable, printableLine, table } from '../../terminal/layout'

type Refined = ResultOf<'drafts.refine'>

const names = { title: 'Title', description: 'Description', acceptanceCriteria: 'Acceptance criteria' }

export function renderRefinement(shown: Refined, canvas: Canvas): string {
  const { colors } = canvas
  const again = shown.attempts > 1 ? ', on the second attempt' : ''
  const head = `${colors.strong(`Draft ${shown.draftId}`)}  ${colors.faint(`${shown.promptId} by ${printable(shown.model)}${again}`)}\n`
  const changes = shown.changes.map(
    ({ field, before, after }) =>
      `\n${colors.strong(names[field])}\n${renderDiff(diffLines(before ?? '', after), canvas)}`,
  )
  const notice = shown.notice === null ? '' : `\n${printable(shown.notice)}\n`
  const done = shown.applied ? `\n${colors.good('✓')} Saved. To undo: studio draft undo ${shown.draftId}\n` : ''
  return [head, ...changes, notice, done].join('')
}

export function renderModels(list: ResultOf<'llm.models'>, canvas: Canvas): string {
  if (list.length === 0) return 'No language model is installed. Get one, for example: ollama pull llama3.2\n'
  const rows = table(canvas, list, [
    { title: 'MODEL', text: (model) => model.name },
    { title: 'PARAMETERS', text: (model) => model.parameterSize ?? '', align: 'right' },
    { title: 'QUANTIZATION', text: (model) => model.quantization ?? '' },
    { title: 'SIZE', text: (model) => sizeText(model.sizeBytes), align: 'right' },
    {
      title: '',
      text: (model) => [model.isDefault && 'default', model.loaded && 'loaded'].filter(Boolean).join(', '),
    },
  ])
  return `${rows}\n${pluralize(list.length, 'model')}\n`
}

function sizeText(bytes: number | null): string {
  return bytes === null ? '' : `${(bytes / 1e9).toFixed(1)} GB`
}

type Shown = z.infer<typeof Prompt>

export function renderPrompts(list: readonly Shown[], canvas: Canvas): string {
  return table(canvas, list, [
    { title: 'PROMPT', text: (prompt) => prompt.id },
    { title: 'WRITES', text: (prompt) => prompt.target },
    { title: 'ABOUT', text: (prompt) => prompt.description || prompt.name },
    { title: '', text: (prompt) => (prompt.own ? 'yours' : '') },
  ])
}

export function renderPrompt(shown: Shown, canvas: Canvas): string {
  const head = facts(canvas, [
    ['Prompt', `${shown.id}${shown.own ? ' (yours)' : ''}`],
    ['About', printableLine(shown.description)],
    ['Writes', shown.target],
    ['Variables', shown.variables.join(', ')],
  ])
  return `${canvas.colors.strong(printableLine(shown.name))}\n${head}\n${printable(shown.template)}\n`
}

/** The words of a model as they arrive, then its notice. */
export const renderAnswerPart: PartView = (given, colors) => {
  const event = given as z.infer<typeof AnswerEvent>
  if (event.event === 'token') return { out: printable(event.text) }
  if (event.event !== 'done') return {}
  return event.notice === null ? {} : { err: `${colors.warn('!')} ${printable(event.notice)}\n` }
}
