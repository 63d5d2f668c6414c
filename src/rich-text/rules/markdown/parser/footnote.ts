import type { Env, StateBlock, StateInline } from 'markdown-it'
import { matchAt } from '../../../../kernel/text/match-at'

/** The state that the rules share while they parse one document. */
export interface DocumentEnv extends Env {
  /** The normalized labels of defined footnotes. */
  footnotes: Set<string>
}

const LABEL = '\\[\\^((?:[^\\s[\\]\\\\]|\\\\(?:[[\\]\\\\]|(?![[\\]\\\\]))){1,999})\\]'
const DEFINITION = new RegExp(`${LABEL}:[ \\t]*`, 'y')
const CALL = new RegExp(LABEL, 'y')

/** Later lines of a footnote are indented by this many columns. */
const INDENT = 4

/** Parses the GFM footnote definition `[^label]: …`, which contains blocks. */
export function footnoteDefinition(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const bMark = state.bMarks[startLine] ?? 0
  const sCount = state.sCount[startLine] ?? 0
  const tShift = state.tShift[startLine] ?? 0
  if (sCount - state.blkIndent >= INDENT) return false
  const found = matchAt(DEFINITION, state.src.slice(0, state.eMarks[startLine]), bMark + tShift)
  if (!found) return false
  if (silent) return true

  const label = found[1] ?? ''
  ;(state.env as DocumentEnv).footnotes.add(normalized(state, label))
  const token = state.push('footnote_open', '', 1)
  token.content = label
  token.map = [startLine, startLine + 1]
  const { blkIndent, listIndent, parentType, tight } = state
  state.listIndent = blkIndent
  state.blkIndent = blkIndent + INDENT
  state.parentType = 'footnote'
  state.bMarks[startLine] = bMark + tShift + found[0].length
  state.tShift[startLine] = 0
  state.sCount[startLine] = state.blkIndent
  state.md.block.tokenize(state, startLine, endLine)
  state.bMarks[startLine] = bMark
  state.tShift[startLine] = tShift
  state.sCount[startLine] = sCount
  Object.assign(state, { blkIndent, listIndent, parentType, tight })
  state.push('footnote_close', '', -1)
  return true
}

/** Parses `[^label]` if the footnote is defined. */
export function footnoteCall(state: StateInline, silent: boolean): boolean {
  // The parser is searching for the end of a label, where a footnote call has no meaning.
  if (silent) return false
  const label = matchAt(CALL, state.src, state.pos)?.[1]
  if (label === undefined || !(state.env as DocumentEnv).footnotes.has(normalized(state, label))) return false
  for (const [written, shown] of [
    ['[^', '['],
    [label, state.md.utils.unescapeAll(label)],
    [']', ']'],
  ] as const) {
    state.push('text_special', '', 0).content = shown
    state.pos += written.length
  }
  return true
}

function normalized({ md }: StateBlock | StateInline, label: string): string {
  return md.utils.normalizeReference(label)
}
