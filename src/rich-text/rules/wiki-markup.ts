import { decodeHTMLStrict } from 'entities'
import type { List, PhrasingContent, RootContent } from 'mdast'
import { childrenOf, readAdf } from './adf-to-markdown'
import { readMarkdown } from './markdown/read'
import { writeMarkdown } from './markdown/write'
import { isActive } from './tree/addresses'

/** Longer lines with more marks than this take the parser seconds. */
const MAX_MARKS = 1_000

/** Converts the wiki markup of Jira Data Center to Markdown, with Atlassian's own parser. */
export function wikiToMarkdown(wiki: string, parse: (wiki: string) => unknown): string {
  const isHostile = wiki.split('\n').some((line) => (line.match(/[*_+^~{}[\]|!-]/g)?.length ?? 0) > MAX_MARKS)
  if (wiki.trim() === '') return ''
  if (isHostile) return wiki
  const document = parse(separateHeadings(wiki))
  decodeReferences(document)
  return writeMarkdown(readAdf(document))
}

/** The parser takes a heading directly after a list item or a rule for text. Jira does not. */
function separateHeadings(wiki: string): string {
  let isVerbatim = false
  let wasItem = false
  const lines = wiki.split('\n').flatMap((line) => {
    const marks = line.match(/\{(?:code|noformat)[^{}]{0,100}\}/g)?.length ?? 0
    const isHeading = !isVerbatim && /^h[1-6]\. /.test(line)
    const separated = isHeading && wasItem ? ['', line] : [line]
    wasItem = !isVerbatim && /^\s*(?:[*#-]+\s|-{4,5}\s*$)/.test(line)
    if (marks % 2 === 1) isVerbatim = !isVerbatim
    return separated
  })
  return lines.join('\n')
}

/** Jira shows a character for a reference such as `&#124;`, except in blocks of code. */
function decodeReferences(node: unknown): void {
  for (const child of childrenOf(node)) {
    if (child.type === 'codeBlock') continue
    if (child.text !== undefined) child.text = decodeHTMLStrict(child.text)
    decodeReferences(child)
  }
}

/** Converts Markdown (GFM) to the wiki markup of Jira Data Center. */
export function markdownToWiki(markdown: string): string {
  return writeWikiBlocks(readMarkdown(markdown).children)
}

export function writeWikiBlocks(blocks: readonly RootContent[]): string {
  return blocks.map(writeBlock).join('\n\n').trim()
}

const STYLES = { underline: '+', subscript: '~', superscript: '^' } as const

function writeBlock(block: RootContent): string {
  switch (block.type) {
    case 'paragraph':
      return writeWikiInline(block.children)
    case 'heading':
      return `h${block.depth}. ${writeWikiInline(block.children)}`
    case 'code':
      return writeCode(block.value, block.lang)
    case 'thematicBreak':
      return '----'
    case 'blockquote':
      return `{quote}\n${writeWikiBlocks(block.children)}\n{quote}`
    case 'list':
      return writeList(block, '')
    case 'table':
      return block.children
        .map(({ children }, index) => {
          const bar = index === 0 ? '||' : '|'
          return `${bar}${children.map((cell) => writeWikiInline(cell.children).replace(/\n/g, '\\\\') || ' ').join(bar)}${bar}`
        })
        .join('\n')
    case 'debris':
      return ''
    default:
      return writeWikiInline([block as PhrasingContent])
  }
}

function writeCode(value: string, lang: string | null | undefined): string {
  // What ends the block in its own text can only be in the other kind of block. If both are in it, each line is code of its own.
  const kinds = ['code', 'noformat'].filter((kind) => !value.includes(`{${kind}:`) && !value.includes(`{${kind}}`))
  // Jira takes code without a language for Java.
  const isNamed = lang !== null && lang !== undefined && /^[\w#+-]+$/.test(lang)
  const kind = isNamed ? kinds[0] : kinds.at(-1)
  if (kind === undefined) return value.split('\n').map(writeInlineCode).join('\n')
  return `{${kind}${isNamed && kind === 'code' ? `:${lang}` : ''}}\n${value}\n{${kind}}`
}

function writeInlineCode(value: string): string {
  if (value.trim() === '') return ''
  // A bar would end a cell, also after a backslash.
  return `{{${escapeReferences(value).replace(/[{}]/g, '\\$&').replaceAll('|', '&#124;')}}}`
}

function writeList({ ordered, children }: List, prefix: string): string {
  const mark = `${prefix}${ordered ? '#' : '*'}`
  return children
    .map(({ checked, children: blocks }) => {
      const box = typeof checked === 'boolean' ? `${checked ? '☑' : '☐'} ` : ''
      const parts = blocks.map((block) =>
        block.type === 'list'
          ? writeList(block, mark)
          : block.type === 'code'
            ? writeBlock(block)
            : writeBlock(block).replace(/\n{2,}/g, '\n'),
      )
      return `${mark} ${box}${parts.join('\n')}`
    })
    .join('\n')
}

export function writeWikiInline(nodes: readonly PhrasingContent[]): string {
  return nodes
    .map((node, index) => {
      switch (node.type) {
        case 'text':
          return escapeText(node.value.replace(/(?<!\s)\s*\n\s*/g, ' '), index === 0)
        case 'strong':
          return mark('*', node.children)
        case 'emphasis':
          return mark('_', node.children)
        case 'delete':
          return mark('-', node.children)
        case 'styled':
          return mark(STYLES[node.style], node.children)
        case 'inlineCode':
          return writeInlineCode(node.value)
        case 'break':
          return '\n'
        case 'mention':
          return node.account === null ? escapeText(`@${node.name}`) : `[~${node.account}]`
        case 'link': {
          const url = node.url.replace(/[|\][{}]/g, encodeURIComponent)
          const shown = writeWikiInline(node.children)
          if (isActive(node.url)) return shown
          return shown === escapeText(node.url) || shown === '' ? `[${url}]` : `[${shown}|${url}]`
        }
        case 'image':
          if (isActive(node.url)) return escapeText(node.alt ?? '', false)
          return `!${node.url.replace(/[|{}]/g, encodeURIComponent).replaceAll('!', '%21')}!`
        default:
          return 'value' in node
            ? escapeText(node.value)
            : 'children' in node
              ? writeWikiInline(node.children as PhrasingContent[])
              : ''
      }
    })
    .join('')
}

/** Between braces, a mark is also one in the middle of a word. */
function mark(sign: string, children: readonly PhrasingContent[]): string {
  const inner = writeWikiInline(children)
  return inner.trim() === '' ? inner : `{${sign}}${inner}{${sign}}`
}

/** One character of each smiley and icon, such as `:D`, `(/)` and `(on)`, whose other characters are not escaped. */
const ICON = /(?<=:)(?:[()]|[DPp](?![A-Za-z\d]))|\((?=(?:[xyni/]|on|off|flag|flagoff)\))/g

function escapeReferences(value: string): string {
  return value.replace(/&(?=#|[a-z]+;)/gi, '&amp;')
}

/** Makes text of what would be marks. At the beginning of a line some more characters are. */
function escapeText(value: string, isAtStart = true): string {
  const escaped = escapeReferences(value)
    .replace(/[\\*_{}[\]!^~+?-]/g, (sign) => (sign === '\\' ? '&#92;' : `\\${sign}`))
    .replaceAll('|', '&#124;')
    .replace(ICON, (sign) => `&#${sign.codePointAt(0)};`)
    // Also what ends an escaped character makes a smiley of a parenthesis.
    .replace(/(?<=;)\)+/g, (signs) => '&#41;'.repeat(signs.length))
  return isAtStart ? escaped.replace(/^(\s*)#/, '$1\\#').replace(/^(\s*(?:h[1-6]|bq))\./, '$1&#46;') : escaped
}
