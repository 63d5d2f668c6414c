import { htmlToLines, showMentions } from '../../../src/rich-text'
import { sanitizeLine } from '../../../src/sanitize'
import { type DiffLine, diffLines, renderDiff } from '../../diff'
import type { Canvas } from '../../terminal/layout'

/** A longer value, or one of several lines, is compared line by line. */
const MAX_INLINE_LENGTH = 60
const MARKUP = /<\/?[a-z!][^<>]*>/i

type Value = string | number | boolean | null

/** Whether a change is of texts that are too long for one line. */
export function isTextChange({ from, to }: { from: Value; to: Value }): boolean {
  return [from, to].some(
    (value) =>
      typeof value === 'string' && (value.length > MAX_INLINE_LENGTH || value.includes('\n') || MARKUP.test(value)),
  )
}

/** The lines that a change of a text removes and adds, in its readable form, with secrets and people replaced. */
export function renderTextChange(
  { from, to, storedAs = null }: { from: Value; to: Value; storedAs?: string | null },
  canvas: Canvas,
): string {
  const isMarkdown = storedAs !== null
  const lines = diffLines(readableText(from, isMarkdown), readableText(to, isMarkdown))
  if (lines.every(({ kind }) => kind === ' ' || kind === '…')) return 'Only its markup changes.\n'
  const clean = ({ kind, text }: DiffLine) => ({ kind, text: sanitizeLine(text, { trackerHosts: [] }).text })
  return renderDiff(lines.map(clean), canvas)
}

function readableText(value: Value, isMarkdown: boolean): string {
  const text = value === null ? '' : String(value)
  return (MARKUP.test(text) && !isMarkdown ? htmlToLines(text) : showMentions(text))
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{2,}/g, '\n')
    .trim()
}
