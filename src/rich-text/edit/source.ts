import type { PhrasingContent, RootContent } from 'mdast'
import type { Mark } from './tokens'

/** An element of a source text: a paragraph, an item of a list, words in bold. Its ends include its tags or marks. */
export interface Place {
  start: number
  end: number
  /** What can be inserted beside it. `locked` places are changed as a whole or not at all. */
  kind: 'block' | 'list' | 'item' | 'row' | 'cell' | 'inline' | 'locked'
  /** Those of its content. */
  marks: readonly Mark[]
  parent: Place | null
  /** Its content without its tags or marks. */
  inner?: { start: number; end: number }
  /** The place that shows it first: what is put before a title is put before what has the title. */
  outer?: Place
  /** It is HTML in a text of another format: new words in it are written as HTML, and no blocks are put into it. */
  isHtml?: boolean
  /** It says more of its content than its marks do: a colour, a size, a person. */
  isStyled?: boolean
  /** Some of its tags begin or end outside of it, so that it stays when its words are deleted. */
  isUnbalanced?: boolean
}

/** A token of a source text, with its place there. */
export interface SourceToken {
  key: string
  start: number
  end: number
  spaced: boolean
  /** Null if the format does not tell: those of what it shows. */
  marks: readonly Mark[] | null
  place: Place | null
}

/** How a format is read with places, and written in pieces. */
export interface SourceFormat {
  /** The tokens in the order of the text; null if their places are not known. */
  read(source: string): SourceToken[] | null
  /**
   * Words to insert in a block.
   * @param place what they are put into
   */
  writeInline(nodes: PhrasingContent[], place: Place | null): string
  /**
   * A block, an item of a list, a row or a cell to insert behind or before the place of another one.
   * @param beside that other one, in the source
   */
  writeBlock(node: RootContent, beside: { place: Place; source: string; side: 'before' | 'after' } | null): string
  writeCode(text: string): string
  writeBox(isChecked: boolean): string
  /** What is deleted with a block: the rest of its lines. */
  widenBlock(source: string, range: { start: number; end: number }): { start: number; end: number }
  /** Words of a block as the words of another block, which may be in one line only. Null if they cannot be. */
  joinLines(words: string): string | null
  /** Between two blocks. */
  separator: string
  /** The end of the addresses of links that follow a block and show nothing, from the end of the block on. */
  skipDefinitions?(source: string, end: number): number
  /** Blocks are in tags, and what is between two of them has no meaning. */
  isTagged?: boolean
  /** Between two paragraphs that are text in the same element, if the format has them. */
  paragraphBreak?: string
}
