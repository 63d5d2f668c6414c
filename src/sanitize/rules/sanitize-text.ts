import { type DocumentRules, type SanitizedDocument, sanitizeDocument } from './document'
import { isHostile as isHostileHtml } from './html/hostile'
import { limits } from './limits'
import { isHostile as isHostileMarkdown } from './markdown/hostile'
import { indexPeople } from './redact/mentions'
import type { OptionalKind } from './redact/optional-kinds'
import { redactLine } from './redact/text'
import { type Removal, Tally } from './removal'
import { isCodeBlock, writeAsCodeBlock } from './write-as-code-block'

export interface SanitizeInput {
  format: 'html' | 'markdown'
  text: string
}

export interface SanitizeContext {
  /** Hosts, with or without a port, whose links open only inside the tracker; their subdomains count too. */
  trackerHosts: readonly string[]
  /** Display names and account names of people: a plain `@Name` of one of them is a mention. */
  people?: readonly string[]
  /** Kinds that are removed only where they are asked for. */
  also?: readonly OptionalKind[]
}

/** Rounds until a text stays as it is; one, and one that proves it, are enough for nearly all. */
const MAX_ROUNDS = 4

/**
 * A long text of the tracker as clean Markdown (GFM), and what was taken out of it. Run over its own answer it changes
 * nothing and takes nothing out: that is not hoped for but tried, until it holds. Never throws, whatever the text.
 */
export function sanitizeText(input: SanitizeInput, context: SanitizeContext): { markdown: string; removed: Removal[] } {
  const tally = new Tally()
  const rules = toRules(context)
  let { format, text } = input
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const found = isReadable(format, text) ? trySanitize(format, text, rules) : null
    if (!found) return { markdown: sanitizeAsText(format, text, rules, tally), removed: tally.list() }
    tally.addAll(found.tally)
    if (found.isFinal && isReadable('markdown', found.markdown))
      return { markdown: found.markdown, removed: tally.list() }
    format = 'markdown'
    text = found.markdown
  }
  return { markdown: sanitizeAsText(format, text, rules, tally), removed: tally.list() }
}

/** One line of plain text, such as a title: people and secrets replaced, blanks folded. */
export function sanitizeLine(text: string, context: SanitizeContext): { text: string; removed: Removal[] } {
  const tally = new Tally()
  return { text: redactLine(text, toRules(context), tally), removed: tally.list() }
}

function toRules({ trackerHosts, people, also }: SanitizeContext): DocumentRules {
  return { trackerHosts, people: indexPeople(people), also: new Set(also) }
}

function isReadable(format: SanitizeInput['format'], text: string): boolean {
  if (format === 'html') return text.length <= limits.htmlCharacters && !isHostileHtml(text)
  return text.length <= limits.markdownCharacters && !isHostileMarkdown(text)
}

function trySanitize(format: SanitizeInput['format'], text: string, rules: DocumentRules): SanitizedDocument | null {
  try {
    return sanitizeDocument(format, text, rules)
  } catch (error) {
    // The readers recurse: levels by the thousand exhaust the stack before a limit of ours could see them.
    if (error instanceof RangeError) return null
    throw error
  }
}

function sanitizeAsText(format: SanitizeInput['format'], text: string, rules: DocumentRules, tally: Tally): string {
  if (format === 'html' || !isCodeBlock(text)) tally.add('too-large')
  return writeAsCodeBlock(format, text, rules, tally)
}
