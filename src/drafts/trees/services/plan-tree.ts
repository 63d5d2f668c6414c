import { createHash } from 'node:crypto'
import type { FieldChange, TrackerLink, TrackerWorkspaceContext } from '../../../items'
import { checkpoint, type ErrorDetail, StudioError } from '../../../kernel'
import { normalizeText } from '../../../kernel/text/normalize-text'
import type { ReadTx } from '../../../storage'
import type { TrackerItem } from '../../../tracker'
import { findVersionedDraft, listTreeNodes, type StoredTreeNode } from '../../queries'
import { DEFAULT_FOLDER_ID, listChangedFields } from '../../rules/draft-content'
import type { Preference } from '../../rules/merge-texts'
import type { Draft, DraftContent } from '../../schemas'
import { prepareFromDraft } from '../../services/create-from-draft'
import { loadDraftImages } from '../../services/draft-images'
import { loadForPublication, type PublicationSource } from '../../services/load-for-publication'
import { updateFromDraft } from '../../services/update-from-draft'
import { assignTypes } from '../rules/assign-types'
import { type NodeValues, readNodeValues } from '../rules/node-values'
import { parseTreeFiles, type TreeFile, type TreeNode } from '../rules/parse-tree'

/** An item of the files, with what publishing it would do. */
export interface PlannedNode {
  node: TreeNode
  tree: string
  key: string
  values: NodeValues
  type: string
  action: 'create' | 'update' | 'none'
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

/** Reads the files and checks all of them against the tracker, without changing anything. */
export async function planTree(
  ctx: TrackerWorkspaceContext,
  link: TrackerLink,
  { files, parentId, prefer }: { files: readonly TreeFile[]; parentId: number | null; prefer: Preference | null },
): Promise<TreePlan> {
  const { nodes, problems } = parseTreeFiles(files)
  const process = await link.tracker.describeProcess(ctx.signal, [])
  const root = parentId === null ? null : await readParent(ctx, link, parentId)
  const typed = assignTypes(nodes, process, root)
  problems.push(...typed.problems)
  const given = nodes.map((node) => readNodeValues(node, DEFAULT_FOLDER_ID))
  problems.push(...given.flatMap((one) => one.problems))
  const ids = await resolveReferences(
    ctx,
    link,
    nodes,
    given.map(({ values }) => values.reference),
    problems,
  )
  const trees = [...new Set(nodes.map(({ tree }) => treeKeyOf(link, tree)))]
  const known = await ctx.db.read(async (tx) => {
    const found = new Map<string, Map<string, StoredTreeNode>>()
    for (const tree of trees) found.set(tree, await listTreeNodes(tx, tree))
    return found
  })
  const planned: PlannedNode[] = []
  for (const [index, node] of nodes.entries()) {
    await checkpoint(ctx)
    ctx.progress({ label: 'checking the tree', done: index, total: nodes.length })
    const [tree, key] = [treeKeyOf(link, node.tree), keyOfNode(node)]
    const stored = known.get(tree)!.get(key) ?? null
    const base = { node, tree, key, values: given[index]!.values, type: typed.types[index]?.name ?? '' }
    const one = {
      ...base,
      action: 'create' as const,
      itemId: ids[index] ?? null,
      changes: [],
      notes: [],
    }
    try {
      planned.push(
        await planNode(ctx, link, one, {
          stored,
          parentId: node.parent === null ? parentId : null,
          prefer,
        }),
      )
    } catch (error) {
      if (!(error instanceof StudioError) || !isProblemOfNode(error)) throw error
      const found = error.details.map(({ path, message }) => ({
        path: node.place,
        message: `${path.replace(/^fields\./, '')}: ${message}`,
      }))
      problems.push(...(found.length > 0 ? found : [{ path: node.place, message: error.message }]))
      planned.push(one)
    }
  }
  problems.push(...findSharedItems(planned))
  const keys = new Set(planned.map(({ tree, key }) => `${tree} ${key}`))
  // An item with another title now has another key, and is still there.
  const present = new Set(planned.map(({ itemId }) => itemId))
  const gone = trees.flatMap((tree) =>
    [...known.get(tree)!.values()].filter(
      ({ node, itemId }) => itemId !== null && !present.has(itemId) && !keys.has(`${tree} ${node}`),
    ),
  )
  // Of an item that had several titles, the last one is shown.
  const latest = new Map(gone.toSorted((a, b) => a.draftId - b.draftId).map((one) => [one.itemId, one]))
  return { nodes: planned, problems, gone: [...latest.values()] }
}

/** An item that two nodes are would get the texts of one, and then those of the other. */
function findSharedItems(nodes: readonly PlannedNode[]): ErrorDetail[] {
  const places = new Map<number, string>()
  const problems: ErrorDetail[] = []
  for (const { node, itemId } of nodes) {
    if (itemId === null) continue
    const first = places.get(itemId)
    if (first === undefined) places.set(itemId, node.place)
    else problems.push({ path: node.place, message: `is work item ${itemId}, and so is ${first}` })
  }
  return problems
}

function isProblemOfNode({ code }: StudioError): boolean {
  return code === 'invalid' || code === 'not_found' || code === 'stale_revision' || code === 'conflict'
}

/** The same file may be published to several trackers. */
export function treeKeyOf({ name }: Pick<TrackerLink, 'name'>, tree: string): string {
  return `${name ?? ''}:${tree}`
}

async function readParent(ctx: TrackerWorkspaceContext, link: TrackerLink, id: number): Promise<TrackerItem> {
  const { items } = await link.tracker.getItems([id], { signal: ctx.signal })
  if (items[0]) return items[0]
  throw new StudioError(
    'not_found',
    `The parent, work item ${id}, was not found, or your token cannot read it. Nothing was sent.`,
    {
      hint: 'Specify another parent.',
    },
  )
}

/** The items that nodes name with `id`. */
async function resolveReferences(
  ctx: TrackerWorkspaceContext,
  link: TrackerLink,
  nodes: readonly TreeNode[],
  references: readonly (string | null)[],
  problems: ErrorDetail[],
): Promise<(number | null)[]> {
  const named = references.filter((one) => one !== null)
  const ids = named.length === 0 ? new Map<string, number>() : await link.tracker.resolveKeys(named, ctx.signal)
  return references.map((reference, index) => {
    const id = reference === null ? null : (ids.get(reference) ?? null)
    if (reference !== null && id === null)
      problems.push({ path: nodes[index]!.place, message: `id: ${reference} is no work item of the tracker` })
    return id
  })
}

interface KnownOfNode {
  stored: StoredTreeNode | null
  /** Of a root. */
  parentId: number | null
  prefer: Preference | null
}

/** Throws `invalid` with what is wrong with the values. */
async function planNode(
  ctx: TrackerWorkspaceContext,
  link: TrackerLink,
  one: PlannedNode,
  { stored, parentId, prefer }: KnownOfNode,
): Promise<PlannedNode> {
  const source = await ctx.db.read((tx) => loadSource(tx, one, stored))
  if (source?.target) {
    const { itemId, base } = source.target
    const isSame =
      base !== null &&
      listChangedFields(base.content, { ...one.values.content, folderId: base.content.folderId }).length === 0
    if (isSame) return { ...one, itemId, action: 'none' }
    const images = await loadDraftImages(ctx, { draftId: source.draft.id, itemId, content: source.content })
    const request = { source, images, target: source.target, prefer, resolved: {}, given: {} }
    const { changes, conflicts, notes } = await updateFromDraft(withoutPlan(ctx), link, { ...request, dryRun: true })
    if (conflicts.length > 0)
      throw new StudioError(
        'stale_revision',
        `the file and work item ${itemId} both have changes of ${conflicts.map(({ field }) => field).join(', ')}; choose the version of the file (--ours, prefer=draft) or that of the tracker (--theirs, prefer=tracker)`,
      )
    return { ...one, itemId, action: 'update', changes, notes }
  }
  if (one.type === '') return one
  const { prepared, notes } = await prepareFromDraft(ctx, link, {
    source: source ?? createUnsavedSource(one.values.content),
    type: one.type,
    parentId,
    given: {},
  })
  return { ...one, changes: prepared.changes, notes }
}

/** The draft of a node as it would be, and its item; null if there is neither. */
export async function loadSource(
  tx: ReadTx,
  { values, itemId }: Pick<PlannedNode, 'values' | 'itemId'>,
  stored: StoredTreeNode | null,
): Promise<PublicationSource | null> {
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

/** Identifies a node in its tree, in any letter case of the titles. */
function keyOfNode({ path }: Pick<TreeNode, 'path'>): string {
  return createHash('sha256')
    .update(JSON.stringify(path.map(normalizeText)))
    .digest('base64url')
}
