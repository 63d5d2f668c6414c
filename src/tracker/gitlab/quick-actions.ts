/** A line that GitLab may take for a command, such as `/close` or `/label ~gate`. Each version has more of them, so any name counts. */
const COMMAND = /^\/(?=\w{1,100}(?:\s|$))/
const ESCAPED_COMMAND = /^\\(?=\/\w{1,100}(?:\s|$))/

/**
 * A text as it is sent, in which nothing is a command. Markdown shows `\/close` as `/close`. Code between backticks stays as it is, because
 * GitLab runs nothing in it. It does between tildes, where the backslash is visible.
 */
export function escapeQuickActions(text: string): string {
  return mapLines(text, (line) => line.replace(COMMAND, '\\/'))
}

/** A text as people wrote it. */
export function unescapeQuickActions(text: string): string {
  return mapLines(text, (line) => line.replace(ESCAPED_COMMAND, ''))
}

/** Changes the lines outside of code blocks. GitLab ends lines at `\n` alone, and reads over `\r`. */
function mapLines(text: string, change: (line: string) => string): string {
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  const ends = findLastFences(lines)
  let fence: string | null = null
  return lines
    .map((line, at) => {
      if (fence !== null) {
        if (line === fence) fence = null
        return line
      }
      const [, mark] = /^(`{3,})[^`]*$/.exec(line) ?? []
      // A block without an end is none for GitLab.
      if (mark !== undefined && (ends.get(mark) ?? 0) > at) fence = mark
      return change(line)
    })
    .join('\n')
}

/** The last line of each fence that may end a block. */
function findLastFences(lines: readonly string[]): Map<string, number> {
  return new Map(lines.flatMap((line, at) => (/^`{3,}$/.test(line) ? [[line, at] as const] : [])))
}
