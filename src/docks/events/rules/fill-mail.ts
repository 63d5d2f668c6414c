import { escapeHtml } from '../../../kernel/text/text'
import { type Fact, listFacts, type MailContent, toLine } from './mail-content'
import { DETAILS, isLinkVariable, type LineVariable, type MailTemplate } from './mail-templates'
import { formatVariable, splitTemplate, type TemplatePart } from './template-text'

export interface FilledMail {
  subject: string
  text: string
  html: string
}

/** A text, the table of the details, or an address. */
type FilledPart = TemplatePart | { link: string }

/** A picture below the text of a mail. */
export interface ShownPicture {
  name: string
  /** For those who do not see it. */
  about: string
}

/** The mail of a template. No text of a booking can add a header, a line, a variable, a link or an element of HTML. */
export function fillMail(
  { subject, text }: MailTemplate,
  content: MailContent,
  picture: ShownPicture | null = null,
): FilledMail {
  const { values } = content
  const details = listFacts(content)
  const width = Math.max(...details.map(([name]) => name.length)) + 2
  const table = details.map(([name, value]) => `${`${name}: `.padEnd(width)}${value}`).join('\n')
  const parts = fillLines(text, values)
  return {
    subject: toLine(fillLines(subject, values).map(toText).join('')),
    text: `${parts.map((part) => toText(part) ?? table).join('')}\n`,
    html: formatHtml(parts, { details, picture }),
  }
}

/** The template with the variables of one line filled in, so that what is left is text, a link or the table. */
function fillLines(template: string, values: Record<LineVariable, string>): FilledPart[] {
  const fill = (part: TemplatePart): FilledPart => {
    if (typeof part === 'string' || part.variable === DETAILS) return part
    const value = values[part.variable as LineVariable] ?? formatVariable(part.variable)
    return isLinkVariable(part.variable) && URL.canParse(value) ? { link: value } : value
  }
  return (splitTemplate(template) ?? [template]).map(fill)
}

/** Null for the table. */
function toText(part: FilledPart): string | null {
  if (typeof part === 'string') return part
  return 'link' in part ? part.link : null
}

/** The text with its line breaks, and the facts as a table. */
function formatHtml(
  parts: readonly FilledPart[],
  { details, picture }: { details: readonly Fact[]; picture: ShownPicture | null },
): string {
  const blocks: string[] = []
  let lines = ''
  const endText = () => {
    if (lines.trim() !== '') blocks.push(`<p>${lines.trim().replaceAll('\n', '<br>\n')}</p>`)
    lines = ''
  }
  for (const part of parts) {
    if (typeof part === 'string') lines += escapeHtml(part)
    else if ('link' in part) lines += `<a href="${escapeHtml(part.link)}">${escapeHtml(part.link)}</a>`
    else {
      endText()
      blocks.push(formatTable(details))
    }
  }
  endText()
  if (picture !== null)
    blocks.push(`<p><img src="cid:${picture.name}" alt="${escapeHtml(picture.about)}" width="180" height="180"></p>`)
  return `<!doctype html>
<html><body style="font-family:system-ui,Arial,sans-serif">
${blocks.join('\n')}
</body></html>
`
}

function formatTable(details: readonly Fact[]): string {
  const rows = details.map(
    ([name, value]) =>
      `<tr><th align="left" style="padding:2px 16px 2px 0">${escapeHtml(name)}</th><td>${escapeHtml(value)}</td></tr>`,
  )
  return `<table style="border-collapse:collapse">\n${rows.join('\n')}\n</table>`
}
