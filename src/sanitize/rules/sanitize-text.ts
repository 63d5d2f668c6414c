import { isHostileHtml, isHostileMarkdown, limits } from '../../rich-text'
import { type DocumentRules, sanitizeDocument } from './document'
import type { OptionalKind } from './redact/optional-kinds'
import { indexPeople } from './redact/people/mentions'
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
  /** Whether any name after an `@` is a mention, as on a code host: a copy that is published there would notify that person. */
  areLogins?: boolean
  /** Kinds that are removed only on request. */
  also?: readonly OptionalKind[]
}

/**
 * Converts a long text of the tracker to clean Markdown (GFM), and reports what was removed. The result is stable: another run
 * changes and removes nothing. It accepts any text without throwing.
 */
export function sanitizeText(
  { format, text }: SanitizeInput,
  context: SanitizeContext,
): { markdown: string; removed: Removal[] } {
  const rules = toRules(context)
  const found = isReadable(format, text) ? trySanitize(format, text, rules) : null
  if (found && isReadable('markdown', found.markdown)) return { markdown: found.markdown, removed: found.tally.list() }
  const tally = found?.tally ?? new Tally()
  const markdown = found
    ? sanitizeAsText('markdown', found.markdown, rules, tally)
    : sanitizeAsText(format, text, rules, tally)
  return { markdown, removed: tally.list() }
}

/** Sanitizes one line of plain text, such as a title: replaces people and secrets, and folds whitespace. */
export function sanitizeLine(text: string, context: SanitizeContext): { text: string; removed: Removal[] } {
  const tally = new Tally()
  return { text: redactLine(text, toRules(context), tally), removed: tally.list() }
}

function toRules({ trackerHosts, people, also, areLogins = false }: SanitizeContext): DocumentRules {
  return { trackerHosts, people: indexPeople(people), also: new Set(also), areLogins }
}

function isReadable(format: SanitizeInput['format'], text: string): boolean {
  if (format === 'html') return text.length <= limits.htmlCharacters && !isHostileHtml(text)
  return text.length <= limits.markdownCharacters && !isHostileMarkdown(text)
}

function trySanitize(
  format: SanitizeInput['format'],
  text: string,
  rules: DocumentRules,
): ReturnType<typeof sanitizeDocument> | null {
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
