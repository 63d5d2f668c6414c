import { escapeText } from 'entities'
import type { List, Root, RootContent, Table } from 'mdast'
import { writeHtml } from '../rules/html/write'
import { nameMentions, type PersonIdentity } from '../rules/mentions'
import { readTags } from './html-source'
import type { SourceFormat } from './source'
import { boxOf } from './tokens'

/** HTML as the trackers store it. Names of the people become mentions in what is written. */
export function createHtmlFormat(people: readonly PersonIdentity[]): SourceFormat {
  return {
    read: (source) => readTags(source),
    writeInline: (nodes) => unwrap(writePart({ type: 'paragraph', children: nodes }, people), 'p'),
    writeBlock: (node) => writePart(node, people),
    writeCode: (text) => escapeText(text),
    writeBox: (isChecked) => boxOf(isChecked),
    // A line end goes with a block that has its own lines.
    widenBlock: (source, { start, end }) => {
      const hasLines = (start === 0 || source[start - 1] === '\n') && source[end] === '\n'
      return { start, end: hasLines ? end + 1 : end }
    },
    joinLines: (words) => words,
    separator: '\n',
    isTagged: true,
    paragraphBreak: '<br><br>',
  }
}

/** Parts of lists and tables are written in one and taken out of it. */
function writePart(node: RootContent, people: readonly PersonIdentity[]): string {
  const write = (block: RootContent) => {
    const root: Root = { type: 'root', children: [structuredClone(block)] }
    nameMentions(root, people)
    return writeHtml(root)
  }
  if (node.type === 'listItem') return unwrap(write({ type: 'list', children: [node] } satisfies List), 'ul')
  if (node.type === 'tableRow' || node.type === 'tableCell') {
    const row = node.type === 'tableRow' ? node : { type: 'tableRow' as const, children: [node] }
    const written = write({ type: 'table', children: [{ type: 'tableRow', children: [] }, row] } satisfies Table)
    const rows = written.slice(written.lastIndexOf('<tr>'), written.lastIndexOf('</tr>') + '</tr>'.length)
    return node.type === 'tableRow' ? rows : unwrap(rows, 'tr')
  }
  return write(node)
}

/** The content of the one element that a text consists of. */
function unwrap(html: string, tagName: string): string {
  const open = html.indexOf('>') + 1
  return html.startsWith(`<${tagName}`) ? html.slice(open, html.lastIndexOf(`</${tagName}>`)).trim() : html
}
