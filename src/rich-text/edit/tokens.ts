import type { Nodes, Parents, PhrasingContent, Root, RootContent } from 'mdast'
import { isRemovedMark, REMOVED_MARK } from '../../kernel/text/removed-mark'
import type { Styled } from '../model'
import { BOXES } from '../rules/html/write'

/** A mark around words: `strong`, `emphasis`, `delete`, `code`, `link:` and the address, or `mention:` and the account. */
export type Mark = string

/** A word, a sign, an image or a line break of a document. */
export interface Token {
  /** What it shows. Two tokens with the same key show the same. */
  key: string
  /** Whether whitespace is before it in its block. */
  spaced: boolean
  /** From the outermost to the innermost. */
  marks: readonly Mark[]
  /** The title of the link around it. */
  title?: string | null
  /** It is beside what is around it, and no part of that: code that begins right behind other code, or a block that was joined. */
  isApart?: boolean
  /** The node of an image or of anything else that is not text. */
  node?: PhrasingContent
}

/** A block that has text itself: a paragraph, a heading, a cell, or code. */
export interface Leaf {
  tokens: Token[]
  /** What it is, and what it is in: `list:ordered > paragraph`. */
  kind: string
  /** The nodes around it, from the root; the last one is the leaf itself. */
  path: Nodes[]
}

const PARTS = new RegExp(`${REMOVED_MARK.source}|[\\p{L}\\p{N}\\p{M}_]+|[^\\s]`, 'gu')

export function isRemovedPart({ key }: Token): boolean {
  return isRemovedMark(key)
}

/** A piece of text, with its place in what it was taken from. */
export interface Piece {
  key: string
  start: number
  end: number
  spaced: boolean
}

/** Splits text into words and signs. In code, whitespace counts. */
export function splitText(text: string, isCode = false): Piece[] {
  const pieces: Piece[] = []
  let end = 0
  const blank = (to: number) => {
    if (!isCode) return
    for (const { 0: key, index } of text.slice(end, to).matchAll(/\n|[^\n]+/g))
      pieces.push({ key, start: end + index, end: end + index + key.length, spaced: false })
  }
  for (const { 0: key, index } of text.matchAll(PARTS)) {
    blank(index)
    pieces.push({ key, start: index, end: index + key.length, spaced: !isCode && index > end })
    end = index + key.length
  }
  blank(text.length)
  return pieces
}

/** What shows the box of a task. */
export function boxOf(isChecked: boolean): string {
  return isChecked ? BOXES.checked : BOXES.open
}

