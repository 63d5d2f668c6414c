import { type Selectable, sql } from 'kysely'
import {
  incrementWorkspaceVersion,
  recordChangedSearchables,
  recordRemovedSearchable,
  type Searchable,
  type SearchableStamp,
  TEXT_BYTES,
} from '../../items'
import { formatInstant } from '../../kernel/time'
import { splitBySize } from '../../kernel/work/chunks'
import { type ReadTx, tables, type WriteTx } from '../../storage'
import type { DraftTable, DraftTables, DraftVersionTable } from '../migrations'
import { extractContent, type StoredVersion } from '../rules/draft-content'
import type { Draft, DraftContent } from '../schemas'
import { removeDraftFiles } from './draft-files'
import { type DraftRow, toDraft } from './draft-rows'

export interface VersionedDraft {
  draft: Draft
  version: number
  /** The version that an undo restored; null if the draft was saved. */
  restored: number | null
}

/** Drafts with the references of the items that they were copied from. */
function selectDrafts(tx: ReadTx) {
  return tables<DraftTables & { work_item: { id: number; reference: string | null } }>(tx)
    .selectFrom('draft')
    .leftJoin('work_item', 'work_item.id', 'draft.source_item_id')
    .selectAll('draft')
    .select('work_item.reference as source_reference')
}

