import { html as names, parseFragment, type TreeAdapter, type TreeAdapterTypeMap } from 'parse5'
import { limits } from '../limits'
import type { Comment, Element, HtmlNode, Text } from './nodes'

/** Properties that the parser needs in addition to the tree. */
interface Placed {
  parent?: Parent | null
}

type ParsedElement = Element & Placed & { namespace: names.NS; level: number; children: Child[]; content?: Fragment }
type Child = ParsedElement | (Text & Placed) | (Comment & Placed)
type Fragment = { type: 'fragment'; level: number; children: Child[] } & Placed
type Parent = ParsedElement | Fragment
type Doctype = Comment & Placed

type Types = TreeAdapterTypeMap<
  Child | Parent,
  Parent,
  Child,
  Fragment,
  Fragment,
  ParsedElement,
  Comment,
  Text,
  ParsedElement
>

/**
 * Parses HTML by the standard, so that any input gives the same tree as in a browser. Throws a RangeError if elements are nested
 * more deeply than `limits.parsedLevels`.
 */
export function parseHtml(html: string): HtmlNode[] {
  return (parseFragment<Types>(html, { treeAdapter: adapter }) as Fragment).children
}

const fragment = (): Fragment => ({ type: 'fragment', level: 0, children: [] })

function append(parent: Parent, node: Child): void {
  place(parent, node)
  parent.children.push(node)
}

function insertBefore(parent: Parent, node: Child, reference: Child): void {
  place(parent, node)
  parent.children.splice(parent.children.lastIndexOf(reference), 0, node)
}

function place(parent: Parent, node: Child): void {
  node.parent = parent
  if (node.type !== 'element') return
  node.level = parent.level + 1
  if (node.level > limits.parsedLevels) throw new RangeError('The elements stand in each other too deep.')
}

const adapter: TreeAdapter<Types> = {
  createDocument: fragment,
  createDocumentFragment: fragment,
  createElement(tagName, namespace, attributes) {
    const properties: Record<string, string> = {}
    for (const { name, value } of attributes) properties[name] = value
    return { type: 'element', tagName, namespace, properties, level: 0, children: [] }
  },
  createCommentNode: (value): Comment => ({ type: 'comment', value }),
  createTextNode: (value): Text => ({ type: 'text', value }),
  appendChild: append,
  insertBefore,
  detachNode(node) {
    const siblings = (node as Child).parent?.children
    siblings?.splice(siblings.lastIndexOf(node as Child), 1)
    ;(node as Child).parent = null
  },
  insertText(parent, value) {
    const last = parent.children.at(-1)
    if (last?.type === 'text') last.value += value
    else append(parent, { type: 'text', value })
  },
  insertTextBefore(parent, value, reference) {
    const before = parent.children[parent.children.lastIndexOf(reference) - 1]
    if (before?.type === 'text') before.value += value
    else insertBefore(parent, { type: 'text', value }, reference)
  },
  adoptAttributes(recipient, attributes) {
    const added = attributes.filter(({ name }) => !Object.hasOwn(recipient.properties, name))
    recipient.properties = {
      ...recipient.properties,
      ...Object.fromEntries(added.map(({ name, value }) => [name, value])),
    }
  },
  getFirstChild: (node) => node.children[0] ?? null,
  getChildNodes: (node) => node.children,
  getParentNode: (node) => (node as Child).parent ?? null,
  getAttrList: ({ properties }) => Object.entries(properties).map(([name, value]) => ({ name, value: String(value) })),
  getTagName: ({ tagName }) => tagName,
  getNamespaceURI: ({ namespace }) => namespace,
  getTextNodeContent: ({ value }) => value,
  getCommentNodeContent: ({ value }) => value,
  isTextNode: (node): node is Text => node.type === 'text',
  isCommentNode: (node): node is Comment => node.type === 'comment',
  isElementNode: (node): node is ParsedElement => node.type === 'element',
  // The content of a template is dropped, because the template is removed later.
  setTemplateContent(template, content) {
    template.content = content
  },
  getTemplateContent: (template) => template.content ?? fragment(),
  // The document type, the mode and source positions do not affect the result.
  isDocumentTypeNode: (_node): _node is Doctype => false,
  setDocumentType() {},
  setDocumentMode() {},
  getDocumentMode: () => names.DOCUMENT_MODE.NO_QUIRKS,
  getDocumentTypeNodeName: () => '',
  getDocumentTypeNodePublicId: () => '',
  getDocumentTypeNodeSystemId: () => '',
  getNodeSourceCodeLocation: () => null,
  setNodeSourceCodeLocation() {},
  updateNodeSourceCodeLocation() {},
}
