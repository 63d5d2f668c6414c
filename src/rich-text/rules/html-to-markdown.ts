import type { Element, ElementContent, Nodes } from 'hast'
import { fromParse5 } from 'hast-util-from-parse5'
import { toMdast } from 'hast-util-to-mdast'
import { toText } from 'hast-util-to-text'
import type { Parents, PhrasingContent, Root, RootContent } from 'mdast'
import { gfmToMarkdown } from 'mdast-util-gfm'
import { type Options, toMarkdown } from 'mdast-util-to-markdown'
import { parseFragment } from 'parse5'
import { isHostile as isHostileHtml } from './html/hostile'
import { BOXES } from './markdown-to-html'
import { MENTION_ATTRIBUTE, MENTION_SCHEME, parseMentionAttribute } from './mentions'
import { htmlToPlainText } from './plain-text/html'

/** Elements nested more deeply than this are reduced to their text. Editors nest some 20. */
const MAX_LEVELS = 40

/**
 * Converts HTML of the tracker to Markdown (GFM). Keeps all content and removes nothing for privacy: `sanitizeText` does that. Colours,
 * fonts and merged cells have no form in Markdown and are lost. HTML that is made to be expensive becomes plain text.
 */
export function htmlToMarkdown(html: string): string {
  const tree = isHostileHtml(html) ? null : parseHtml(html)
  if (tree === null) return treeToMarkdown(plainTextTree(htmlToPlainText(html)))
  prepare(tree, 0)
  return treeToMarkdown(toMdast(tree) as Root)
}

/** Null if the elements are nested so deeply that they cannot be converted. */
function parseHtml(html: string): Nodes | null {
  try {
    return fromParse5(parseFragment(html) as never) as Nodes
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function plainTextTree(text: string): Root {
  return { type: 'root', children: [{ type: 'paragraph', children: [{ type: 'text', value: text }] }] }
}

export function treeToMarkdown(root: Root): string {
  tidy(root)
  return toMarkdown(root, options).trimEnd()
}

const options: Options = {
  bullet: '-',
  rule: '-',
  listItemIndent: 'one',
  extensions: [gfmToMarkdown({ tablePipeAlign: false })],
}

/** Removes empty paragraphs and the breaks at the ends of others, which HTML editors leave, and keeps short lists together. */
function tidy(parent: Parents): void {
  for (const child of parent.children) if ('children' in child) tidy(child)
  if (parent.type === 'paragraph' || parent.type === 'heading') trimBreaks(parent.children)
  const isEmpty = (node: RootContent) => node.type === 'paragraph' && node.children.length === 0
  if (parent.type === 'root' || parent.type === 'blockquote' || parent.type === 'listItem')
    parent.children = parent.children.filter((child) => !isEmpty(child)) as never
  if (parent.type === 'listItem') parent.spread = parent.children.filter(({ type }) => type !== 'list').length > 1
  if (parent.type === 'list') parent.spread = parent.children.some(({ spread }) => spread)
}

function trimBreaks(children: PhrasingContent[]): void {
  const isBlank = (node: PhrasingContent | undefined) =>
    node?.type === 'break' || (node?.type === 'text' && node.value.trim() === '')
  while (isBlank(children[0])) children.shift()
  while (isBlank(children.at(-1))) children.pop()
}

/** Makes the tracker's forms of mentions and checkboxes those of the standard, and removes comments. */
function prepare(node: Nodes, level: number): void {
  if (!('children' in node)) return
  const shown = node.children.filter(({ type }) => type !== 'comment')
  node.children = (level < MAX_LEVELS ? shown : [{ type: 'text', value: toText(node) }]) as typeof node.children
  if (level < MAX_LEVELS) for (const child of shown) prepare(child, level + 1)
  if (node.type !== 'element') return
  const identity = node.tagName === 'a' ? parseMentionAttribute(node.properties[MENTION_ATTRIBUTE]) : null
  if (identity !== null) node.properties = { href: `${MENTION_SCHEME}${identity}` }
  if (node.tagName === 'li') readBox(node)
}

function readBox(item: Element): void {
  const holder = findFirstShown(item.children)
  const parent = holder?.type === 'element' && holder.tagName === 'p' ? holder : item
  const text = findFirstShown(parent.children)
  if (text?.type !== 'text') return
  const found = /^\s*([☐☑☒✅])\s+/u.exec(text.value)
  if (!found) return
  text.value = text.value.slice(found[0].length)
  const checked = found[1] !== BOXES.open
  const box: ElementContent = {
    type: 'element',
    tagName: 'input',
    properties: { type: 'checkbox', checked },
    children: [],
  }
  parent.children.splice(parent.children.indexOf(text), 0, box)
}

function findFirstShown(children: readonly ElementContent[]): ElementContent | undefined {
  return children.find((child) => child.type === 'element' || (child.type === 'text' && child.value.trim() !== ''))
}
