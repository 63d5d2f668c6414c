import { diffArrays } from 'diff'
import { REMOVED_MARK } from '../../../kernel/text/removed-mark'
import { type Html, html } from '../../html'

/** Longer texts, and a longer comparison, are shown beside each other without marks, because other calls wait meanwhile. */
const MAX_CHARACTERS = 200_000
const MAX_COMPARE_MS = 80

interface Pair {
  before: Html[]
  after: Html[]
}

/** A text and what is left of it, block beside block. What was removed is marked in the text, with its kind on pointing. */
export function alignTexts(before: string, after: string): Html {
  if (before.length + after.length > MAX_CHARACTERS)
    return html`<div class="pair"><div>${before}</div><div>${after}</div></div>`
  const parts = diffArrays(tokenize(before), tokenize(after), { timeout: MAX_COMPARE_MS })
  if (!parts) return html`<div class="pair"><div>${before}</div><div>${markAll(after)}</div></div>`
  const pairs: Pair[] = [{ before: [], after: [] }]
  for (const { same, gone, put } of joinChanges(parts)) {
    const pair = pairs.at(-1)!
    if (gone !== '') pair.before.push(markRemoved(gone, kindOf(put)))
    if (put !== '') pair.after.push(...markAll(put))
    addSame(pairs, same)
  }
  return html`${pairs.map(({ before: left, after: right }) => html`<div class="pair"><div>${left}</div><div>${right}</div></div>`)}`
}

/** What was removed, what is in its place, and what comes after it in both texts. */
interface Change {
  gone: string
  put: string
  same: string
}

/** Changes with nothing but a space between them are one: the first and the last name of a person. */
function joinChanges(parts: readonly { value: string[]; added: boolean; removed: boolean }[]): Change[] {
  const changes: Change[] = [{ gone: '', put: '', same: '' }]
  for (const { value, added, removed } of parts) {
    const text = value.join('')
    let last = changes.at(-1)!
    if (!added && !removed) {
      last.same += text
      continue
    }
    if (/^ +$/.test(last.same) && last.gone + last.put !== '') {
      last.gone += last.same
      last.put += last.same
      last.same = ''
    } else if (last.same !== '') {
      last = { gone: '', put: '', same: '' }
      changes.push(last)
    }
    if (removed) last.gone += text
    else last.put += text
  }
  return changes.map(trimEnd)
}

/** A space at the end of both belongs to what comes after them. */
function trimEnd({ gone, put, same }: Change): Change {
  let end = gone.length
  while (gone[end - 1] === ' ') end--
  const space = gone.slice(end)
  const isSame = space !== '' && put.endsWith(space)
  return isSame
    ? { gone: gone.slice(0, -space.length), put: put.slice(0, -space.length), same: space + same }
    : { gone, put, same }
}

/** Words, spaces and single characters; a mark is one, so that its words are not compared with those of the text. */
function tokenize(text: string): string[] {
  return text.match(TOKENS) ?? []
}

const TOKENS = new RegExp(`${REMOVED_MARK.source}|\\n+|[^\\S\\n]+|[\\p{L}\\p{N}]+|.`, 'gsu')

/** Blocks that are the same in both texts begin in the same row. */
function addSame(pairs: Pair[], text: string): void {
  for (const [index, block] of text.split(/\n{2,}/).entries()) {
    if (index > 0) pairs.push({ before: [], after: [] })
    pairs.at(-1)!.before.push(html`${block}`)
    pairs.at(-1)!.after.push(html`${block}`)
  }
}

/** The kind of what was removed, by what is in its place: `[email removed]`. */
function kindOf(put: string): string | null {
  const mark = REMOVED_MARK.exec(put)?.[0]
  if (mark === undefined) return null
  return mark.startsWith('@') ? 'mention' : mark.slice(1, -' removed]'.length)
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
