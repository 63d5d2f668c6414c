import type { Root } from 'mdast'
import { readHtml, readMarkdown } from '../../rich-text'
import { isSameListContinued, writeSimpleBlock } from './markdown/fast-markdown-writer'
import { writeMarkdown } from './markdown/write'
import type { RedactionRules } from './redact/find'
import { MAX_ROUNDS } from './redact/text'
import { redactTree } from './redact/tree'
import { Tally } from './removal'
import { type Block, cleanBlocks } from './tree/blocks'
import { areSame } from './tree/same'
import type { UrlRules } from './tree/url'

export interface DocumentRules extends RedactionRules, UrlRules {}

export interface SanitizedDocument {
  markdown: string
  tally: Tally
  /** Whether another round would change nothing, because each block certainly reads back the same or was read back. */
  isFinal: boolean
}

/** Runs one round: read, clean, redact and write. */
export function sanitizeDocument(format: 'html' | 'markdown', source: string, rules: DocumentRules): SanitizedDocument {
  const tally = new Tally()
  const read = format === 'html' ? readHtml(source) : readMarkdown(source)
  let blocks = cleanBlocks(read.children, { ...rules, tally })
  let isRedacted = false
  for (let round = 0; round < MAX_ROUNDS && !isRedacted; round++) {
    const changed = redactTree(blocks, rules, tally)
    if (changed) blocks = cleanBlocks(blocks, { ...rules, tally, isClean: (block) => !changed.has(block) })
    else isRedacted = true
  }
  const { markdown, isReadBack } = writeBlocks(blocks, rules)
  const isProven = format === 'markdown' && markdown === source && tally.isEmpty
  return { markdown, tally, isFinal: isProven || (isRedacted && isReadBack) }
}

/** Writes blocks and checks each separately, because Markdown reads blocks independently. Adjacent lists are an exception. */
function writeBlocks(blocks: Block[], rules: DocumentRules): { markdown: string; isReadBack: boolean } {
  const root = (children: Block[]): Root => ({ type: 'root', children })
  if (blocks.some((block, index) => isSameListContinued(block, blocks[index - 1])))
    return { markdown: writeMarkdown(root(blocks)), isReadBack: false }
  let isReadBack = true
  const parts = blocks.map((block) => {
    const simple = writeSimpleBlock(block)
    if (simple !== null) return simple
    const markdown = writeMarkdown(root([block]))
    isReadBack &&= readsAs(markdown, block, rules)
    return markdown
  })
  return { markdown: parts.join('\n\n'), isReadBack }
}

function readsAs(markdown: string, block: Block, rules: DocumentRules): boolean {
  const tally = new Tally()
  const read = cleanBlocks(readMarkdown(markdown).children, { ...rules, tally })
  return tally.isEmpty && areSame(read, [block])
}
