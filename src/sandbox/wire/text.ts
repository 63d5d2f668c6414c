/** The words of a text in lower case. */
export function splitWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []
}

/** What a reader sees of an HTML text: no tags, comments or entities; a line for each block. What is opened and not closed reaches to the end. */
export function stripHtml(html: string): string {
  return html
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
    .replace(/<(style|script|xml)\b[\s\S]*?(?:<\/\1>|$)/gi, '')
    .replace(/<(br|\/p|\/div|\/li|\/tr|\/h\d|\/pre|\/blockquote)\b[^>]*(?:>|$)/gi, '\n')
    .replace(/<\/t[dh]>/gi, '\t')
    .replace(/<(?=[a-z/!?])[^>]*(?:>|$)/gi, '')
    .replace(/&(nbsp|lt|gt|quot|amp|#\d+|#x[\da-f]+);/gi, (_, name: string) => decodeEntity(name.toLowerCase()))
    .replace(/[ \u00a0]+/g, ' ')
    .replace(/(?<!\s)\s*\n\s*/g, '\n')
    .trim()
}

const NAMED_ENTITIES: Record<string, string> = { nbsp: ' ', lt: '<', gt: '>', quot: '"', amp: '&' }

function decodeEntity(name: string): string {
  const known = NAMED_ENTITIES[name]
  if (known) return known
  const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
}

/** Whether all words of `wanted` are among those of the text; a word may end in `*`. */
export function containsWords(text: string, wanted: string): boolean {
  const found = new Set(splitWords(text))
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .every((word) => {
      if (word.endsWith('*')) return [...found].some((one) => one.startsWith(word.slice(0, -1)))
      return splitWords(word).every((part) => found.has(part))
    })
}
