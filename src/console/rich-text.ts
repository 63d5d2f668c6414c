import { type Html, html, raw } from './html'

/** Converts a long text to HTML that has no scripts and no styles and loads nothing. */
export type ToPageHtml = (text: string, format: 'html' | 'markdown') => Promise<string>

/** Converts a long text to Markdown, which removes nothing for privacy. */
export type ToMarkdown = ToPageHtml

/** A long text of the tracker or a draft. */
export async function richText(
  toPageHtml: ToPageHtml,
  text: string | null,
  format: 'html' | 'markdown' | null = 'markdown',
): Promise<Html> {
  if (text === null || text.trim() === '') return html`<p class="soft">None.</p>`
  const written = await toPageHtml(text, format ?? 'markdown')
  // A table may be wider than a phone. What scrolls must be reachable by keyboard.
  return written.includes('<table')
    ? html`<div class="text wide" role="region" aria-label="Text with a table" tabindex="0">${raw(written)}</div>`
    : html`<div class="text">${raw(written)}</div>`
}
