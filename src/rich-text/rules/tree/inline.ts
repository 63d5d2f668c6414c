import type { PhrasingContent } from 'mdast'
import type { Debris } from '../../model'
import { cleanCharacters, foldWhitespace } from '../characters'
import { note } from '../debris'
import { limits } from '../limits'
import { linkAddresses } from './addresses'
import { type Inline, type InlineParent, isInline, isInlineParent, isShown, text, textOf } from './nodes'

/**
 * Returns the inline nodes of one block in the one form that reads back unchanged. Text nodes are not adjacent. Emphasis is not
 * empty, is not nested in or adjacent to the same kind, and has no whitespace at its edges. Addresses are links.
 */
export function normalizeInlines(nodes: readonly PhrasingContent[], debris: Debris[]): Inline[] {
  return atEdges(tidy(unnest(nodes, [], debris), false, debris)).inner
}

/** Removes marks within the same mark and beyond the limit, from the outside in. */
function unnest(nodes: readonly PhrasingContent[], around: readonly string[], debris: Debris[]): Inline[] {
  if (!nodes.some(isInlineParent)) return nodes.filter(isInline)
  return nodes.flatMap((node): Inline[] => {
    if (!isInlineParent(node)) return isInline(node) ? [node] : []
    if (around.length >= limits.inlineLevels) {
      note(debris, 'too-deep')
      return [text(textOf(node.children))]
    }
    const kind = kindOf(node)
    const isEmpty = node.type === 'link' && !node.children.some(isShown)
    const children = isEmpty ? [text(node.url)] : unnest(node.children, [...around, kind], debris)
    return around.includes(kind) ? children : [{ ...node, children } as InlineParent]
  })
}

/** Two marks of one kind are one mark. */
function kindOf(node: InlineParent): string {
  return node.type === 'styled' ? node.style : node.type
}

/** Cleans characters and normalizes the form from the inside out. */
function tidy(nodes: readonly PhrasingContent[], linked: boolean, debris: Debris[]): Inline[] {
  const result: Inline[] = []
  for (const node of merged(nodes)) {
    if (node.type === 'text') {
      for (const part of tidyText(node.value, linked, debris)) push(result, part)
    } else if (node.type === 'inlineCode') {
      const value = foldWhitespace(visible(node.value, debris))
      if (value !== '') push(result, { type: 'inlineCode', value })
    } else if (node.type === 'image') {
      const { url, title } = node
      push(result, { type: 'image', url, title: title || null, alt: foldWhitespace(visible(node.alt ?? '', debris)) })
    } else if (node.type === 'break') {
      push(result, { type: 'break' })
    } else if (isInlineParent(node)) {
      pushParent(result, node, tidy(node.children, linked || node.type === 'link', debris))
    } else push(result, node)
  }
  return settled(result)
}

/** Matches whitespace that is folded into one space or line end. */
const FOLDED = /\t| {2}|\n[ \n]| \n/

function tidyText(value: string, linked: boolean, debris: Debris[]): PhrasingContent[] {
  const clean = visible(value, debris)
  const folded = FOLDED.test(clean) ? clean.replace(/[ \t]+/g, ' ').replace(/ ?\n[ \n]*/g, '\n') : clean
  return linked ? [text(folded)] : linkAddresses(folded)
}

function visible(value: string, debris: Debris[]): string {
  const clean = cleanCharacters(value)
  note(debris, 'invisible-character', clean.invisible)
  return clean.text
}

/** Merges adjacent text, so that an address or a secret is found even if an editor split it. */
function merged(nodes: readonly PhrasingContent[]): PhrasingContent[] {
  const result: PhrasingContent[] = []
  for (const node of nodes) {
    const last = result.at(-1)
    if (node.type === 'text' && last?.type === 'text') result[result.length - 1] = text(last.value + node.value)
    else result.push(node)
  }
  return result
}

/** Wraps `children` in `node`, and leaves whitespace at their edges outside. */
function pushParent(result: Inline[], node: InlineParent, children: Inline[]): void {
  const { before, inner, after } = atEdges(children)
  for (const blank of before) push(result, blank)
  if (inner.length > 0) push(result, { ...node, children: inner } as InlineParent)
  for (const blank of after) push(result, blank)
}

/** Splits `nodes` into the whitespace and breaks at both ends and the content between them. */
function atEdges(nodes: readonly Inline[]): { before: Inline[]; inner: Inline[]; after: Inline[] } {
  let from = 0
  let to = nodes.length
  while (from < to && isBlank(nodes[from])) from++
  while (to > from && isBlank(nodes[to - 1])) to--
  const inner = nodes.slice(from, to)
  const before = nodes.slice(0, from)
  const after = nodes.slice(to)
  const [first] = inner
  if (first?.type === 'text' && /^\s/.test(first.value)) {
    const rest = first.value.trimStart()
    before.push(text(first.value.slice(0, first.value.length - rest.length)))
    inner[0] = text(rest)
  }
  const last = inner.at(-1)
  if (last?.type === 'text' && /\s$/.test(last.value)) {
    const rest = last.value.trimEnd()
    after.unshift(text(last.value.slice(rest.length)))
    inner[inner.length - 1] = text(rest)
  }
  return { before, inner, after }
}

