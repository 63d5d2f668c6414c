/** A node of HTML: as it was parsed, or as it was built anew of known elements. */
export type HtmlNode = Element | Text | Comment

export interface Element {
  type: 'element'
  /** In lower case. */
  tagName: string
  /** Attributes by their names in the source; of a clean element what its writer needs. */
  properties: Properties
  children: HtmlNode[]
}

export interface Text {
  type: 'text'
  value: string
}

export interface Comment {
  type: 'comment'
  value: string
}

export type Properties = Readonly<Record<string, string | number | boolean | undefined>>

/** An attribute as text; empty where it is not there. */
export function attribute({ properties }: Element, name: string): string {
  const value = properties[name]
  return value === undefined ? '' : String(value)
}
