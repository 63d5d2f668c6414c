import { parseDocument, stringify } from 'yaml'
import { StudioError } from '../../kernel'
import { isRecord } from '../../kernel/json'
import type { Draft, DraftContent } from '../schemas'

/** Fields that `draft get` writes into a file and that a save ignores. */
const READ_ONLY = new Set(['createdAt', 'sourceItemId', 'sourceRev'])

/** Fields by the names that front matter can use, in lower case and without separators. */
const FIELDS: Record<string, keyof Draft> = {
  id: 'id',
  title: 'title',
  storypoints: 'storyPoints',
  points: 'storyPoints',
  assignedto: 'assignedTo',
  assignee: 'assignedTo',
  areapath: 'areaPath',
  area: 'areaPath',
  iterationpath: 'iterationPath',
  iteration: 'iterationPath',
  tags: 'tags',
  folderid: 'folderId',
  folder: 'folderId',
  updatedat: 'updatedAt',
}

const TEXT_FIELDS = new Set<keyof Draft>(['title', 'assignedTo', 'areaPath', 'iterationPath', 'tags', 'updatedAt'])

const FRONT_MATTER = /^---[ \t]*\n(?:|([\s\S]*?)\n)---[ \t]*(?:\n|$)/

/**
 * A draft as a Markdown file: front matter with the short fields and a section for each long text. Undefined fields are omitted.
 * `parseDraftFile` restores the draft, except for blank lines around the texts.
 */
export function formatDraftFile(draft: Partial<DraftContent & Pick<Draft, 'id' | 'updatedAt'>>): string {
  const { id, title, storyPoints, assignedTo, areaPath, iterationPath, tags, folderId, updatedAt } = draft
  const front = { id, title, storyPoints, assignedTo, areaPath, iterationPath, tags, folderId, updatedAt }
  return `---\n${stringify(front, { lineWidth: 0, nullStr: '' })}---\n\n${formatSections(draft)}`
}

/**
 * The fields of a JSON or Markdown file, as input of a save. Throws `invalid` if the file cannot be parsed.
 * @param name the name of the file in error messages
 */
export function parseDraftFile(source: string, name: string): Record<string, unknown> {
  const text = source.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
  return /\.json$/i.test(name) || text.trimStart().startsWith('{')
    ? parseJsonFile(text, name)
    : parseMarkdownFile(text, name)
}

function parseJsonFile(text: string, name: string): Record<string, unknown> {
  let record: unknown
  try {
    record = JSON.parse(text)
  } catch (error) {
    throw new StudioError('invalid', `${name} is not JSON: ${(error as Error).message}`, { cause: error })
  }
  if (!isRecord(record)) throw new StudioError('invalid', `${name} must contain one JSON object.`)
  return Object.fromEntries(Object.entries(record).filter(([field]) => !READ_ONLY.has(field)))
}

function parseMarkdownFile(text: string, name: string): Record<string, unknown> {
  const front = FRONT_MATTER.exec(text)
  const fields = front ? parseFrontMatter(front[1] ?? '', name) : {}
  return { ...parseSections(text.slice(front?.[0].length ?? 0), 'title' in fields), ...fields }
}

function parseFrontMatter(yaml: string, name: string): Record<string, unknown> {
  const values = parseYaml(yaml, name)
  if (values === null) return {}
  if (typeof values !== 'object' || Array.isArray(values))
    throw new StudioError('invalid', `${name}: the front matter must consist of fields in the form "name: value".`)
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => {
      if (READ_ONLY.has(key)) return []
      const field = FIELDS[key.toLowerCase().replace(/[^a-z]/g, '')]
      if (field) return [[field, TEXT_FIELDS.has(field) ? toText(value) : value]]
      throw new StudioError('invalid', `${name}: "${key}" in the front matter is not a field of a draft.`, {
        hint: 'Use these fields: title, storyPoints, assignedTo, areaPath, iterationPath, tags, folderId, id, updatedAt.',
      })
    }),
  )
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

/** Tags can be a list, and a title can look like a number. */
function toText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(String).join('; ')
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
}

interface Sections {
  description: string | null
  acceptanceCriteria: string | null
}

/** The heading of a section, of level 1 or 2. A heading that ends with hashes belongs to the text. */
const HEADING = /^#{1,2}[ \t]+(description|acceptance criteria)[ \t]*$/i

/** A line of a text that looks like the heading of a section, escaped or not. */
const LIKE_HEADING = /^#{1,2}[ \t]+(?:description|acceptance criteria)(?:[ \t]+#)*[ \t]*$/i

function formatSections({ description, acceptanceCriteria }: Partial<Sections>): string {
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
