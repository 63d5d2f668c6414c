import type { ResultOf } from '../../../src/catalog'
import { formatDateTime } from '../../../src/reports/rules/dates'
import { escapeMarkdown } from '../../../src/reports/rules/wording'
import { printable } from '../../terminal/layout'

export type Briefing = ResultOf<'reports.briefing'>

export function renderBriefing(answer: Briefing): string {
  return printable(renderBriefingMarkdown(answer))
}

/** The text. One of a language model ends with a byline and what to check, so that no one forwards it unchecked. */
export function renderBriefingMarkdown({ mode, model, markdown, warnings, basis }: Briefing): string {
  if (mode === 'deterministic') return markdown
  const asOf = basis.asOf === null ? '' : ` as of ${formatDateTime(basis.asOf)}`
  const verdict =
    warnings.length === 0 ? 'Every figure in it was checked against them.' : 'Not every figure in it is from them.'
  const byline = `*Written by the language model ${escapeMarkdown(model ?? '')} from the figures of the workspace${asOf}. ${verdict}*`
  const check = [
    '## Check before you forward this',
    warnings.map((warning) => `- ${escapeMarkdown(warning)}`).join('\n'),
  ]
  return `${[markdown.trimEnd(), '---', byline, ...(warnings.length > 0 ? check : [])].join('\n\n')}\n`
}
