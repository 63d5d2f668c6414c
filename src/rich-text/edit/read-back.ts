import type { Nodes, Root } from 'mdast'
import { diffLists } from './align'
import {
  formattingOf,
  isRemovedPart,
  type Leaf,
  listLeaves,
  type Mark,
  markedKeyOf,
  type Token,
  textOf,
} from './tokens'

/** Two versions of a source, as they are read, and of the document that was shown for it. */
interface Versions {
  source: Root
  before: Root
  result: Root
  after: Root
}

/**
 * Compares what an edited source shows with the document that it should show. What the document did not show before, it need not show now:
 * the source and the former document differ in the same parts.
 */
export function compareReadBack({ source, before, result, after }: Versions): {
  undecided: string[]
  losses: string[]
  /** Whether the undecided blocks show all words, and only some of their marks are others. */
  isMarksOnly: boolean
} {
  const former = compare(describe(before), describe(source))
  const wanted = describe(after)
  const now = compare(wanted, describe(result))
  const undecided = new Set<string>()
  const losses = new Set<string>()
  const texts = new Map<Leaf, string>()
  /** By what they show without marks: how many undecided parts the result lacks, less those that it has besides. */
  const balance = new Map<string, number>()
  const textIn = (leaf: Leaf) => {
    const text = texts.get(leaf) ?? textOf(leaf.tokens)
    texts.set(leaf, text)
    return text
  }
  for (const [list, allowed] of [
    [now.lacking, countKeys(former.lacking)],
    [now.added, countKeys(former.added)],
  ] as const)
    for (const part of list) {
      const { key, leaf } = part
      const left = allowed.get(unmarked(part)) ?? 0
      allowed.set(unmarked(part), left - 1)
      if (left > 0) continue
      const words = leaf === null ? key : textIn(leaf)
      if (!key.startsWith(START)) {
        undecided.add(words)
        const own = part.token ? part.token.key : `${key}>`
        balance.set(own, (balance.get(own) ?? 0) + (list === now.lacking ? 1 : -1))
      } else if (list === now.lacking) losses.add(`the number ${key.slice(START.length)} of “${words}”`)
    }
  // What stood for something else in the source and is still shown has taken its place.
  const replaced = countKeys(former.lacking)
  for (const part of now.lacking) replaced.set(unmarked(part), (replaced.get(unmarked(part)) ?? 0) - 1)
  for (const part of now.same) {
    const left = replaced.get(unmarked(part)) ?? 0
    if (!part.token || left <= 0) continue
    replaced.set(unmarked(part), left - 1)
    const { key } = part.token
    losses.add(isRemovedPart(part.token) ? `what “${key}” stood for` : formattingOf(key))
  }
  const isMarksOnly = [...balance.values()].every((count) => count === 0)
  return { undecided: [...undecided], losses: undecided.size > 0 ? [] : [...losses], isMarksOnly }
}

const START = 'start '

/** A part of a document: where a block begins or ends, or a word. */
interface Part {
  key: string
  /** The words that it is in or before. */
  leaf: Leaf | null
  token?: Token
}

function compare(wanted: readonly Part[], shown: readonly Part[]): Record<'lacking' | 'added' | 'same', Part[]> {
  const found: Record<'lacking' | 'added' | 'same', Part[]> = { lacking: [], added: [], same: [] }
  let [i, j] = [0, 0]
  const keysOf = (parts: readonly Part[]) => parts.map(({ key }) => key)
  for (const { added, removed, count } of diffLists(keysOf(wanted), keysOf(shown))) {
    const list = added ? found.added : removed ? found.lacking : found.same
    for (let at = 0; at < count; at++) list.push(added ? shown[j + at]! : wanted[i + at]!)
    if (!added) i += count
    if (!removed) j += count
  }
  return found
}

/** What is not shown may get other marks and spaces with the words around it. */
const unmarked = ({ key, token }: Part) => token?.key ?? key

function countKeys(parts: readonly Part[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const part of parts) counts.set(unmarked(part), (counts.get(unmarked(part)) ?? 0) + 1)
  return counts
}

function describe(root: Root): Part[] {
  const leaves = listLeaves(root)
  const own = new Map(leaves.map((leaf) => [leaf.path.at(-1)!, leaf]))
  const parts: Part[] = []
  let next = 0
  const walk = (node: Nodes) => {
    if (node.type === 'debris') return
    const leaf = leaves[next] ?? null
    const add = (key: string) => parts.push({ key, leaf })
    add(`<${nameOf(node)}>`)
    if (node.type === 'list' && node.ordered) add(`${START}${node.start ?? 1}`)
    if (own.has(node)) {
      next++
      const isBold = node.type === 'heading' && leaf!.tokens.every(({ marks }) => marks.includes('strong'))
      for (const token of leaf!.tokens) parts.push({ key: keyOf(token, isBold ? ['strong'] : []), leaf, token })
    } else if ('children' in node) for (const child of node.children) walk(child)
    add(`</${node.type}>`)
  }
  for (const child of root.children) walk(child)
  return parts
}

function nameOf(node: Nodes): string {
  if (node.type === 'heading') return `heading ${node.depth}`
  if (node.type === 'code') return `code ${node.lang ?? ''}`
  return node.type === 'list' ? `list ${node.ordered === true}` : node.type
}

/** Markdown does not show whether a name is a mention, and some styles. A copy does not show that a heading is bold as a whole. */
function keyOf(token: Token, hidden: readonly Mark[]): string {
  const marks = token.marks.filter((mark) => !/^(?:mention|styled):/.test(mark) && !hidden.includes(mark))
  return `${token.spaced ? ' ' : ''}${markedKeyOf({ ...token, marks })}`
}
