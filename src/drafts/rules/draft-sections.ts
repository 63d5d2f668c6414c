interface Sections {
  description: string | null
  acceptanceCriteria: string | null
}

/** A heading of a section of the file, of the first or second level; with hashes behind it it is one of the text. */
const HEADING = /^#{1,2}[ \t]+(description|acceptance criteria)[ \t]*$/i

/** A line of a text that would be such a heading, or that was written with a hash more for that reason. */
const LIKE_HEADING = /^#{1,2}[ \t]+(?:description|acceptance criteria)(?:[ \t]+#)*[ \t]*$/i

/** The two long texts of a draft, each below a heading; one that is not given has none. */
export function formatSections({ description, acceptanceCriteria }: Partial<Sections>): string {
  const sections = [
    ...(description === undefined ? [] : [formatSection('Description', description)]),
    ...(acceptanceCriteria === undefined ? [] : [formatSection('Acceptance criteria', acceptanceCriteria)]),
  ]
  return sections.join('\n')
}

function formatSection(heading: string, text: string | null): string {
  return `## ${heading}\n${text ? `\n${text.split('\n').map(escapeHeading).join('\n')}\n` : ''}`
}

/** A hash behind a heading means nothing in Markdown, and tells it apart here. */
function escapeHeading(line: string): string {
  return LIKE_HEADING.test(line) ? `${line} #` : line
}

function unescapeHeading(line: string): string {
  return LIKE_HEADING.test(line) ? line.replace(/ #$/, '') : line
}

/**
 * The sections that a text has; one that is there and empty is null. What stands before them belongs to the description, but for a
 * heading that begins it: that is the title, where none is known yet.
 */
export function parseSections(text: string, isTitled: boolean): Partial<Sections & { title: string }> {
  const parts: Record<'before' | 'description' | 'acceptanceCriteria', string[] | null> = {
    before: [],
    description: null,
    acceptanceCriteria: null,
  }
  let open: keyof typeof parts = 'before'
  for (const line of text.split('\n')) {
    const heading = HEADING.exec(line)?.[1]?.toLowerCase()
    if (heading) {
      open = heading === 'description' ? 'description' : 'acceptanceCriteria'
      parts[open] ??= []
    } else parts[open]?.push(unescapeHeading(line))
  }
  const { title, rest } = splitTitle(trimBlankLines(parts.before ?? []), isTitled)
  const described = [rest, trimBlankLines(parts.description ?? [])].filter(Boolean).join('\n\n')
  return {
    ...(title === null ? {} : { title }),
    ...(parts.description || rest ? { description: described || null } : {}),
    ...(parts.acceptanceCriteria ? { acceptanceCriteria: trimBlankLines(parts.acceptanceCriteria) || null } : {}),
  }
}

function splitTitle(text: string, isTitled: boolean): { title: string | null; rest: string } {
  const [line = '', ...more] = text.split('\n')
  const title = isTitled ? undefined : /^#[ \t]+([^ \t].*)$/s.exec(line)?.[1]?.trimEnd()
  return title === undefined ? { title: null, rest: text } : { title, rest: trimBlankLines(more) }
}

/** Without the blank lines at both ends. */
function trimBlankLines(lines: readonly string[]): string {
  return lines
    .join('\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd()
}
