import type { StateInline } from 'markdown-it'

/** With the beginning of a host behind it. */
const PREFIX = /(?:https?:\/\/(?=[^\s\p{P}\p{S}])|www\.)/iuy
/** A host, up to a sign that it cannot hold. No name of a host has more characters. */
const HOST = /(?:[^\s\p{P}\p{S}]|[._-]){1,254}/uy
const MAX_HOST_LENGTH = 253
const RUN = /[^\s<]*/y

/** What may stand right before `www.`. */
const BEFORE_WWW = /[\s(*_[\]~]/

/** At the end of an address it is none of it: what ends a sentence, marks of emphasis, a character reference. */
const TRAIL = /[!"'*,.:;?_~\]]/
const REFERENCE_END = /&[a-z]+;$/i

/**
 * A bare address of GFM is text as it is: no sign in it means anything, but for escapes, which it loses. Only what could be
 * marks is of interest here; where it ends is judged alike for all formats, later.
 */
export function address(state: StateInline, silent: boolean): boolean {
  // Not within a link, nor while a bracket that may begin one is looked for its end.
  if (silent || state.linkLevel > 0) return false
  const { src, pos } = state
  const prefix = matchAt(PREFIX, src, pos)
  if (prefix === '') return false
  const isWww = prefix.endsWith('.')
  const before = src[pos - 1] ?? ' '
  if (isWww ? !BEFORE_WWW.test(before) : /[a-z]/i.test(before)) return false
  if (!isHost(matchAt(HOST, src, isWww ? pos : pos + prefix.length))) return false
  const run = matchAt(RUN, src, pos).slice(0, state.posMax - pos)
  const end = findAddressEnd(run)
  state.pending += run.slice(0, end).replace(/\\([!-/:-@[-`{-~])/g, '$1')
  state.pos += end
  return true
}

/** Neither of its last two labels has an underscore. */
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

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}
