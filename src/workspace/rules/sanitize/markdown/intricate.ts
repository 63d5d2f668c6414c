import type { Nodes, Root } from 'mdast'
import { limits } from '../limits'

/** A blank line or a list item at the margin, where one paragraph ends at the latest. */
const PARAGRAPH_END = /\n[ \t]*\n|\n {0,3}[-*+] (?=\S)/

const EMPHASIS = /(?<!\\)(?:\*+|~+|(?<![A-Za-z\d_])_+|_+(?![A-Za-z\d_]))/g

const CONTAINERS = new RegExp(`^(?:[ \\t]*(?:>|[-*+]|\\d{1,9}[.)])(?=[ \\t>]|$)){${limits.containerMarks}}`, 'm')

/**
 * Whether a paragraph has more marks of emphasis than its reader can pair in bounded time: it compares each one that closes
 * with those that opened. Too high a guess only costs the emphasis.
 */
export function isIntricate(markdown: string): boolean {
  if (markdown.length ** 2 < limits.comparedMarks) return false
  let compared = 0
  for (const paragraph of outsideFences(markdown).split(PARAGRAPH_END)) {
    compared += (paragraph.match(EMPHASIS)?.length ?? 0) ** 2
    if (compared > limits.comparedMarks) return true
  }
  return false
}

/** Whether the reader would take time or levels without bound: marks of lists and quotes in a row, or brackets that never match. */
export function isHostile(markdown: string): boolean {
  if (CONTAINERS.test(markdown)) return true
  return outsideFences(markdown)
    .split(PARAGRAPH_END)
    .some((paragraph) => {
      const opened = paragraph.match(/(?<!\\)\[/g)?.length ?? 0
      const links = paragraph.match(/(?<!\\)\](?=[([])/g)?.length ?? 0
      return opened * Math.max(links, 1) > limits.comparedMarks * 4
    })
}

/** Whether a tree that was read without emphasis has text that may have been emphasis. */
export function isMissingEmphasis(root: Root, source: string): boolean {
  const isIn = (node: Nodes): boolean => {
    if (node.type !== 'text') return 'children' in node && node.children.some(isIn)
    return source.slice(node.position?.start.offset, node.position?.end.offset).search(EMPHASIS) >= 0
  }
  return isIn(root)
}

/** Without the code blocks at the margin, as far as no HTML block begins, within which a fence would be none. */
function outsideFences(markdown: string): string {
  const kept: string[] = []
  let fence = ''
  let isCertain = true
  for (const line of markdown.split('\n')) {
    if (fence !== '') {
      if (line.startsWith(fence) && line.slice(fence.length).replace(/[`~]/g, '').trim() === '') fence = ''
      continue
    }
    if (/^ {0,3}</.test(line)) isCertain = false
    const opening = isCertain ? (/^(?:(`{3,})[^`]*|(~{3,}).*)$/.exec(line) ?? []) : []
    fence = opening[1] ?? opening[2] ?? ''
    kept.push(fence === '' ? line : '')
  }
  return kept.join('\n')
}
