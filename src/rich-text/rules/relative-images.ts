import type { Nodes } from 'mdast'
import { toRelativePath } from '../../kernel/files/relative-path'
import { parseMarkdown } from './markdown/read'

/** The paths of the images of a Markdown text that are files beside it: `shots/gate.png`, also where it is written as `./shots/gate.png`. */
export function listRelativeImages(markdown: string): string[] {
  if (!markdown.includes('![')) return []
  const found = new Set<string>()
  const rest: Nodes[] = [parseMarkdown(markdown)]
  for (let node = rest.pop(); node !== undefined; node = rest.pop()) {
    const path = node.type === 'image' ? toRelativePath(node.url) : null
    if (path !== null) found.add(path)
    // As arguments of one call, very many children would be too many.
    if ('children' in node) for (const child of [...node.children].reverse()) rest.push(child)
  }
  return [...found]
}

/** What follows the text of an image: its address, in which parentheses come in pairs or all is between angle brackets, and a title. */
const ADDRESS =
  /\]\((?:<([^<>\n]{1,500})>|([^()<>\s]{1,500}(?:\([^()<>\s]{0,200}\)[^()<>\s]{0,200}){0,3}))(?:[ \t]+(?:"[^"\n]{0,300}"|'[^'\n]{0,300}'))?\)/g
const MAX_ALT = 1_000

/**
 * The text with other Markdown in place of images of files beside it. `replace` gets the path and the text of an image; null leaves it as
 * it is. Code stays as it is.
 */
export function replaceRelativeImages(markdown: string, replace: (path: string, alt: string) => string | null): string {
  const known = new Set(listRelativeImages(markdown))
  if (known.size === 0) return markdown
  let fence: string | null = null
  const lines = markdown.split('\n').map((line) => {
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? []
    if (mark !== undefined && (fence === null || mark.startsWith(fence))) {
      fence = fence === null ? mark : null
      return line
    }
    return fence === null ? replaceInLine(line, (path, alt) => (known.has(path) ? replace(path, alt) : null)) : line
  })
  return lines.join('\n')
}

function replaceInLine(line: string, replace: (path: string, alt: string) => string | null): string {
  let [result, at] = ['', 0]
  let [counted, ticks] = [0, 0]
  for (const match of line.matchAll(ADDRESS)) {
    const path = toRelativePath(match[1] ?? match[2]!)
    const before = line.slice(Math.max(at, match.index - MAX_ALT), match.index)
    const start = before.lastIndexOf('![')
    if (path === null || start === -1) continue
    const from = match.index - before.length + start
    const alt = before.slice(start + 2)
    for (; counted < from; counted++) if (line[counted] === '`') ticks += 1
    const isInCode = ticks % 2 === 1
    const replacement = alt.includes(']') || isInCode ? null : replace(path, alt)
    if (replacement === null) continue
    result += line.slice(at, from) + replacement
    at = match.index + match[0].length
  }
  return result + line.slice(at)
}
