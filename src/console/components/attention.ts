import { type Html, html } from '../html'
import { badge, type Tone } from './badge'

/** Something that waits for a person. */
export interface AttentionEntry {
  tone: Extract<Tone, 'warn' | 'bad' | 'info'>
  /** What is wrong, such as `late` or `in conflict`. */
  state: string
  /** What it is about. */
  title: string
  href: string
  /** How long, where, and for whom. */
  about?: string | Html
  /** The form or the link that settles it. */
  action?: Html | Promise<Html> | ''
}

/** What waits for a person, each with what to do. */
export function attention(entries: readonly AttentionEntry[]): Html {
  return html`<ul class="attention">${entries.map(
    ({ tone, state, title, href, about = '', action = '' }) =>
      html`<li>${badge(tone, state)} <span class="what"><a href="${href}">${title}</a> <span class="soft">${about}</span></span> <span class="act">${action}</span></li>`,
  )}</ul>`
}
