/** Where a value is in the text, without the quotes or brackets around it. */
export interface Value {
  start: number
  end: number
  quoted: boolean
  /** What to judge, if that is not the text from start to end: with its braces `{name}`, or without what joins its parts. */
  written?: string
}

/** What the text before a value says about its language. */
export interface Label {
  /** Its first character. */
  start: number
  /** What closes the quotes around the label: the values of `""password"": ""…""` have the same quotes. */
  quote: string
  isPassword: boolean
  isCode: boolean
}
