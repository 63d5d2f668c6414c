export interface Paragraph {
  text: string
  /** Its lines are a table or commands: all of them are indented. */
  keepsLines: boolean
}

/** What is told of a command, in the paragraphs that blank lines make. */
export function paragraphsOf(about: string | null): Paragraph[] {
  const parts = about ? about.split(/\n\n+/) : []
  return parts.map((text) => ({ text, keepsLines: text.split('\n').every((line) => line.startsWith('  ')) }))
}
