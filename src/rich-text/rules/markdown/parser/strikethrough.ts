import type { Delimiter, StateInline } from 'markdown-it'

const TILDE = 0x7e
/** Each length has a separate number, because marks of different lengths do not pair. */
const markers = [0, -1, -2] as const

/** Parses strikethrough with one or two tildes, as GFM specifies. The built-in rule supports only two. */
export function strikethrough(state: StateInline, silent: boolean): boolean {
  if (silent || state.src.charCodeAt(state.pos) !== TILDE) return false
  const { can_open: open, can_close: close, length } = state.scanDelims(state.pos, true)
  const marker = markers[length]
  const token = state.push('text', '', 0)
  token.content = '~'.repeat(length)
  state.pos += length
  if (marker !== undefined)
    state.delimiters.push({ marker, length: 0, token: state.tokens.length - 1, end: -1, open, close })
  return true
}

/** Creates the strikethrough tokens after the marks are paired. */
export function strikethroughPairs(state: StateInline): void {
  pairs(state, state.delimiters)
  for (const meta of state.tokens_meta) if (meta?.delimiters) pairs(state, meta.delimiters as Delimiter[])
}

function pairs(state: StateInline, delimiters: readonly Delimiter[]): void {
  for (const { marker, end, token } of delimiters) {
    if (marker >= 0 || end < 0) continue
    become(state, token, 's_open', 1)
    become(state, delimiters[end]?.token ?? -1, 's_close', -1)
  }
}

function become(state: StateInline, index: number, type: string, nesting: 1 | -1): void {
  const token = state.tokens[index]
  if (token) Object.assign(token, { type, tag: 's', nesting, content: '' })
}
