import type { z } from 'zod'
import type { generateBriefing } from '../../../src/reports/operations/generate-briefing'
import { asMarkdownText } from '../../../src/reports/rules/markdown'
import { momentText } from '../../../src/reports/rules/moments'
import { printable } from '../../layout'

export type Briefing = z.infer<typeof generateBriefing.output>

/** As it is: the text is meant to be forwarded. */
export function briefing(answer: Briefing): string {
  return printable(briefingMarkdown(answer))
}

/** The text, and under one of a language model who wrote it and what to check: nobody should forward it unawares. */
export function briefingMarkdown({ mode, model, markdown, warnings, basis }: Briefing): string {
  if (mode === 'deterministic') return markdown
  const asOf = basis.asOf === null ? '' : ` as of ${momentText(basis.asOf)}`
  const verdict =
    warnings.length === 0 ? 'Every figure in it was checked against them.' : 'Not every figure in it is from them.'
  const byline = `*Written by the language model ${asMarkdownText(model ?? '')} from the figures of the workspace${asOf}. ${verdict}*`
  const check = [
    '## Check before you forward this',
    warnings.map((warning) => `- ${asMarkdownText(warning)}`).join('\n'),
  ]
  return `${[markdown.trimEnd(), '---', byline, ...(warnings.length > 0 ? check : [])].join('\n\n')}\n`
}
