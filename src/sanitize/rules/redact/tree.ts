import type { Nodes, RootContent } from 'mdast'
import type { Leaf } from '../../../rich-text'
import type { Tally } from '../removal'
import { findRedactions, type RedactionRules } from './find'
import type { Finding } from './finding'
import { marks } from './marks'

/** A document as one text, with the node that each part comes from. */
interface Flat {
  text: string
  spans: { node: Leaf; block: RootContent; start: number; end: number; isCode: boolean }[]
}

/**
 * Replaces people and secrets by marks in place. Returns the blocks that changed, or null if nothing was found. It searches the
 * whole document at once, because a secret may extend across formatting, lines or paragraphs, as key blocks do. If inline code
 * touches a word, it searches again with that code on its own line, because a reader sees where the code ends.
 */
export function redactTree(
  blocks: readonly RootContent[],
  rules: RedactionRules,
  tally: Tally,
): ReadonlySet<RootContent> | null {
  const changed = new Set<RootContent>()
  const joined = flatten(blocks)
  const separatedCode = new Set(joined.spans.filter((span) => touchesAWord(span, joined.text)).map(({ node }) => node))
  redact(joined, rules, { tally, changed })
  if (separatedCode.size > 0) redact(flatten(blocks, separatedCode), rules, { tally, changed })
  return changed.size > 0 ? changed : null
}

function redact(
  { text, spans }: Flat,
  rules: RedactionRules,
  { tally, changed }: { tally: Tally; changed: Set<RootContent> },
): void {
  const findings = findRedactions({ text, isCode: (offset) => spanAt(spans, offset)?.isCode ?? false }, rules)
  for (const { kind } of findings) tally.add(kind)
  if (findings.length > 0) replace(text, spans, { findings, changed })
}

function touchesAWord({ node, start, end }: Flat['spans'][number], text: string): boolean {
  return node.type === 'inlineCode' && (isOfAWord(text, start - 1) || isOfAWord(text, end))
}

function isOfAWord(text: string, at: number): boolean {
  return /[\p{L}\p{N}_]/u.test(text.charAt(at))
}

/**
 * Joins the text of the blocks. A line end separates blocks, a tab separates cells, and nothing separates inline nodes.
 * @param separatedCode inline code that is put on its own line.
 */
function flatten(blocks: readonly RootContent[], separatedCode: ReadonlySet<Nodes> = new Set()): Flat {
  const parts: string[] = []
  const spans: Flat['spans'] = []
  let length = 0
  const add = (part: string) => {
    parts.push(part)
    length += part.length
  }
  const walk = (node: Nodes, block: RootContent) => {
    if (node.type === 'text' || node.type === 'inlineCode' || node.type === 'code') {
      const lineEnd = separatedCode.has(node) ? '\n' : ''
      add(lineEnd)
      spans.push({ node, block, start: length, end: length + node.value.length, isCode: node.type !== 'text' })
      add(node.value)
      add(lineEnd)
    } else if ('children' in node) for (const child of node.children) walk(child, block)
    const end = separators[node.type]
    if (end) add(end)
  }
  for (const block of blocks) walk(block, block)
  return { text: parts.join(''), spans }
}

const separators: Partial<Record<Nodes['type'], string>> = {
  break: '\n',
  paragraph: '\n',
  heading: '\n',
  code: '\n',
  tableRow: '\n',
  tableCell: '\t',
}

function spanAt(spans: Flat['spans'], offset: number): Flat['spans'][number] | undefined {
  let low = 0
  let high = spans.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const span = spans[middle]
    if (!span) return undefined
    if (offset < span.start) high = middle - 1
    else if (offset >= span.end) low = middle + 1
    else return span
  }
  return undefined
}

/** Puts the mark where the finding begins, and removes the rest of the finding from later nodes. */
function replace(
  text: string,
  spans: Flat['spans'],
  { findings, changed }: { findings: readonly Finding[]; changed: Set<RootContent> },
): void {
  let next = 0
  for (const { node, block, start, end } of spans) {
    while ((findings[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next++
    if ((findings[next]?.start ?? Number.POSITIVE_INFINITY) >= end) continue
    const parts: string[] = []
    let from = start
    for (let index = next; ; index++) {
      const finding = findings[index]
      if (!finding || finding.start >= end) break
      parts.push(text.slice(from, Math.max(from, finding.start)))
      if (finding.start >= start) parts.push(marks[finding.kind])
      from = Math.min(finding.end, end)
    }
    node.value = parts.join('') + text.slice(from, end)
    changed.add(block)
  }
}
