import type { TrackerLink, TrackerWorkspaceContext } from '../../../items'
import { checkpoint, familyOf, StudioError } from '../../../kernel'
import { formatInstant } from '../../../kernel/time'
import type { WriteTx } from '../../../storage'
import { changeDraft, findTreeNode, findVersionedDraft, insertDraft, insertFolder, saveTreeNode } from '../../queries'
import { DEFAULT_FOLDER_ID, extractContent, listChangedFields, nextInstant } from '../../rules/draft-content'
import type { Preference } from '../../rules/merge-texts'
import { addImages } from '../../services/add-images'
import { createFromDraft } from '../../services/create-from-draft'
import { storeDraftFiles } from '../../services/draft-files'
import { changeTexts, loadDraftImages } from '../../services/draft-images'
import { updateFromDraft } from '../../services/update-from-draft'
import { loadSource, type PlannedNode, withoutPlan } from './plan-node'

export interface NodeOutcome {
  status: 'created' | 'updated' | 'unchanged' | 'conflict' | 'rejected' | 'unknown' | 'notAttempted'
  itemId: number | null
  message: string | null
}

/**
 * Saves each node of a file as a draft, and publishes the drafts, parents before their children. A draft is published once, also if this is interrupted
 * anywhere: the next call finds the drafts by their places in the file, and what was created by the drafts.
 */
export async function publishNodes(
  ctx: TrackerWorkspaceContext,
  link: TrackerLink,
  { nodes, parentId, prefer }: { nodes: readonly PlannedNode[]; parentId: number | null; prefer: Preference | null },
): Promise<NodeOutcome[]> {
  const draftIds = await saveDrafts(ctx, nodes)
  const outcomes: NodeOutcome[] = []
  let stopped: string | null = null
  const inner = withoutPlan({ ...ctx, progress: () => {} })
  for (const [index, one] of nodes.entries()) {
    await checkpoint(ctx)
    ctx.progress({ label: 'publishing the tree', done: index, total: nodes.length })
    const above = one.node.parent === null ? null : outcomes[one.node.parent]!
    if (one.action === 'none') outcomes.push({ status: 'unchanged', itemId: one.itemId, message: null })
    else if (one.action === 'conflict')
      outcomes.push({ status: 'conflict', itemId: one.itemId, message: one.notes.join(' ') })
    else if (stopped !== null) outcomes.push({ status: 'notAttempted', itemId: one.itemId, message: stopped })
    else if (above !== null && above.itemId === null)
      outcomes.push({ status: 'notAttempted', itemId: one.itemId, message: 'Its parent was not created.' })
    else {
      const { outcome, stops } = await publishNode(inner, link, one, {
        draftId: draftIds[index]!,
        parentId: above === null ? parentId : above.itemId,
        prefer,
      })
      outcomes.push(outcome)
      if (stops) stopped = `Not sent after an error: ${outcome.message}`
    }
  }
  return outcomes
}

const NODES_PER_TRANSACTION = 100

/** Saves what changed in the file in the draft of each node. Returns the IDs of the drafts; null for nodes without a change. */
async function saveDrafts(ctx: TrackerWorkspaceContext, nodes: readonly PlannedNode[]): Promise<(number | null)[]> {
  const ids: (number | null)[] = []
  let folderId: number | null = null
  for (let start = 0; start < nodes.length; start += NODES_PER_TRANSACTION) {
    const part = nodes.slice(start, start + NODES_PER_TRANSACTION)
    const saved = await ctx.db.write(async (tx) => {
      const own: (number | null)[] = []
      let folder = folderId
      for (const one of part) {
        if ('draftId' in one.origin) own.push(one.origin.draftId)
        else if (one.action === 'none' || one.action === 'conflict') own.push(null)
        else {
          const found = await saveDraft(tx, { ...one, ...one.origin }, { folder, now: ctx.clock.now() })
          await storeDraftFiles(ctx, tx, found.id, one.files ?? [])
          folder = found.folder
          own.push(found.id)
        }
      }
      return { own, folder }
    })
    ids.push(...saved.own)
    folderId = saved.folder
    await checkpoint(ctx)
  }
  return ids
}

