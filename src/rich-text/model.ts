import type { Node, Parent, PhrasingContent } from 'mdast'

/** A person whom the tracker notifies of the text. */
export interface Mention extends Node {
  type: 'mention'
  /** What the tracker knows the person by; null if the text has only the name. */
  account: string | null
  /** The name as it is shown, without the sign before it. */
  name: string
}

/** Words in a style that Markdown has no mark for. The Markdown writer leaves it out, and a person can write it as a tag: `H<sub>2</sub>O`. */
export interface Styled extends Parent {
  type: 'styled'
  style: 'underline' | 'subscript' | 'superscript'
  children: PhrasingContent[]
}

/** What a source has and does not show, or what a reader could not keep. Readers put it at the end of the document, writers leave it out. */
export interface Debris extends Node {
  type: 'debris'
  kind: DebrisKind
}

export type DebrisKind =
  | 'script'
  | 'style'
  | 'metadata'
  | 'frame'
  | 'drawing'
  | 'form'
  | 'image'
  | 'tracking-image'
  | 'event-handler'
  | 'hidden'
  | 'office-markup'
  | 'comment'
  | 'invisible-character'
  /** Nesting beyond the limit; its text stays, flat. */
  | 'too-deep'
  /** Formatting of a text or table that is too large to read; its text stays. */
  | 'too-large'

declare module 'mdast' {
  interface PhrasingContentMap {
    mention: Mention
    styled: Styled
  }
  interface RootContentMap {
    mention: Mention
    styled: Styled
    debris: Debris
  }
}