/** The blocks of a document that have text, in order. */
export function listLeaves(root: Root): Leaf[] {
  const leaves: Leaf[] = []
  const walk = (node: RootContent, path: Nodes[]) => {
    const own = [...path, node]
    if (node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell')
      leaves.push({ tokens: listInlineTokens(node, ownBox(own)), kind: describePath(own), path: own })
    else if (node.type === 'code' || node.type === 'html')
      leaves.push({ tokens: listCodeTokens(node.value), kind: describePath(own), path: own })
    else if (node.type === 'thematicBreak' || !('children' in node))
      leaves.push({ tokens: [{ key: '---', spaced: false, marks: [] }], kind: describePath(own), path: own })
    else for (const child of node.children) walk(child as RootContent, own)
  }
  for (const child of root.children) walk(child, [root])
  return leaves
}

function listCodeTokens(value: string): Token[] {
  return splitText(value, true).map(({ key, spaced }) => ({ key, spaced, marks: [] }))
}

/** The box of a task belongs to its first paragraph. */
function ownBox(path: readonly Nodes[]): Token[] {
  const item = path.at(-2)
  if (item?.type !== 'listItem' || typeof item.checked !== 'boolean' || item.children[0] !== path.at(-1)) return []
  return [{ key: boxOf(item.checked), spaced: false, marks: [] }]
}

function describePath(path: readonly Nodes[]): string {
  return path
    .slice(1)
    .map((node) => {
      if (node.type === 'list') return node.ordered ? 'list:ordered' : 'list'
      if (node.type === 'listItem') return typeof node.checked === 'boolean' ? 'task' : 'item'
      return node.type === 'heading' ? `heading:${node.depth}` : node.type
    })
    .join(' > ')
}

function listInlineTokens(leaf: Parents, before: Token[]): Token[] {
  const tokens = [...before]
  let spaced = before.length > 0
  const addWords = (text: string, marks: readonly Mark[], title?: string | null) => {
    let isApart = marks.includes('code') && tokens.at(-1)?.marks.includes('code')
    for (const { key, spaced: isSpaced } of splitText(text)) {
      tokens.push({
        ...{ key, spaced: spaced || isSpaced, marks },
        ...(title ? { title } : {}),
        ...(isApart ? { isApart } : {}),
      })
      spaced = isApart = false
    }
    if (/\s$/.test(text)) spaced = true
  }
  const walk = (node: PhrasingContent, marks: readonly Mark[], title?: string | null) => {
    const words = wordsOf(node)
    if (words !== null) {
      addWords(words.text, [...marks, ...words.marks], title)
      return
    }
    if (node.type === 'break') tokens.push({ key: '\n', spaced: false, marks, node })
    else if (node.type === 'image') tokens.push({ key: `image ${node.url}`, spaced, marks, node })
    else if ('children' in node) {
      const mark =
        node.type === 'link' ? `link:${node.url}` : node.type === 'styled' ? `styled:${node.style}` : node.type
      const inner = node.type === 'link' ? node.title : title
      for (const child of node.children) walk(child, [...marks, mark], inner)
      return
    } else tokens.push({ key: 'value' in node ? node.value : node.type, spaced, marks, node })
    spaced = false
  }
  for (const child of leaf.children) walk(child as PhrasingContent, [])
  return tokens.map((token, index) =>
    index === 0 || tokens[index - 1]!.key === '\n' ? { ...token, spaced: false } : token,
  )
}

/** The words of a node that has no other nodes, with its own marks. */
function wordsOf(node: PhrasingContent): { text: string; marks: Mark[] } | null {
  if (node.type === 'text') return { text: node.value, marks: [] }
  if (node.type === 'inlineCode') return { text: node.value, marks: ['code'] }
  return node.type === 'mention' ? { text: `@${node.name}`, marks: [`mention:${node.account ?? ''}`] } : null
}

/** The nodes that show the tokens. `around` are the marks of the place that they go to. */
export function toPhrasing(tokens: readonly Token[], around: readonly Mark[]): PhrasingContent[] {
  const nodes: PhrasingContent[] = []
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at]!
    if (token.spaced && at > 0) nodes.push({ type: 'text', value: ' ' })
    at++
    if (token.node) {
      nodes.push(token.node)
      continue
    }
    let text = token.key
    while (at < tokens.length && isOfSameRun(token, tokens[at]!))
      text += `${tokens[at]!.spaced ? ' ' : ''}${tokens[at++]!.key}`
    nodes.push(wrap(text, { marks: token.marks.filter((mark) => !around.includes(mark)), title: token.title }))
  }
  return nodes
}

function isOfSameRun(a: Token, b: Token): boolean {
  return !b.node && !b.isApart && String(a.marks) === String(b.marks) && a.title === b.title
}

/** Text with marks around it. */
function wrap(text: string, { marks, title }: Pick<Token, 'marks' | 'title'>): PhrasingContent {
  let node: PhrasingContent = marks.includes('code')
    ? { type: 'inlineCode', value: text }
    : { type: 'text', value: text }
  for (const mark of marks.toReversed()) {
    const [kind, value] = splitMark(mark)
    if (kind === 'mention') return { type: 'mention', account: value || null, name: text.replace(/^@/, '') }
    if (kind === 'styled') node = { type: 'styled', style: value as Styled['style'], children: [node] }
    else if (kind === 'link') node = { type: 'link', url: value, title: title ?? null, children: [node as never] }
    else if (kind !== 'code') node = { type: kind, children: [node] } as PhrasingContent
  }
  return node
}

function splitMark(mark: Mark): [string, string] {
  const colon = mark.indexOf(':')
  return colon < 0 ? [mark, ''] : [mark.slice(0, colon), mark.slice(colon + 1)]
}

/** What a token shows, with its marks in a fixed order. Tokens in one block with equal keys are the same for an edit. */
export function markedKeyOf({ key, marks, isApart }: Token): string {
  return `${key} ${marks.toSorted().join(' ')}${isApart ? ' apart' : ''}`
}

/** Whether a token is a word or a number, and no sign. */
export function isWord({ key }: Pick<Token, 'key'>): boolean {
  return /[\p{L}\p{N}]/u.test(key)
}

/** What an edit takes away, for a message. */
export function formattingOf(words: string): string {
  return `formatting of “${words}”`
}

export function textOf(tokens: readonly Token[]): string {
  return tokens.map(({ key, spaced }) => `${spaced ? ' ' : ''}${key}`).join('')
}

/** Whether a token is the box of a task. */
export function isBox({ key }: Token): boolean {
  return key === BOXES.checked || key === BOXES.open
}

export function isCode({ path }: Leaf): boolean {
  return path.at(-1)!.type === 'code'
}
