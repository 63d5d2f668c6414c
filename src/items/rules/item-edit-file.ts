import { stringify } from 'yaml'
import { StudioError } from '../../kernel'
import {
  createFrontError,
  formatSections,
  htmlToMarkdown,
  parseFieldMap,
  parseFieldValue,
  parseStoryFile,
} from '../../rich-text'
import type { FieldValue, WorkItem } from '../schemas'

/** What the front matter of an item's file has, by the name of the field that a change sets. */
const FIELDS = {
  title: 'Title',
  state: 'State',
  assignee: 'Assigned To',
  iteration: 'Iteration Path',
  area: 'Area Path',
  points: 'Story Points',
  priority: 'Priority',
  tags: 'Tags',
} as const

type EditableItem = Omit<WorkItem, 'customFields'> & { customFields?: Record<string, FieldValue> | undefined }

/**
 * A work item as Markdown with front matter, for an editor. Fields that have no value and that not every tracker has are left out.
 * `parseItemEdit` reads it.
 */
export function formatItemEdit(item: EditableItem): string {
  const { id, rev, title, state, assignedTo, iterationPath, areaPath, storyPoints, priority, tags, customFields } = item
  const fields = customFields ?? {}
  const front = {
    id,
    rev,
    title,
    state,
    assignee: assignedTo?.uniqueName ?? assignedTo?.displayName ?? null,
    ...(iterationPath === '' ? {} : { iteration: iterationPath }),
    ...(areaPath === '' ? {} : { area: areaPath }),
    points: storyPoints,
    ...(priority === null ? {} : { priority }),
    tags: tags.join('; ') || null,
    ...(Object.keys(fields).length === 0 ? {} : { fields }),
  }
  const texts = {
    description: toMarkdown(item.description, item.descriptionFormat),
    acceptanceCriteria: toMarkdown(item.acceptanceCriteria, item.acceptanceCriteriaFormat),
  }
  return `---\n${stringify(front, { lineWidth: 0, nullStr: '' })}---\n\n${formatSections(texts)}`
}

function toMarkdown(text: string | null, format: 'html' | 'markdown' | null): string | null {
  return (format === 'html' ? htmlToMarkdown(text ?? '') : (text ?? '')).trim() || null
}

/** An edited file: whose it is, and the values by the names of fields. */
export interface ItemEdit {
  id: number | null
  /** The revision that the user saw. */
  rev: number | null
  values: Record<string, FieldValue>
}

/**
 * Reads an edited file. What is not in it stays as it is, and an empty value clears the field. Throws `invalid` if it cannot be read.
 * @param name the name of the file in error messages
 */
export function parseItemEdit(source: string, name: string): ItemEdit {
  if (source.trim() === '') throw new StudioError('invalid', `${name} is empty, so nothing was changed.`)
  const { fields: front, texts } = parseStoryFile(source, name)
  const values = new Map<string, FieldValue>()
  const { description, acceptanceCriteria } = texts ?? {}
  if (texts?.title !== undefined) values.set(FIELDS.title, texts.title)
  if (description !== undefined) values.set('Description', description)
  if (acceptanceCriteria !== undefined) values.set('Acceptance Criteria', acceptanceCriteria)
  for (const [key, value] of Object.entries(front)) {
    if (key === 'id' || key === 'rev') continue
    if (key === 'fields') {
      for (const [field, own] of Object.entries(parseFieldMap(value, name))) values.set(field, own)
    } else if (Object.hasOwn(FIELDS, key))
      values.set(FIELDS[key as keyof typeof FIELDS], parseFieldValue(value, name, key))
    else throw createFrontError(name, key, `is none of ${['id', 'rev', ...Object.keys(FIELDS), 'fields'].join(', ')}`)
  }
  return { id: toNumber(front['id']), rev: toNumber(front['rev']), values: Object.fromEntries(values) }
}

function toNumber(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null
}

/** A change of an item, as input of its update. */
export interface ItemEditUpdate {
  updates: Record<string, FieldValue>
  /** Tags to add and to remove. */
  tags?: string[]
}

/** The differences of two versions of a file; null if there are none. Tags are added and removed, so that those of others stay. */
export function diffItemEdits(before: ItemEdit, after: ItemEdit): ItemEditUpdate | null {
  const entries = Object.entries(after.values).filter(([name, value]) => before.values[name] !== value)
  const updates = Object.fromEntries(entries.filter(([name]) => name !== FIELDS.tags))
  const changesTags = entries.some(([name]) => name === FIELDS.tags)
  const tags = changesTags ? diffTags(before.values[FIELDS.tags] ?? null, after.values[FIELDS.tags] ?? null) : []
  if (Object.keys(updates).length === 0 && tags.length === 0) return null
  return tags.length === 0 ? { updates } : { updates, tags }
}

function diffTags(before: FieldValue, after: FieldValue): string[] {
  const [old, now] = [splitTags(before), splitTags(after)]
  const missing = (from: string[], among: string[]) =>
    from.filter((tag) => !among.some((other) => other.toLowerCase() === tag.toLowerCase()))
  return [...missing(now, old).map((tag) => `+${tag}`), ...missing(old, now).map((tag) => `-${tag}`)]
}

function splitTags(value: FieldValue): string[] {
  const tags = String(value ?? '').split(/[;,]/)
  return [...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== ''))]
}
