import { limits } from '../limits'

/** A blank line or a list item at the margin, where one paragraph ends at the latest. */
const PARAGRAPH_END = /\n[ \t]*\n|\n {0,3}[-*+] (?=\S)/

/**
 * Whether a paragraph has more marks of emphasis, or link brackets, than its reader can pair in bounded time: it compares
 * each one that closes with those that opened. Too high a guess only costs the emphasis.
 */
export function isIntricate(markdown: string): boolean {
  if (markdown.length < 4_000) return false
  let compared = 0
  for (const paragraph of markdown.split(PARAGRAPH_END)) {
    const emphasis = paragraph.match(/(?<!\\)(?:\*+|_+|~+)/g)?.length ?? 0
    compared += emphasis * emphasis
    if (compared > limits.comparedMarks) return true
  }
  return false
}

/** Whether the reader would take time or levels without bound: marks of lists and quotes in a row, or brackets that never match. */
export function isHostile(markdown: string): boolean {
  const containers = new RegExp(`^(?:[ \\t]*(?:>|[-*+]|\\d{1,9}[.)])(?=[ \\t>]|$)){${limits.containerMarks}}`, 'm')
  if (containers.test(markdown)) return true
  return markdown.split(PARAGRAPH_END).some((paragraph) => {
    const opened = paragraph.match(/(?<!\\)\[/g)?.length ?? 0
    const links = paragraph.match(/(?<!\\)\](?=[([])/g)?.length ?? 0
    return opened * Math.max(links, 1) > limits.comparedMarks * 4
  })
}
