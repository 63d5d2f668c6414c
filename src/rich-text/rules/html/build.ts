import type { Element, HtmlNode, Properties } from './nodes'

/** Lists the block elements of clean HTML, including those that are shown as at least one line. */
const blockNames = [
  ...(['p', 'div', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'pre', 'hr'] as const),
  ...(['table', 'tr', 'td', 'th', 'office-item', 'definition-term'] as const),
]
const isBlockName = new Set<string>(blockNames)

export function element(tagName: string, children: HtmlNode[], properties: Properties = {}): Element {
  return { type: 'element', tagName, properties, children }
}

/** Returns whether the node is an element, and has one of the names if any are given. */
export function isElement<Name extends string>(
  node: HtmlNode | undefined,
  ...names: Name[]
): node is Element & { tagName: Name } {
  return node?.type === 'element' && (names.length === 0 || names.includes(node.tagName as Name))
}

export function isBlock(node: HtmlNode): node is Element & { tagName: (typeof blockNames)[number] } {
  return node.type === 'element' && isBlockName.has(node.tagName)
}

export function hasBlock(nodes: readonly HtmlNode[]): boolean {
  return nodes.some((node) => isBlock(node) || (node.type === 'element' && hasBlock(node.children)))
}

/** Returns the text as it is shown, with a line end for each break and block. */
export function shownText(nodes: readonly HtmlNode[]): string {
  const parts: string[] = []
  const walk = (node: HtmlNode) => {
    if (node.type === 'text') parts.push(node.value)
    if (node.type !== 'element') return
    if (node.tagName === 'br') parts.push('\n')
    if (node.tagName === 'mention') parts.push(`@${node.properties['name']}`)
    const isLine = isBlock(node)
    if (isLine && parts.length > 0 && !parts.at(-1)?.endsWith('\n')) parts.push('\n')
    for (const child of node.children) walk(child)
    if (isLine && parts.length > 0 && !parts.at(-1)?.endsWith('\n')) parts.push('\n')
  }
  for (const node of nodes) walk(node)
  return parts.join('')
}

/** Returns whether the node shows anything: a letter, an image or a line. */
export function isShown(node: HtmlNode): boolean {
  if (node.type === 'text') return node.value.trim() !== ''
  if (node.type !== 'element') return false
  return isElement(node, 'img', 'hr', 'input', 'mention') || node.children.some(isShown)
}

/**
 * Moves inline elements into blocks, because they must not surround them: `<b><p>…</p><p>…</p></b>` becomes two bold paragraphs.
 */
export function wrapInlines(tagName: string, properties: Properties, children: HtmlNode[]): HtmlNode[] {
  if (!hasBlock(children)) return children.length > 0 ? [element(tagName, children, properties)] : []
  const result: HtmlNode[] = []
  let run: HtmlNode[] = []
  const close = () => {
    if (run.some(isShown)) result.push(element(tagName, run, properties))
    else result.push(...run)
    run = []
  }
  for (const child of children) {
    if (!isBlock(child) && !(child.type === 'element' && hasBlock(child.children))) {
      run.push(child)
      continue
    }
    close()
    if (child.type === 'element') result.push(inside(tagName, properties, child))
  }
  close()
  return result
}

function inside(tagName: string, properties: Properties, block: Element): Element {
  if (isElement(block, 'pre', 'hr')) return block
  const isFrame = isElement(block, 'ul', 'ol', 'table', 'tr')
  const children = isFrame
    ? block.children.map((child) => (child.type === 'element' ? inside(tagName, properties, child) : child))
    : wrapInlines(tagName, properties, block.children)
  return { ...block, children }
}

/** Returns only blocks. Inline content between them becomes a paragraph if it shows anything, and stray list items become lists. */
export function wrapInParagraphs(nodes: readonly HtmlNode[]): Element[] {
  const result: Element[] = []
  let run: HtmlNode[] = []
  const close = () => {
    if (run.some(isShown)) result.push(element('p', run))
    run = []
  }
  for (const node of nodes) {
    if (isBlock(node)) {
      close()
      result.push(node)
    } else if (node.type === 'element' && hasBlock(node.children)) {
      close()
      result.push(...wrapInParagraphs(node.children))
    } else run.push(node)
  }
  close()
  return result
}

/** Replaces blocks by their content where only inline elements are allowed. */
export function unwrapBlocks(nodes: readonly HtmlNode[]): HtmlNode[] {
  return nodes.flatMap((node): HtmlNode[] => {
    if (node.type !== 'element') return [node]
    const children = unwrapBlocks(node.children)
    if (isElement(node, 'br')) return [{ type: 'text', value: ' ' }]
    return isBlock(node)
      ? [{ type: 'text', value: ' ' }, ...children, { type: 'text', value: ' ' }]
      : [{ ...node, children }]
  })
}
