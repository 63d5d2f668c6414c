import { type Html, html } from '../html'

/** The title of a page, with its buttons beside it. */
export function pageHead({
  title,
  about = '',
  actions = '',
}: {
  title: Html | string
  about?: Html | string
  actions?: Html | string | readonly (Html | Promise<Html> | string)[]
}): Html {
  return html`<div class="head"><div><h1>${title}</h1>${about === '' ? '' : html`<p class="soft">${about}</p>`}</div><div class="bar">${actions}</div></div>`
}

/** A page or a part of one that has nothing to show yet: what it will show, and how to begin. */
export function empty(text: Html | string, action: Html | Promise<Html> | '' = ''): Html {
  return html`<div class="empty"><p>${text}</p>${action}</div>`
}
