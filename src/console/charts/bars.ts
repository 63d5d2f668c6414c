import { type Html, html } from '../html'

/** Bars across, with their labels and values as text. */
export function bars(
  caption: string,
  rows: readonly { text: Html | string; value: number; shown?: string; href?: string }[],
): Html {
  const most = Math.max(1, ...rows.map(({ value }) => value))
  return html`<table class="bars"><caption>${caption}</caption><tbody>${rows.map(
    ({ text, value, shown = String(value), href }) =>
      html`<tr><th scope="row">${href === undefined ? text : html`<a href="${href}">${text}</a>`}</th><td><svg width="100%" height="14" aria-hidden="true"><rect width="${Math.round((value / most) * 1000) / 10}%" height="14"/></svg></td><td class="number">${shown}</td></tr>`,
  )}</tbody></table>`
}
