import type { StateInline } from 'markdown-it'
import { matchAt } from '../../../../kernel/text/match-at'

/** Matches text up to the next character that could have a special meaning, or to the possible start of an address. */
const TEXT = /(?:[^\n!&*<[\\\]_`~hw]+|[hw](?!ttps?:\/\/|ww\.))+/iy

/** Reads text. The built-in rule stops at characters that no rule here uses, and does not stop at addresses. */
export function text(state: StateInline, silent: boolean): boolean {
  if (!matchAt(TEXT, state.src, state.pos)) return false
  const end = Math.min(TEXT.lastIndex, state.posMax)
  if (!silent) state.pending += state.src.slice(state.pos, end)
  state.pos = end
  return true
}
