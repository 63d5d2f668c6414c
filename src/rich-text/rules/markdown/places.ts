import type { Token } from 'markdown-it'
import type { Nodes, Parents, PhrasingContent } from 'mdast'

interface Range {
  start: number
  end: number
}

/** Where a node is in the source, with its marks. */
export interface NodePlace extends Range {
  /** Its content without its marks. */
  inner?: Range
  /** Of each character that it shows. */
  characters?: Range[]
}

/** The places of the nodes of Markdown in its source. Throws a RangeError if they are not known. */
export class Places {
  readonly #source: string
  readonly #lines: Range[]
  readonly #places = new Map<Nodes, NodePlace>()
  /** Where the current line continues, and how many quote marks are before that. */
  #current = { line: -1, at: 0, marks: 0 }
  /** How many quotes are open. */
  #quotes = 0
  /** Where the characters of the current inline content are. */
  #content: number[] = []

  constructor(source: string) {
    this.#source = source.replace(/\0/g, '\ufffd')
    let start = source.startsWith('\ufeff') ? 1 : 0
    this.#lines = [...source.matchAll(/\r\n?|\n|$/g)].map(({ 0: { length }, index: end }) => {
      const line = { start, end }
      start = end + length
      return line
    })
  }

  get(node: Nodes): NodePlace | undefined {
    return this.#places.get(node)
  }

  /** Notes where a block begins. */
  open(node: Nodes, { type, map, markup, content }: Token, parent: Parents): void {
    const [first, behind] = map!
    if (node.type === 'tableCell') {
      const row = this.#places.get(parent)!
      this.#current.at = row.start + Math.max(0, first - 1)
      this.#places.set(node, { start: this.#current.at, end: row.start + behind })
      return
    }
    const start = this.#begin(first)
    const hasBlocks = 'children' in node && node.type !== 'heading' && node.type !== 'table'
    const place: NodePlace = { start, end: this.#lines[hasBlocks ? first : behind - 1]!.end }
    this.#places.set(node, place)
    if (node.type === 'blockquote') this.#quotes = ++this.#current.marks
    if (node.type === 'code' || node.type === 'html') {
      place.characters = this.#readLines(node.value, type === 'fence' ? first + 1 : first)
      // The indent of code that is not between fences belongs to it.
      const inside = type === 'code_block' ? place.characters[0] : undefined
      if (inside) place.start = inside.start - (this.#source[inside.start - 1] === '\t' ? 1 : 4)
    } else if (type === 'list_item_open')
      this.#current.at += /^\d*./.exec(this.#source.slice(start, place.end))![0].length
    else if (type === 'footnote_open') this.#current.at += `[^${content}]:`.length
    else if (/^[#>]/.test(markup)) this.#current.at += markup.length
  }

  /** Moves behind what the blocks around have before a block in its first line. */
  #begin(line: number): number {
    if (this.#current.line !== line) this.#current = { line, at: this.#lines[line]!.start, marks: 0 }
    const current = this.#current
    for (; current.at < this.#lines[line]!.end; current.at++) {
      const sign = this.#source[current.at]!
      if (sign === '>' && current.marks < this.#quotes) current.marks++
      else if (sign !== ' ' && sign !== '\t') break
    }
    return current.at
  }

  /** A block that has others ends with the last of them. The bar at the end of a row belongs to its last cell. */
  close(node: Parents): void {
    if (node.type === 'blockquote') this.#quotes--
    const place = this.#places.get(node)
    const last = this.#places.get(node.children.at(-1)!)
    if (node.type === 'tableRow' && last) last.end = place!.end
    else if (place && last && !place.inner) place.end = Math.max(place.end, last.end)
  }

  /** Begins the inline content of a block. A box is not a part of it. */
  enter(parent: Parents, { content, map }: Token, withoutBox: string): void {
    const place = this.#places.get(parent)!
    const lines = content.split('\n').map((text, index) => {
      if (index > 0) return this.#locate(text, this.#lines[map![0] + index]!)
      const start = this.#source.indexOf(text, this.#current.at)
      return this.#locate(text, { start, end: start + text.length })
    })
    this.#content = lines.flat().slice(content.length - withoutBox.length)
    place.inner = { start: this.#content[0]!, end: this.#content.at(-1)! }
    if (parent.type === 'paragraph') Object.assign(place, place.inner)
  }

  /** Where the characters of a line of content are. It lacks what the line begins with, where a tab may count as spaces. */
  #locate(text: string, { start, end }: Range): number[] {
    const line = this.#source.slice(start, end)
    const shown = line.includes(text) ? text : text.trimStart()
    const at = start + line.lastIndexOf(shown) + shown.length
    if (at < start + shown.length) throw new RangeError('The place of a line is not known.')
    return Array.from({ length: text.length + 1 }, (_, index) => at - Math.min(shown.length, text.length - index))
  }

  #readLines(value: string, first: number): Range[] {
    const lines = value === '' ? [] : value.split('\n')
    const at = lines.flatMap((text, index) => this.#locate(text, this.#lines[first + index]!))
    return Array.from({ length: value.length }, (_, index) => ({ start: at[index]!, end: at[index + 1]! }))
  }

  /** Notes the place of an inline node. */
  openInline(node: PhrasingContent, token: Token): void {
    const range = this.#range(...token.map!)
    this.#places.set(node, 'value' in node ? { ...range, characters: this.#readCharacters(node.value, token) } : range)
  }

  closeInline(node: PhrasingContent | undefined, { map }: Token): void {
    const place = node && 'children' in node ? this.#places.get(node) : undefined
    if (place) place.end = this.#content[map![1]]!
  }

  /** Adds the characters of a text to those of another one. */
  merge(text: PhrasingContent, added: PhrasingContent): void {
    const { characters } = this.#places.get(text)!
    for (const range of this.#places.get(added)!.characters!) characters!.push(range)
  }

  #range(start: number, end: number): Range {
    return { start: this.#content[start]!, end: this.#content[end]! }
  }

  #readCharacters(value: string, { type, map, content }: Token): Range[] {
    const [start, end] = map!
    const written = type === 'code_inline' ? content : value
    if (type !== 'code_inline' && value.length !== end - start)
      return Array.from({ length: value.length }, () => this.#range(start, end))
    // Code has as much on both sides. In a cell, it shows a bar without its backslash.
    const from = start + (end - start - written.length) / 2
    const parts = written === value ? /[\s\S]/g : /\\\||[\s\S]/g
    return [...written.matchAll(parts)].map(({ 0: { length }, index }) =>
      this.#range(from + index, from + index + length),
    )
  }
}
