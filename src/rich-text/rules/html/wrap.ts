import type { Nodes, PhrasingContent, RootContent } from 'mdast'
import { type InlineParent, isInline, isShown } from '../tree/nodes'

export function isBlock(node: Nodes): boolean {
  return !isInline(node) && node.type !== 'debris'
}

/**
 * Puts nodes into emphasis or a link, which must not surround blocks: `<b><p>…</p><p>…</p></b>` becomes two bold paragraphs.
 */
export function wrapInlines(mark: InlineParent, nodes: readonly RootContent[]): RootContent[] {
  const wrapped = (children: RootContent[]) => ({ ...mark, children: children as PhrasingContent[] }) as InlineParent
  if (!nodes.some(isBlock)) return nodes.length > 0 ? [wrapped([...nodes])] : []
  const result: RootContent[] = []
  let run: RootContent[] = []
  const close = () => {
    result.push(...(run.some(isShown) ? [wrapped(run)] : run))
    run = []
  }
  for (const node of nodes) {
    if (isBlock(node)) {
      close()
      result.push(wrapInside(mark, node))
    } else run.push(node)
  }
  close()
  return result
}

const FRAMES = new Set(['list', 'table', 'tableRow'])

function wrapInside(mark: InlineParent, block: RootContent): RootContent {
  if (!('children' in block)) return block
  const children = block.children as RootContent[]
  const wrapped = FRAMES.has(block.type)
    ? children.map((child) => wrapInside(mark, child))
    : wrapInlines(mark, children)
  return { ...block, children: wrapped } as RootContent
}

/** Returns only blocks. Inline content between them becomes a paragraph if it shows anything. */
export function wrapInParagraphs(nodes: readonly RootContent[]): RootContent[] {
  const result: RootContent[] = []
  let run: RootContent[] = []
  const close = () => {
    if (run.some(isShown)) result.push({ type: 'paragraph', children: run as PhrasingContent[] })
    run = []
  }
  for (const node of nodes) {
    if (isBlock(node)) {
      close()
      result.push(node)
    } else run.push(node)
  }
  close()
  return result
}