async function saveDraft(
  tx: WriteTx,
  { tree, key, node, values, itemId }: PlannedNode & { tree: string; key: string },
  { folder, now }: { folder: number | null; now: number },
): Promise<{ id: number; folder: number | null }> {
  const stored = await findTreeNode(tx, tree, key)
  const found = stored && (await findVersionedDraft(tx, stored.draftId))
  if (stored && found) {
    const content = { ...values.content, folderId: found.draft.folderId }
    if (listChangedFields(extractContent(found.draft), content).length > 0)
      await changeDraft(tx, found, { content, at: nextInstant(found.draft.updatedAt, now), restored: null })
    if (itemId !== null && itemId !== stored.itemId) await saveTreeNode(tx, tree, { ...stored, itemId })
    return { id: stored.draftId, folder: found.draft.folderId }
  }
  const at = formatInstant(now)
  const folderId = folder ?? (await insertFolder(tx, { name: nameFolder(tree), parentId: DEFAULT_FOLDER_ID })).id
  const origin = { sourceItemId: null, sourceRev: null, createdAt: at, updatedAt: at }
  const { id } = await insertDraft(tx, { ...values.content, folderId, ...origin })
  await saveTreeNode(tx, tree, {
    node: key,
    title: node.title,
    draftId: id,
    itemId: itemId ?? stored?.itemId ?? null,
  })
  return { id, folder: folderId }
}

/** The last part of the path of the file. */
function nameFolder(tree: string): string {
  const name = tree
    .slice(tree.indexOf(':') + 1)
    .split(/[\\/]/)
    .findLast((part) => part !== '')
  return (name ?? 'Tree').slice(0, 200)
}

async function publishNode(
  ctx: TrackerWorkspaceContext,
  link: TrackerLink,
  one: PlannedNode,
  { draftId, parentId, prefer }: { draftId: number; parentId: number | null; prefer: Preference | null },
): Promise<{ outcome: NodeOutcome; stops: boolean }> {
  const { node, origin } = one
  // A draft of the workspace knows by itself what it was published as.
  const remember = async (itemId: number) =>
    'draftId' in origin ||
    ctx.db.write((tx) => saveTreeNode(tx, origin.tree, { node: origin.key, title: node.title, draftId, itemId }))
  let known = one.itemId
  try {
    const stored = 'draftId' in origin ? null : await ctx.db.read((tx) => findTreeNode(tx, origin.tree, origin.key))
    const source = (await ctx.db.read((tx) => loadSource(tx, one, stored)))!
    const { target } = source
    if (target === null) {
      const images = await loadDraftImages(ctx, { draftId, itemId: null, content: source.content })
      const uploads = images.list()
      const named = { ...source, content: changeTexts(source.content, (text) => images.withNames(text)) }
      const request = { source: named, images: uploads, type: one.type, parentId, given: {}, dryRun: false }
      const created = await createFromDraft(ctx, link, request)
      const { itemId } = created
      await remember(itemId!)
      known = itemId
      const { notes } = uploads.length === 0 ? created : await addImages(ctx, link, created)
      return { outcome: { status: 'created', itemId, message: notes.join(' ') || null }, stops: false }
    }
    const { itemId } = target
    const images = await loadDraftImages(ctx, { draftId, itemId, content: source.content })
    const request = { source, images, target, prefer, resolved: {}, given: {}, dryRun: false }
    const { changes, notes } = await updateFromDraft(ctx, link, request)
    await remember(target.itemId)
    const status = changes.length === 0 ? 'unchanged' : 'updated'
    return { outcome: { status, itemId: target.itemId, message: notes.join(' ') || null }, stops: false }
  } catch (error) {
    if (!(error instanceof StudioError) || ctx.signal.aborted) throw error
    return { outcome: toOutcome(error, known), stops: stopsAll(error) }
  }
}

function toOutcome(error: StudioError, itemId: number | null): NodeOutcome {
  const details = error.details.map(({ path, message }) => `${path}: ${message}`).join('; ')
  const text = details === '' || error.code === 'stale_revision' ? error.message : `${error.message} ${details}`
  // Another call may be publishing the item, or one that was killed.
  const message = error.retryAfterSeconds === null ? text : `${text} Try again in ${error.retryAfterSeconds} s.`
  if (error.code === 'stale_revision' || error.code === 'conflict') return { status: 'conflict', itemId, message }
  if (error.code === 'tracker_timeout') return { status: 'unknown', itemId, message }
  return { status: 'rejected', itemId, message }
}

/** Whether the next items would fail for the same reason. What a tracker does not answer may be its answer to one item. */
function stopsAll({ code }: StudioError): boolean {
  return code === 'tracker_token' || code === 'tracker_throttled' || familyOf(code) === 'unavailable'
}
