import MarkdownIt, { type StateInline, type Token } from 'markdown-it'

/** Notes in the `map` of each token where it is in the content. The library does so for the lines of blocks alone. */
export class PlacedInline extends MarkdownIt.StateInline {
  /** Where the rule of links was tried last. */
  start = 0
  /** Where the last token was pushed that is more than text. */
  #pushed = -1

  override pushPending(): Token {
    const end = this.#position()
    const token = super.pushPending()
    token.map = [end - token.content.length, end]
    return token
  }

  override push(type: string, tag: string, nesting: -1 | 0 | 1): Token {
    const { pos } = this
    // The rule of links has moved to their words already.
    if (type === 'link_open') this.pos = this.start
    const start = this.#position()
    const last = this.tokens.at(-1)
    const token = super.push(type, tag, nesting)
    // A rule that pushes several tokens moves behind all of them.
    token.map = [start === this.#pushed ? last!.map![0] + (last!.content.length || 1) : start, start]
    this.#pushed = start
    this.pos = pos
    return token
  }

  /** The spaces before the end of a line belong to it. */
  #position(): number {
    let { pos } = this
    if (this.src[pos] === '\n') while (this.src[pos - 1] === ' ') pos--
    return pos
  }
}

export function noteStart(state: StateInline, silent: boolean): false {
  if (!silent && state instanceof PlacedInline) state.start = state.pos
  return false
}

/** A token ends where the next one begins. Half of a mark of two characters is in a token beside it, which has no content. */
export function closeTokens(tokens: readonly Token[], end: number): void {
  for (const [index, token] of tokens.entries()) {
    const { type } = token
    const [start] = token.map!
    const next = tokens[index + 1]?.map?.[0] ?? end
    token.map = type === 'strong_open' ? [start - 1, next] : [start, type === 'strong_close' ? start + 2 : next]
  }
}