function isBlank(node: Inline | undefined): boolean {
  return node?.type === 'break' || (node?.type === 'text' && node.value.trim() === '')
}

/** Appends a node, or merges it with the last node if both are of the same kind. */
function push(result: Inline[], node: PhrasingContent): void {
  if (!isInline(node) || (node.type === 'text' && node.value === '')) return
  const last = result.at(-1)
  if (last?.type === 'text' && node.type === 'text') {
    result[result.length - 1] = text(oneBlank(last.value + node.value))
  } else if (last?.type === 'inlineCode' && node.type === 'inlineCode') {
    result[result.length - 1] = { type: 'inlineCode', value: last.value + node.value }
  } else if (last?.type === 'break' && node.type === 'break' && result.at(-2)?.type === 'break') {
    // Two breaks already separate paragraphs, so further breaks add nothing.
  } else if (last && isSameParent(last, node)) {
    result.pop()
    const children: Inline[] = [...(last.children as Inline[])]
    for (const child of (node as InlineParent).children) push(children, child)
    result.push({ ...last, children } as InlineParent)
  } else result.push(node)
}

function isSameParent(last: Inline, node: Inline): last is InlineParent {
  if (!isInlineParent(last) || !isInlineParent(node) || kindOf(last) !== kindOf(node)) return false
  return last.type !== 'link' || last.url === (node as typeof last).url
}

function oneBlank(value: string): string {
  return value.replace(/[ \n]{2,}/g, (blank) => (blank.includes('\n') ? '\n' : ' '))
}

/** Removes spaces next to breaks. Moves punctuation at the end of emphasis outside if a word follows: `**Note**:text`. */
function settled(nodes: Inline[]): Inline[] {
  const result: Inline[] = []
  for (const [index, node] of nodes.entries()) {
    if (node.type !== 'text') {
      if (isInlineParent(node) && !isReadable(node, nodes[index - 1], nodes[index + 1]))
        for (const child of node.children) push(result, child)
      else result.push(node)
      continue
    }
    let { value } = node
    if (nodes[index - 1]?.type === 'break') value = value.trimStart()
    if (nodes[index + 1]?.type === 'break') value = value.trimEnd()
    const before = result.at(-1)
    if (
      before &&
      isInlineParent(before) &&
      before.type !== 'link' &&
      before.type !== 'styled' &&
      /^[\p{L}\p{N}]/u.test(value)
    ) {
      value = takePunctuation(before) + value
      if (before.children.length === 0) result.pop()
    }
    if (value !== '') push(result, text(value))
  }
  return result
}

/**
 * Returns whether a mark within a word can be written. Punctuation beside it then hides it, unless the writer escapes that, which it does
 * not for strikethrough and for characters beyond the basic plane.
 */
function isReadable({ type, children }: InlineParent, before: Inline | undefined, after: Inline | undefined): boolean {
  if (type === 'link' || type === 'styled') return true
  const edges = type === 'delete' ? ANY_EDGES : ASTRAL_EDGES
  const isHiding = (node: PhrasingContent | undefined, edge: RegExp) =>
    node?.type === 'text' ? edge.test(node.value) : type === 'delete'
  const isOfWord = (node: Inline | undefined, letter: RegExp) => node?.type === 'text' && letter.test(node.value)
  return !(
    (isOfWord(before, /[^\s\p{P}\p{S}]$/u) && isHiding(children[0], edges.start)) ||
    (isOfWord(after, /^[^\s\p{P}\p{S}]/u) && isHiding(children.at(-1), edges.end))
  )
}

const ANY_EDGES = { start: /^[\p{P}\p{S}]/u, end: /[\p{P}\p{S}]$/u }
const ASTRAL_EDGES = { start: /^(?=[^\0-\uffff])[\p{P}\p{S}]/u, end: /(?=[^\0-\uffff])[\p{P}\p{S}]$/u }

function takePunctuation(parent: InlineParent): string {
  const last = parent.children.at(-1)
  if (last?.type !== 'text') return ''
  let end = last.value.length
  while (/[.,:;!?]/.test(last.value[end - 1] ?? '')) end--
  const remaining = last.value.slice(0, end).trimEnd()
  if (remaining === '' && parent.children.length > 1) return ''
  parent.children = remaining === '' ? [] : [...parent.children.slice(0, -1), text(remaining)]
  return last.value.slice(remaining.length)
}
