import { cleanCharacters, htmlToLines, trimCode, writeFence } from '../../rich-text'
import type { RedactionRules } from './redact/find'
import { redactPlain } from './redact/text'
import { findTokens } from './redact/tokens/tokens'
import type { Tally } from './removal'

/**
 * Writes text that is too large or too deep to parse as plain text in one code block. Nothing is lost, nothing in it is active, and
 * the result is stable. People and secrets are found as in prose, and as in code because that is what the result is when it is read
 * again.
 */
export function writeAsCodeBlock(
  format: 'html' | 'markdown',
  source: string,
  rules: RedactionRules,
  tally: Tally,
): string {
  const block = format === 'markdown' ? readCodeBlock(source) : null
  const written = block ? block.text : format === 'html' ? htmlToLines(source) : source
  const clean = cleanCharacters(written, 'keep')
  tally.add('invisible-character', clean.invisible)
  const text = redactPlain(trimCode(clean.text), block ? 'code' : 'both', rules, tally)
  if (text === '') return ''
  const language = block?.language ?? ''
  const tokens = findTokens(language).length
  tally.add('token', tokens)
  return writeFence(tokens > 0 ? '' : language, text)
}

/** Returns whether the text is already one code block of any size. */
export function isCodeBlock(source: string): boolean {
  return readCodeBlock(source) !== null
}

function readCodeBlock(source: string): { language: string; text: string } | null {
  const [, fence = '', language = ''] = /^(`{3,})([\w+#.-]{0,40})\n/.exec(source) ?? []
  if (fence === '' || !source.endsWith(`\n${fence}`)) return null
  const text = source.slice(fence.length + language.length + 1, -fence.length - 1)
  return text.includes(fence) ? null : { language, text }
}
