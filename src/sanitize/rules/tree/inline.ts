import type { Image, PhrasingContent, RootContent } from 'mdast'
import {
  cleanCharacters,
  type Inline,
  type InlineParent,
  isInline,
  isInlineParent,
  limits,
  type Mention,
  text,
  textOf,
} from '../../../rich-text'
import { marks } from '../redact/marks'
import type { Tally } from '../removal'
import { linkBareUrls } from './bare-urls'
import { dropCaptions } from './captions'
import { cleanImage, cleanLink } from './links'
import type { UrlRules } from './url'

export interface TreeRules extends UrlRules {
  tally: Tally
  /** Returns whether a top-level block is already clean and needs no further cleaning. */
  isClean?: (block: RootContent) => boolean
}

/**
 * Returns the inline nodes of one block in the one form that reads back unchanged. Text nodes are not adjacent. Emphasis is not
 * empty, is not nested in or adjacent to the same kind, and has no whitespace at its edges. Links follow the policy, and images are
 * removed.
 */
export function cleanInlines(nodes: readonly PhrasingContent[], rules: TreeRules): Inline[] {
  return atEdges(tidy(within(nodes, [], rules), [], rules)).inner
}

/**
 * Applies the link policy and the structure from the outside in, because a link must be judged before its content counts as linked.
 */
function within(nodes: readonly PhrasingContent[], around: readonly string[], rules: TreeRules): PhrasingContent[] {
  if (!nodes.some(isJudged)) return nodes.filter(isInline)
  return dropCaptions(nodes).flatMap((node) =>
    isJudged(node) ? judged(node, around, rules) : isInline(node) ? node : [],
  )
}

/** Returns whether the node needs a check: links and images against the policy, emphasis against the nesting limit. */
function isJudged(node: PhrasingContent): node is InlineParent | Image | Mention {
  return node.type === 'image' || node.type === 'mention' || isInlineParent(node)
}

function judged(node: InlineParent | Image | Mention, around: readonly string[], rules: TreeRules): PhrasingContent[] {
  if (node.type === 'mention') {
    rules.tally.add('mention')
    return [text(marks.mention)]
  }
  if (node.type === 'image') return cleanImage(node, around.includes('link'), rules, rules.tally)
  if (around.length >= limits.inlineLevels) {
    rules.tally.add('too-deep')
    return [text(textOf(node.children))]
  }
  if (node.type !== 'link') {
    const children = within(node.children, [...around, node.type], rules)
    return around.includes(node.type) ? children : [{ ...node, children } as InlineParent]
  }
  if (around.includes('link')) return within(node.children, around, rules)
  const { url, children } = cleanLink(node, rules, rules.tally)
  if (url === null) return within(children, around, rules)
  return [{ type: 'link', url, children: within(children, [...around, 'link'], rules) } as InlineParent]
}

/** Cleans characters and normalizes the form from the inside out. */
function tidy(nodes: readonly PhrasingContent[], around: readonly string[], rules: TreeRules): Inline[] {
  const result: Inline[] = []
  for (const node of merged(nodes)) {
    if (node.type === 'text') {
      for (const part of tidyText(node.value, around.includes('link'), rules)) push(result, part)
    } else if (node.type === 'inlineCode') {
      const value = visible(node.value, rules.tally).replace(/\s+/g, ' ').trim()
      if (value !== '') push(result, { type: 'inlineCode', value })
    } else if (node.type === 'break') {
      push(result, { type: 'break' })
    } else if (isInlineParent(node)) {
      pushParent(result, node, tidy(node.children, [...around, node.type], rules))
    }
  }
  return settled(result)
}

/** Matches whitespace that is folded into one space or line end. */
const FOLDED = /\t| {2}|\n[ \n]| \n/

function tidyText(value: string, linked: boolean, rules: TreeRules): PhrasingContent[] {
  const clean = visible(value, rules.tally)
  const folded = FOLDED.test(clean) ? clean.replace(/[ \t]+/g, ' ').replace(/ ?\n[ \n]*/g, '\n') : clean
  return linkBareUrls(folded, linked, rules, rules.tally)
}

function visible(value: string, tally: Tally): string {
  const clean = cleanCharacters(value)
  tally.add('invisible-character', clean.invisible)
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
  if (
    !isInline(node) ||
    node.type === 'image' ||
    node.type === 'mention' ||
    (node.type === 'text' && node.value === '')
  )
    return
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
  if (last.type !== node.type || !isInlineParent(last)) return false
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
      result.push(node)
      continue
    }
    let { value } = node
    if (nodes[index - 1]?.type === 'break') value = value.trimStart()
    if (nodes[index + 1]?.type === 'break') value = value.trimEnd()
    const before = result.at(-1)
    if (before && isInlineParent(before) && before.type !== 'link' && /^[\p{L}\p{N}]/u.test(value)) {
      value = takePunctuation(before) + value
      if (before.children.length === 0) result.pop()
    }
    if (value !== '') push(result, text(value))
  }
  return result
}

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
