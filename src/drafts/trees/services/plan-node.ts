import type { FieldChange, ImageFile, PlannedUploads, TrackerLink, TrackerWorkspaceContext } from '../../../items'
import { type ErrorDetail, StudioError } from '../../../kernel'
import type { ReadTx } from '../../../storage'
import { findVersionedDraft, type StoredTreeNode } from '../../queries'
import { listChangedFields } from '../../rules/draft-content'
import type { Preference } from '../../rules/merge-texts'
import type { Draft, DraftContent } from '../../schemas'
import { prepareFromDraft } from '../../services/create-from-draft'
import { changeTexts, loadDraftImages } from '../../services/draft-images'
import { loadForPublication, type PublicationSource } from '../../services/load-for-publication'
import { updateFromDraft } from '../../services/update-from-draft'
import type { NodeValues } from '../rules/node-values'
import type { TreeNode } from '../rules/parse-tree'

/** What an item is published from: a place in a file, by which its draft is found, or a draft of the workspace. */
export type NodeOrigin = { tree: string; key: string } | { draftId: number }

/** An item, with what publishing it would do. */
export interface PlannedNode {
  node: TreeNode
  origin: NodeOrigin
  values: NodeValues
  /** The images beside its file that its texts show. A draft of the workspace has its own. */
  files?: readonly ImageFile[]
  /** Images that publishing it attaches. */
  uploads?: PlannedUploads
  type: string
  /** A conflict stays until the caller says whose version wins. The other items are published. */
  action: 'create' | 'update' | 'none' | 'conflict'
  /** The item that it is; null if it does not exist yet. */
  itemId: number | null
  changes: FieldChange[]
  notes: string[]
}

export interface TreePlan {
  nodes: PlannedNode[]
  problems: ErrorDetail[]
  /** Items that were published from the files and are no longer in them. */
  gone: StoredTreeNode[]
}

interface KnownOfNode {
  stored: StoredTreeNode | null
  /** Of a root. */
  parentId: number | null
  prefer: Preference | null
}

/** What publishing the node would do. Adds what is wrong with its values to the problems. */
export async function planNode(
  ctx: TrackerWorkspaceContext,
  link: TrackerLink,
  one: PlannedNode,
  { problems, ...known }: KnownOfNode & { problems: ErrorDetail[] },
): Promise<PlannedNode> {
  try {
    return await tryPlanning(ctx, link, one, known)
  } catch (error) {
    if (!(error instanceof StudioError) || !isProblemOfNode(error)) throw error
    const { place } = one.node
    const found = error.details.map(({ path, message }) => ({
      path: place,
      message: `${path.replace(/^fields\./, '')}: ${message}`,
    }))
    problems.push(...(found.length > 0 ? found : [{ path: place, message: error.message }]))
    return one
  }
}

function isProblemOfNode({ code }: StudioError): boolean {
  return code === 'invalid' || code === 'not_found' || code === 'stale_revision' || code === 'conflict'
}

async function tryPlanning(
  ctx: TrackerWorkspaceContext,
  link: TrackerLink,
  one: PlannedNode,
  { stored, parentId, prefer }: KnownOfNode,
): Promise<PlannedNode> {
  const source = await ctx.db.read((tx) => loadSource(tx, one, stored))
  if (source?.target) {
    const { itemId, base } = source.target
    const images = await loadDraftImages(ctx, {
      draftId: source.draft.id,
      itemId,
      content: source.content,
      files: one.files,
    })
    images.requireAccepted(link.tracker)
    const content = changeTexts(source.content, (text) => images.withAddresses(text))
    if (base !== null && listChangedFields({ ...base.content, folderId: content.folderId }, content).length === 0)
      return { ...one, itemId, action: 'none' }
    const request = { source, images, target: source.target, prefer, resolved: {}, given: {} }
    const { changes, conflicts, notes } = await updateFromDraft(withoutPlan(ctx), link, { ...request, dryRun: true })
    if (conflicts.length === 0) return { ...one, itemId, action: 'update', changes, notes, uploads: images.list() }
    const names = conflicts.map(({ field }) => field).join(', ')
    return { ...one, itemId, action: 'conflict', notes: [describeConflict(one, names)] }
  }
  if (one.type === '') return one
  const unsaved = source ?? createUnsavedSource(one.values.content)
  const images = await loadDraftImages(ctx, {
    draftId: unsaved.draft.id,
    itemId: null,
    content: unsaved.content,
    files: one.files,
  })
  images.requireAccepted(link.tracker)
  const { prepared, notes } = await prepareFromDraft(ctx, link, {
    source: { ...unsaved, content: changeTexts(unsaved.content, (text) => images.withNames(text)) },
    type: one.type,
    parentId,
    given: {},
  })
  return { ...one, changes: prepared.changes, notes, uploads: images.list() }
}

function describeConflict({ origin }: PlannedNode, fields: string): string {
  const ours = 'draftId' in origin ? 'draft' : 'file'
  return `The ${ours} and the tracker both have changes of ${fields}. Publish again with the version of the ${ours} (--ours, prefer=draft) or of the tracker (--theirs, prefer=tracker).`
}

/** The draft of a node as it would be, and its item; null if there is neither. */
export async function loadSource(
  tx: ReadTx,
  { values, itemId, origin }: Pick<PlannedNode, 'values' | 'itemId' | 'origin'>,
  stored: StoredTreeNode | null,
): Promise<PublicationSource | null> {
  if ('draftId' in origin) return loadForPublication(tx, { id: origin.draftId, to: undefined, asNew: false })
  const id = itemId ?? stored?.itemId ?? undefined
  const draft = stored && (await findVersionedDraft(tx, stored.draftId))
  if (stored && draft) {
    const source = await loadForPublication(tx, { id: stored.draftId, to: itemId ?? undefined, asNew: false })
    const target = source.target ?? (id === undefined ? null : { itemId: id, base: null })
    return { ...source, content: values.content, target }
  }
  return id === undefined ? null : { ...createUnsavedSource(values.content), target: { itemId: id, base: null } }
}

/** What a node would be published from if its draft was saved. */
function createUnsavedSource(content: DraftContent): PublicationSource {
  const origin = { sourceItemId: null, sourceRev: null, sourceReference: null }
  const at = new Date(0).toISOString()
  const draft: Draft = { ...content, ...origin, id: 0, createdAt: at, updatedAt: at }
  return { draft, content, publications: 0, target: null, sourceType: null }
}

/** A call inside of this one, which has one plan for all of its steps. */
export function withoutPlan(ctx: TrackerWorkspaceContext): TrackerWorkspaceContext {
  const { plan: _plan, ...inner } = ctx
  return inner
}