export async function listDraftIds(tx: ReadTx, folderId: number): Promise<number[]> {
  const rows = await tables<DraftTables>(tx)
    .selectFrom('draft')
    .select('id')
    .where('folder_id', '=', folderId)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** What orders a draft in lists, and how long its texts are. */
export interface DraftOutline extends Pick<Draft, 'id' | 'title' | 'storyPoints' | 'createdAt' | 'updatedAt'> {
  bytes: number
}

const DRAFT_BYTES = sql<number>`${TEXT_BYTES} + coalesce(octet_length(fields), 0)`

/** Of which folder, and of which work item the drafts are copies. */
export interface DraftScope {
  folderId?: number | undefined
  sourceItemId?: number | undefined
}

/** The drafts of a scope without their texts, ordered by ID. */
export async function listDraftOutlines(tx: ReadTx, { folderId, sourceItemId }: DraftScope): Promise<DraftOutline[]> {
  const all = tables<DraftTables>(tx)
    .selectFrom('draft')
    .select(['id', 'title', 'story_points', 'created_at', 'updated_at', DRAFT_BYTES.as('bytes')])
    .orderBy('id')
  const inFolder = folderId === undefined ? all : all.where('folder_id', '=', folderId)
  const rows = await (sourceItemId === undefined
    ? inFolder
    : inFolder.where('source_item_id', '=', sourceItemId)
  ).execute()
  return rows.map(({ id, title, story_points, created_at, updated_at, bytes }) => ({
    id,
    title,
    storyPoints: story_points,
    createdAt: created_at,
    updatedAt: updated_at,
    bytes,
  }))
}

/** The IDs of drafts, in parts whose texts have at most so many bytes together. One draft may have more. */
export async function listDraftParts(tx: ReadTx, scope: DraftScope, maxBytes: number): Promise<number[][]> {
  const outlines = await listDraftOutlines(tx, scope)
  return splitBySize(outlines, ({ bytes }) => bytes, maxBytes).map((part) => part.map(({ id }) => id))
}

/** The drafts with these IDs that exist, ordered by ID. */
export async function findDrafts(tx: ReadTx, ids: readonly number[]): Promise<Draft[]> {
  const rows = await selectDrafts(tx).where('draft.id', 'in', ids).orderBy('draft.id').execute()
  return rows.map(toDraft)
}

export async function findVersionedDraft(tx: ReadTx, id: number): Promise<VersionedDraft | null> {
  const row = await selectDrafts(tx).where('draft.id', '=', id).executeTakeFirst()
  return row ? { draft: toDraft(row), version: row.version, restored: row.restored } : null
}

export async function insertDraft(tx: WriteTx, draft: Omit<Draft, 'id' | 'sourceReference'>): Promise<Draft> {
  const { id } = await tables<DraftTables>(tx)
    .insertInto('draft')
    .values({
      ...toContentColumns(draft),
      source_item_id: draft.sourceItemId,
      source_rev: draft.sourceRev,
      created_at: draft.createdAt,
      updated_at: draft.updatedAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return recordChange(tx, id)
}

/** Records that a draft was written, and returns it. */
async function recordChange(tx: WriteTx, id: number): Promise<Draft> {
  const row = await selectDrafts(tx).where('draft.id', '=', id).executeTakeFirstOrThrow()
  recordChangedSearchables(tx, () => [toSearchableDraft(row)])
  await incrementWorkspaceVersion(tx)
  return toDraft(row)
}

/** Replaces the content of a draft. The previous content becomes a former version. */
export async function changeDraft(
  tx: WriteTx,
  { draft, version, restored }: VersionedDraft,
  next: { content: DraftContent; at: string; restored: number | null },
): Promise<Draft> {
  const db = tables<DraftTables>(tx)
  await db
    .insertInto('draft_version')
    .values({
      draft_id: draft.id,
      version,
      content: JSON.stringify(extractContent(draft)),
      saved_at: draft.updatedAt,
      restored,
    })
    .execute()
  await db
    .updateTable('draft')
    .set({
      ...toContentColumns(next.content),
      updated_at: next.at,
      version: version + 1,
      restored: next.restored,
    })
    .where('id', '=', draft.id)
    .execute()
  return recordChange(tx, draft.id)
}

/** Deletes the draft, its former versions and where it was published. */
export async function deleteDraft(tx: WriteTx, id: number): Promise<void> {
  const db = tables<DraftTables>(tx)
  await removeDraftFiles(tx, id)
  await db.deleteFrom('draft_publication').where('draft_id', '=', id).execute()
  await db.deleteFrom('draft_version').where('draft_id', '=', id).execute()
  await db.deleteFrom('draft').where('id', '=', id).execute()
  recordRemovedSearchable(tx, 'draft', id)
  await incrementWorkspaceVersion(tx)
}

/** The numbers of the versions before the current one, in parts that have at most so many bytes together. One version may have more. */
export async function listVersionParts(tx: ReadTx, draftId: number, maxBytes: number): Promise<number[][]> {
  const rows = await tables<DraftTables>(tx)
    .selectFrom('draft_version')
    .select(['version', sql<number>`octet_length(content)`.as('bytes')])
    .where('draft_id', '=', draftId)
    .orderBy('version')
    .execute()
  return splitBySize(rows, ({ bytes }) => bytes, maxBytes).map((part) => part.map(({ version }) => version))
}

/** The versions before the current one with these numbers, oldest first. */
export async function findFormerVersions(
  tx: ReadTx,
  draftId: number,
  numbers: readonly number[],
): Promise<StoredVersion[]> {
  const rows = await selectFormerVersions(tx, draftId).where('version', 'in', numbers).execute()
  return rows.map(toStoredVersion)
}

/** The version before the current one that was saved at a time, in milliseconds. */
export async function findVersionSavedAt(tx: ReadTx, draftId: number, at: number): Promise<StoredVersion | null> {
  const row = await selectFormerVersions(tx, draftId).where('saved_at', '=', formatInstant(at)).executeTakeFirst()
  return row ? toStoredVersion(row) : null
}

function selectFormerVersions(tx: ReadTx, draftId: number) {
  return tables<DraftTables>(tx)
    .selectFrom('draft_version')
    .select(['version', 'saved_at', 'restored', 'content'])
    .where('draft_id', '=', draftId)
    .orderBy('version')
}

function toStoredVersion(row: Omit<Selectable<DraftVersionTable>, 'draft_id'>): StoredVersion {
  return {
    version: row.version,
    savedAt: row.saved_at,
    restored: row.restored,
    content: JSON.parse(row.content) as DraftContent,
  }
}

function toContentColumns(content: DraftContent) {
  return {
    title: content.title,
    description: content.description,
    acceptance_criteria: content.acceptanceCriteria,
    story_points: content.storyPoints,
    assigned_to: content.assignedTo,
    area_path: content.areaPath,
    iteration_path: content.iterationPath,
    tags: content.tags,
    fields: Object.keys(content.fields).length === 0 ? null : JSON.stringify(content.fields),
    folder_id: content.folderId,
  }
}

/** Every draft and every folder. */
export async function listDraftStamps(tx: ReadTx): Promise<SearchableStamp[]> {
  const db = tables<DraftTables>(tx)
  const drafts = await db.selectFrom('draft').select(['id', 'updated_at']).execute()
  const folders = await db.selectFrom('folder').select('id').execute()
  return [
    ...drafts.map((row) => ({ type: 'draft' as const, id: row.id, updatedAt: row.updated_at })),
    ...folders.map((row) => ({ type: 'folder' as const, id: row.id, updatedAt: null })),
  ]
}

/** The drafts among `ids`, in no order; at most 500 ids. */
export async function findSearchableDrafts(tx: ReadTx, ids: readonly number[]): Promise<Searchable[]> {
  const rows = await tables<DraftTables>(tx)
    .selectFrom('draft')
    .select(SEARCHABLE_COLUMNS)
    .where('id', 'in', ids)
    .execute()
  return rows.map(toSearchableDraft)
}

const SEARCHABLE_COLUMNS = [
  'id',
  'title',
  'tags',
  'description',
  'acceptance_criteria',
  'assigned_to',
  'area_path',
  'iteration_path',
  'folder_id',
  'updated_at',
] as const satisfies readonly (keyof DraftTable)[]

/** The properties that only work items have. */
export const NO_ITEM_FIELDS = {
  itemType: null,
  level: null,
  state: null,
  stateCategory: null,
  priority: null,
  url: null,
  reference: null,
}

function toSearchableDraft(row: Pick<DraftRow, (typeof SEARCHABLE_COLUMNS)[number]>): Searchable {
  return {
    type: 'draft',
    id: row.id,
    title: row.title,
    tags: splitTags(row.tags),
    description: toMarkdown(row.description),
    acceptanceCriteria: toMarkdown(row.acceptance_criteria),
    ...NO_ITEM_FIELDS,
    assignedTo: row.assigned_to === null ? null : { displayName: row.assigned_to, uniqueName: null },
    areaPath: row.area_path,
    iterationPath: row.iteration_path,
    folderId: row.folder_id,
    updatedAt: row.updated_at,
  }
}

function splitTags(tags: string | null): string[] {
  return (tags ?? '')
    .split(';')
    .map((tag) => tag.trim())
    .filter(Boolean)
}

function toMarkdown(text: string | null): Searchable['description'] {
  return text === null ? null : { text, format: 'markdown' }
}
