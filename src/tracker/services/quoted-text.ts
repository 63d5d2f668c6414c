/** Quoted text cannot be an operator. */
export function quote(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`
}

/** Text in quotes, with escaped signs in it. The last one may lack its end. */
const QUOTED = /"(?:\\(?:.|$)|[^"\\])*("|$)|'(?:\\(?:.|$)|[^'\\])*('|$)/gs

/** The query with `_` for each character of quoted text, so that positions stay the same. A quote without an end stays. */
export function maskQuotedText(query: string): string {
  return query.replace(QUOTED, (text: string, double?: string, single?: string) =>
    double || single ? '_'.repeat(text.length) : text,
  )
}

/** Whether each parenthesis of a masked query has its counterpart, and each quote its end. */
export function isBalanced(masked: string): boolean {
  let depth = 0
  for (const character of masked) {
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    if (depth < 0 || character === '"' || character === "'") return false
  }
  return depth === 0
}
