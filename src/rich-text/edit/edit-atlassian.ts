import type { Root } from 'mdast'
import { type AdfNode, adfToMarkdown } from '../rules/adf-to-markdown'
import { readMarkdown } from '../rules/markdown/read'
import { markdownToAdf } from '../rules/markdown-to-adf'
import { markdownToWiki } from '../rules/wiki-markup'
import { AdfSource } from './adf-source'
import { editSource } from './edit-source'
import { compareReadBack } from './read-back'
import { formattingOf, type Leaf, listLeaves } from './tokens'
import { wikiFormat } from './wiki-source'

export interface StoredEdit<Stored> {
  stored: Stored
  /** The edit could not be placed in the text, so all of it is written anew, without what Markdown does not show. */
  isRewritten: boolean
  /** What the edit changes that the Markdown does not say, in words. */
  losses: string[]
}

/** Makes an edit of the Markdown that shows a document of Atlassian in the document. */
export function editAdf(document: unknown, after: string): StoredEdit<{ version: 1; type: 'doc'; content: AdfNode[] }> {
  try {
    const adf = new AdfSource(document)
    const edit = { before: readMarkdown(adfToMarkdown(document)), after: readMarkdown(after) }
    const { source, losses: own } = editSource({ source: adf.text, format: adf.format, ...edit }, { force: true })
    const edited = adf.parse(source)
    const { isSame, losses } = readBack(edit, readMarkdown(adfToMarkdown(edited)))
    if (isSame) return { stored: edited, isRewritten: false, losses: [...new Set([...own, ...losses])] }
  } catch (error) {
    // Nodes in nodes of thousands of levels exhaust the stack.
    if (!(error instanceof RangeError)) throw error
  }
  return { stored: markdownToAdf(after), isRewritten: true, losses: [] }
}

/**
 * The same for wiki markup.
 * @param show converts wiki markup to Markdown
 */
export function editWiki(wiki: string, after: string, show: (wiki: string) => string): StoredEdit<string> {
  const edit = { before: readMarkdown(show(wiki)), after: readMarkdown(after) }
  const { source, losses: own } = editSource({ source: wiki, format: wikiFormat, ...edit }, { force: true })
  const { isSame, losses } = readBack(edit, readMarkdown(show(source)))
  if (isSame) return { stored: source, isRewritten: false, losses: [...new Set([...own, ...losses])] }
  return { stored: markdownToWiki(after), isRewritten: true, losses: [] }
}

function readBack(
  { before, after }: { before: Root; after: Root },
  result: Root,
): { isSame: boolean; losses: string[] } {
  const { undecided, losses, isMarksOnly } = compareReadBack({ source: before, before, result, after })
  const hasImages = listLeaves(after).some(({ tokens }) => tokens.some(({ key }) => key.startsWith('image ')))
  // A status or a person cannot be bold there. The rest of the text is not given up for that.
  const unmarked = isMarksOnly ? undecided.map((words) => formattingOf(words)) : []
  const isSame = (hasImages || isMarksOnly) && showsSame(result, after)
  return { isSame, losses: [...losses, ...unmarked] }
}

/**
 * Whether two documents show the same words in the same blocks. What differs in wiki markup only is the same: an image is a block of its
 * own there, and some signs of its address are encoded.
 */
function showsSame(a: Root, b: Root): boolean {
  const describe = (root: Root) => JSON.stringify(listLeaves(root).flatMap(describeLeaf))
  return describe(a) === describe(b)
}

function describeLeaf({ kind, tokens }: Leaf): string[][] {
  const parts: string[][] = [[kind]]
  for (const { key } of tokens) {
    if (!key.startsWith('image ')) parts.at(-1)!.push(key)
    else parts.push([key.replace(/%(?:21|7[BCD])/gi, decodeURIComponent)], [kind])
  }
  return parts.length === 1 ? parts : parts.filter(([first, ...words]) => first !== kind || words.length > 0)
}
