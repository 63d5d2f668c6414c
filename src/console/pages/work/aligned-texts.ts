import { diffArrays } from 'diff'
import { isRemovedMark, REMOVED_MARK } from '../../../kernel/text/removed-mark'
import { type Html, html } from '../../html'

/** A longer comparison shows the texts beside each other without marks. */
const MAX_COMPARE_MS = 400

interface Pair {
  before: Html[]
  after: Html[]
}

/** A text and what is left of it, block beside block. What was removed is marked in the text, with its kind on pointing. */
export function alignTexts(before: string, after: string): Html {
  const parts = diffArrays(tokenize(before), tokenize(after), { timeout: MAX_COMPARE_MS })
  if (!parts) return html`<div class="pair"><div>${before}</div><div>${markAll(after)}</div></div>`
  const pairs: Pair[] = [{ before: [], after: [] }]
  for (let at = 0; at < parts.length; at++) {
    const { value, added, removed } = parts[at]!
    const pair = pairs.at(-1)!
    if (!added && !removed) {
      addSame(pairs, value)
      continue
    }
    const next = parts[at + 1]
    const isReplaced = removed && next?.added === true
    const gone = removed ? value.join('') : ''
    const [put, kind] = describe(isReplaced ? next.value : added ? value : [])
    if (gone !== '') pair.before.push(markRemoved(gone, kind))
    if (put.length > 0) pair.after.push(...put)
    if (isReplaced) at++
  }
  return html`${pairs.map(({ before: left, after: right }) => html`<div class="pair"><div>${left}</div><div>${right}</div></div>`)}`
}

/** Words, spaces and single characters; a mark is one, so that its words are not compared with those of the text. */
function tokenize(text: string): string[] {
  return text.match(TOKENS) ?? []
}

const TOKENS = new RegExp(`${REMOVED_MARK.source}|\\n+|[^\\S\\n]+|[\\p{L}\\p{N}]+|.`, 'gsu')

/** Blocks that are the same in both texts begin in the same row. */
function addSame(pairs: Pair[], tokens: readonly string[]): void {
  for (const token of tokens) {
    if (/^\n{2,}$/.test(token)) pairs.push({ before: [], after: [] })
    else {
      pairs.at(-1)!.before.push(html`${token}`)
      pairs.at(-1)!.after.push(html`${token}`)
    }
  }
}

/** What stands in the place of something removed, and what that was: `[email removed]`. */
function describe(tokens: readonly string[]): [Html[], string | null] {
  const mark = tokens.find(isRemovedMark)
  const kind = mark === undefined ? null : mark.startsWith('@') ? 'mention' : mark.slice(1, -' removed]'.length)
  return [markAll(tokens.join('')), kind]
}

function markRemoved(text: string, kind: string | null): Html {
  if (text.trim() === '') return html`${text}`
  return html`<mark class="removed" title="Removed: ${kind ?? 'what a draft does not keep'}">${text}</mark>`
}

const MARKS = new RegExp(`(${REMOVED_MARK.source})`)

/** The marks that stand for what was removed, such as `[email removed]`. */
export function markAll(text: string): Html[] {
  return text.split(MARKS).map((part, index) => (index % 2 === 1 ? html`<mark>${part}</mark>` : html`${part}`))
}
