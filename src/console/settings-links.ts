import { type Html, html } from './html'

const pages = { '/console/settings': 'Security & Access', '/console/settings/system': 'System' }

/** The pages of the settings. */
export function settingsLinks(current: keyof typeof pages): Html {
  return html`<nav class="links" aria-label="Settings">${Object.entries(pages).map(([path, title]) => html`<a href="${path}"${path === current ? html` aria-current="page"` : ''}>${title}</a>`)}</nav>`
}
