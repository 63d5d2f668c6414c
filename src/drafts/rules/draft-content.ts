import type { Draft, DraftContent, DraftVersion } from '../schemas'

/** In the order in which they are shown. */
export const CONTENT_FIELDS = [
  'title',
  'description',
  'acceptanceCriteria',
  'storyPoints',
  'assignedTo',
  'areaPath',
  'iterationPath',
  'tags',
  'folderId',
] as const satisfies readonly (keyof DraftContent)[]

export const DEFAULT_FOLDER_ID = 1

/** A draft of which nothing was said yet. */
export const EMPTY_CONTENT: DraftContent = {
  title: '',
  description: null,
  acceptanceCriteria: null,
  storyPoints: null,
  assignedTo: null,
  areaPath: null,
  iterationPath: null,
  tags: null,
  folderId: DEFAULT_FOLDER_ID,
}

type ContentField = (typeof CONTENT_FIELDS)[number]

/** What of a draft a save can change. */
export function extractContent(draft: Draft): DraftContent {
  const { id: _id, sourceItemId: _item, sourceRev: _rev, createdAt: _created, updatedAt: _updated, ...content } = draft
  return content
}

export function listChangedFields(before: DraftContent, after: DraftContent): ContentField[] {
  return CONTENT_FIELDS.filter((field) => before[field] !== after[field])
}

/** The content with the fields that were given, null included, in place of its own. */
export function applyChanges(content: DraftContent, sent: Partial<DraftContent>): DraftContent {
  const given = CONTENT_FIELDS.filter((field) => sent[field] !== undefined).map((field) => [field, sent[field]])
  return { ...content, ...Object.fromEntries(given) }
}

/** How a draft was at one time. */
export type StoredVersion = Omit<DraftVersion, 'changed'>

/** Each version with what changed since the one before; of the first nothing did. */
export function addChangedFields(versions: readonly StoredVersion[]): DraftVersion[] {
  return versions.map((version, index) => {
    const before = versions[index - 1]
    return { ...version, changed: before ? listChangedFields(before.content, version.content) : [] }
  })
}

/**
 * The version that an undo puts back: the one before the latest, or, where the latest is an undo itself, the one before that
 * which it had put back, so that each undo goes one step further. Null at the first version.
 */
export function findVersionToRestore(latest: Pick<StoredVersion, 'version' | 'restored'>): number | null {
  const shown = latest.restored ?? latest.version
  return shown > 1 ? shown - 1 : null
}

/** An instant behind both: two changes of a draft never have the same one, so it tells them apart. */
export function nextInstant(former: string, now: number): string {
  return new Date(Math.max(now, Date.parse(former) + 1)).toISOString()
}
