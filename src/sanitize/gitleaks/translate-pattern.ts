/**
 * Translates a pattern of Go's RE2 to JavaScript without flags. Parts that ignore case are spelled out, named classes become
 * ranges, and groups do not capture.
 */
export function translatePattern(source: string): string {
  const parts: string[] = []
  const outer: boolean[] = []
  let ignoresCase = false
  let at = 0
  while (at < source.length) {
    const rest = source.slice(at)
    const flag = /^\(\?(-?)([is])\)/.exec(rest)
    const group = /^\((?:\?(?:(-?)([is])?:|P<\w+>))?/.exec(rest)
    if (flag) {
      if (flag[2] === 'i') ignoresCase = flag[1] !== '-'
      at += flag[0].length
    } else if (group) {
      outer.push(ignoresCase)
      if (group[2] === 'i') ignoresCase = group[1] !== '-'
      parts.push('(?:')
      at += group[0].length
    } else if (rest.startsWith(')')) {
      ignoresCase = outer.pop() ?? false
      parts.push(')')
      at++
    } else if (rest.startsWith('[')) {
      const written = /^\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]/.exec(rest)?.[0]
      if (written === undefined) throw new Error(`The class in ${source} has no end.`)
      parts.push(translateClass(written, ignoresCase))
      at += written.length
    } else if (rest.startsWith('\\')) {
      const escaped = /^\\(?:x[\da-fA-F]{2}|.)/.exec(rest)?.[0] ?? '\\'
      parts.push(translateEscape(escaped))
      at += escaped.length
    } else if (/^\{\d+(?:,\d*)?\}/.test(rest)) {
      const count = rest.slice(0, rest.indexOf('}') + 1)
      parts.push(count)
      at += count.length
    } else {
      const character = rest.charAt(0)
      parts.push(
        ignoresCase && /[a-z]/i.test(character) ? `[${character.toLowerCase()}${character.toUpperCase()}]` : character,
      )
      at++
    }
  }
  return withoutOuterGroups(parts.join(''))
}

const NAMED_CLASSES: Record<string, string> = { alnum: 'A-Za-z0-9', alpha: 'A-Za-z', digit: '0-9' }

function translateClass(written: string, ignoresCase: boolean): string {
  const ranges = written
    .replace(/\[:(\w+):\]/g, (_, name: string) => NAMED_CLASSES[name] ?? '')
    .replace(/\\x([\da-fA-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  if (!ignoresCase) return ranges
  const others = [...ranges.matchAll(/\\.|([a-z])-([a-z])|([A-Z])-([A-Z])|([a-zA-Z])/g)].map(([found]) =>
    found.startsWith('\\') ? '' : swapCase(found),
  )
  const open = ranges.startsWith('[^') ? '[^' : '['
  const added = [...new Set(others)].filter((other) => !ranges.includes(other)).join('')
  return open + added + ranges.slice(open.length)
}

function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()))
}

function translateEscape(escaped: string): string {
  if (escaped === '\\z') return '$'
  if (escaped.startsWith('\\x')) return String.fromCharCode(Number.parseInt(escaped.slice(2), 16))
  return /^\\[a-zA-Z.*+?()[\]{}|^$/\\]/.test(escaped) ? escaped : escaped.slice(1)
}

function withoutOuterGroups(pattern: string): string {
  const inner = pattern.slice('(?:'.length, -1)
  const isOneGroup = pattern.startsWith('(?:') && pattern.endsWith(')') && closeOf(pattern) === pattern.length - 1
  return isOneGroup && alternativesOf(inner).length === 1 ? withoutOuterGroups(inner) : pattern
}

/** Returns the offset where the first group of the pattern closes. */
function closeOf(pattern: string): number {
  let depth = 0
  for (let at = 0; at < pattern.length; at++) {
    if (pattern[at] === '\\') at++
    else if (pattern[at] === '[') at = endOfClass(pattern, at)
    else if (pattern[at] === '(') depth++
    else if (pattern[at] === ')' && --depth === 0) return at
  }
  return -1
}

/** Returns the top-level alternatives of a pattern. */
export function alternativesOf(pattern: string): string[] {
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < pattern.length; at++) {
    if (pattern[at] === '\\') at++
    else if (pattern[at] === '[') at = endOfClass(pattern, at)
    else if (pattern[at] === '(') depth++
    else if (pattern[at] === ')') depth--
    else if (pattern[at] === '|' && depth === 0) {
      parts.push(pattern.slice(from, at))
      from = at + 1
    }
  }
  return [...parts, pattern.slice(from)]
}

function endOfClass(pattern: string, from: number): number {
  let at = from + 1
  while (at < pattern.length && (pattern[at] !== ']' || at === from + 1)) at += pattern[at] === '\\' ? 2 : 1
  return at
}
