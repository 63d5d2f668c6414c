import { parseDocument } from 'yaml'
import { StudioError } from '../../kernel'
import { isRecord } from '../../kernel/json'

/** A story in a file: the fields of the front matter, and a section for each long text. */
export interface StoryFile {
  /** The front matter, or the object of a JSON file. */
  fields: Record<string, unknown>
  /** The title is the heading in the first line, if the front matter has none. Null for a JSON file. */
  texts: Partial<Sections & { title: string }> | null
}

export interface Sections {
  description: string | null
  acceptanceCriteria: string | null
}

const FRONT_MATTER = /^---[ \t]*\n(?:|([\s\S]*?)\n)---[ \t]*(?:\n|$)/

/**
 * Reads a Markdown file, or a JSON file whose object takes the place of the front matter. Throws `invalid` if it cannot be parsed.
 * @param name the name of the file in error messages
 */
export function parseStoryFile(source: string, name: string): StoryFile {
  const text = source.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
  if (/\.json$/i.test(name) || text.trimStart().startsWith('{'))
    return { fields: parseJsonObject(text, name), texts: null }
  const matter = FRONT_MATTER.exec(text)
  const fields = matter ? parseFrontMatter(matter[1] ?? '', name) : {}
  const hasTitle = Object.keys(fields).some((field) => field.toLowerCase() === 'title')
  return { fields, texts: parseSections(text.slice(matter?.[0].length ?? 0), hasTitle) }
}

function parseJsonObject(text: string, name: string): Record<string, unknown> {
  let record: unknown
  try {
    record = JSON.parse(text)
  } catch (error) {
    throw new StudioError('invalid', `${name} is not JSON: ${(error as Error).message}`, { cause: error })
  }
  if (!isRecord(record)) throw new StudioError('invalid', `${name} must contain one JSON object.`)
  return record
}

function parseFrontMatter(yaml: string, name: string): Record<string, unknown> {
  const values = parseYaml(yaml, name)
  if (values === null) return {}
  if (!isRecord(values))
    throw new StudioError('invalid', `${name}: the front matter must consist of fields in the form "name: value".`)
  return values
}

/** Refuses aliases, because a few lines of them can expand to a huge tree. */
function parseYaml(yaml: string, name: string): unknown {
  const document = parseDocument(yaml, { schema: 'core' })
  try {
    for (const problem of document.errors) throw problem
    return document.toJS({ maxAliasCount: 0 })
  } catch (error) {
    const reason = (error as Error).message.split('\n')[0]
    throw new StudioError('invalid', `${name}: the front matter is not YAML: ${reason}`, { cause: error })
  }
}

/**
 * The fields of the tracker in front matter: indented lines of names and values. An empty value is null, and a list is one text: `a; b`. Throws
 * `invalid` for anything else.
 * @param name the name of the file in error messages
 */
export function parseFieldMap(map: unknown, name: string): Record<string, string | number | boolean | null> {
  if (map === null || map === undefined) return {}
  if (!isRecord(map)) throw createFrontError(name, 'fields', 'must have the form "name: value" in indented lines')
  return Object.fromEntries(Object.entries(map).map(([field, value]) => [field, parseFieldValue(value, name, field)]))
}

/** A value of front matter. */
export function parseFieldValue(value: unknown, name: string, key: string): string | number | boolean | null {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.map(String).join('; ')
  throw createFrontError(name, key, 'must be a text, a number, true or false')
}

export function createFrontError(name: string, key: string, problem: string): StudioError {
  return new StudioError('invalid', `${name}: "${key}" in the front matter ${problem}.`)
}

/** The heading of a section, of level 1 or 2. A heading that ends with hashes belongs to the text. */
const HEADING = /^#{1,2}[ \t]+(description|acceptance criteria)[ \t]*$/i

/** A line of a text that looks like the heading of a section, escaped or not. */
const LIKE_HEADING = /^#{1,2}[ \t]+(?:description|acceptance criteria)(?:[ \t]+#)*[ \t]*$/i

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

/** Markdown ignores a hash after a heading, so it can mark headings that belong to the text. */
function escapeHeading(line: string): string {
  return LIKE_HEADING.test(line) ? `${line} #` : line
}

function unescapeHeading(line: string): string {
  return LIKE_HEADING.test(line) ? line.replace(/ #$/, '') : line
}

/**
 * The sections of a text; an empty section is null. Text before the first section belongs to the description, except for a heading in its
 * first line, which is the title if the front matter has none.
 */
function parseSections(text: string, hasTitle: boolean): Partial<Sections & { title: string }> {
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
  const { title, rest } = splitTitle(trimBlankLines(parts.before ?? []), hasTitle)
  const description = [rest, trimBlankLines(parts.description ?? [])].filter(Boolean).join('\n\n')
  return {
    ...(title === null ? {} : { title }),
    ...(parts.description || rest ? { description: description || null } : {}),
    ...(parts.acceptanceCriteria ? { acceptanceCriteria: trimBlankLines(parts.acceptanceCriteria) || null } : {}),
  }
}

function splitTitle(text: string, hasTitle: boolean): { title: string | null; rest: string } {
  const [line = '', ...more] = text.split('\n')
  const title = hasTitle ? undefined : /^#[ \t]+([^ \t].*)$/s.exec(line)?.[1]?.trimEnd()
  return title === undefined ? { title: null, rest: text } : { title, rest: trimBlankLines(more) }
}

/** Removes blank lines at both ends. */
function trimBlankLines(lines: readonly string[]): string {
  return lines
    .join('\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd()
}
