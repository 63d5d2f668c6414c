import { type Html, html } from './html'

/** The pages of a part of the console, the present one marked. */
export function pageLinks(name: string, pages: Record<string, string>, current: string): Html {
  return html`<nav class="links" aria-label="${name}">${Object.entries(pages).map(([path, title]) => html`<a href="${path}"${path === current ? html` aria-current="page"` : ''}>${title}</a>`)}</nav>`
}
