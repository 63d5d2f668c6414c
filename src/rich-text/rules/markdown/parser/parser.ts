import MarkdownIt, { type Token } from 'markdown-it'
import { address } from './address'
import { type DocumentEnv, footnoteCall, footnoteDefinition } from './footnote'
import { closeTokens, noteStart, PlacedInline } from './placed-inline'
import { strikethrough, strikethroughPairs } from './strikethrough'
import { table } from './table'
import { text } from './text'

/** Limits nested brackets. Blocks have no such limit, because the parser would drop the blocks beyond it. */
const MAX_BRACKETS = 100

const parser = new MarkdownIt('commonmark', { html: true })
// Links remain as written, because a later step applies the link policy.
parser.validateLink = () => true
parser.normalizeLink = (url) => url
parser.normalizeLinkText = (url) => url

const interrupting = { alt: ['paragraph', 'reference', 'blockquote', 'list'] }
parser.block.ruler.before('reference', 'footnote', footnoteDefinition, interrupting)
parser.block.ruler.before('lheading', 'table', table, { alt: ['paragraph', 'reference'] })
parser.inline.ruler.at('text', text)
parser.inline.ruler.after('text', 'address', address)
parser.inline.ruler.before('emphasis', 'strikethrough', strikethrough)
parser.inline.ruler.before('link', 'footnote', footnoteCall)
parser.inline.ruler.before('link', 'start', noteStart)
parser.inline.ruler2.after('emphasis', 'strikethrough', strikethroughPairs)
// Adjacent text is merged in the document.
parser.inline.ruler2.disable('fragments_join')

/**
 * Parses the blocks of Markdown (GFM with footnotes) as tokens. Returns also the state that `readInline` needs to parse their
 * inline content.
 */
export function readBlocks(markdown: string): { tokens: Token[]; env: DocumentEnv } {
  const env: DocumentEnv = { footnotes: new Set() }
  const tokens: Token[] = []
  const source = markdown
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .replace(/\0/g, '\ufffd')
  parser.options.maxNesting = Number.POSITIVE_INFINITY
  parser.block.parse(source, parser, env, tokens)
  return { tokens, env }
}

/** Parses inline content as tokens, whose `map` tells their place in the content if asked. */
export function readInline(content: string, env: DocumentEnv, isPlaced: boolean): Token[] {
  const tokens: Token[] = []
  parser.options.maxNesting = MAX_BRACKETS
  parser.inline.State = isPlaced ? PlacedInline : MarkdownIt.StateInline
  parser.inline.parse(content, parser, env, tokens)
  if (isPlaced) closeTokens(tokens, content.length)
  return tokens
}

/** Removes escaping backslashes and decodes character references. */
export function unescapeMarkdown(written: string): string {
  return parser.utils.unescapeAll(written)
}
