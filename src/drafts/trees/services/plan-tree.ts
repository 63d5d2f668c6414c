import { createHash } from 'node:crypto'
import type { ImageFile, TrackerLink, TrackerWorkspaceContext } from '../../../items'
import { checkpoint, type ErrorDetail, StudioError } from '../../../kernel'
import { normalizeText } from '../../../kernel/text/normalize-text'
import { listRelativeImages } from '../../../rich-text'
import type { TrackerItem } from '../../../tracker'
import { listTreeNodes, type StoredTreeNode } from '../../queries'
import { DEFAULT_FOLDER_ID } from '../../rules/draft-content'
import type { Preference } from '../../rules/merge-texts'
import type { DraftContent } from '../../schemas'
import { assignTypes } from '../rules/assign-types'
import { readNodeValues } from '../rules/node-values'
import { parseTreeFiles, type TreeFile, type TreeNode } from '../rules/parse-tree'
import { type PlannedNode, planNode, type TreePlan } from './plan-node'

/** Reads the files and checks all of them against the tracker, without changing anything. */
export async function planTree(
  ctx: TrackerWorkspaceContext,
  link: TrackerLink,
  {
    files,
    images,
    parentId,
    prefer,
  }: {
    files: readonly TreeFile[]
    /** By the name of the file. */
    images: ReadonlyMap<string, readonly ImageFile[]>
    parentId: number | null
    prefer: Preference | null
  },
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
    const { values } = given[index]!
    const one: PlannedNode = {
      node,
      origin: { tree, key },
      values,
      files: selectShown(values.content, images.get(node.file) ?? []),
      type: typed.types[index]?.name ?? '',
      action: 'create',
      itemId: ids[index] ?? null,
      changes: [],
      notes: [],
    }
    planned.push(
      await planNode(ctx, link, one, {
        stored,
        parentId: node.parent === null ? parentId : null,
        prefer,
        problems,
      }),
    )
  }
  problems.push(...findSharedItems(planned))
  const keys = new Set(nodes.map((node) => `${treeKeyOf(link, node.tree)} ${keyOfNode(node)}`))
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
export function findSharedItems(nodes: readonly PlannedNode[]): ErrorDetail[] {
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

/** The same file may be published to several trackers. */
export function treeKeyOf({ name }: Pick<TrackerLink, 'name'>, tree: string): string {
  return `${name ?? ''}:${tree}`
}

export async function readParent(ctx: TrackerWorkspaceContext, link: TrackerLink, id: number): Promise<TrackerItem> {
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

function selectShown(content: DraftContent, files: readonly ImageFile[]): ImageFile[] {
  if (files.length === 0) return []
  const texts = [content.description ?? '', content.acceptanceCriteria ?? '']
  const paths = new Set(texts.flatMap(listRelativeImages))
  return files.filter(({ path }) => paths.has(path))
}

/** Identifies a node in its tree, in any letter case of the titles. */
function keyOfNode({ path }: Pick<TreeNode, 'path'>): string {
  return createHash('sha256')
    .update(JSON.stringify(path.map(normalizeText)))
    .digest('base64url')
}
