import type { StateInline } from 'markdown-it'
import { matchAt } from '../../../../kernel/text/match-at'

/** Matches the prefix of an address if a host follows. */
const PREFIX = /(?:https?:\/\/(?=[^\s\p{P}\p{S}])|www\.)/iuy
/** Matches a host up to a character that it cannot contain. The limit is one more than the longest valid host. */
const HOST = /(?:[^\s\p{P}\p{S}]|[._-]){1,254}/uy
const MAX_HOST_LENGTH = 253
const RUN = /[^\s<]*/y

/** Matches a character that is allowed directly before `www.`. */
const BEFORE_WWW = /[\s(*_[\]~]/

/**
 * Matches characters that do not belong to the end of an address: sentence punctuation, emphasis marks and the end of a character
 * reference.
 */
const TRAIL = /[!"'*,.:;?_~\]]/
const REFERENCE_END = /&[a-z]+;$/i

/**
 * Reads a bare GFM address as text. Its characters have no special meaning, except that escapes are removed. Only possible marks
 * matter here, because a later step determines the end of the address for all formats.
 */
export function address(state: StateInline, silent: boolean): boolean {
  // Addresses are not recognized within a link, or while the parser searches for the end of link text.
  if (silent || state.linkLevel > 0) return false
  const { src, pos } = state
  const prefix = matchAt(PREFIX, src, pos)?.[0]
  if (prefix === undefined) return false
  const isWww = prefix.endsWith('.')
  const before = src[pos - 1] ?? ' '
  if (isWww ? !BEFORE_WWW.test(before) : /[a-z]/i.test(before)) return false
  if (!isHost(matchAt(HOST, src, isWww ? pos : pos + prefix.length)?.[0] ?? '')) return false
  const run = (matchAt(RUN, src, pos)?.[0] ?? '').slice(0, state.posMax - pos)
  const end = findAddressEnd(run)
  for (const [part, escaped] of run.slice(0, end).matchAll(/\\([!-/:-@[-`{-~])|\\|[^\\]+/g)) {
    if (escaped === undefined) state.pending += part
    else state.push('text_special', '', 0).content = escaped
    state.pos += part.length
  }
  return true
}

/** Returns whether the host is valid: its last two labels must not contain an underscore. */
function isHost(host: string): boolean {
  const labels = host.replace(/(?<![._])[._]+$/, '').split('.')
  return host.length <= MAX_HOST_LENGTH && labels.join('') !== '' && !labels.slice(-2).join('').includes('_')
}

function findAddressEnd(run: string): number {
  let unopened = (run.match(/\)/g)?.length ?? 0) - (run.match(/\(/g)?.length ?? 0)
  let end = run.length
  for (; end > 0; end--) {
    const last = run[end - 1] ?? ''
    if (last === ';') {
      const reference = REFERENCE_END.exec(run.slice(Math.max(0, end - 40), end))
      if (reference) end -= reference[0].length - 1
    } else if (last === ')' && unopened > 0) unopened--
    else if (!TRAIL.test(last)) break
  }
  return end
}
