/** A node of parsed HTML, or of the clean tree. */
export type HtmlNode = Element | Text | Comment

export interface Element {
  type: 'element'
  /** The name in lower case. */
  tagName: string
  /** The attributes by their names in the source. A clean element has only the attributes that its writer needs. */
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

/** Returns an attribute as text, or an empty string if it is missing. */
export function attribute({ properties }: Element, name: string): string {
  const value = properties[name]
  return value === undefined ? '' : String(value)
}
