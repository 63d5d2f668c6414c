import { openTrackerLink, type TrackerLink, type TrackerWorkspaceContext } from '../../../items'
import { checkpoint, type ErrorDetail, StudioError } from '../../../kernel'
import { findUnfinishedNodes, listDraftIds, listFolders } from '../../queries'
import type { Preference } from '../../rules/merge-texts'
import type { Folder } from '../../schemas'
import { loadForPublication, type PublicationSource } from '../../services/load-for-publication'
import { requireFolder } from '../../services/require-draft'
import { assignTypes } from '../rules/assign-types'
import { MAX_TREE_NODES, type TreeNode } from '../rules/parse-tree'
import { type PlannedNode, planNode, type TreePlan } from './plan-node'
import { findSharedItems, readParent } from './plan-tree'

interface FolderRequest {
  folderId: number
  parentId: number | null
  prefer: Preference | null
}

/** The drafts of a folder and of the folders below it, with the tracker of the items that they were published to. */
export async function loadFolder(
  ctx: TrackerWorkspaceContext,
  { folderId, parentId, tracker }: { folderId: number; parentId: number | null; tracker: string | undefined },
): Promise<{ sources: PublicationSource[]; link: TrackerLink }> {
  const ids = await ctx.db.read(async (tx) => {
    await requireFolder(tx, folderId)
    const folders = listBelow(await listFolders(tx), folderId)
    const found: number[] = []
    for (const id of folders) found.push(...(await listDraftIds(tx, id)))
    return found
  })
  if (ids.length === 0) throw new StudioError('invalid', `Folder ${folderId} has no drafts.`)
  if (ids.length > MAX_TREE_NODES)
    throw new StudioError(
      'invalid',
      `Folder ${folderId} has ${ids.length} drafts. At most ${MAX_TREE_NODES} can be published at once.`,
    )
  const sources: PublicationSource[] = []
  for (const id of ids) {
    sources.push(await ctx.db.read((tx) => loadForPublication(tx, { id, to: undefined, asNew: false })))
    await checkpoint(ctx)
  }
  const items = [parentId, ...sources.map(({ target }) => target?.itemId ?? null)].filter((id) => id !== null)
  return { sources, link: await openTrackerLink(ctx, { ids: items, name: tracker }) }
}

/** The folder and those below it, each before its subfolders. */
function listBelow(folders: readonly Folder[], folderId: number): number[] {
  const found = [folderId]
  for (const id of found)
    for (const folder of folders) if (folder.parentId === id && !found.includes(folder.id)) found.push(folder.id)
  return found
}

/** Checks the drafts against the tracker, without changing anything. New items get the type that the item had of which the draft is a copy. */
export async function planFolder(
  ctx: TrackerWorkspaceContext,
  link: TrackerLink,
  { sources, parentId, prefer }: Omit<FolderRequest, 'folderId'> & { sources: readonly PublicationSource[] },
): Promise<TreePlan> {
  const problems: ErrorDetail[] = []
  const process = await link.tracker.describeProcess(ctx.signal, [])
  const root = parentId === null ? null : await readParent(ctx, link, parentId)
  const nodes = sources.map((source) => toNode(source, new Set(process.types.map(({ name }) => name))))
  const created = nodes.filter((_, index) => sources[index]!.target === null)
  const typed = assignTypes(created, process, root)
  problems.push(...typed.problems)
  // An item of a file that could not be created yet has a parent in the file.
  const ofFiles = await ctx.db.read((tx) => findUnfinishedNodes(tx))
  const planned: PlannedNode[] = []
  for (const [index, node] of nodes.entries()) {
    await checkpoint(ctx)
    ctx.progress({ label: 'checking the drafts', done: index, total: nodes.length })
    const { draft, content, target } = sources[index]!
    const tree = ofFiles.get(draft.id)
    if (tree !== undefined && target === null)
      problems.push({
        path: node.place,
        message: `is part of ${tree}, which was not published whole: publish that file again`,
      })
    const one: PlannedNode = {
      node,
      origin: { draftId: draft.id },
      values: { content, reference: null },
      type: typed.types[created.indexOf(node)]?.name ?? '',
      action: 'create',
      itemId: target?.itemId ?? null,
      changes: [],
      notes: [],
    }
    planned.push(await planNode(ctx, link, one, { stored: null, parentId, prefer, problems }))
  }
  return { nodes: planned, problems: [...problems, ...findSharedItems(planned)], gone: [] }
}

function toNode({ draft, sourceType }: PublicationSource, types: ReadonlySet<string>): TreeNode {
  return {
    tree: 'drafts',
    file: 'drafts',
    path: [draft.title],
    place: `draft ${draft.id}`,
    title: draft.title,
    parent: null,
    description: draft.description,
    acceptanceCriteria: draft.acceptanceCriteria,
    attributes: new Map(sourceType !== null && types.has(sourceType) ? [['type', sourceType]] : []),
  }
}
