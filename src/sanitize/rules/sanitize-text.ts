import { isHostileHtml, isHostileMarkdown, limits } from '../../rich-text'
import { type DocumentRules, type SanitizedDocument, sanitizeDocument } from './document'
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
  /** Hosts, with or without a port, whose links open only inside the tracker. Their subdomains are included. */
  trackerHosts: readonly string[]
  /** Display names and account names of people. A plain `@Name` with one of them is a mention. */
  people?: readonly string[]
  /** Kinds that are removed only on request. */
  also?: readonly OptionalKind[]
}

/** Rounds until the text no longer changes. Nearly all texts need one round, and a second one to confirm it. */
const MAX_ROUNDS = 4

/**
 * Converts a long text of the tracker to clean Markdown (GFM), and reports what was removed. The result is stable: it repeats until
 * another run changes and removes nothing. It accepts any text without throwing.
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

/** Sanitizes one line of plain text, such as a title: replaces people and secrets, and folds whitespace. */
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
    // The parsers are recursive. Thousands of levels exhaust the stack before a limit is checked.
    if (error instanceof RangeError) return null
    throw error
  }
}

function sanitizeAsText(format: SanitizeInput['format'], text: string, rules: DocumentRules, tally: Tally): string {
  if (format === 'html' || !isCodeBlock(text)) tally.add('too-large')
  return writeAsCodeBlock(format, text, rules, tally)
}
