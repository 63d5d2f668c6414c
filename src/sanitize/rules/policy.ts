import type { Code, Parents, PhrasingContent, RootContent } from 'mdast'
import { type Block, text, textOf } from '../../rich-text'
import { dropCaptions } from './links/captions'
import { cleanImage, cleanLink, judgeAddresses } from './links/links'
import type { UrlRules } from './links/url'
import { marks } from './redact/marks'
import { findTokens } from './redact/tokens/tokens'
import type { Tally } from './removal'

/**
 * Applies the policy to blocks in place: mentions, links, images and what editors write beside them. Returns the blocks that remain,
 * and those that changed. People and secrets in the text are the work of `redactTree`.
 * @param judged the blocks that need no judgement; it adds all others
 */
export function applyPolicy(
  blocks: readonly Block[],
  rules: UrlRules,
  tally: Tally,
  judged: WeakSet<RootContent>,
): { remaining: readonly Block[]; changed: Set<RootContent> } {
  const remaining = dropCaptions(blocks)
  const changed = remaining.filter((block) => !judged.has(block) && new Policy(rules, tally).changes(block))
  for (const block of remaining) judged.add(block)
  return { remaining, changed: new Set(changed) }
}

class Policy {
  readonly #rules: UrlRules
  readonly #tally: Tally
  #hasChanged = false

  constructor(rules: UrlRules, tally: Tally) {
    this.#rules = rules
    this.#tally = tally
  }

  changes(block: RootContent): boolean {
    this.#judge(block, false)
    return this.#hasChanged
  }

  #visit(parent: Parents, linked: boolean): void {
    const before: readonly RootContent[] = parent.children
    const shown = dropCaptions(before)
    const nodes = parent.type === 'paragraph' ? dropContentsMacro(shown as PhrasingContent[], this.#tally) : shown
    const after = nodes.flatMap((node) => this.#judge(node, linked))
    if (after.length === before.length && after.every((node, index) => node === before[index])) return
    this.#hasChanged = true
    parent.children = after as Parents['children']
  }

  /** Returns what takes the place of a node; the node itself if it stays. */
  #judge(node: RootContent, linked: boolean): RootContent[] {
    switch (node.type) {
      case 'mention':
        this.#tally.add('mention')
        return [text(marks.mention)]
      case 'styled':
        // Markdown has no mark for it.
        this.#hasChanged = true
        this.#visit(node, linked)
        return node.children
      case 'image':
        return cleanImage(node, linked, this.#rules, this.#tally)
      case 'text':
        return linked ? judgeAddresses(node, this.#rules, this.#tally) : [node]
      case 'link': {
        const { url, children } = cleanLink(node, this.#rules, this.#tally)
        const link =
          url === node.url && children === node.children && !node.title
            ? node
            : { ...node, url: url ?? '', children, title: null }
        this.#visit(link, url !== null)
        return url === null ? link.children : [link]
      }
      case 'code':
        this.#judgeLanguage(node)
        return [node]
      case 'heading': {
        this.#visit(node, linked)
        const [only, ...more] = node.children
        if (only?.type !== 'strong' || more.length > 0) return [node]
        // A heading is bold anyway.
        this.#hasChanged = true
        node.children = only.children
        return [node]
      }
      default:
        if ('children' in node) this.#visit(node, linked)
        return [node]
    }
  }

  /** A token may have the form of a language. */
  #judgeLanguage(node: Code): void {
    if (!node.lang || findTokens(node.lang).length === 0) return
    this.#tally.add('token')
    this.#hasChanged = true
    node.lang = null
  }
}

/**
 * Removes `[[_TOC_]]` and `[[_TOSP_]]` from lines of their own, where the tracker's wiki shows a table of contents. Markdown parses
 * the letters between the underscores as emphasis.
 */
function dropContentsMacro(nodes: readonly PhrasingContent[], tally: Tally): readonly PhrasingContent[] {
  let [head] = nodes
  let next = 1
  for (; head?.type === 'text'; tally.add('metadata')) {
    const [macro] = /^\s*\[\[_TO(?:C|SP)_\]\](?=\s*(?:\n|$))/.exec(head.value) ?? []
    const [second, third] = nodes.slice(next, next + 2)
    if (macro && (head.value.length > macro.length || !second || second.type === 'break')) {
      head = text(head.value.slice(macro.length).trimStart())
    } else if (
      head.value.trim() === '[[' &&
      second?.type === 'emphasis' &&
      /^TO(?:C|SP)$/.test(textOf(second.children)) &&
      third?.type === 'text' &&
      /^\]\]\s*(?:\n|$)/.test(third.value)
    ) {
      head = text(third.value.slice(2).trimStart())
      next += 2
    } else break
  }
  return head ? [head, ...nodes.slice(next)] : nodes
}
