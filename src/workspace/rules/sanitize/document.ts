import type { Root } from 'mdast'
import { readHtml } from './html/read'
import { readMarkdown } from './markdown/read'
import { writeMarkdown } from './markdown/write'
import { MOST_ROUNDS } from './redact/line'
import type { KnownPeople } from './redact/mentions'
import { redactTree } from './redact/tree'
import { Tally } from './removal'
import { cleanBlocks } from './tree/blocks'
import { isEvident } from './tree/evident'

export interface DocumentRules {
  trackerHosts: readonly string[]
  people: KnownPeople
}

export interface SanitizedDocument {
  markdown: string
  tally: Tally
  /** A further round would plainly change nothing. */
  isFinal: boolean
}

/** One round: read, clean, redact, write. */
export function sanitizeDocument(format: 'html' | 'markdown', source: string, rules: DocumentRules): SanitizedDocument {
  const tally = new Tally()
  const read = format === 'html' ? readHtml(source, tally) : readMarkdown(source, tally)
  const { trackerHosts, people } = rules
  let root: Root = { type: 'root', children: cleanBlocks(read.children, { trackerHosts, tally }) }
  let isRedacted = false
  for (let round = 0; round < MOST_ROUNDS && !isRedacted; round++) {
    isRedacted = !redactTree(root, people, tally)
    if (!isRedacted) root = { type: 'root', children: cleanBlocks(root.children, { trackerHosts, tally }) }
  }
  const markdown = writeMarkdown(root)
  const isProven = format === 'markdown' && markdown === source && tally.isEmpty
  return { markdown, tally, isFinal: isProven || (isRedacted && isEvident(root)) }
}
