/** A text of a template, and between its texts the names of variables. */
export type TemplatePart = string | { variable: string }

const OPEN = '{{'
const CLOSE = '}}'

/** Splits `PO {{reference}}`. Null if a variable has no end. */
export function splitTemplate(template: string): TemplatePart[] | null {
  const parts: TemplatePart[] = []
  let at = 0
  for (;;) {
    const open = template.indexOf(OPEN, at)
    if (open === -1) return [...parts, template.slice(at)]
    const close = template.indexOf(CLOSE, open)
    if (close === -1) return null
    parts.push(template.slice(at, open), { variable: template.slice(open + OPEN.length, close).trim() })
    at = close + CLOSE.length
  }
}

export function formatVariable(name: string): string {
  return `${OPEN}${name}${CLOSE}`
}

/** A short template cannot become a mail of any size. */
const MAX_VARIABLES = 30
const MAX_SHOWN = 40

/** Why a template cannot be filled in; null if it can. */
export function findTemplateError(template: string, known: readonly string[]): string | null {
  const list = `the variables are ${known.map(formatVariable).join(', ')}`
  const parts = splitTemplate(template)
  if (parts === null) return `has ${OPEN} without ${CLOSE}: ${list}`
  const used = parts.flatMap((part) => (typeof part === 'string' ? [] : [part.variable]))
  const unknown = used.find((name) => !known.includes(name))
  if (unknown !== undefined) return `has the unknown variable ${formatVariable(unknown.slice(0, MAX_SHOWN))}: ${list}`
  return used.length > MAX_VARIABLES ? `must have at most ${MAX_VARIABLES} variables` : null
}
