import { diffWordsWithSpace } from 'diff'
import { type Html, html } from '../html'

/** A longer comparison shows the texts one after the other. A page has several, and other calls wait meanwhile. */
const MAX_COMPARE_MS = 40

/** The changes from one text to another, word by word; or where hardly a word stays, the one text after the other, which is easier to read. */
export function compareTexts(before: string, after: string): Html[] {
  const words = diffWordsWithSpace(before, after, { timeout: MAX_COMPARE_MS }) ?? []
  const kept = words.reduce((sum, { value, added, removed }) => (added || removed ? sum : sum + value.trim().length), 0)
  const isRewritten = before !== '' && kept < Math.min(before.length, after.length) / 2
  const whole = [
    { value: `${before}\n\n`, removed: true, added: false },
    { value: after, removed: false, added: true },
  ]
  const parts = words.length === 0 || isRewritten ? whole : words
  return parts.map(({ value, added, removed }) => {
    if (added) return html`<ins>${value}</ins>`
    return removed ? html`<del>${value}</del>` : html`${value}`
  })
}
