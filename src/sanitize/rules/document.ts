import type { RootContent } from 'mdast'
import { type Block, type Debris, normalizeBlocks, readHtml, readMarkdown, writeMarkdown } from '../../rich-text'
import type { UrlRules } from './links/url'
import { applyPolicy } from './policy'
import type { RedactionRules } from './redact/find'
import { redactTree } from './redact/tree'
import { Tally } from './removal'

export interface DocumentRules extends RedactionRules, UrlRules {}

/** A mark may show text that was hidden beside what was removed, so that the policy applies again until nothing changes. */
const MAX_ROUNDS = 4

/** Reads a text, applies the policy to the document, and writes what is left as Markdown. */
export function sanitizeDocument(
  format: 'html' | 'markdown',
  source: string,
  rules: DocumentRules,
): { markdown: string; tally: Tally } {
  const tally = new Tally()
  const count = (debris: readonly Debris[]) => {
    for (const { kind } of debris) tally.add(kind)
  }
  const { children } = format === 'html' ? readHtml(source) : readMarkdown(source)
  count(children.filter((node) => node.type === 'debris'))
  let blocks: readonly Block[] = children.filter((node): node is Block => node.type !== 'debris')
  const normalizeChanged = (changed: ReadonlySet<RootContent>) => {
    const debris: Debris[] = []
    blocks = normalizeBlocks(blocks, debris, { isDone: (block) => !changed.has(block) })
    count(debris)
  }
  const judged = new WeakSet<RootContent>()
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { remaining, changed } = applyPolicy(blocks, rules, tally, judged)
    const isJudged = changed.size > 0 || remaining !== blocks
    blocks = remaining
    if (isJudged) normalizeChanged(changed)
    const redacted = redactTree(blocks, rules, tally)
    if (redacted) normalizeChanged(redacted)
    if (!isJudged && !redacted) break
  }
  return { markdown: writeMarkdown({ type: 'root', children: [...blocks] }), tally }
}
