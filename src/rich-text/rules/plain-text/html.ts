import { decodeHTML } from 'entities'
import { matchAt } from '../../../kernel/text/match-at'
import { cleanCharacters, foldWhitespace } from '../characters'
import { isHtmlElement } from '../html/elements'
import { isTagOfSecret } from '../html/secret-tags'

/** Matches elements whose content is not part of the text. */
const SILENT = /^(?:script|style|template|title|xml|svg|noembed|noframes|iframe|object|select|textarea)$/

/** Matches elements that start a new line. A tab separates cells. */
const LINES =
  /^(?:p|div|br|hr|h[1-6]|ul|ol|li|dl|dt|dd|table|tr|caption|blockquote|pre|section|article|aside|main|header|footer|nav|address|figure|figcaption|details|summary|form|fieldset|legend)$/

const TAG_NAME = /<\/?([a-z][a-z0-9:-]{0,40})/iy

/**
 * Returns the text of HTML on one line for a snippet, a terminal or an index. It skips tags without building a tree, because it
 * runs for every item. The result is plain text and is not safe to use as HTML.
 */
export function htmlToPlainText(html: string): string {
  return foldWhitespace(cleanCharacters(htmlToLines(html)).text)
}

/** Longer tags have addresses and styles. */
const MAX_SETTING_CHARACTERS = 300

/**
 * Returns the text of HTML with a line end for each block and break. Tags of pasted settings that hold a secret remain, because it is
 * found by them.
 */
export function htmlToLines(html: string): string {
  const parts: string[] = []
  let setting = ''
  const tags = new TagReader(html)
  let from = 0
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at)) {
    const end = tags.endOf(at)
    if (end === null) {
      at++
      continue
    }
    if (at > from) parts.push(decodeHTML(html.slice(from, at)))
    const name = tags.nameAt(at)
    if (LINES.test(name) && parts.length > 0 && (name === 'br' || parts.at(-1) !== '\n')) parts.push('\n')
    else if (name === 'td' || name === 'th') parts.push('\t')
    else if (setting !== '' && html.startsWith(`</${setting}`, at)) {
      parts.push(`</${setting}>`)
      setting = ''
    } else if (end - at <= MAX_SETTING_CHARACTERS && !isHtmlElement(name)) {
      const tag = html.slice(at, end)
      if (isTagOfSecret(tag)) {
        parts.push(tag)
        setting = /^[\w.:-]+/.exec(tag.slice(1))?.[0] ?? ''
      }
    }
    at = SILENT.test(name) && html[at + 1] !== '/' ? tags.endOfContent(name, end) : end
    from = at
  }
  parts.push(decodeHTML(html.slice(from)))
  return parts.join('')
}

/** Finds the ends of tags. It reads each character a fixed number of times, even if tags or quotes are left open. */
class TagReader {
  readonly #html: string
  readonly #missing = new Set<string>()

  constructor(html: string) {
    this.#html = html
  }

  /** Returns the tag name in lower case, or an empty string if there is no element. */
  nameAt(at: number): string {
    return matchAt(TAG_NAME, this.#html, at)?.[1]?.toLowerCase() ?? ''
  }

  /** Returns the offset after the tag, comment or declaration at `at`, or null if `<` is text. */
  endOf(at: number): number | null {
    if (this.#html.startsWith('<!--', at)) return this.#behind('-->', at + 4) ?? this.#html.length
    if (/[!?]/.test(this.#html[at + 1] ?? '')) return this.#behind('>', at)
    if (this.nameAt(at) === '') return null
    const first = this.#behind('>', at)
    let close = first
    for (let next = at; close !== null; ) {
      const quoteEnd = this.#quoteEnd(next, close)
      if (quoteEnd === null) return close
      next = quoteEnd
      if (next > close) close = this.#behind('>', next)
    }
    // A quote that closes only after the last tag is not a quoted value.
    return first
  }

  /** Returns the offset after the end tag of an element whose content is skipped. */
  endOfContent(name: string, from: number): number {
    const closing = new RegExp(`</${name}(?=[\\s/>])`, 'gi')
    closing.lastIndex = from
    if (this.#missing.has(name)) return this.#html.length
    const found = closing.exec(this.#html)
    if (found) return this.#behind('>', found.index) ?? this.#html.length
    this.#missing.add(name)
    return this.#html.length
  }

  /** Returns the offset after the next quoted value that starts before `close`. */
  #quoteEnd(from: number, close: number): number | null {
    const opening = /=\s*(["'])/g
    opening.lastIndex = from
    const found = opening.exec(this.#html.slice(0, close))
    return found ? this.#behind(found[1] ?? '', found.index + found[0].length) : null
  }

  #behind(text: string, from: number): number | null {
    if (this.#missing.has(text)) return null
    const at = this.#html.indexOf(text, from)
    if (at < 0) this.#missing.add(text)
    return at < 0 ? null : at + text.length
  }
}
