import { stringify } from 'yaml'
import { StudioError } from '../../kernel'
import { formatSections, parseFieldMap, parseStoryFile } from '../../rich-text'
import type { Draft, DraftContent } from '../schemas'

/** Fields that `draft get` writes into a file and that a save ignores. */
const READ_ONLY = new Set(['createdAt', 'sourceItemId', 'sourceRev', 'sourceReference', 'publications'])

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
  fields: 'fields',
  updatedat: 'updatedAt',
}

const TEXT_FIELDS = new Set<keyof Draft>(['title', 'assignedTo', 'areaPath', 'iterationPath', 'tags', 'updatedAt'])

/**
 * A draft as a Markdown file: front matter with the short fields and a section for each long text. Undefined fields are omitted.
 * `parseDraftFile` restores the draft, except for blank lines around the texts.
 */
export function formatDraftFile(draft: Partial<DraftContent & Pick<Draft, 'id' | 'updatedAt'>>): string {
  const { id, title, storyPoints, assignedTo, areaPath, iterationPath, tags, fields = {}, folderId, updatedAt } = draft
  const own = Object.keys(fields).length === 0 ? {} : { fields }
  const front = { id, title, storyPoints, assignedTo, areaPath, iterationPath, tags, ...own, folderId, updatedAt }
  return `---\n${stringify(front, { lineWidth: 0, nullStr: '' })}---\n\n${formatSections(draft)}`
}

/**
 * The fields of a JSON or Markdown file, as input of a save. Throws `invalid` if the file cannot be parsed.
 * @param name the name of the file in error messages
 */
export function parseDraftFile(source: string, name: string): Record<string, unknown> {
  const { fields, texts } = parseStoryFile(source, name)
  const settable = Object.entries(fields).filter(([field]) => !READ_ONLY.has(field))
  if (texts === null) return Object.fromEntries(settable)
  return { ...texts, ...Object.fromEntries(settable.map((entry) => toDraftField(entry, name))) }
}

function toDraftField([key, value]: [string, unknown], name: string): [string, unknown] {
  const field = FIELDS[key.toLowerCase().replace(/[^a-z]/g, '')]
  if (field === 'fields') return [field, parseFieldMap(value, name)]
  if (field) return [field, TEXT_FIELDS.has(field) ? toText(value) : value]
  throw new StudioError('invalid', `${name}: "${key}" in the front matter is not a field of a draft.`, {
    hint: 'Use these fields: title, storyPoints, assignedTo, areaPath, iterationPath, tags, folderId, id, updatedAt, and below fields those of the tracker.',
  })
}

/** Tags can be a list, and a title can look like a number. */
function toText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(String).join('; ')
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
}
