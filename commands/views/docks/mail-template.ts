import type { ResultOf } from '../../../src/catalog'
import { type Canvas, printable, printableLine, table } from '../../terminal/layout'

export function renderMailTemplates(templates: ResultOf<'mail-templates.list'>, canvas: Canvas): string {
  return table(canvas, templates, [
    { title: 'MAIL', text: ({ id }) => id },
    { title: 'TEMPLATE', text: ({ own }) => (own ? 'own' : 'default') },
    { title: 'SUBJECT', text: ({ subject }) => printableLine(subject) },
  ])
}

export function renderMailTemplate(shown: ResultOf<'mail-templates.get'>, canvas: Canvas): string {
  const variables = table(canvas, shown.variables, [
    { title: 'VARIABLE', text: ({ name }) => `{{${name}}}` },
    { title: '', text: ({ about }) => about },
  ])
  return `${renderMail(shown, canvas)}\n${variables}`
}

/** The subject, and the text as it is written. */
export function renderMail({ subject, text }: { subject: string; text: string }, canvas: Canvas): string {
  return `${canvas.colors.strong(printableLine(subject))}\n\n${printable(text.trimEnd())}\n`
}
