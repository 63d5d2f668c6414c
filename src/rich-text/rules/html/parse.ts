import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parseFragment } from 'parse5'
import { limits } from '../limits'
import { blocks, dropped, plainBlocks } from './elements'

export type HtmlNode = DefaultTreeAdapterTypes.ChildNode
export type Element = DefaultTreeAdapterTypes.Element

/**
 * Parses HTML by the standard, so that any input gives the same tree as in a browser. Throws a RangeError if elements are nested
 * more deeply than `limits.parsedLevels`.
 * @param hasPlaces whether the nodes tell where they are in the source
 */
export function parseHtml(html: string, hasPlaces = false): HtmlNode[] {
  return parseFragment(html, { treeAdapter: adapter, sourceCodeLocationInfo: hasPlaces }).childNodes
}

const levels = new WeakMap<object, number>()

function countLevels(parent: object, node: object): void {
  const level = (levels.get(parent) ?? 0) + 1
  if (level > limits.parsedLevels) throw new RangeError('The elements are nested too deeply.')
  levels.set(node, level)
}

const adapter: typeof defaultTreeAdapter = {
  ...defaultTreeAdapter,
  appendChild(parent, node) {
    if ('tagName' in node) countLevels(parent, node)
    defaultTreeAdapter.appendChild(parent, node)
  },
  insertBefore(parent, node, reference) {
    if ('tagName' in node) countLevels(parent, node)
    defaultTreeAdapter.insertBefore(parent, node, reference)
  },
}

export function isElement(node: HtmlNode | undefined, ...names: string[]): node is Element {
  return node !== undefined && 'tagName' in node && (names.length === 0 || names.includes(node.tagName))
}

/** Returns an attribute; undefined if it is missing. */
export function findAttribute({ attrs }: Element, name: string): string | undefined {
  return attrs.find((attribute) => attribute.name === name)?.value
}

/** Returns an attribute, or an empty string if it is missing. */
export function attribute(node: Element, name: string): string {
  return findAttribute(node, name) ?? ''
}

/** Returns the text of parsed HTML with a line end for each break and block. */
export function sourceText(nodes: readonly HtmlNode[]): string {
  return nodes
    .map((node) => {
      if ('value' in node) return node.value
      if (!isElement(node) || dropped.has(node.tagName)) return ''
      const inner = sourceText(node.childNodes)
      return node.tagName === 'br' || blocks.has(node.tagName) || plainBlocks.has(node.tagName) ? `\n${inner}\n` : inner
    })
    .join('')
}
