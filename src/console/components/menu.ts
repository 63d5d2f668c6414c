import { type Html, html } from '../html'

/** A button that opens a list of links and buttons. It works without a script, which closes it on Escape and a click elsewhere. */
export function menu(label: string, body: Html | readonly (Html | Promise<Html>)[]): Html {
  return html`<details class="menu"><summary class="button quiet">${label}</summary><div class="entries">${body}</div></details>`
}

export interface Chip {
  text: string
  href: string
  count?: number
  isCurrent?: boolean
}

/** Links that filter a page, each with how many it would show. */
export function chips(name: string, entries: readonly Chip[]): Html {
  return html`<nav class="chips" aria-label="${name}">${entries.map(
    ({ text, href, count, isCurrent }) =>
      html`<a class="chip" href="${href}"${isCurrent ? html` aria-current="true"` : ''}>${text}${count === undefined ? '' : html` <span class="count">${count}</span>`}</a>`,
  )}</nav>`
}
