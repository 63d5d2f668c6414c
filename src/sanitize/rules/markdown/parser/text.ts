import type { StateInline } from 'markdown-it'

/** Text up to the next sign that could mean something, or to where an address could begin. */
const TEXT = /(?:[^\n!&*<[\\\]_`~hw]+|[hw](?!ttps?:\/\/|ww\.))+/iy

/** The parser's own rule for text stops at more signs than we have rules for, and not at addresses. */
export function text(state: StateInline, silent: boolean): boolean {
  TEXT.lastIndex = state.pos
  if (!TEXT.test(state.src)) return false
  const end = Math.min(TEXT.lastIndex, state.posMax)
  if (!silent) state.pending += state.src.slice(state.pos, end)
  state.pos = end
  return true
}
