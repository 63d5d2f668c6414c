import type { Nodes, Root } from 'mdast'
import { MARK_WORDS } from '../redact/marks'

/**
 * Text that is written as it is, wherever it stands: no sign in it, and none at the start of one of its lines, means
 * anything. An underscore within a word, an ampersand before a blank, `[email removed]` and their like are no signs.
 */
const EVIDENT_TEXT = new RegExp(
  `^(?![\\s#+=>:-]|\\d+[.)])(?:[^\\\\\`*_~[\\]<>&!|\\n\\t:wW]|(?<=[A-Za-z\\d])_+(?=[A-Za-z\\d])|<(?=[ \\d=])|>|&(?= )|!(?=[^[])|:(?!//)|[wW](?![wW]{2}\\.)|\\[${MARK_WORDS}\\](?![(:[])|\\n(?![\\s#+=>:-]|\\d+[.)]))+(?<![\\s#])$`,
)

/** Addresses that need no escape, in brackets of either kind. */
const EVIDENT_URL = /^https?:\/\/[\w.~:/?#@!$',;=%+&-]+$/

const OUTSIDE_BEFORE = /[\s(]$/
const OUTSIDE_AFTER = /^[\s.,;:?)]/

/**
 * Whether it is evident that the tree is read back from its Markdown as it is: only plain text, emphasis that stands apart and
 * holds no other, plain links, and blocks in their common order. It saves the proof for most texts; where it says no, the
 * result is read once more.
 */
export function isEvident(root: Root): boolean {
  return root.children.every((child, index) => isEvidentNode(child, root.children[index - 1], root.children[index + 1]))
}

function isEvidentNode(node: Nodes, before: Nodes | undefined, after: Nodes | undefined): boolean {
  switch (node.type) {
    case 'text':
      return EVIDENT_TEXT.test(node.value) && before?.type !== 'text'
    case 'inlineCode':
      return !/`|^\s|\s$/.test(node.value)
    case 'break':
    case 'thematicBreak':
      return true
    case 'code':
      return node.value !== ''
    case 'link':
      return EVIDENT_URL.test(node.url) && isEvidentLabel(node)
    case 'emphasis':
    case 'strong':
      return (
        isApart(node, before, after) &&
        node.children.every((child) => child.type === 'text' && isEvidentNode(child, undefined, undefined))
      )
    case 'list':
      return (
        before?.type !== 'list' &&
        after?.type !== 'list' &&
        node.children.every(({ children: [first] }) => first?.type === 'paragraph') &&
        areEvident(node.children)
      )
    case 'paragraph':
    case 'heading':
    case 'listItem':
    case 'blockquote':
    case 'table':
    case 'tableRow':
    case 'tableCell':
      return areEvident(node.children)
    default:
      return false
  }
}

function areEvident(nodes: readonly Nodes[]): boolean {
  return nodes.every((node, index) => isEvidentNode(node, nodes[index - 1], nodes[index + 1]))
}

/** The address itself, or text of its own. */
function isEvidentLabel({ url, children }: Extract<Nodes, { type: 'link' }>): boolean {
  const [label, ...more] = children
  return label?.type === 'text' && more.length === 0 && (label.value === url || EVIDENT_TEXT.test(label.value))
}

/** A letter or digit on the inner side of both marks, a blank or the end of a word on the outer. */
function isApart(
  node: Extract<Nodes, { type: 'emphasis' | 'strong' }>,
  before: Nodes | undefined,
  after: Nodes | undefined,
): boolean {
  const [only, ...more] = node.children
  if (only?.type !== 'text' || more.length > 0 || !/^[\p{L}\p{N}](?:.*[\p{L}\p{N}])?$/su.test(only.value)) return false
  const isOpen = !before || before.type === 'break' || (before.type === 'text' && OUTSIDE_BEFORE.test(before.value))
  return isOpen && (!after || after.type === 'break' || (after.type === 'text' && OUTSIDE_AFTER.test(after.value)))
}
