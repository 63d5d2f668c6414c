import { htmlToMarkdown, markdownToHtml } from '../rich-text'
import { type Html, html, raw } from './html'

/** A long text of the tracker or a draft. What it becomes has no scripts, no styles and loads nothing. */
export function richText(text: string | null, format: 'html' | 'markdown' | null = 'markdown'): Html {
  if (text === null || text.trim() === '') return html`<p class="soft">None.</p>`
  const markdown = format === 'html' ? htmlToMarkdown(text) : text
  const written = markdownToHtml(markdown, { images: false })
  // A table may be wider than a phone. What scrolls must be reachable by keyboard.
  return written.includes('<table')
    ? html`<div class="text wide" role="region" aria-label="Text with a table" tabindex="0">${raw(written)}</div>`
    : html`<div class="text">${raw(written)}</div>`
}
