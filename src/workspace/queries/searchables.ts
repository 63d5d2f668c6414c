import type { ReadTx } from '../../storage'
import type { LongText, Person } from '../../tracker'
import type { CachedItem } from '../rules/work-item'
import type { Draft, Folder } from '../schemas'
import { listCachedItems } from './cached-items'
import { listDrafts, listFolders } from './drafts'

/** One thing that search can find. Texts are as they are kept: HTML or Markdown. */
export interface Searchable {
  type: 'devops' | 'draft' | 'folder'
  id: number
  title: string
  tags: string[]
  description: LongText | null
  acceptanceCriteria: LongText | null
  /** The work item's own type, `Bug`; null for drafts and folders. */
  itemType: string | null
  state: string | null
  assignedTo: Person | null
  areaPath: string | null
  iterationPath: string | null
  folderId: number | null
  updatedAt: string | null
}

export async function listSearchables(tx: ReadTx): Promise<Searchable[]> {
  const [items, drafts, folders] = [await listCachedItems(tx), await listDrafts(tx), await listFolders(tx)]
  return [...items.map(searchableItem), ...drafts.map(searchableDraft), ...folders.map(searchableFolder)]
}

function searchableItem(item: CachedItem): Searchable {
  return {
    type: 'devops',
    id: item.id,
    title: item.title,
    tags: item.tags,
    description: item.description,
    acceptanceCriteria: item.acceptanceCriteria,
    itemType: item.type,
    state: item.state,
    assignedTo: item.assignedTo,
    areaPath: item.areaPath,
    iterationPath: item.iterationPath,
    folderId: null,
    updatedAt: item.changedAt,
  }
}

function searchableDraft(draft: Draft): Searchable {
  return {
    type: 'draft',
    id: draft.id,
    title: draft.title,
    tags: splitTags(draft.tags),
    description: markdown(draft.description),
    acceptanceCriteria: markdown(draft.acceptanceCriteria),
    itemType: null,
    state: null,
    assignedTo: draft.assignedTo === null ? null : { displayName: draft.assignedTo, uniqueName: null },
    areaPath: draft.areaPath,
    iterationPath: draft.iterationPath,
    folderId: draft.folderId,
    updatedAt: draft.updatedAt,
  }
}

function searchableFolder(folder: Folder): Searchable {
  return {
    type: 'folder',
    id: folder.id,
    title: folder.name,
    tags: [],
    description: null,
    acceptanceCriteria: null,
    itemType: null,
    state: null,
    assignedTo: null,
    areaPath: null,
    iterationPath: null,
    folderId: folder.parentId,
    updatedAt: null,
  }
}

function splitTags(tags: string | null): string[] {
  return (tags ?? '')
    .split(';')
    .map((tag) => tag.trim())
    .filter(Boolean)
}

function markdown(text: string | null): LongText | null {
  return text === null ? null : { format: 'markdown', text }
}
