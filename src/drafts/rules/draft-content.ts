import { formatInstant } from '../../kernel/time'
import type { Draft, DraftContent, DraftVersion } from '../schemas'

/** In display order. */
export const CONTENT_FIELDS = [
  'title',
  'description',
  'acceptanceCriteria',
  'storyPoints',
  'assignedTo',
  'areaPath',
  'iterationPath',
  'tags',
  'fields',
  'folderId',
] as const satisfies readonly (keyof DraftContent)[]

export const DEFAULT_FOLDER_ID = 1

export const EMPTY_CONTENT: DraftContent = {
  title: '',
  description: null,
  acceptanceCriteria: null,
  storyPoints: null,
  assignedTo: null,
  areaPath: null,
  iterationPath: null,
  tags: null,
  fields: {},
  folderId: DEFAULT_FOLDER_ID,
}

/** Versions are numbered without a gap. */
export const FIRST_VERSION = 1

type ContentField = (typeof CONTENT_FIELDS)[number]

export function extractContent(draft: Draft): DraftContent {
  const {
    id: _id,
    sourceItemId: _item,
    sourceRev: _rev,
    sourceReference: _reference,
    createdAt: _created,
    updatedAt: _updated,
    ...content
  } = draft
  return content
}

export function listChangedFields(before: DraftContent, after: DraftContent): ContentField[] {
  return CONTENT_FIELDS.filter((name) =>
    name === 'fields' ? !haveSameFields(before.fields, after.fields) : before[name] !== after[name],
  )
}

/** Whether both set the same fields of the tracker to the same values, in any order. */
function haveSameFields(before: DraftContent['fields'], after: DraftContent['fields']): boolean {
  const names = Object.keys(before)
  return (
    names.length === Object.keys(after).length &&
    names.every((name) => Object.hasOwn(after, name) && before[name] === after[name])
  )
}

/** Replaces the fields that are defined in `sent`, including null. */
export function applyChanges(content: DraftContent, sent: Partial<DraftContent>): DraftContent {
  const given = CONTENT_FIELDS.filter((field) => sent[field] !== undefined).map((field) => [field, sent[field]])
  return { ...content, ...Object.fromEntries(given) }
}

export type StoredVersion = Omit<DraftVersion, 'changed'>

/** The version with the values of the previous one where they are equal: most versions change few of the long texts. */
export function shareTexts(before: StoredVersion | undefined, version: StoredVersion): StoredVersion {
  if (!before) return version
  const own = listChangedFields(before.content, version.content).map((field) => [field, version.content[field]])
  return { ...version, content: { ...before.content, ...Object.fromEntries(own) } }
}

/** Adds the fields that differ from the previous version; none for the first one. */
export function addChangedFields(versions: readonly StoredVersion[]): DraftVersion[] {
  return versions.map((version, index) => {
    const before = versions[index - 1]
    return { ...version, changed: before ? listChangedFields(before.content, version.content) : [] }
  })
}

/**
 * The version that an undo restores: the previous one. If the latest version is an undo itself, the one before the version that it restored,
 * so that each undo goes one step further. Null at the first version.
 */
export function findVersionToRestore(latest: Pick<StoredVersion, 'version' | 'restored'>): number | null {
  const current = latest.restored ?? latest.version
  return current > FIRST_VERSION ? current - 1 : null
}

/** A time after both, because the times of changes identify the versions of a draft. */
export function nextInstant(former: string, now: number): string {
  return formatInstant(Math.max(now, Date.parse(former) + 1))
}
