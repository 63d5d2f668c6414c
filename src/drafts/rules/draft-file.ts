import { parseDocument, stringify } from 'yaml'
import { StudioError } from '../../kernel'
import { isRecord } from '../../kernel/json'
import type { Draft, DraftContent } from '../schemas'
import { formatSections, parseSections } from './draft-sections'

/** Fields that a draft has and no save can change: a file may hold them, as it does where it was written by `draft get`. */
const READ_ONLY = new Set(['createdAt', 'sourceItemId', 'sourceRev'])

/** The fields of front matter, by the ways to write their names: only letters count, in any case. */
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

const TEXTS = new Set<keyof Draft>(['title', 'assignedTo', 'areaPath', 'iterationPath', 'tags', 'updatedAt'])

const FRONT_MATTER = /^---[ \t]*\n(?:|([\s\S]*?)\n)---[ \t]*(?:\n|$)/

/**
 * A draft as a Markdown file: front matter with the short fields, then a section for each of the two long texts; of a part of a
 * draft what there is. `parseDraftFile` reads it back as it was, but for blank lines around a text.
 */
export function formatDraftFile(draft: Partial<DraftContent & Pick<Draft, 'id' | 'updatedAt'>>): string {
  const { id, title, storyPoints, assignedTo, areaPath, iterationPath, tags, folderId, updatedAt } = draft
  const front = { id, title, storyPoints, assignedTo, areaPath, iterationPath, tags, folderId, updatedAt }
  return `---\n${stringify(front, { lineWidth: 0, nullStr: '' })}---\n\n${formatSections(draft)}`
}

/**
 * The fields that a file gives, as a save takes them: of JSON its members, of Markdown those of the front matter and of the
 * sections that are there. Throws `invalid` for what can be read as neither.
 * @param name what a refusal calls the file
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
  if (!isRecord(record)) throw new StudioError('invalid', `${name} must hold one JSON object.`)
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
    throw new StudioError('invalid', `${name}: the front matter must be fields, each as "name: value".`)
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => {
      if (READ_ONLY.has(key)) return []
      const field = FIELDS[key.toLowerCase().replace(/[^a-z]/g, '')]
      if (field) return [[field, TEXTS.has(field) ? toText(value) : value]]
      throw new StudioError('invalid', `${name}: the front matter has an unknown field "${key}".`, {
        hint: 'Known are: title, storyPoints, assignedTo, areaPath, iterationPath, tags, folderId, id, updatedAt.',
      })
    }),
  )
}

/** Without aliases, of which a few lines can make a tree without end. */
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

/** `tags` may be a list; a title may look like a number. */
function toText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(String).join('; ')
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
}
