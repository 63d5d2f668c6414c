import { decodeHTML } from 'entities'

/** The words of a text in lower case. */
export function splitWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []
}

/** The text of HTML: without tags, comments and entities, one line per block. Whatever is not closed extends to the end. */
export function stripHtml(html: string): string {
  const text = html
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
    .replace(/<(style|script|xml)\b[\s\S]*?(?:<\/\1>|$)/gi, '')
    .replace(/<(br|\/p|\/div|\/li|\/tr|\/h\d|\/pre|\/blockquote)\b[^>]*(?:>|$)/gi, '\n')
    .replace(/<\/t[dh]>/gi, '\t')
    .replace(/<(?=[a-z/!?])[^>]*(?:>|$)/gi, '')
  return decodeHTML(text)
    .replace(/[ \u00a0]+/g, ' ')
    .replace(/(?<!\s)\s*\n\s*/g, '\n')
    .trim()
}

/** Whether the text contains all words of `wanted`; a `*` at the end of a word makes it a prefix. */
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
